//! Peers and other plug-ins beside the fastest design that promises the same moves.

use maud::{Markup, html};
use raywalk_judge::format::{interval, middle, panel as name_of, percent, verdict as text_of};
use raywalk_judge::peers::{Duel, duels, finding};
use raywalk_results::schema::Provenance;

use super::packed::folded_alone;
use crate::label::About;
use crate::table::{Cell, Table, tone};
use crate::view::View;

/// A sentence for each plug-in, and one row for each of its panels; empty without plug-ins.
pub(crate) fn body(view: View<'_>) -> Markup {
    let duels = duels(view.judged);
    if duels.is_empty() {
        return html! {};
    }
    html! {
        p.finding {
            "The fastest design of Raywalk of the same legality, compared with each plug-in in the same rounds. "
            (finding(&duels))
        }
        (folded_alone("Every plug-in in every panel", table(view, &duels).render(), false))
    }
}

/// The table; `None` without plug-ins.
pub(crate) fn all(view: View<'_>) -> Option<Table> {
    let duels = duels(view.judged);
    (!duels.is_empty()).then(|| table(view, &duels))
}

fn table(view: View<'_>, duels: &[Duel<'_>]) -> Table {
    let caption = "Time of the fastest design over that of a plug-in, without perturbation. The \
                   intervals of a panel share a confidence of 95 % with all pairs of its designs. A difference is \
                   resolved if its interval lies wholly beyond the floor, which A/A control and processes set";
    let about = About::panels("that its row names", duels.iter().map(|duel| duel.panel));
    let columns = [
        "Plug-in",
        "Panel",
        "Fastest design",
        "Ratio",
        "Interval",
        "Floor",
        "Verdict on the design",
    ];
    let mut table = Table::new(view.label(caption, Provenance::Measured.name(), about), &columns);
    for Duel { panel, own, plugin, compared } in duels {
        let cells = vec![
            Cell::text(name_of(&panel.panel)),
            Cell::text(own.name.as_str()),
            Cell::number(Some(compared.ratio.middle), |_| middle(compared.ratio)),
            Cell::text(interval(compared.ratio)).on_one_line(),
            Cell::number(Some(compared.floor.fraction()), percent),
            Cell::toned(text_of(&compared.verdict), Some(tone(&compared.verdict))),
        ];
        table.design(view.keys, &plugin.id, &plugin.name, cells);
    }
    table
}
