//! Lines of text that fit a terminal: wrapped at words, with control characters of foreign text escaped, and colours
//! on request. The same lines may become paragraphs of Markdown instead.
//!
//! Names of designs, panels and machines come from journals. Every line is therefore escaped here, in one
//! place, and not by the writers.

use anstyle::{AnsiColor, Style};
use raywalk_results::statistics::Verdict;
use unicode_width::UnicodeWidthStr;

use super::markdown::escaped;

/// The narrowest supported terminal. Narrower ones wrap by themselves.
const NARROWEST: usize = 20;
/// The longest line before wrapping, in characters.
const LONGEST_LINE: usize = 10_000;
/// The longest word, in characters. No name or number of ours is longer.
const LONGEST_WORD: usize = 200;

/// The meaning of a piece of text, shown as a colour. The text itself has the same meaning.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Tone {
    /// No meaning of its own: shown without a colour.
    #[default]
    Plain,
    /// The heading of a table.
    Heading,
    /// An advantage, or a check that passed.
    Good,
    /// A disadvantage that is no failure.
    Warning,
    /// A check that failed.
    Bad,
    /// No statement, for lack of data.
    Weak,
}

impl Tone {
    /// The tone of a verdict on the speed of a design.
    pub(crate) fn of(verdict: &Verdict) -> Tone {
        match verdict {
            Verdict::Faster(_) => Tone::Good,
            Verdict::Slower(_) => Tone::Warning,
            Verdict::Equal { .. } => Tone::Plain,
            Verdict::NotResolved => Tone::Weak,
        }
    }

    fn style(self) -> Style {
        let colour = |colour: AnsiColor| Style::new().fg_color(Some(colour.into()));
        match self {
            Tone::Plain => Style::new(),
            Tone::Heading => Style::new().bold(),
            Tone::Good => colour(AnsiColor::Green),
            Tone::Warning => colour(AnsiColor::Yellow),
            Tone::Bad => colour(AnsiColor::Red).bold(),
            Tone::Weak => Style::new().dimmed(),
        }
    }
}

/// Text for a terminal of a known width, or Markdown. The writers of this module append to it.
#[derive(Clone, Debug)]
pub struct Screen {
    text: String,
    width: usize,
    colours: bool,
    /// Prefix of every line; in Markdown of every paragraph and of every row of a table.
    mark: &'static str,
    is_markdown: bool,
}

impl Screen {
    /// An empty text for a terminal of `width` columns, with or without ANSI colours.
    pub fn new(width: usize, colours: bool) -> Screen {
        let width = width.max(NARROWEST);
        Screen { text: String::new(), width, colours, mark: "", is_markdown: false }
    }

    /// An empty text whose lines become paragraphs of Markdown, and whose tables become Markdown's.
    pub fn markdown() -> Screen {
        Screen { is_markdown: true, ..Screen::new(NARROWEST, false) }
    }

    /// Everything written so far. Ends with a line break unless it is empty.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// Puts this prefix on every further line.
    pub(crate) fn mark_lines(&mut self, mark: &'static str) {
        self.mark = mark;
    }

    /// Columns of a line after its prefix.
    pub(crate) fn room(&self) -> usize {
        self.width.saturating_sub(self.mark.len()).max(NARROWEST)
    }

    /// A text of Markdown with the prefix of its lines.
    pub(crate) fn marked(&self, text: &str) -> String {
        escaped(&format!("{}{text}", self.mark))
    }

    /// Whether this is Markdown, in which blocks need no width and no blanks.
    pub(crate) fn is_markdown(&self) -> bool {
        self.is_markdown
    }

    /// Writes a paragraph or a table of Markdown, separated from what is above it.
    pub(crate) fn block(&mut self, block: &str) {
        if !self.text.is_empty() {
            self.text.push('\n');
        }
        self.text.push_str(block.trim_end());
        self.text.push('\n');
    }

    /// Writes an empty line; nothing in Markdown, where blocks are separated anyway.
    pub fn blank(&mut self) {
        if !self.is_markdown {
            self.spans(&[]);
        }
    }

    /// Writes a text; lines after its first are indented by two more blanks than the first.
    pub fn line(&mut self, text: impl AsRef<str>) {
        self.toned(text, Tone::Plain);
    }

    /// Writes a text as [`line`](Self::line) does, in a tone.
    pub fn toned(&mut self, text: impl AsRef<str>, tone: Tone) {
        let text = text.as_ref();
        self.hanging(text, text.len() - text.trim_start_matches(' ').len() + 2, tone);
    }

    /// Writes a text; lines after its first are indented by `indent` blanks.
    pub fn hanging_line(&mut self, text: impl AsRef<str>, indent: usize) {
        self.hanging(text.as_ref(), indent, Tone::Plain);
    }

    fn hanging(&mut self, text: &str, indent: usize, tone: Tone) {
        let text = clean(text, LONGEST_LINE);
        let body = text.trim_start_matches(' ');
        if self.is_markdown {
            let heading = if tone == Tone::Heading { "### " } else { "" };
            return self.block(&format!("{heading}{}", self.marked(body)));
        }
        let lead = text.len() - body.len();
        // The first line has more or less room than the others, so it is wrapped with its difference.
        let room = self.room();
        for (number, line) in
            wrap_hanging(body, room.saturating_sub(lead), room.saturating_sub(indent))
                .iter()
                .enumerate()
        {
            let blanks = if number == 0 { lead } else { indent };
            self.spans(&[(blanks, line, tone)]);
        }
    }

    /// Writes one line of spans: blanks before the span, its text, its tone. The texts must be
    /// [`clean`].
    pub(crate) fn spans(&mut self, spans: &[(usize, &str, Tone)]) {
        let mut line = self.mark.to_owned();
        let mut blanks = 0;
        for &(before, text, tone) in spans {
            blanks += before;
            if text.is_empty() {
                continue;
            }
            line.push_str(&" ".repeat(std::mem::take(&mut blanks)));
            let style = if self.colours { tone.style() } else { Style::new() };
            line.push_str(&format!("{style}{text}{style:#}"));
        }
        self.text.push_str(line.trim_end());
        self.text.push('\n');
    }
}

/// Columns that a text takes.
pub(crate) fn columns(text: &str) -> usize {
    text.width()
}

/// Whether a character can move the cursor, hide text or reorder it.
fn is_harmful(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}')
        || c == '\u{feff}'
}

/// Foreign text as it may be shown on a terminal: characters that control the terminal or reorder text
/// are escaped, and the text is cut after `longest` characters.
pub fn plain(text: &str, longest: usize) -> String {
    let mut shown = String::new();
    for (number, c) in text.chars().enumerate() {
        if number == longest {
            shown.push('…');
            break;
        }
        if is_harmful(c) {
            shown.extend(c.escape_default());
        } else {
            shown.push(c);
        }
    }
    shown
}

/// [`plain`] with long words cut as well, so that what follows them stays visible.
pub(crate) fn clean(text: &str, longest: usize) -> String {
    let mut shown = String::new();
    let mut length = 0;
    for c in text.chars() {
        length = if c == ' ' { 0 } else { length + 1 };
        if length <= LONGEST_WORD {
            shown.push(c);
        } else if length == LONGEST_WORD + 1 {
            shown.push('…');
        }
    }
    plain(&shown, longest)
}

/// Splits a text at blanks into lines of at most `width` columns.
pub(crate) fn wrap(text: &str, width: usize) -> Vec<String> {
    wrap_hanging(text, width, width)
}

/// The pieces between which a text may be broken, each with the blanks before it.
pub(crate) fn pieces(text: &str) -> Vec<&str> {
    let mut pieces = Vec::new();
    let (mut start, mut blank) = (0, true);
    for (at, c) in text.char_indices() {
        if c != ' ' {
            blank = false;
        } else if !blank {
            // A number stays with its per cent sign.
            if !text[at..].trim_start_matches(' ').starts_with('%') {
                pieces.push(&text[start..at]);
                start = at;
                blank = true;
            }
        }
    }
    pieces.push(&text[start..]);
    pieces
}

fn wrap_hanging(text: &str, first: usize, others: usize) -> Vec<String> {
    let mut lines = Vec::new();
    let mut line = String::new();
    let mut room = first.max(1);
    for piece in pieces(text) {
        if columns(&line) + columns(piece) <= room {
            line.push_str(piece);
            continue;
        }
        let mut word = piece.trim_start_matches(' ');
        if !line.is_empty() {
            lines.push(std::mem::take(&mut line));
            room = others.max(1);
        }
        // A word wider than the line is broken anywhere.
        while columns(word) > room {
            let (head, tail) = word.split_at(fitting(word, room));
            lines.push(head.to_owned());
            room = others.max(1);
            word = tail;
        }
        line = word.to_owned();
    }
    if !line.is_empty() || lines.is_empty() {
        lines.push(line);
    }
    lines
}

/// Bytes of the longest beginning of a word that fits, one character at least.
fn fitting(word: &str, room: usize) -> usize {
    let ends = word.char_indices().map(|(at, c)| at + c.len_utf8());
    let mut fits = 0;
    for end in ends {
        if fits > 0 && columns(&word[..end]) > room {
            break;
        }
        fits = end;
    }
    fits
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(width: usize, write: impl FnOnce(&mut Screen)) -> String {
        let mut screen = Screen::new(width, false);
        write(&mut screen);
        screen.as_str().to_owned()
    }

    #[test]
    fn lines_are_wrapped_at_words_with_a_hanging_indent() {
        let text = written(24, |screen| screen.line("  one two three four five six"));
        assert_eq!(text, "  one two three four\n    five six\n");
        let text = written(24, |screen| screen.hanging_line("  C  one two three four", 5));
        assert_eq!(text, "  C  one two three four\n");
        let text = written(22, |screen| screen.hanging_line("  C  one two three four", 5));
        assert_eq!(text, "  C  one two three\n     four\n");
    }

    #[test]
    fn blanks_within_a_line_are_kept_and_numbers_stay_with_their_per_cent_signs() {
        assert_eq!(written(40, |screen| screen.line("A  one  two")), "A  one  two\n");
        assert_eq!(wrap("within 1.0 % of it", 10), ["within", "1.0 % of", "it"]);
    }

    #[test]
    fn words_wider_than_the_line_are_broken() {
        assert_eq!(wrap("a bcdefgh", 3), ["a", "bcd", "efg", "h"]);
        assert_eq!(wrap("漢字漢字", 5), ["漢字", "漢字"]);
        assert_eq!(wrap("漢", 1), ["漢"]);
    }

    #[test]
    fn text_that_controls_the_terminal_is_escaped() {
        let text = written(80, |screen| screen.line("a\u{1b}[2J\nverified\u{202e}b\u{9b}"));
        assert_eq!(text, "a\\u{1b}[2J\\nverified\\u{202e}b\\u{9b}\n");
    }

    #[test]
    fn a_long_word_is_cut_and_the_text_after_it_shown() {
        let text = written(80, |screen| screen.line(format!("{} end", "x".repeat(5_000_000))));
        assert!(text.ends_with("… end\n"), "{text}");
        assert!(text.len() < 300, "{}", text.len());
        let words = written(80, |screen| screen.line("word ".repeat(1_000_000)));
        assert!(words.len() < 20_000, "{}", words.len());
    }

    #[test]
    fn colours_are_written_only_on_request_and_never_at_the_end_of_a_prefix() {
        let mut screen = Screen::new(80, true);
        screen.toned("slower", Tone::Bad);
        screen.blank();
        assert_eq!(screen.as_str(), "\u{1b}[1m\u{1b}[31mslower\u{1b}[0m\n\n");
        assert_eq!(written(80, |screen| screen.toned("slower", Tone::Bad)), "slower\n");
    }

    #[test]
    fn a_mark_is_on_every_line_and_counts_as_width() {
        let text = written(30, |screen| {
            screen.mark_lines("forced | ");
            screen.line("one two three four five");
            screen.blank();
        });
        assert_eq!(text, "forced | one two three four\nforced |   five\nforced |\n");
    }
}
