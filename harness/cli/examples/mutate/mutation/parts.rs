//! Finds parts of a text at random places.

use std::ops::Range;

use raywalk_core::random::SplitMix;

/// Up to `longest` bytes from a random place on.
pub(super) fn span(text: &[u8], longest: usize, random: &mut SplitMix) -> Range<usize> {
    let start = random.below(text.len());
    start..text.len().min(start + 1 + random.below(longest))
}

/// The field at or after a random place: bytes without blanks and punctuation. Empty at the end of a
/// text.
pub(super) fn field(text: &[u8], random: &mut SplitMix) -> Range<usize> {
    let separates = |byte: &u8| byte.is_ascii_whitespace() || b"/;,:=[]{}\"'".contains(byte);
    let place = random.below(text.len());
    let inside = text[place..].iter().position(|byte| !separates(byte));
    let inside = place + inside.unwrap_or(text.len() - place);
    let start = text[..inside].iter().rposition(separates).map_or(0, |before| before + 1);
    let length = text[inside..].iter().position(separates).unwrap_or(text.len() - inside);
    start..inside + length
}

/// The line at a random place, with its end.
pub(super) fn line(text: &[u8], random: &mut SplitMix) -> Range<usize> {
    let place = random.below(text.len());
    let is_break = |&byte: &u8| byte == b'\n';
    let start = text[..place].iter().rposition(is_break).map_or(0, |before| before + 1);
    let length = text[place..].iter().position(is_break).map_or(text.len() - place, |end| end + 1);
    start..place + length
}

/// The number at or after a random place, else the first number.
pub(super) fn number(text: &[u8], random: &mut SplitMix) -> Option<Range<usize>> {
    let digit = |from: usize| Some(from + text[from..].iter().position(u8::is_ascii_digit)?);
    let inside = digit(random.below(text.len())).or_else(|| digit(0))?;
    let part = |byte: &u8| byte.is_ascii_digit() || *byte == b'.';
    let mut start =
        text[..inside].iter().rposition(|byte| !part(byte)).map_or(0, |before| before + 1);
    if start > 0 && text[start - 1] == b'-' {
        start -= 1;
    }
    let length = text[inside..].iter().position(|byte| !part(byte));
    Some(start..length.map_or(text.len(), |length| inside + length))
}

/// The range of a word between spaces.
pub(super) fn column(text: &[u8], number: usize) -> Option<Range<usize>> {
    let mut start = 0;
    for (column, word) in text.split(|&byte| byte == b' ').enumerate() {
        if column == number {
            return Some(start..start + word.len());
        }
        start += word.len() + 1;
    }
    None
}
