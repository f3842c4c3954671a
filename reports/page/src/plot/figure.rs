//! A plot with everything that is shown around it.

use maud::Markup;

use super::canvas::Canvas;
use crate::table::Table;

pub(crate) struct Figure {
    pub(crate) id: String,
    pub(crate) title: String,
    /// One sentence, written from the data: what the plot shows.
    pub(crate) finding: String,
    pub(crate) canvas: Canvas,
    pub(crate) numbers: Table,
}

impl Figure {
    /// The drawing as an image that screen readers describe.
    pub(crate) fn image(&self) -> Markup {
        self.canvas.render(&self.id, &self.title, &self.finding)
    }
}
