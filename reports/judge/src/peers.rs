//! Plug-ins, peers among them, against the fastest design of Raywalk that promises the same moves.
//!
//! That design is chosen by the rounds that compare it, so the intervals of a panel share their confidence with all
//! pairs of its designs.

use raywalk_results::statistics::Verdict;

use crate::Judged;
use crate::format::{list, plural, range};
use crate::matrix::is_column;
use crate::pair::Compared;
use crate::summary::{PanelSummary, Row};

/// A plug-in in one panel.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Duel<'a> {
    /// A panel of the kinds that the matrix shows.
    pub panel: &'a PanelSummary,
    /// The fastest design of Raywalk whose moves are as legal as those of the plug-in.
    pub own: &'a Row,
    /// The row of the plug-in in that panel.
    pub plugin: &'a Row,
    /// The design compared with the plug-in.
    pub compared: Compared,
}

/// Every plug-in of every panel, where both have an interval.
pub fn duels<'a>(judged: &'a Judged<'_>) -> Vec<Duel<'a>> {
    let is_plugin =
        |row: &Row| judged.results.design(&row.id).is_some_and(|design| design.plugin.is_some());
    let mut found = Vec::new();
    for panel in judged.panels.iter().filter(|panel| is_column(panel)) {
        let Some(judge) = judged.pairs(panel) else { continue };
        for plugin in panel.rows.iter().filter(|row| is_plugin(row)) {
            let is_like = |row: &&Row| !is_plugin(row) && row.legality == plugin.legality;
            let Some(own) = panel.rows.iter().filter(|row| row.is_ranked()).find(is_like) else {
                continue;
            };
            let compared = judge.compared(&own.id, &plugin.id);
            found.extend(compared.map(|compared| Duel { panel, own, plugin, compared }));
        }
    }
    found
}

/// The outcome of each plug-in in words, with the range of the ratios of each verdict.
pub fn finding(duels: &[Duel<'_>]) -> String {
    let mut plugins: Vec<&Row> = Vec::new();
    for duel in duels {
        if plugins.iter().all(|row| row.id != duel.plugin.id) {
            plugins.push(duel.plugin);
        }
    }
    let sentences = plugins.iter().map(|plugin| {
        let own: Vec<&Duel<'_>> = duels.iter().filter(|duel| duel.plugin.id == plugin.id).collect();
        let group = |words: &str, is: fn(&Verdict) -> bool| {
            let found = || own.iter().filter(|duel| is(&duel.compared.verdict));
            let range = range(found().map(|duel| duel.compared.ratio))?;
            Some(format!("{words} in {} (ratio {range})", found().count()))
        };
        let groups = [
            group("faster", |verdict| matches!(verdict, Verdict::Faster(_))),
            group("slower", |verdict| matches!(verdict, Verdict::Slower(_))),
            group("equal", |verdict| matches!(verdict, Verdict::Equal { .. })),
            group("not resolved", |verdict| matches!(verdict, Verdict::NotResolved)),
        ];
        let groups: Vec<String> = groups.into_iter().flatten().collect();
        format!("Against {}, in {}: {}.", plugin.name, plural(own.len(), "panel"), list(&groups))
    });
    sentences.collect::<Vec<_>>().join(" ")
}
