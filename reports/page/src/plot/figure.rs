//! A plot with everything that is shown around it.

use maud::{Markup, html};
use raywalk_judge::summary::PanelSummary;

use super::canvas::Canvas;
use crate::palette::FONTS;
use crate::plain::text_of;
use crate::table::Table;
use crate::view::View;

/// A finding about one panel, with its positions.
pub(super) fn of_panel(view: View<'_>, panel: &PanelSummary, finding: &str) -> String {
    format!("{finding} Times are those of {}.", panel.positions(view.judged.results))
}

/// On paper a higher drawing is replaced by the narrow one, which has fewer designs.
const TALL: i32 = 1_100;

pub(crate) struct Figure {
    pub(crate) id: String,
    pub(crate) title: String,
    /// Sentences, written from the data: what the plot shows, and over which positions if it is about one panel.
    pub(crate) finding: String,
    pub(crate) canvas: Canvas,
    /// The same for a narrow window.
    pub(crate) narrow: Canvas,
    pub(crate) numbers: Table,
}

impl Figure {
    /// The drawing as a file of its own, in the colours of the light theme, with what its numbers come from.
    pub(crate) fn file(&self) -> String {
        let drawing = self.canvas.render(&self.id, &self.title, &self.finding).0;
        let head = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" font-family=\"{FONTS}\" style=\"background:#fff\" "
        );
        let origin = html! { metadata { (text_of(self.numbers.origin())) } }.0;
        let drawing = drawing.replacen("</desc>", &format!("</desc>{origin}"), 1);
        drawing.replacen("<svg ", &head, 1) + "\n"
    }

    /// The drawings as images that screen readers describe, each in a frame; the style sheet shows the one that fits.
    pub(crate) fn images(&self) -> Markup {
        let narrow = format!("{}-narrow", self.id);
        let wide = if self.canvas.height() > TALL { "wide tall" } else { "wide" };
        html! {
            @for (class, canvas, id) in [(wide, &self.canvas, &self.id), ("narrow", &self.narrow, &narrow)] {
                div.scroll.(class) tabindex="0" role="group" aria-label=(self.title) {
                    (canvas.render(id, &self.title, &self.finding))
                }
            }
        }
    }
}
