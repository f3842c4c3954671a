//! The plots: each a title, a description written from the data, one sentence on what to see, the
//! drawing, and its numbers.

pub mod canvas;
pub mod key;
pub mod labels;
pub mod memorisation;
pub mod palette;
pub mod ranking;
pub mod regimes;
pub mod scale;
pub mod sequence;
pub mod size;
pub mod spread;
pub mod svg;

use maud::{Markup, html};

use crate::journal::Results;
use crate::page::table::Table;
use crate::summary::{Cost, PanelSummary, Row};
use crate::wording::cost;

use canvas::Drawn;
use key::Keys;

/// Width of every plot, in pixels of its own; the page scales them.
pub const WIDTH: u32 = 960;

/// A session as plots and sections see it.
#[derive(Clone, Copy)]
pub struct View<'a> {
    /// What was read.
    pub results: &'a Results,
    /// What follows from it.
    pub panels: &'a [PanelSummary],
    /// Colours and markers, one set for the whole page.
    pub keys: &'a Keys,
    /// Begins each id, so that the ids of several sessions differ.
    pub prefix: &'a str,
}

/// A plot with all that goes with it.
pub struct Figure {
    /// Id in the page.
    pub id: String,
    /// What is drawn.
    pub title: String,
    /// One sentence on what to see.
    pub see: String,
    /// The drawing.
    pub drawing: Markup,
    /// Its numbers.
    pub numbers: Table,
}

impl Figure {
    /// Finishes what plotters drew.
    fn new(
        id: String,
        title: String,
        see: String,
        numbers: Table,
        size: (u32, u32),
        drawn: Drawn<String>,
    ) -> Figure {
        let drawing = match drawn {
            Ok(raw) => svg::finish(&raw, size, &id, &title, &see),
            Err(error) => html! { p { "This plot could not be drawn: " (error) "." } },
        };
        Figure { id, title, see, drawing, numbers }
    }
}

/// What a cost is counted in: derived core cycles where every design has them, otherwise time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Metric {
    /// Ticks × calibrated cycles per tick.
    Cycles,
    /// The clock alone.
    Nanoseconds,
}

impl Metric {
    /// The best metric that all these panels have.
    pub fn of<'a>(panels: impl IntoIterator<Item = &'a PanelSummary>) -> Metric {
        let mut panels = panels.into_iter().peekable();
        if panels.peek().is_some() && panels.all(PanelSummary::has_cycles) {
            Metric::Cycles
        } else {
            Metric::Nanoseconds
        }
    }

    /// Its name with its plane.
    pub fn long(self) -> &'static str {
        match self {
            Metric::Cycles => "core cycles (derived)",
            Metric::Nanoseconds => "nanoseconds (measured)",
        }
    }

    /// Its unit.
    pub fn unit(self) -> &'static str {
        match self {
            Metric::Cycles => "cycles",
            Metric::Nanoseconds => "ns",
        }
    }

    /// Cost of a position.
    pub fn position(self, row: &Row) -> Option<Cost> {
        match self {
            Metric::Cycles => row.cycles_position,
            Metric::Nanoseconds => Some(row.ns_position),
        }
    }

    /// Cost of a move.
    pub fn per_move(self, row: &Row) -> Option<Cost> {
        match self {
            Metric::Cycles => row.cycles_move,
            Metric::Nanoseconds => row.ns_move,
        }
    }

    /// A value with its unit.
    pub fn said(self, value: f64) -> String {
        format!("{} {}", cost(value), self.unit())
    }
}
