//! The ranges of K that the first sentence of a session names for each class.

use std::ops::RangeInclusive;

use raywalk_judge::Judged;
use raywalk_judge::classes::{Condition, Point, Winner, classes};
use raywalk_judge::finding::finding;
use raywalk_judge::format::middle;
use raywalk_results::fixture::Recipe;
use raywalk_results::journal::Results;

use crate::finding::swapped;

/// The words before the conditions of each winner, and before those without one.
const GROUPS: [&str; 3] =
    ["branchy designs win", "branchless designs win", "equal or not resolved"];

/// The K that a sentence names behind these words: `at K = 4`, or `from K = 1 to K = 256`.
fn ranges(sentence: &str, group: &str) -> Vec<RangeInclusive<u64>> {
    let Some((_, text)) = sentence.split_once(group) else { return Vec::new() };
    let end = GROUPS.iter().filter_map(|other| text.find(other)).min().unwrap_or(text.len());
    let mut parts = text[..end].split("K = ");
    let mut before = parts.next().unwrap_or_default();
    let mut found: Vec<RangeInclusive<u64>> = Vec::new();
    for part in parts {
        let digits: String =
            part.chars().take_while(|it| it.is_ascii_digit() || *it == ',').collect();
        let k: u64 = digits.replace(',', "").parse().expect("a number");
        let first = if before.ends_with(" to ") { found.pop() } else { None };
        found.push(first.map_or(k, |range| *range.start())..=k);
        before = part;
    }
    found
}

#[test]
fn the_ends_of_each_range_are_ratios_of_points_that_the_class_wins() {
    for results in [Recipe::FULL.results(), swapped()] {
        let judged = Judged::of(&results);
        let sentence = &finding(&judged).sentences[0].text;
        for classes in classes(&judged) {
            for winner in [Winner::Branchy, Winner::Branchless] {
                let mut ratios: Vec<_> = classes.won_by(winner).map(|point| point.ratio).collect();
                ratios.sort_by(|a, b| a.middle.total_cmp(&b.middle));
                let (Some(&least), Some(&most)) = (ratios.first(), ratios.last()) else { continue };
                let range = format!("÷ branchy {} to {})", middle(least), middle(most));
                let single = format!("÷ branchy {})", middle(least));
                let shown = if ratios.len() == 1 { single } else { range };
                assert!(sentence.contains(&shown), "{shown} in {sentence}");
            }
            for point in &classes.points {
                let named = match point.condition {
                    Condition::Repeated(k) => {
                        let expected = match point.winner() {
                            Some(Winner::Branchy) => GROUPS[0],
                            Some(Winner::Branchless) => GROUPS[1],
                            None => GROUPS[2],
                        };
                        let names = |group: &&str| {
                            ranges(sentence, group).iter().any(|range| range.contains(&k))
                        };
                        let named: Vec<_> = GROUPS.into_iter().filter(names).collect();
                        assert_eq!(named, [expected], "K = {k} in {sentence}");
                        continue;
                    }
                    other => other.label(),
                };
                let place = sentence.find(&named).expect("each condition is named");
                let before = &sentence[..place];
                let last = |text: &str| before.rfind(text);
                let expected = match point.winner() {
                    Some(Winner::Branchy) => last("branchy designs win"),
                    Some(Winner::Branchless) => last("branchless designs win"),
                    None => last("equal or not resolved"),
                };
                let latest =
                    ["branchy designs win", "branchless designs win", "equal or not resolved"];
                let latest = latest.into_iter().filter_map(last).max();
                assert_eq!(expected, latest, "{named} in {sentence}");
            }
        }
    }
}

/// What was measured in too few rounds is in no range that the sentence states.
#[test]
fn a_condition_that_is_not_judged_divides_a_range() {
    let mut results = Recipe::FULL.results();
    let in_ranges = |results: &Results, k: u64| {
        let sentence = finding(&Judged::of(results)).sentences[0].text.clone();
        GROUPS.iter().flat_map(|group| ranges(&sentence, group)).any(|range| range.contains(&k))
    };
    let judged = Judged::of(&results);
    let classes_before = classes(&judged);
    let between = classes_before[0].points.windows(3).find_map(|three| {
        let k = |point: &Point<'_>| match point.condition {
            Condition::Repeated(k) => Some(k),
            _ => None,
        };
        let [_, middle, _] = [k(&three[0])?, k(&three[1])?, k(&three[2])?];
        let winner = three[1].winner();
        three
            .iter()
            .all(|it| it.winner() == winner)
            .then(|| (middle, three[1].panel.panel.id.clone()))
    });
    let (k, panel) = between.expect("three neighbours with one winner");
    assert!(in_ranges(&results, k), "K = {k}");
    let panel = results.panels.iter_mut().find(|it| it.panel.id == panel).expect("its panel");
    panel.rounds.truncate(2);
    assert_eq!(classes(&Judged::of(&results))[0].not_judged, [Condition::Repeated(k)]);
    assert!(!in_ranges(&results, k), "K = {k}");
}
