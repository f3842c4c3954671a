//! Designs on workloads of unrelated positions, from few moves to many.

use raywalk_judge::Judged;
use raywalk_judge::density::Densities;
use raywalk_results::fixture::Recipe;
use raywalk_results::journal::Results;
use raywalk_results::schema::{Legality, Order, Stage};

/// The fixture with streams of unrelated positions instead of the other panels, except for the headline. Each has so
/// many halves of the headline's moves.
fn with_densities(halves: &[u64]) -> Results {
    let mut results = Recipe::FULL.results();
    let headline = Judged::of(&results).headline().expect("a headline").panel.id.clone();
    let is_headline = |it: &&raywalk_results::journal::PanelRounds| it.panel.id == headline;
    let headline = results.panels.iter().find(is_headline).expect("its rounds").clone();
    results.panels = vec![headline.clone()];
    for half in halves {
        let mut copy = headline.clone();
        copy.panel.workload = format!("halves-{half}");
        copy.panel.id = format!("halves-{half}/all");
        copy.panel.regime.order = Order::Shuffled;
        for round in &mut copy.rounds {
            round.panel.clone_from(&copy.panel.id);
            round.samples.iter_mut().for_each(|sample| sample.moves = sample.moves * half / 2);
        }
        results.panels.push(copy);
    }
    results
}

#[test]
fn workloads_come_by_moves_and_the_fastest_pseudo_legal_design_is_one() {
    let results = with_densities(&[4, 1, 3, 2]);
    let judged = Judged::of(&results);
    let all = Densities::of(&judged, Stage::All).expect("four workloads");
    let names: Vec<&str> = all.panels.iter().map(|(_, it)| it.panel.workload.as_str()).collect();
    assert_eq!(names, ["halves-1", "halves-2", "halves-3", "halves-4"]);
    assert!((all.panels[3].0 / all.panels[0].0 - 4.0).abs() < 0.1, "{:?}", all.panels[0].0);
    assert!(all.designs.len() > 3 && all.designs.len() <= 9);
    assert!(all.designs.iter().all(|row| row.legality == Legality::PseudoLegal));
    for (_, panel) in &all.panels {
        let of = |id: &str| Densities::over_fastest(&judged, panel, id).expect("a ratio");
        let behind: Vec<f64> = all.designs.iter().map(|row| of(&row.id).ratio).collect();
        let with_interval = all.designs.iter().filter(|row| of(&row.id).interval.is_some()).count();
        assert_eq!(with_interval + 1, all.designs.len(), "all but the fastest");
        assert!(behind.iter().all(|&it| it >= 1.0) && behind.contains(&1.0), "{behind:?}");
    }
    let finding = all.finding(&judged).expect("a finding");
    assert!(
        finding.contains("on halves-1 with") && finding.contains("on halves-4 with"),
        "{finding}"
    );
}

#[test]
fn few_workloads_or_another_stage_have_no_heat_map() {
    let results = with_densities(&[1, 2, 3]);
    assert_eq!(Densities::of(&Judged::of(&results), Stage::All), None);
    let results = with_densities(&[1, 2, 3, 4]);
    assert_eq!(Densities::of(&Judged::of(&results), Stage::Captures), None);
}
