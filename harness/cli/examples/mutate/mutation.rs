//! Makes mutated inputs from valid texts.
//!
//! An input is a pure function of the corpus and one 64-bit number, so it can be made again from the
//! number alone, on any machine. It takes a seed of the corpus and applies one to eight changes, half
//! of the time only one. Most changes respect the structure of text formats: they act on fields, lines
//! and numbers, because random bytes alone would rarely pass the first check of a reader.

#![expect(clippy::ptr_arg, reason = "every change has the type `Change`")]

use std::ops::Range;

use raywalk_core::random::{SplitMix, mix};

mod parts;
#[cfg(test)]
mod tests;

use parts::{column, field, line, number, span};

/// Valid texts of a format, and words that mean something in it.
pub(crate) struct Corpus {
    pub seeds: Vec<Vec<u8>>,
    pub words: &'static [&'static str],
}

/// Upper bound on the bytes of an input.
const LONGEST: usize = 1 << 20;
/// Upper bound on the bytes that repetition usually makes. A few inputs are longer, because a reader whose
/// time grows with the square of the length hangs on them.
const USUAL: usize = 16 << 10;
/// One repetition of so many goes up to [`LONGEST`].
const RARE: usize = 1_000;

impl Corpus {
    /// The input of this number. It differs from the seed that it is made from.
    pub(crate) fn input(&self, number: u64) -> Vec<u8> {
        let mut random = SplitMix(mix(number));
        let seed = self.seed(&mut random);
        let mut input = seed.to_vec();
        loop {
            let changes = 1 + random.word().trailing_zeros().min(7);
            for _ in 0..changes {
                CHANGES[random.below(CHANGES.len())](&mut input, self, &mut random);
            }
            input.truncate(LONGEST);
            if input != seed {
                return input;
            }
        }
    }

    fn seed(&self, random: &mut SplitMix) -> &[u8] {
        &self.seeds[random.below(self.seeds.len())]
    }
}

type Change = fn(&mut Vec<u8>, &Corpus, &mut SplitMix);

/// Every change has the same chance.
const CHANGES: [Change; 26] = [
    flip_bit,
    insert_byte,
    replace_byte,
    replace_alike,
    replace_alike,
    swap_bytes,
    swap_alike,
    remove_span,
    repeat_span,
    insert_word,
    replace_field_by_word,
    insert_odd_text,
    remove_field,
    swap_fields,
    graft_field,
    graft_column,
    change_digit,
    replace_number,
    replace_number,
    remove_line,
    repeat_line,
    swap_lines,
    graft_line,
    move_line,
    splice,
    truncate,
];

/// Numbers at and beyond the ends of types, and texts that some readers take for numbers.
const EXTREMES: [&str; 32] = [
    "0",
    "-0",
    "1",
    "-1",
    "00",
    "+1",
    "1_000",
    "0x10",
    "255",
    "256",
    "65535",
    "65536",
    "2147483648",
    "4294967295",
    "4294967296",
    "9007199254740993",
    "9223372036854775807",
    "9223372036854775808",
    "-9223372036854775808",
    "18446744073709551615",
    "18446744073709551616",
    "0.1",
    "1e15",
    "1e308",
    "1e400",
    "-1e400",
    "1e-400",
    "5e-324",
    "NaN",
    "nan",
    "inf",
    "",
];

/// Bytes that are not UTF-8, characters that control a terminal or reorder text, and blanks that are not
/// spaces.
const ODD: [&[u8]; 20] = [
    b"\xff",
    b"\x80",
    b"\xc0\x80",
    b"\xed\xa0\x80",
    b"\xf4\x90\x80\x80",
    b"\xe2\x82",
    b"\xef\xbb\xbf",
    b"\xff\xfe",
    b"\0",
    b"\x1b[2J",
    b"\x7f",
    b"\r",
    b"\r\n",
    b"\t",
    b"\x0b",
    "\u{9b}".as_bytes(),
    "\u{a0}".as_bytes(),
    "\u{2028}".as_bytes(),
    "\u{202e}".as_bytes(),
    "\u{1f600}".as_bytes(),
];

fn flip_bit(input: &mut Vec<u8>, _: &Corpus, random: &mut SplitMix) {
    let place = random.below(input.len());
    if let Some(byte) = input.get_mut(place) {
        *byte ^= 1 << random.below(8);
    }
}

fn insert_byte(input: &mut Vec<u8>, corpus: &Corpus, random: &mut SplitMix) {
    let byte = any_byte(corpus, random);
    input.insert(random.below(input.len() + 1), byte);
}

fn replace_byte(input: &mut Vec<u8>, corpus: &Corpus, random: &mut SplitMix) {
    let place = random.below(input.len());
    if let Some(byte) = input.get_mut(place) {
        *byte = any_byte(corpus, random);
    }
}

/// A byte of some seed three times out of four, so that letters of the format are common.
fn any_byte(corpus: &Corpus, random: &mut SplitMix) -> u8 {
    let any = random.word() as u8;
    let seed = corpus.seed(random);
    let known = seed.get(random.below(seed.len())).copied().unwrap_or(any);
    if random.below(4) == 0 { any } else { known }
}

/// Replaces a byte by one of its class from some seed: one piece of a FEN by another.
fn replace_alike(input: &mut Vec<u8>, corpus: &Corpus, random: &mut SplitMix) {
    let seed = corpus.seed(random);
    let place = random.below(input.len());
    let Some(byte) = input.get_mut(place) else { return };
    let from = random.below(seed.len());
    let alike = |other: &&u8| class(**other) == class(*byte);
    if let Some(other) = seed[from..].iter().find(alike) {
        *byte = *other;
    }
}

/// Exchanges a byte with a later one of its class.
fn swap_alike(input: &mut Vec<u8>, _: &Corpus, random: &mut SplitMix) {
    let place = random.below(input.len());
    let Some(&byte) = input.get(place) else { return };
    let from = place + random.below(input.len() - place);
    let alike = |&other: &u8| other != byte && class(other) == class(byte);
    if let Some(distance) = input[from..].iter().position(alike) {
        input.swap(place, from + distance);
    }
}

/// Letters, digits, blanks, everything else.
fn class(byte: u8) -> u8 {
    match byte {
        b'a'..=b'z' | b'A'..=b'Z' => 0,
        b'0'..=b'9' => 1,
        b' ' | b'\t' | b'\r' | b'\n' => 2,
        _ => 3,
    }
}

fn swap_bytes(input: &mut Vec<u8>, _: &Corpus, random: &mut SplitMix) {
    if !input.is_empty() {
        let [one, other] = [0; 2].map(|_| random.below(input.len()));
        input.swap(one, other);
    }
}

fn remove_span(input: &mut Vec<u8>, _: &Corpus, random: &mut SplitMix) {
    let span = span(input, 32, random);
    input.drain(span);
}

/// Repeats a few bytes or a line, mostly once, rarely thousands of times: brackets nest, names grow.
fn repeat_span(input: &mut Vec<u8>, _: &Corpus, random: &mut SplitMix) {
    let span = match random.below(4) {
        0 => line(input, random),
        _ => span(input, 48, random),
    };
    let (times, most) = match random.below(RARE) {
        0 => (LONGEST, LONGEST),
        _ => (1 << random.below(14).saturating_sub(4), USUAL),
    };
    let room = most.saturating_sub(input.len());
    let text = &input[span.clone()];
    let text: Vec<u8> = text.iter().copied().cycle().take(room.min(times * text.len())).collect();
    insert(input, span.end, &text);
}

fn insert_word(input: &mut Vec<u8>, corpus: &Corpus, random: &mut SplitMix) {
    let place = random.below(input.len() + 1);
    insert(input, place, word(corpus, random));
}

fn replace_field_by_word(input: &mut Vec<u8>, corpus: &Corpus, random: &mut SplitMix) {
    let field = field(input, random);
    input.splice(field, word(corpus, random).iter().copied());
}

fn insert_odd_text(input: &mut Vec<u8>, _: &Corpus, random: &mut SplitMix) {
    let place = random.below(input.len() + 1);
    insert(input, place, ODD[random.below(ODD.len())]);
}

fn remove_field(input: &mut Vec<u8>, _: &Corpus, random: &mut SplitMix) {
    let field = field(input, random);
    input.drain(field);
}

fn swap_fields(input: &mut Vec<u8>, _: &Corpus, random: &mut SplitMix) {
    let [one, other] = [0; 2].map(|_| field(input, random));
    swap(input, one, other);
}

/// Replaces a field by a field of another seed.
fn graft_field(input: &mut Vec<u8>, corpus: &Corpus, random: &mut SplitMix) {
    let other = corpus.seed(random);
    let grafted = &other[field(other, random)];
    let field = field(input, random);
    input.splice(field, grafted.iter().copied());
}

/// Replaces one of the first eight words by the word of the same number in another seed: the castling
/// rights of one FEN by those of another.
fn graft_column(input: &mut Vec<u8>, corpus: &Corpus, random: &mut SplitMix) {
    let number = random.below(8);
    let other = corpus.seed(random);
    if let (Some(own), Some(grafted)) = (column(input, number), column(other, number)) {
        input.splice(own, other[grafted].iter().copied());
    }
}

fn change_digit(input: &mut Vec<u8>, _: &Corpus, random: &mut SplitMix) {
    if let Some(number) = number(input, random) {
        let place = number.start + random.below(number.len());
        if input[place].is_ascii_digit() {
            input[place] = b'0' + random.below(10) as u8;
        }
    }
}

fn replace_number(input: &mut Vec<u8>, _: &Corpus, random: &mut SplitMix) {
    if let Some(number) = number(input, random) {
        let extreme = EXTREMES[random.below(EXTREMES.len())];
        input.splice(number, extreme.bytes());
    }
}

fn remove_line(input: &mut Vec<u8>, _: &Corpus, random: &mut SplitMix) {
    let line = line(input, random);
    input.drain(line);
}

fn repeat_line(input: &mut Vec<u8>, _: &Corpus, random: &mut SplitMix) {
    let line = line(input, random);
    let text = input[line.clone()].to_vec();
    insert(input, line.end, &text);
}

fn swap_lines(input: &mut Vec<u8>, _: &Corpus, random: &mut SplitMix) {
    let [one, other] = [0; 2].map(|_| line(input, random));
    swap(input, one, other);
}

/// Inserts a line of another seed.
fn graft_line(input: &mut Vec<u8>, corpus: &Corpus, random: &mut SplitMix) {
    let other = corpus.seed(random);
    let grafted = &other[line(other, random)];
    let place = line(input, random).end;
    insert(input, place, grafted);
}

fn move_line(input: &mut Vec<u8>, _: &Corpus, random: &mut SplitMix) {
    let moved = line(input, random);
    let text: Vec<u8> = input.drain(moved).collect();
    let place = line(input, random).start;
    insert(input, place, &text);
}

/// The beginning of this text and the end of another seed.
fn splice(input: &mut Vec<u8>, corpus: &Corpus, random: &mut SplitMix) {
    input.truncate(random.below(input.len() + 1));
    let other = corpus.seed(random);
    input.extend_from_slice(&other[random.below(other.len() + 1)..]);
}

fn truncate(input: &mut Vec<u8>, _: &Corpus, random: &mut SplitMix) {
    input.truncate(random.below(input.len() + 1));
}

fn word<'a>(corpus: &'a Corpus, random: &mut SplitMix) -> &'a [u8] {
    corpus.words[random.below(corpus.words.len())].as_bytes()
}

fn insert(input: &mut Vec<u8>, place: usize, text: &[u8]) {
    input.splice(place..place, text.iter().copied());
}

/// Exchanges two ranges unless they overlap.
fn swap(input: &mut Vec<u8>, one: Range<usize>, other: Range<usize>) {
    let (first, second) = if one.start <= other.start { (one, other) } else { (other, one) };
    if first.end > second.start {
        return;
    }
    let parts = [
        &input[..first.start],
        &input[second.clone()],
        &input[first.end..second.start],
        &input[first.clone()],
        &input[second.end..],
    ];
    *input = parts.concat();
}
