//! Layers of a drawing whose cells follow the designs that a reader shows.
//!
//! A drawing with a row or a cell for each design declares that in an attribute. When a design is hidden, the script
//! moves the later cells into its place, shortens the elements behind the cells and moves up those below them. So the
//! elements are kept in layers: a layer is one group that is moved or shortened as a whole.

use maud::{Markup, PreEscaped, html};

use super::Canvas;

/// From back to front. Without cells everything is in one layer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Layer {
    /// Backgrounds of cells and of rows.
    Under,
    /// From the top of the first row to the end of the last one; shortened with them. Holds no text.
    Tall,
    /// Cells, and what does not move.
    Main,
    /// What stands below the cells, and moves up when designs are hidden.
    Below,
}

/// Layout of the cells of a drawing.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Flow {
    /// Cells beside each other; one for rows.
    pub(crate) columns: i32,
    /// Pixels from a cell to the next one in its row, and to the one below.
    pub(crate) step: (i32, i32),
    /// Upper edge of the first cell.
    pub(crate) top: i32,
}

impl Canvas {
    /// From here on the drawing has cells.
    pub(crate) fn flows(&mut self, flow: Flow) {
        self.flow = Some(flow);
    }

    pub(crate) fn on(&mut self, layer: Layer, draw: impl FnOnce(&mut Canvas)) {
        let before = self.layer;
        if self.flow.is_some() {
            self.layer = layer;
        }
        draw(self);
        self.layer = before;
    }

    /// Draws a part of the cell with this number, which disappears with the design that has this class.
    pub(crate) fn cell(
        &mut self,
        number: usize,
        owner: Option<String>,
        draw: impl FnOnce(&mut Canvas),
    ) {
        let class = owner.map(|owner| format!(" class=\"{owner}\"")).unwrap_or_default();
        self.group(&format!("data-cell=\"{number}\"{class}"), draw);
    }

    /// Draws a cell that heads the next ones, and disappears with the last of them.
    pub(crate) fn head_cell(
        &mut self,
        number: usize,
        heads: usize,
        draw: impl FnOnce(&mut Canvas),
    ) {
        self.group(&format!("data-cell=\"{number}\" data-heads=\"{heads}\""), draw);
    }

    /// A group with these attributes. Elements drawn into it stay in it, whatever layer they select.
    pub(crate) fn group(&mut self, attributes: &str, draw: impl FnOnce(&mut Canvas)) {
        let flow = self.flow.take();
        self.push(&format!("<g {attributes}>"));
        draw(self);
        self.push("</g>");
        self.flow = flow;
    }

    /// The drawing is about these designs: without any of them it is empty.
    pub(crate) fn needs(&mut self, owners: impl IntoIterator<Item = Option<String>>) {
        self.needs = Some(owners.into_iter().flatten().collect::<Vec<_>>().join(" "));
    }

    /// Columns, steps and upper edge for the script.
    pub(super) fn told_flow(&self) -> Option<String> {
        let Flow { columns, step: (right, down), top } = self.flow?;
        Some(format!("{columns} {right} {down} {top}"))
    }

    /// The elements of all layers, without the SVG element around them.
    pub(crate) fn elements(&self) -> String {
        self.layered().0
    }

    /// The elements of all layers, those that the script shortens or moves in groups.
    pub(super) fn layered(&self) -> Markup {
        let [under, tall, main, below] = self.layers.each_ref().map(PreEscaped);
        html! {
            (under)
            @if !tall.0.is_empty() { g data-tall="" { (tall) } }
            (main)
            @if !below.0.is_empty() { g data-below="" { (below) } }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::palette::Ink;

    #[test]
    fn layers_are_apart_only_where_there_are_cells() {
        let draw = |mut canvas: Canvas| {
            canvas.on(Layer::Below, |canvas| canvas.line([(0, 30), (9, 30)], Ink::Axis, 1));
            canvas.cell(0, Some("d3".to_owned()), |canvas| canvas.dot((5, 5), 2, Ink::Text));
            canvas.on(Layer::Tall, |canvas| canvas.line([(5, 0), (5, 20)], Ink::Grid, 1));
            canvas.render("p", "", "").0
        };
        let plain = draw(Canvas::new(40));
        assert!(!plain.contains("data-tall") && !plain.contains("data-flow"));
        let place = |text: &str, part: &str| text.find(part).expect("a part of the drawing");
        assert!(place(&plain, "0,30") < place(&plain, "data-cell=\"0\" class=\"d3\""));
        let mut canvas = Canvas::new(40);
        canvas.flows(Flow { columns: 1, step: (0, 20), top: 0 });
        let layered = draw(canvas);
        assert!(layered.contains("data-flow=\"1 0 20 0\""), "{layered}");
        assert!(place(&layered, r#"<g data-tall="">"#) < place(&layered, "data-cell"));
        assert!(place(&layered, "data-cell") < place(&layered, r#"<g data-below="">"#));
    }
}
