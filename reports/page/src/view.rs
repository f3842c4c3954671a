//! The data that plots and sections are given, and the unit of cost that they use.

use raywalk_judge::Judged;
use raywalk_judge::format::{certain, cost};
use raywalk_judge::summary::{PanelSummary, Row};
use raywalk_results::schema::Provenance;

use crate::keys::Keys;
use crate::label::{About, Label};

/// A session as plots and sections receive it.
#[derive(Clone, Copy)]
pub(crate) struct View<'a> {
    pub(crate) judged: &'a Judged<'a>,
    /// Colours and markers, one set for the whole page.
    pub(crate) keys: &'a Keys,
    /// Prefix of every id, so that the ids of several sessions differ.
    pub(crate) prefix: &'a str,
}

impl View<'_> {
    /// The label of a table of this session.
    pub(crate) fn label(
        &self,
        title: impl Into<String>,
        provenance: &str,
        about: About<'_>,
    ) -> Label {
        Label::of(self.judged, self.prefix, title, provenance, &about)
    }
}

/// The unit of costs: derived core cycles where every design has them, otherwise time.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Metric {
    /// Unit and provenance in words, such as `core cycles (derived)`.
    pub(crate) long: &'static str,
    pub(crate) provenance: &'static str,
    unit: &'static str,
    pub(crate) per_position: fn(&Row) -> Option<f64>,
    pub(crate) per_move: fn(&Row) -> Option<f64>,
}

/// Ticks × calibrated cycles per tick.
const CYCLES: Metric = Metric {
    long: "core cycles (derived)",
    provenance: "cycles derived from measured times",
    unit: "cycles",
    per_position: |row| row.cycles_position,
    per_move: |row| row.cycles_move,
};

const NANOSECONDS: Metric = Metric {
    long: "nanoseconds (measured)",
    provenance: Provenance::Measured.name(),
    unit: "ns",
    per_position: |row| Some(row.ns_position),
    per_move: |row| row.ns_move,
};

impl Metric {
    /// The best metric that all these panels have.
    pub(crate) fn of<'a>(panels: impl IntoIterator<Item = &'a PanelSummary>) -> Metric {
        let mut panels = panels.into_iter().peekable();
        let has_cycles = panels.peek().is_some() && panels.all(PanelSummary::has_cycles);
        if has_cycles { CYCLES } else { NANOSECONDS }
    }

    /// A cost of a row with its unit, to the first uncertain digit.
    pub(crate) fn format(self, value: f64, row: &Row) -> String {
        format!("{} {}", certain(value, row.half_width, cost), self.unit)
    }
}

/// A cost of a design in a unit of its own.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Cost {
    /// The choice of this cost in the bar of the page: one word, such as `ns-move`.
    pub(crate) name: &'static str,
    pub(crate) label: &'static str,
    pub(crate) provenance: &'static str,
    pub(crate) of: fn(&Row) -> Option<f64>,
}

/// The costs that these panels have, cycles only if all of them have cycles.
pub(crate) fn costs<'a>(panels: impl IntoIterator<Item = &'a PanelSummary>) -> Vec<Cost> {
    let time = Cost {
        name: "ns",
        label: "Nanoseconds per position (measured)",
        provenance: NANOSECONDS.provenance,
        of: NANOSECONDS.per_position,
    };
    let best = Metric::of(panels);
    if best.unit != CYCLES.unit {
        let label = "Nanoseconds per move (measured)";
        return vec![time, Cost { name: "ns-move", label, of: NANOSECONDS.per_move, ..time }];
    }
    let label = "Core cycles per position (derived)";
    let cycles =
        Cost { name: "cycles", label, provenance: CYCLES.provenance, of: CYCLES.per_position };
    let label = "Core cycles per move (derived)";
    vec![time, cycles, Cost { name: "cycles-move", label, of: CYCLES.per_move, ..cycles }]
}
