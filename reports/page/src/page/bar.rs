//! The bar that stays in view: it selects the comparison and the designs that are shown.
//!
//! Baseline and metric choose among tables that are in the document, by the style sheet alone. The other controls
//! need the script, which reveals them. On a telephone the bar is one line that a reader opens; without scripts it is
//! open.

use std::collections::BTreeSet;

use maud::{Markup, html};
use raywalk_judge::Judged;
use raywalk_judge::matrix::Baseline;

use crate::keys::Keys;
use crate::table::marker;
use crate::view::costs;

/// Empty if nothing was measured.
pub(crate) fn bar(sessions: &[Judged<'_>], keys: &Keys) -> Markup {
    let panels = || sessions.iter().flat_map(|judged| &judged.panels);
    if panels().all(|panel| panel.rows.is_empty()) {
        return html! {};
    }
    let mut workloads: Vec<String> = Vec::new();
    let mut calls: Vec<(String, String)> = Vec::new();
    for panel in panels().map(|summary| &summary.panel) {
        if !workloads.contains(&panel.workload) {
            workloads.push(panel.workload.clone());
        }
        let call = (panel.call.id(), panel.call.label());
        if !calls.contains(&call) {
            calls.push(call);
        }
    }
    let metrics: BTreeSet<(&str, &str)> = sessions
        .iter()
        .flat_map(|judged| costs(&judged.panels))
        .map(|cost| (cost.name, cost.label))
        .collect();
    let families: BTreeSet<&str> =
        keys.all().into_iter().filter_map(|(id, _)| id.split('/').next()).collect();
    let none = |label: &str| (String::new(), label.to_owned());
    let same = |name: &str| (name.to_owned(), name.to_owned());
    let baselines = Baseline::ALL.map(|one| (one.name().to_owned(), named(one, sessions)));
    let ratio = [("ratio".to_owned(), "Ratio to the baseline".to_owned())].into_iter();
    let metrics =
        ratio.chain(metrics.iter().map(|&(name, label)| (name.to_owned(), label.to_owned())));
    let workloads = [none("All workloads")].into_iter().chain(workloads.iter().map(|it| same(it)));
    let families = [none("All families")].into_iter().chain(families.iter().map(|it| same(it)));
    html! {
        form.bar aria-label="What is shown" autocomplete="off" {
            details.controls open {
                summary { "What is shown" }
                div {
                    (select("baseline", "Baseline", true, baselines))
                    (select("metric", "Metric", true, metrics))
                    (select("workload", "Workload", false, workloads))
                    (select("call", "Stage", false, [none("All calls")].into_iter().chain(calls)))
                    (select("family", "Family", false, families))
                    label data-script hidden {
                        span { "Search" }
                        input type="search" id="set-search" placeholder="Name of a design";
                    }
                    (choice(keys))
                    button type="button" id="set-reset" data-script hidden { "Reset" }
                    button type="button" id="set-copy" data-script hidden { "Copy link" }
                    output id="set-status" {}
                }
            }
        }
    }
}

/// A baseline, with the design that it stands for if there is one session.
fn named(baseline: Baseline, sessions: &[Judged<'_>]) -> String {
    let label = baseline.label();
    let design = match sessions {
        [judged] => baseline.design(judged),
        _ => None,
    };
    design.map_or_else(|| label.to_owned(), |row| format!("{}, {label}", row.name))
}

fn select(
    name: &str,
    label: &str,
    works_alone: bool,
    options: impl IntoIterator<Item = (String, String)>,
) -> Markup {
    html! {
        label data-script[!works_alone] hidden[!works_alone] {
            span { (label) }
            select id=(format!("set-{name}")) {
                @for (value, text) in options { option value=(value) { (text) } }
            }
        }
    }
}

/// Check boxes that hide designs.
fn choice(keys: &Keys) -> Markup {
    html! {
        details.choice data-script hidden {
            summary { "Designs" }
            fieldset {
                legend { "Designs shown in tables and plots" }
                button type="button" id="set-all" { "All" }
                button type="button" id="set-none" { "None" }
                @for (id, key) in keys.all() {
                    label {
                        input type="checkbox" checked value=(id) data-design=(key.class());
                        (marker(keys, id)) (key.name)
                    }
                }
            }
        }
    }
}
