//! A plot with everything that is shown around it.

use maud::{Markup, html};

use super::canvas::Canvas;
use crate::table::Table;

pub(crate) struct Figure {
    pub(crate) id: String,
    pub(crate) title: String,
    /// One sentence, written from the data: what the plot shows.
    pub(crate) finding: String,
    pub(crate) canvas: Canvas,
    /// The same for a narrow window, if the drawing differs there.
    pub(crate) narrow: Option<Canvas>,
    pub(crate) numbers: Table,
}

impl Figure {
    /// The drawing as a file of its own, in the colours of the light theme.
    pub(crate) fn file(&self) -> String {
        let drawing = self.canvas.render(&self.id, &self.title, &self.finding).0;
        let head = "<svg xmlns=\"http://www.w3.org/2000/svg\" font-family=\"system-ui,sans-serif\" \
                    style=\"background:#fff\" ";
        drawing.replacen("<svg ", head, 1) + "\n"
    }

    /// The drawings as images that screen readers describe, each in a frame that scrolls.
    pub(crate) fn images(&self) -> Markup {
        let image = |canvas: &Canvas, id: &str| canvas.render(id, &self.title, &self.finding);
        let class = if self.narrow.is_some() { "scroll wide" } else { "scroll" };
        html! {
            div class=(class) tabindex="0" role="group" aria-label=(self.title) {
                (image(&self.canvas, &self.id))
            }
            @if let Some(narrow) = &self.narrow {
                div.scroll.narrow tabindex="0" role="group" aria-label=(self.title) {
                    (image(narrow, &format!("{}-narrow", self.id)))
                }
            }
        }
    }
}
