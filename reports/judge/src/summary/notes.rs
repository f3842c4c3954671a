//! Sentences about a panel: what it does, how a replay was learnt, and what disturbances changed.

use raywalk_results::journal::Results;
use raywalk_results::schema::{Design, Learning, Status};
use raywalk_results::statistics::factor;

use super::{PanelSummary, Row};
use crate::format::{list, plural};

/// Designs that a sentence names at most.
const NAMED: usize = 6;

/// Why legal and pseudo-legal designs are compared where they walk a recorded search.
const MEET: &str = "Legal and pseudo-legal generators are ranked together here and only here, because both \
    do all that their engine has to do: a pseudo-legal one makes and takes back the illegal moves and \
    tests every move, a legal one skips both.";

impl PanelSummary {
    /// Names of the verified designs that do not offer the call of this panel. A plug-in may lack one that every
    /// other design offers.
    pub fn left_out<'a>(&self, results: &'a Results) -> Vec<&'a str> {
        let out = |design: &&Design| {
            matches!(design.status, Status::Verified { .. })
                && !self.panel.designs.contains(&design.id)
        };
        results.designs.iter().filter(out).map(|design| design.name.as_str()).collect()
    }

    /// Names of the designs of this panel without a row: no block is left that was clean for the design and for the
    /// baseline. If no block of the baseline is left, these are all designs.
    pub fn without_samples<'a>(&'a self, results: &'a Results) -> Vec<&'a str> {
        let ids = self.panel.designs.iter().filter(|id| self.rounds > 0 && self.row(id).is_none());
        ids.map(|id| results.name(id)).collect()
    }

    /// Describes the timed work of a panel that is part of a recorded search, in sentences, and explains why
    /// generators of both legalities are ranked together, if they are; `None` for other calls.
    pub fn note_on_search(&self) -> Option<String> {
        let search = self.panel.call.search()?;
        let mut note = search.explained().to_owned();
        if self.mixes_legality() && search.is_walk() {
            note.push(' ');
            note.push_str(MEET);
        }
        Some(note)
    }

    /// How the designs learnt the positions of a replay, and which of them had not finished; `None` for other
    /// regimes.
    pub fn note_on_learning(&self, results: &Results) -> Option<String> {
        let Learning { passes, unsettled } = self.panel.learning.as_ref()?;
        let passes = plural(*passes as usize, "untimed pass");
        let passes = format!(
            "Before each sample a design learns the positions in {passes}. When the panel was sized, "
        );
        Some(match unsettled.len() {
            0 => format!("{passes}all had stopped becoming faster by then."),
            some => {
                let names: Vec<&str> = unsettled.iter().map(|id| results.name(id)).collect();
                let named =
                    if some > NAMED { String::new() } else { format!(" ({})", list(&names)) };
                let all = self.panel.designs.len();
                format!("{passes}{some} of {all}{named} still became faster at the end of these.")
            }
        })
    }

    /// What the ratios would be without the disturbed rounds, and with all that was disturbed, where that lies outside
    /// their intervals: a sentence for each, without a full stop.
    pub fn notes_on_disturbances(&self) -> Vec<String> {
        let note = |of: fn(&Row) -> Option<f64>, how: &str| {
            let mut moved: Vec<(&Row, f64)> =
                self.rows.iter().filter_map(|row| Some((row, of(row)?))).collect();
            let distance = |(row, ratio): &(&Row, f64)| (ratio / row.ratio).ln().abs();
            moved.sort_by(|one, other| distance(other).total_cmp(&distance(one)));
            let named = |(row, ratio): &(&Row, f64)| format!("{} {}", row.name, factor(*ratio));
            let names: Vec<String> = moved.iter().take(NAMED).map(named).collect();
            let ratios = plural(moved.len(), "ratio");
            let (lie, which) = match moved.len() {
                0 => return None,
                1 => ("lies outside its interval", ""),
                some if some > NAMED => ("lie outside their intervals", "furthest "),
                _ => ("lie outside their intervals", ""),
            };
            Some(format!("{how}, {ratios} {lie}: {which}{}", list(&names)))
        };
        let without = note(|row| row.undisturbed, "Without the disturbed rounds");
        let how = "With all disturbed rounds and all samples beside a neighbour";
        without.into_iter().chain(note(|row| row.with_disturbed, how)).collect()
    }
}

#[cfg(test)]
mod tests {
    use raywalk_results::fixture::Recipe;

    use super::*;
    use crate::Judged;

    #[test]
    fn disturbances_that_move_a_ratio_out_of_its_interval_are_told_with_the_furthest_first() {
        let results = Recipe::FULL.results();
        let judged = Judged::of(&results);
        let mut panel = judged.headline().expect("a headline").clone();
        for row in &mut panel.rows {
            (row.undisturbed, row.with_disturbed) = (None, None);
        }
        assert_eq!(panel.notes_on_disturbances(), [""; 0]);
        let ratio = panel.rows[2].ratio;
        panel.rows[2].undisturbed = Some(2.0 * ratio);
        let [near, far] = [1, 3].map(|place: usize| (place, panel.rows[place].name.clone()));
        panel.rows[near.0].with_disturbed = Some(1.5 * panel.rows[near.0].ratio);
        panel.rows[far.0].with_disturbed = Some(3.0 * panel.rows[far.0].ratio);
        let [without, with] = &panel.notes_on_disturbances()[..] else { panic!("two sentences") };
        let name = &panel.rows[2].name;
        let expected = format!("1 ratio lies outside its interval: {name} {}", factor(2.0 * ratio));
        assert_eq!(*without, format!("Without the disturbed rounds, {expected}"));
        let names =
            format!(": {} {} and {} ", far.1, factor(3.0 * panel.rows[far.0].ratio), near.1);
        assert!(
            with.contains("neighbour, 2 ratios lie outside their intervals")
                && with.contains(&names),
            "{with}"
        );
        panel.rows.iter_mut().for_each(|row| row.with_disturbed = Some(4.0 * row.ratio));
        let all = &panel.notes_on_disturbances()[1];
        assert!(all.contains("12 ratios") && all.contains(": furthest "), "{all}");
        let is_named =
            |row: &&Row| all.contains(&format!("{} {}", row.name, factor(4.0 * row.ratio)));
        assert_eq!(panel.rows.iter().filter(is_named).count(), NAMED, "{all}");
    }

    #[test]
    fn a_replay_tells_its_passes_and_who_still_learnt() {
        let results = Recipe::FULL.results();
        let judged = Judged::of(&results);
        let mut panel = judged.headline().expect("a headline").clone();
        assert_eq!(panel.note_on_learning(&results), None);
        let unsettled = panel.panel.designs[..2].to_vec();
        panel.panel.learning = Some(Learning { passes: 12, unsettled });
        let names: Vec<&str> = panel.panel.designs[..2].iter().map(|id| results.name(id)).collect();
        let note = panel.note_on_learning(&results).expect("a note");
        let end = format!("2 of 12 ({}) still became faster at the end of these.", list(&names));
        assert!(
            note.starts_with(
                "Before each sample a design learns the positions in 12 untimed passes."
            )
        );
        assert!(note.ends_with(&end), "{note}");
        panel.panel.learning = Some(Learning { passes: 1, unsettled: Vec::new() });
        let note = panel.note_on_learning(&results).expect("a note");
        assert!(note.contains("in 1 untimed pass.") && note.contains("all had stopped"), "{note}");
    }

    #[test]
    fn a_design_whose_samples_are_all_left_out_is_named() {
        let results = Recipe::FULL.results();
        let judged = Judged::of(&results);
        let mut panel = judged.headline().expect("a headline").clone();
        assert_eq!(panel.without_samples(&results), [""; 0]);
        let lost = panel.rows.pop().expect("rows");
        assert_eq!(panel.without_samples(&results), [lost.name.as_str()]);
    }
}
