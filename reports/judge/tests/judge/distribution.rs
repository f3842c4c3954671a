//! The distribution of the rounds: its quantiles against rounds whose ratios are known.

use raywalk_judge::Judged;
use raywalk_judge::distribution::{SHARES, distributions};
use raywalk_results::fixture::Recipe;
use raywalk_results::journal::Results;
use raywalk_results::schema::Control;

/// A session in which the round of rank i of a panel, in a mixed order, has the log ratio i ÷ 1,000 for every design.
fn session() -> Results {
    let mut results = Recipe { rounds: 40, ..Recipe::SMALL }.results();
    for panel in &mut results.panels {
        for (number, round) in panel.rounds.iter_mut().enumerate() {
            let log = (number * 7 % 40) as f64 / 1_000.0;
            for sample in &mut round.samples {
                let factor = if sample.design == panel.panel.baseline { 1.0 } else { log.exp() };
                sample.ticks = (1e12 * factor) as u64;
                sample.blocks.clear();
            }
        }
    }
    results
}

#[test]
fn quantiles_are_those_of_the_rounds() {
    let results = session();
    let judged = Judged::of(&results);
    let (panel, found) = distributions(&judged).expect("enough rounds");
    assert_eq!(Some(panel), judged.headline());
    let classes: Vec<Option<Control>> =
        found.iter().map(|one| one.row.map(|row| row.control)).collect();
    assert_eq!(classes, [Some(Control::Branchless), Some(Control::Branchy), None]);
    assert_eq!(found[2].id, panel.panel.aa_control);
    for one in &found {
        assert_eq!(one.rounds, 40);
        for (quantile, share) in one.quantiles.iter().zip(SHARES) {
            assert!((quantile - share * 0.039).abs() < 1e-9, "{}: {share} {quantile}", one.id);
        }
        let far = one.from_median(0.95).expect("one of the shares");
        assert!((far.ln() - 0.45 * 0.039).abs() < 1e-9, "{far}");
        assert_eq!(one.from_median(0.33), None);
    }
}

#[test]
fn the_fastest_of_each_class_stand_for_it_and_never_the_baseline() {
    let results = Recipe::FULL.results();
    let judged = Judged::of(&results);
    let (panel, found) = distributions(&judged).expect("enough rounds");
    for one in found.iter().filter_map(|one| one.row) {
        assert_ne!(one.id, panel.panel.baseline);
        let others = panel.rows.iter().filter(|row| row.control == one.control);
        let faster = others.filter(|row| row.ratio < one.ratio && row.id != panel.panel.baseline);
        assert_eq!(faster.count(), 0, "{}", one.id);
    }
}

#[test]
fn few_rounds_have_no_distribution() {
    let mut results = session();
    results.panels.iter_mut().for_each(|panel| panel.rounds.truncate(9));
    assert!(distributions(&Judged::of(&results)).is_none());
}
