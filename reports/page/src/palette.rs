//! The colours of the page, for both themes, in one table, and its typefaces.
//!
//! Plots and tables name colours by their role, an [`Ink`]. An ink is written as a CSS class; the
//! style sheet colours the class from a variable, whose value differs between the themes. The colour of a design is
//! that of its class of control flow, on every figure. Colour never carries information alone: families differ in
//! their marker, designs are named beside their marks, and tables have a column for the class.

use std::fmt::Write;

use raywalk_results::schema::Control;

/// The markers of families as characters, for tables; plots draw the same shapes. None of them has a coloured picture
/// in the fonts of telephones, and none is the star of the best in a column.
pub(crate) const SYMBOLS: [char; 24] = [
    '●', '■', '▲', '▼', '◆', '✚', '✖', '○', '◄', '►', '□', '△', '▽', '◇', '✦', '◉', '◐', '◧', '⊕',
    '⊗', '◁', '▷', '⬢', '▬',
];

/// The typefaces of the page and of copied figures, the first that a machine has.
pub(crate) const FONTS: &str =
    "system-ui,-apple-system,'Segoe UI',Roboto,'Helvetica Neue',Arial,'DejaVu Sans',sans-serif";

/// Name of the variable, colour in the light theme, colour in the dark theme.
const COLOURS: [(&str, &str, &str); 15] = [
    ("bg", "#f6f7f9", "#121418"),
    ("card", "#ffffff", "#1a1d23"),
    ("fg", "#1b1f26", "#e7e9ed"),
    ("muted", "#565d68", "#a4abb6"),
    ("line", "#dde1e7", "#323843"),
    ("axis", "#7d8591", "#78818e"),
    ("band", "#e3ebf5", "#2a3444"),
    ("accent", "#0a559e", "#8cbcf7"),
    ("better", "#0b6640", "#74d7a2"),
    ("worse", "#9b3210", "#f5a581"),
    ("mark", "#b00058", "#ff7ab8"),
    ("stripe", "#f3f5f8", "#20242c"),
    (Control::Branchy.name(), "#c84c00", "#ff8d4a"),
    (Control::Mixed.name(), "#54244f", "#e2cfe6"),
    (Control::Branchless.name(), "#0067b1", "#5fb0f2"),
];

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ink {
    Text,
    Muted,
    Grid,
    /// Axes, and the line of no difference.
    Axis,
    /// The range within which no difference is reported.
    Band,
    Mark,
    /// The background of every other row.
    Stripe,
    /// A design, by its number on the page and its class.
    Design(u8, Control),
    Control(Control),
}

impl Ink {
    /// Name of the CSS variable that holds the colour.
    pub(crate) fn variable(self) -> &'static str {
        match self {
            Ink::Text => "fg",
            Ink::Muted => "muted",
            Ink::Grid => "line",
            Ink::Axis => "axis",
            Ink::Band => "band",
            Ink::Mark => "mark",
            Ink::Stripe => "stripe",
            Ink::Design(_, control) | Ink::Control(control) => control.name(),
        }
    }

    /// The colour in the light theme, for a plot that is copied out of the page and so loses the
    /// style sheet.
    pub(crate) fn light(self) -> &'static str {
        let name = self.variable();
        COLOURS.iter().find(|&&(variable, ..)| variable == name).map_or("#000000", |c| c.1)
    }
}

/// An ink, and the design that the painted element belongs to. The element is hidden when a reader
/// deselects that design.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Paint {
    pub(crate) ink: Ink,
    pub(crate) owner: Option<u8>,
}

impl From<Ink> for Paint {
    fn from(ink: Ink) -> Paint {
        let owner = if let Ink::Design(number, _) = ink { Some(number) } else { None };
        Paint { ink, owner }
    }
}

impl Paint {
    /// The classes of an element: `f` for a filled one, `k` for a stroked one.
    pub(crate) fn classes(self, kind: char) -> String {
        let colour = format!("{kind}-{}", self.ink.variable());
        self.owner.map_or(colour.clone(), |number| format!("{colour} d{number}"))
    }
}

/// The variables of both themes and the classes that use them. The dark theme follows the reader's
/// system unless the switch of the page overrides it, and is never printed.
pub(crate) fn style() -> String {
    let mut light = "color-scheme:light;".to_owned();
    let mut dark = "color-scheme:dark;".to_owned();
    let mut classes = String::new();
    for (name, day, night) in COLOURS {
        // Writing into a string cannot fail.
        let _ = write!(light, "--{name}:{day};");
        let _ = write!(dark, "--{name}:{night};");
        let _ = writeln!(
            classes,
            ".f-{name}{{fill:var(--{name});color:var(--{name})}}.k-{name}{{stroke:var(--{name})}}"
        );
    }
    format!(
        ":root{{{light}}}\n\
         @media screen and (prefers-color-scheme:dark){{:root:not(:has(#theme-light:checked)){{{dark}}}}}\n\
         @media screen{{:root:has(#theme-dark:checked){{{dark}}}}}\n{classes}"
    )
}

#[cfg(test)]
mod vision;

#[cfg(test)]
mod tests {
    use super::*;

    /// WCAG 2.2 contrast ratio of two `#rrggbb` colours.
    fn contrast(one: &str, other: &str) -> f64 {
        let luminance = |colour: &str| {
            let channel = |at: usize| {
                let byte = u8::from_str_radix(&colour[at..at + 2], 16).expect("hex digits");
                let share = f64::from(byte) / 255.0;
                if share <= 0.04045 { share / 12.92 } else { ((share + 0.055) / 1.055).powf(2.4) }
            };
            0.2126 * channel(1) + 0.7152 * channel(3) + 0.0722 * channel(5)
        };
        let (one, other) = (luminance(one), luminance(other));
        (one.max(other) + 0.05) / (one.min(other) + 0.05)
    }

    fn colour(name: &str) -> [&'static str; 2] {
        COLOURS.iter().find(|c| c.0 == name).map(|c| [c.1, c.2]).expect("a colour of the table")
    }

    #[test]
    fn text_has_a_contrast_of_four_and_a_half_in_both_themes() {
        assert!((contrast("#000000", "#ffffff") - 21.0).abs() < 1e-9);
        for ink in ["fg", "muted", "accent", "better", "worse", "mark"] {
            for ground in ["bg", "card", "band", "stripe"] {
                for theme in 0..2 {
                    let found = contrast(colour(ink)[theme], colour(ground)[theme]);
                    assert!(found >= 4.5, "{ink} on {ground}, theme {theme}: {found:.2}");
                }
            }
        }
    }

    #[test]
    fn strokes_have_a_contrast_of_three_in_both_themes() {
        let strokes = COLOURS.into_iter().filter(|&(name, ..)| {
            name == "axis" || Control::ALL.iter().any(|control| control.name() == name)
        });
        for (ink, day, night) in strokes {
            for ground in ["card", "stripe"] {
                let [light, dark] = colour(ground);
                let found = contrast(day, light).min(contrast(night, dark));
                assert!(found >= 3.0, "{ink} on {ground}: {found:.2}");
            }
        }
    }

    #[test]
    fn classes_differ_by_twelve_also_for_the_colour_blind() {
        for theme in 0..2 {
            let classes = Control::ALL.iter().map(|control| colour(control.name())[theme]);
            let classes: Vec<_> = classes.collect();
            for (number, one) in classes.iter().enumerate() {
                for other in &classes[number + 1..] {
                    for (deficiency, found) in vision::differences(one, other) {
                        assert!(found >= 12.0, "{one} and {other}, {deficiency}: {found:.1}");
                    }
                }
            }
        }
    }

    #[test]
    fn every_ink_has_a_colour() {
        let roles =
            [Ink::Text, Ink::Muted, Ink::Grid, Ink::Axis, Ink::Band, Ink::Mark, Ink::Stripe];
        let designs = Control::ALL.iter().map(|&control| Ink::Design(9, control));
        let controls = Control::ALL.iter().copied().map(Ink::Control);
        for ink in roles.into_iter().chain(designs).chain(controls) {
            assert!(COLOURS.iter().any(|&(name, ..)| name == ink.variable()), "{ink:?}");
        }
        assert_eq!(Ink::Design(9, Control::Mixed).variable(), "mixed");
    }
}
