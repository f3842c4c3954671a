//! Widths of the columns of a table, and its division into parts that fit the terminal.
//!
//! A table that is too wide is narrowed in this order: headings of numbers wrap, texts wrap, the table is
//! split at its sections, numbers wrap, the columns go to as many parts as needed. Each part repeats the
//! columns that name the row.

use super::screen::{columns, pieces};

/// Blanks between two columns.
pub(super) const GAP: usize = 2;
/// Width below which texts are wrapped only if nothing else helps.
const READABLE: usize = 12;

/// Columns of one part of a table, with their widths.
pub(super) type Part = Vec<(usize, usize)>;

/// Steps by which a column shrinks, from less to more.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Shrink {
    /// Headings of numbers wrap.
    Headings,
    /// So do texts, which stay readable.
    Texts,
    /// So do numbers, and texts have one word per line.
    Numbers,
    /// Words are broken.
    Words,
}

impl Shrink {
    const ALL: [Shrink; 4] = [Shrink::Headings, Shrink::Texts, Shrink::Numbers, Shrink::Words];
}

/// The widths that a column may have.
#[derive(Clone, Debug)]
pub(super) struct Measure {
    /// Width of its widest cell.
    natural: usize,
    /// Least width for each [`Shrink`].
    least: [usize; 4],
    begins_section: bool,
}

impl Measure {
    /// Measures a column. The heading has blanks where it may be broken.
    pub(super) fn of<'a>(
        heading: &str,
        cells: impl Iterator<Item = &'a str>,
        is_number: bool,
        begins_section: bool,
    ) -> Measure {
        // Pieces begin with the blanks before them, which a break removes.
        let word = |text: &str| {
            let widths = pieces(text).into_iter().map(|piece| columns(piece.trim_start()));
            widths.max().unwrap_or(0)
        };
        let unbroken = columns(&heading.replace("/ ", "/"));
        let (mut widest, mut longest_word) = (0, word(heading));
        for cell in cells {
            widest = widest.max(columns(cell));
            longest_word = longest_word.max(word(cell));
        }
        let natural = widest.max(unbroken);
        let least = match is_number {
            true => {
                let cells = widest.max(word(heading));
                [cells, cells, longest_word, 1]
            }
            false => [natural, longest_word.max(READABLE), longest_word, 1],
        };
        let least = least.map(|width| width.min(natural));
        Measure { natural, least, begins_section }
    }
}

/// Distributes the columns over parts of at most `room` columns of the terminal. The first `keys` columns name the row.
pub(super) fn parts(measures: &[Measure], keys: usize, room: usize) -> Vec<Part> {
    let all: Vec<usize> = (0..measures.len()).collect();
    if let Some(part) = fit(measures, &all, room, Shrink::Texts) {
        return vec![part];
    }
    let (keys, others) = all.split_at(keys.min(all.len()));
    if others.is_empty() {
        return fit(measures, keys, room, Shrink::Words).into_iter().collect();
    }
    let mut parts = Vec::new();
    for section in others.chunk_by(|_, &next| !measures[next].begins_section) {
        let whole = [keys, section].concat();
        let fitting = [Shrink::Texts, Shrink::Numbers]
            .into_iter()
            .find_map(|shrink| fit(measures, &whole, room, shrink));
        match fitting {
            Some(part) => parts.push(part),
            None => parts.extend(divide(measures, keys, section, room)),
        }
    }
    parts
}

/// Puts as many columns of a section into each part as fit beside the keys.
fn divide(measures: &[Measure], keys: &[usize], section: &[usize], room: usize) -> Vec<Part> {
    let mut groups: Vec<Vec<usize>> = Vec::new();
    for &column in section {
        let fits = |group: &Vec<usize>| {
            let more = [group, &[column][..]].concat();
            fit(measures, &more, room, Shrink::Numbers).is_some()
        };
        match groups.last_mut() {
            Some(group) if fits(group) => group.push(column),
            _ => groups.push([keys, &[column]].concat()),
        }
    }
    groups.iter().filter_map(|group| fit(measures, group, room, Shrink::Words)).collect()
}

/// The widths of these columns if they can be shrunk so far that they fit.
fn fit(measures: &[Measure], columns: &[usize], room: usize, most: Shrink) -> Option<Part> {
    let mut part: Part = columns.iter().map(|&column| (column, measures[column].natural)).collect();
    let gaps = GAP * columns.len().saturating_sub(1);
    let mut total = gaps + part.iter().map(|(_, width)| width).sum::<usize>();
    for shrink in Shrink::ALL.into_iter().filter(|&shrink| shrink <= most) {
        while total > room {
            // The widest first, so that the widths become similar.
            let least = |column: usize| measures[column].least[shrink as usize];
            let shrinkable = part.iter_mut().filter(|(column, width)| *width > least(*column));
            let Some((_, width)) = shrinkable.max_by_key(|(_, width)| *width) else { break };
            *width -= 1;
            total -= 1;
        }
    }
    (total <= room).then_some(part)
}
