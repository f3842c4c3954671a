//! Several machines side by side: which claims hold on all of them, which differ, and with which traits.

use maud::{Markup, html};
use raywalk_judge::Judged;
use raywalk_judge::claims::{self, Claim};
use raywalk_judge::format::{NONE, list, plural};
use raywalk_judge::machines::{Machines, OnMachines, Trait, machines};

use super::section::Section;
use crate::label::Label;
use crate::table::{Cell, Table};

/// The section; `None` if all sessions are of one machine.
pub(crate) fn section(sessions: &[Judged<'_>]) -> Option<Section> {
    body(sessions, &claims::all())
        .map(|body| Section::new("machines", "Do the claims hold on every machine?", body))
}

fn body(sessions: &[Judged<'_>], claims: &[Claim]) -> Option<Markup> {
    let found = machines(sessions, claims)?;
    let (turning, stable) = (found.turning().count(), found.stable().count());
    Some(html! {
        p { (outcome(&found, turning, stable)) }
        (traits(sessions, &found))
        @if turning > 0 {
            (turns(sessions, &found))
            p.note {
                "A property separates verdicts if equal verdicts lie side by side when the machines are sorted by it, with a \
                 gap of at least 10 % to the others. A few machines differ in many properties, so this suggests a \
                 cause and proves none."
            }
        }
        @if stable > 0 {
            details {
                summary { (plural(stable, "claim")) " with the same verdict on every machine that decides it" }
                (same(sessions, &found))
            }
        }
    })
}

fn outcome(found: &Machines<'_>, turning: usize, stable: usize) -> String {
    let rule = "Each verdict is made within one session, so no ratio mixes machines.";
    let claims = plural(turning + stable, "claim");
    let decided = match (turning + stable, found.machines.len()) {
        (0, _) => return format!("No claim is decided on two machines. {rule}"),
        (_, 2) => format!("Both machines decide {claims}"),
        (_, machines) => format!("Two or more of the {machines} machines decide {claims}"),
    };
    format!("{decided}: {stable} with the same verdict, {turning} with different ones. {rule}")
}

/// The machine in headings: `Machine 1`.
fn name(place: usize) -> String {
    format!("Machine {}", place + 1)
}

fn traits(sessions: &[Judged<'_>], found: &Machines<'_>) -> Markup {
    let mut columns = vec!["Machine", "Processor", "Sessions"];
    columns.extend(Trait::ALL.map(Trait::label));
    let caption = "The machines: what the system reports about caches, and what the self-test measured. A session of \
                   the self-test without a knee has no reach";
    let provenance = "reported by the system, and measured by the self-test";
    let label = Label::of_all(sessions, caption, provenance, None);
    let mut table = Table::new(label, &columns);
    for (place, machine) in found.machines.iter().enumerate() {
        let sessions = machine.sessions.iter().map(|number| (number + 1).to_string());
        let sessions = list(&sessions.collect::<Vec<_>>());
        let mut cells = vec![Cell::text(machine.processor.as_str()), Cell::text(sessions)];
        let values = Trait::ALL.into_iter().zip(machine.traits);
        cells.extend(values.map(|(one, value)| Cell::number(value, |_| one.text(value))));
        table.row(&name(place), cells);
    }
    table.render()
}

fn verdicts(sessions: &[Judged<'_>], title: &str) -> Label {
    let provenance = "measured, counted, modelled or arithmetic, as the claims of each session say";
    Label::of_all(
        sessions,
        title,
        provenance,
        Some("that each session's claim names in its conditions"),
    )
}

fn turns(sessions: &[Judged<'_>], found: &Machines<'_>) -> Markup {
    let mut columns = vec!["Claim".to_owned(), "In our words".to_owned()];
    columns.extend((0..found.machines.len()).map(name));
    columns.push("Separated by".to_owned());
    let title = "Claims whose verdict turns between machines";
    let mut table = Table::new(verdicts(sessions, title), &columns);
    for (one, with) in found.turning() {
        let mut cells = vec![Cell::text(one.claim.says.as_str())];
        let verdict = |verdict: &Option<String>| verdict.clone().unwrap_or_else(|| NONE.to_owned());
        cells.extend(one.verdicts.iter().map(|one| Cell::text(verdict(one))));
        let with: Vec<&str> = with.iter().map(|one| one.label()).collect();
        cells.push(Cell::text(if with.is_empty() {
            "none of these properties".to_owned()
        } else {
            list(&with)
        }));
        table.row(&one.claim.id, cells);
    }
    table.render()
}

fn same(sessions: &[Judged<'_>], found: &Machines<'_>) -> Markup {
    let columns = ["Claim", "In our words", "Verdict", "Machines"];
    let title = "Claims whose verdict is the same on all";
    let mut table = Table::new(verdicts(sessions, title), &columns);
    for OnMachines { claim, verdicts, .. } in found.stable() {
        let known = verdicts.iter().flatten();
        let verdict = known.clone().next().map_or(NONE, String::as_str);
        let count = Cell::number(Some(known.count() as f64), |count| count.to_string());
        table.row(&claim.id, vec![Cell::text(claim.says.as_str()), Cell::text(verdict), count]);
    }
    table.render()
}

#[cfg(test)]
mod tests {
    use raywalk_results::fixture::{self, Recipe};
    use raywalk_results::journal::Results;

    use super::*;

    /// The session of a machine with designs of real ids, one of which takes this part of the time of the other.
    fn session(seed: u64, ferret: f64) -> Results {
        let recipe = Recipe { seed, ..Recipe::FULL };
        let text = fixture::text(&recipe.records());
        let text = text.replace("synthetic-beta", "ferret/end-origin");
        let results = fixture::read(&text.replace("synthetic-gamma", "butterfly/i16"));
        let times = [("ferret/end-origin", ferret), ("butterfly/i16", 1.0)];
        let mut results = fixture::with_times(results, &times);
        results.session.machine.caches[1].bytes <<= seed;
        results
    }

    fn written(sessions: &[Results]) -> Option<String> {
        let judged: Vec<Judged<'_>> = sessions.iter().map(Judged::of).collect();
        let wanted = |claim: &Claim| ["T2", "T12", "T16"].contains(&&*claim.id);
        let claims: Vec<Claim> = claims::all().into_iter().filter(wanted).collect();
        body(&judged, &claims).map(Markup::into_string)
    }

    #[test]
    fn two_machines_show_their_traits_and_the_claims_that_turn() {
        let text = written(&[session(1, 0.8), session(2, 1.25)]).expect("two machines");
        insta::assert_snapshot!(text.replace("</tr>", "</tr>\n"));
    }

    #[test]
    fn one_machine_has_no_such_section() {
        assert_eq!(written(&[session(1, 0.8), session(1, 1.25)]), None);
    }
}
