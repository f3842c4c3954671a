//! Plug-ins against the fastest design that promises the same moves.

use raywalk_judge::Judged;
use raywalk_judge::peers::{duels, finding};
use raywalk_results::fixture::Recipe;
use raywalk_results::schema::Plugin;
use raywalk_results::statistics::Verdict;

#[test]
fn a_plugin_is_held_against_the_fastest_built_in_design_of_its_legality() {
    let mut results = Recipe::FULL.results();
    assert!(duels(&Judged::of(&results)).is_empty(), "no plug-in takes part");
    let headline = Judged::of(&results).headline().expect("a headline").rows.clone();
    // The fastest design of the headline panel, so that the second one stands for Raywalk there.
    let plugin = &headline[0];
    let place = results.designs.iter().position(|design| design.id == plugin.id).expect("a design");
    let file = Plugin { file: "mine.so".to_owned(), digest: "0".repeat(16) };
    results.designs[place].plugin = Some(file);
    let judged = Judged::of(&results);
    let found = duels(&judged);
    assert!(!found.is_empty());
    for duel in &found {
        assert_eq!(duel.plugin.id, plugin.id);
        assert_eq!(duel.own.legality, plugin.legality);
        let like = |id: &str| id != plugin.id;
        let rows = duel.panel.rows.iter().filter(|row| row.legality == plugin.legality);
        let fastest = rows.filter(|row| like(&row.id)).map(|row| row.ns_position);
        assert_eq!(duel.own.ns_position, fastest.fold(f64::INFINITY, f64::min));
        let by_costs = duel.own.ns_position / duel.plugin.ns_position;
        assert!((duel.compared.ratio.middle / by_costs - 1.0).abs() < 0.01, "{duel:#?}");
    }
    let here = found.iter().find(|duel| duel.panel.panel.id == results.session.headline);
    assert!(here.expect("the headline").compared.ratio.middle > 1.0);
    let slower =
        found.iter().filter(|duel| matches!(duel.compared.verdict, Verdict::Slower(_))).count();
    let text = finding(&found);
    assert!(text.starts_with(&format!("Against {}, in ", plugin.name)), "{text}");
    assert_eq!(text.contains(&format!("slower in {slower} (ratio ")), slower > 0, "{text}");
}
