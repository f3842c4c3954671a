//! Designs whose boards exceed the second-level cache.
//!
//! The boards of a panel are made before the clock starts, and a design reads one after another. Beyond its first
//! pass over them, a cache that replaces the least recently used line then holds all of them or none: that is the
//! cache model of a trace, applied to whole boards. If they do not fit, the time of the design depends on the caches
//! and the memory that other programs and guests share, and its ratio varies with their activity.

use raywalk_results::journal::Results;
use raywalk_results::schema::{CacheName, Operation, Panel};

use crate::format::{bytes, grouped};
use crate::summary::{PanelSummary, Row};

/// The boards of a design that do not fit into the second-level cache.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Boards {
    /// How many there are before one comes back, or in a batch of a stream.
    pub count: u64,
    /// Bytes that one board of the design needs.
    pub each: u64,
    /// Capacity of the second-level cache in bytes.
    pub cache: u64,
}

impl Boards {
    /// The boards of a design in a panel, if they exceed the second-level cache. `None` as well if the journal lacks
    /// the size of the board or of the cache.
    pub(crate) fn beyond_second_level(
        results: &Results,
        panel: &Panel,
        id: &str,
    ) -> Option<Boards> {
        let each = results.design(id)?.board_bytes?;
        let caches = &results.session.machine.caches;
        let cache = caches.iter().find(|cache| cache.name == CacheName::L2)?.bytes;
        let count = count(panel);
        // A journal may state any numbers, and their product must not overflow.
        (count.saturating_mul(each) > cache).then_some(Boards { count, each, cache })
    }

    /// Bytes of all of them.
    pub fn bytes(&self) -> u64 {
        self.count.saturating_mul(self.each)
    }
}

/// How many boards a design reads before it reads one again, or in a batch of a stream.
fn count(panel: &Panel) -> u64 {
    // A walk and a perft make their moves on one board.
    if panel.call.is_walk() || panel.call.operation().is_some_and(Operation::counts_leaves) {
        return 1;
    }
    resident(panel).unwrap_or(panel.batch)
}

/// The number of boards of a replay that are kept: then each comes back after all others. A long replay and the control
/// of the memorisation curve are laid out batch by batch, as a stream is.
fn resident(panel: &Panel) -> Option<u64> {
    panel.regime.period.filter(|&k| panel.regime.boards.is_none() && panel.batch >= k)
}

/// Marks a design in a table.
pub(crate) const MARK: &str = "boards beyond L2";

/// Whether each row is to be marked: its boards exceed the second-level cache and those of another row do not.
pub(crate) fn marked(results: &Results, summary: &PanelSummary) -> Vec<bool> {
    let beyond: Vec<bool> =
        summary.rows.iter().map(|row| of(results, summary, row).is_some()).collect();
    match beyond.contains(&false) {
        true => beyond,
        false => vec![false; beyond.len()],
    }
}

/// The sentences below a table with such designs; `None` if all boards fit, or no size is known.
pub fn note(results: &Results, summary: &PanelSummary) -> Option<String> {
    let beyond: Vec<Boards> =
        summary.rows.iter().filter_map(|row| of(results, summary, row)).collect();
    let Boards { count, cache, .. } = *beyond.first()?;
    let whose = match beyond.len() == summary.rows.len() {
        true => "The boards of all designs".to_owned(),
        false => format!("The boards of the designs marked “{MARK}”"),
    };
    let why = match resident(&summary.panel) {
        Some(_) => "each comes back after all others",
        None => "a batch is laid out before it is timed",
    };
    Some(format!(
        "{whose}, {} each, exceed the second-level cache of {}: {why}, so a cache that replaces the least recently used \
         line has lost it. Their times follow the caches and the memory that other programs and guests share.",
        grouped(count),
        bytes(cache),
    ))
}

fn of(results: &Results, summary: &PanelSummary, row: &Row) -> Option<Boards> {
    Boards::beyond_second_level(results, &summary.panel, &row.id)
}

#[cfg(test)]
mod tests {
    use raywalk_results::fixture::{self, Recipe};
    use raywalk_results::schema::{Call, Search};

    use super::*;
    use crate::Judged;

    /// Boards of alpha have 96 bytes, of beta 2,432; the cache has 1 MiB.
    fn replay(k: u64) -> Results {
        let mut results = Recipe { designs: 3, ..Recipe::SMALL }.results();
        let panel = &mut results.panels[0].panel;
        (panel.regime, panel.positions) = (fixture::replay(k), k);
        panel.batch = if k > 8_192 { 4_096 } else { k };
        for design in &mut results.designs {
            design.board_bytes = Some(if design.id == "synthetic-beta" { 2_432 } else { 96 });
        }
        results
    }

    fn noted(results: &Results) -> (Vec<String>, Option<String>) {
        let judged = Judged::of(results);
        let panel = &judged.panels[0];
        let rows = panel.rows.iter().zip(marked(results, panel));
        let rows = rows.filter(|(_, is_marked)| *is_marked).map(|(row, _)| row.id.clone());
        (rows.collect(), note(results, panel))
    }

    #[test]
    fn boards_are_marked_where_those_of_others_fit() {
        assert_eq!(noted(&replay(256)), (vec![], None));
        let (rows, note) = noted(&replay(1_024));
        assert_eq!(rows, ["synthetic-beta"]);
        let text = "marked “boards beyond L2”, 1,024 each, exceed the second-level cache of 1 MiB";
        assert!(note.is_some_and(|note| note.contains(text)));
        let (rows, note) = noted(&replay(8_192));
        assert_eq!(rows, ["synthetic-beta"]);
        assert!(note.is_some_and(|note| note.contains("each comes back after all others")));
        let mut small = replay(8_192);
        let caches = &mut small.session.machine.caches;
        caches.iter_mut().for_each(|cache| cache.bytes = cache.bytes.min(512 << 10));
        let (rows, note) = noted(&small);
        assert!(rows.is_empty(), "a mark on all designs says nothing");
        assert!(note.is_some_and(|note| note.starts_with("The boards of all designs, 8,192 each")));
    }

    #[test]
    fn boards_of_a_long_replay_and_of_the_control_are_those_of_a_batch() {
        let mut control = replay(256);
        let panel = &mut control.panels[0].panel;
        (panel.regime.boards, panel.batch) = (Some(65_536), 4_096);
        for results in [replay(65_536), control] {
            let (rows, note) = noted(&results);
            assert_eq!(rows, ["synthetic-beta"]);
            let note = note.expect("a note");
            assert!(note.contains("4,096 each") && note.contains("a batch is laid out"), "{note}");
        }
    }

    #[test]
    fn nothing_is_said_about_one_board_or_about_unknown_sizes() {
        let mut unknown = replay(1_024);
        unknown.session.machine.caches.clear();
        assert_eq!(noted(&unknown), (vec![], None));
        let mut walk = replay(1_024);
        walk.panels[0].panel.call = Call::Search { search: Search::Tree };
        assert_eq!(noted(&walk), (vec![], None));
    }
}
