//! The tokens of PGN.

use super::Why;
use crate::escape::shown;

/// A part of the text that decides the positions of a game. Everything else is skipped.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Token<'a> {
    /// A tag with its value.
    Tag(&'a str, String),
    /// A word of the main line that is not a move number.
    Move(&'a str),
    /// The result of a game.
    Result,
    /// The end of the text.
    End,
}

/// Splits a text into tokens and counts lines.
pub(super) struct Scanner<'a> {
    rest: &'a str,
    /// Number of the line of `rest`, from 1.
    line: usize,
    /// Whether `rest` begins in the first column.
    first_column: bool,
}

/// A line number and what is wrong there.
type Wrong = (usize, Why);

/// Characters that end a word and are tokens themselves, or begin one.
const DELIMITERS: [char; 9] = ['{', '}', '(', ')', '[', ']', ';', '$', '*'];
/// Characters that separate a move number from its move.
const DOTS: [char; 2] = ['.', '…'];

impl<'a> Scanner<'a> {
    /// The tokens of this text. A byte order mark at its beginning is ignored.
    pub(crate) fn new(text: &'a str) -> Scanner<'a> {
        let rest = text.strip_prefix('\u{feff}').unwrap_or(text);
        Scanner { rest, line: 1, first_column: true }
    }

    /// The next token, with the number of its line.
    pub(crate) fn next_token(&mut self) -> Result<(usize, Token<'a>), Wrong> {
        loop {
            self.skip(self.rest.len() - self.rest.trim_start().len());
            let line = self.line;
            let Some(first) = self.rest.chars().next() else { return Ok((line, Token::End)) };
            match first {
                ';' => self.skip_line(),
                '%' if self.first_column => self.skip_line(),
                '{' => self.skip_comment()?,
                '(' => self.skip_variation()?,
                '}' | ')' | ']' => return Err((line, Why::Closing(first))),
                '[' => return Ok((line, self.tag()?)),
                '$' => self.skip(1 + digits(&self.rest[1..])),
                '*' => {
                    self.skip(1);
                    return Ok((line, Token::Result));
                }
                _ => {
                    if let Some(token) = self.word() {
                        return Ok((line, token));
                    }
                }
            }
        }
    }

    /// Takes a word: the move or result that it is; `None` for a move number or an annotation.
    fn word(&mut self) -> Option<Token<'a>> {
        let end = |c: char| c.is_whitespace() || DELIMITERS.contains(&c);
        let word = &self.rest[..self.rest.find(end).unwrap_or(self.rest.len())];
        let number = digits(word);
        let after = word[number..].trim_start_matches(DOTS);
        // `12...e5` is a number and a move, `0-0` and `1/2` are neither.
        if number == word.len() || after.len() < word.len() - number {
            self.skip(word.len() - after.len());
            return None;
        }
        self.skip(word.len());
        match word {
            "1-0" | "0-1" | "1/2-1/2" | "1/2" | "½-½" => Some(Token::Result),
            "e.p." => None,
            _ if word.chars().all(|c| matches!(c, '!' | '?')) => None,
            _ => Some(Token::Move(word)),
        }
    }

    fn tag(&mut self) -> Result<Token<'a>, Wrong> {
        let Some((name, value, after)) = tag(self.rest) else {
            let text = self.rest.lines().next().unwrap_or_default();
            return Err((self.line, Why::Tag(shown(text.trim_end()))));
        };
        self.skip(self.rest.len() - after.len());
        Ok(Token::Tag(name, value))
    }

    fn skip_line(&mut self) {
        self.skip(self.rest.find('\n').unwrap_or(self.rest.len()));
    }

    /// Skips a comment in braces. The standard does not nest them.
    fn skip_comment(&mut self) -> Result<(), Wrong> {
        let end = self.rest.find('}').ok_or((self.line, Why::Comment))?;
        // Without this check, a comment that was never closed would silently swallow the next game.
        if self.rest[..end].lines().skip(1).any(is_tag) {
            return Err((self.line, Why::Comment));
        }
        self.skip(end + 1);
        Ok(())
    }

    /// Skips a variation with the variations and comments in it.
    fn skip_variation(&mut self) -> Result<(), Wrong> {
        let unclosed = (self.line, Why::Variation);
        let (mut depth, mut searched) = (0, self.line);
        loop {
            let Some(stop) = self.rest.find(['(', ')', '{', ';', '%', '[']) else {
                return Err(unclosed);
            };
            self.skip(stop);
            match self.rest.as_bytes()[0] {
                b'{' => {
                    self.skip_comment()?;
                    continue;
                }
                b';' => {
                    self.skip_line();
                    continue;
                }
                b'%' if self.first_column => {
                    self.skip_line();
                    continue;
                }
                // The first bracket of a line only: searching the line from every bracket would take
                // hours on a long one.
                b'[' if self.line > searched => {
                    searched = self.line;
                    if tag(self.rest).is_some() {
                        return Err(unclosed);
                    }
                }
                b'(' => depth += 1,
                b')' => depth -= 1,
                _ => {}
            }
            self.skip(1);
            if depth == 0 {
                return Ok(());
            }
        }
    }

    /// Skips this many bytes, and counts their lines.
    fn skip(&mut self, bytes: usize) {
        let (skipped, rest) = self.rest.split_at(bytes);
        if bytes > 0 {
            self.line += skipped.bytes().filter(|&byte| byte == b'\n').count();
            self.first_column = skipped.ends_with('\n');
            self.rest = rest;
        }
    }
}

/// The number of digits that a text begins with.
fn digits(text: &str) -> usize {
    text.bytes().take_while(u8::is_ascii_digit).count()
}

/// Whether a line begins with a tag.
pub(crate) fn is_tag(line: &str) -> bool {
    tag(line.trim_start()).is_some()
}

/// Name and value of the tag that a text begins with, and the text after it. A tag ends on its line.
fn tag(text: &str) -> Option<(&str, String, &str)> {
    let is_blank = |c: char| c.is_whitespace() && c != '\n';
    let text = text.strip_prefix('[')?.trim_start_matches(is_blank);
    let symbol = |c: char| c.is_ascii_alphanumeric() || "_+#=:-".contains(c);
    let name = &text[..text.find(|c| !symbol(c))?];
    let mut value = String::new();
    let quoted = text[name.len()..].trim_start_matches(is_blank).strip_prefix('"')?;
    let mut letters = quoted.char_indices();
    while let Some((at, letter)) = letters.next() {
        let after = &quoted[at + letter.len_utf8()..];
        match letter {
            '\n' => return None,
            '\\' if after.starts_with(['"', '\\']) => value.extend(letters.next().map(|(_, c)| c)),
            // Some programs write quotes in a value without a backslash.
            '"' => match after.trim_start_matches(is_blank).strip_prefix(']') {
                Some(rest) if !name.is_empty() => return Some((name, value, rest)),
                _ => value.push(letter),
            },
            _ => value.push(letter),
        }
    }
    None
}
