//! The bar that stays in view: it selects the comparison and the designs that are shown. On a page of several sessions
//! it selects the panels that stand side by side, and designs.
//!
//! Baseline and metric choose among tables that are in the document, by the style sheet alone. The other controls
//! need the script, which reveals them. On a telephone the bar is one line that a reader opens; without scripts it is
//! open.

use std::collections::BTreeSet;

use maud::{Markup, html};
use raywalk_judge::Judged;
use raywalk_judge::matrix::Baseline;
use raywalk_results::schema::Panel;

use crate::keys::Keys;
use crate::table::marker;
use crate::view::{View, costs};

/// Of one session. Empty if nothing was measured.
pub(crate) fn of_session(view: View<'_>) -> Markup {
    let panels = view.judged.panels.iter().map(|summary| &summary.panel);
    bar(&[view], &html! { (comparison(view.judged)) (of_panels(panels)) })
}

/// Of several sessions with these panels side by side. Empty if nothing was measured.
pub(crate) fn of_sessions<'a>(
    views: &[View<'_>],
    panels: impl Iterator<Item = &'a Panel>,
) -> Markup {
    let panels: Vec<&Panel> = panels.collect();
    let choices = html! { @if panels.len() > 1 { (of_panels(panels.into_iter())) } };
    bar(views, &choices)
}

fn bar(views: &[View<'_>], choices: &Markup) -> Markup {
    let is_empty = |view: &View<'_>| view.judged.panels.iter().all(|panel| panel.rows.is_empty());
    let Some(View { keys, .. }) = views.first().filter(|_| !views.iter().all(is_empty)) else {
        return html! {};
    };
    let families: BTreeSet<&str> =
        keys.all().into_iter().filter_map(|(id, _)| id.split('/').next()).collect();
    let families = families.iter().map(|name| ((*name).to_owned(), (*name).to_owned()));
    html! {
        form.bar aria-label="What is shown" autocomplete="off" {
            details.controls open {
                summary { "What is shown" }
                div {
                    (choices)
                    (select("family", "Family", false, [none("All families")].into_iter().chain(families)))
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

fn none(label: &str) -> (String, String) {
    (String::new(), label.to_owned())
}

/// The choice of a workload and of a stage.
fn of_panels<'a>(panels: impl Iterator<Item = &'a Panel>) -> Markup {
    let mut workloads = vec![none("All workloads")];
    let mut calls = vec![none("All calls")];
    for panel in panels {
        let workload = (panel.workload.clone(), panel.workload.clone());
        let call = (panel.call.id(), panel.call.label());
        for (all, one) in [(&mut workloads, workload), (&mut calls, call)] {
            if !all.contains(&one) {
                all.push(one);
            }
        }
    }
    html! {
        (select("workload", "Workload", false, workloads))
        (select("call", "Stage", false, calls))
    }
}

/// The choice of a baseline and of a metric.
fn comparison(judged: &Judged<'_>) -> Markup {
    let costs = costs(&judged.panels);
    let metrics: BTreeSet<(&str, &str)> =
        costs.iter().map(|cost| (cost.name, cost.label)).collect();
    let ratio = [("ratio", "Ratio to the baseline")].into_iter();
    let metrics = ratio.chain(metrics).map(|(name, label)| (name.to_owned(), label.to_owned()));
    let baselines = Baseline::ALL.map(|one| (one.name().to_owned(), named(one, judged)));
    html! {
        (select("baseline", "Baseline", true, baselines))
        (select("metric", "Metric", true, metrics))
    }
}

/// A baseline, with the design that it stands for.
fn named(baseline: Baseline, judged: &Judged<'_>) -> String {
    let label = baseline.label();
    let design = baseline.design(judged);
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
