//! The colours of the page, for both themes, in one table.
//!
//! Plotters writes colours into the elements it draws. A plot is therefore painted in *inks*:
//! colours that stand for a role and are replaced, when the plot is finished, by a class. The
//! style sheet then colours the class from a variable, which differs between the themes. No
//! information is in a colour alone: designs differ in their marker too and are labelled where
//! they end.

use std::fmt::Write;

use plotters::style::RGBColor;

use super::key::Key;

/// Colours for designs; with as many marker shapes, 64 designs look different.
pub const SLOTS: usize = 8;

/// Name of the variable, light theme, dark theme.
pub const COLOURS: [(&str, &str, &str); 24] = [
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
    // Designs: blue, vermilion, green, purple, ochre, sky, grey, brown.
    ("s0", "#0067b1", "#5fb0f2"),
    ("s1", "#c84c00", "#ff8d4a"),
    ("s2", "#007a5a", "#2fcd9d"),
    ("s3", "#a33b88", "#ea92cd"),
    ("s4", "#8a6700", "#e6c24f"),
    ("s5", "#2b8cc4", "#a3dcff"),
    ("s6", "#60656d", "#bcc1c9"),
    ("s7", "#7c3a14", "#cf976f"),
    // Control classes.
    ("branchy", "#c84c00", "#ff8d4a"),
    ("mixed", "#a33b88", "#ea92cd"),
    ("branchless", "#0067b1", "#5fb0f2"),
    ("unclassed", "#60656d", "#bcc1c9"),
];

/// What a stroke or an area stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ink {
    /// Words.
    Text,
    /// Words of less weight.
    Muted,
    /// Lines that help the eye.
    Grid,
    /// Lines that bound a plot, and the line of no difference.
    Axis,
    /// The area in which nothing is called a difference.
    Band,
    /// A disturbed sample.
    Mark,
    /// The ground of every other row.
    Stripe,
    /// A design, by its number on the page.
    Design(u8),
    /// `branchy`, `mixed`, `branchless` or another claim.
    Control(u8),
}

const ROLES: [(Ink, &str); 7] = [
    (Ink::Text, "fg"),
    (Ink::Muted, "muted"),
    (Ink::Grid, "line"),
    (Ink::Axis, "axis"),
    (Ink::Band, "band"),
    (Ink::Mark, "mark"),
    (Ink::Stripe, "stripe"),
];

const CONTROLS: [&str; 4] = ["branchy", "mixed", "branchless", "unclassed"];

impl Ink {
    /// The ink of a claimed control class.
    pub fn of_control(control: &str) -> Ink {
        Ink::Control(control_place(control) as u8)
    }

    /// The ink for something that shows or names a design, and vanishes with it when a reader
    /// takes the design out of view.
    pub fn owned_by(self, key: Option<&Key>) -> Paint {
        Paint { ink: self, owner: key.map(|key| key.number) }
    }

    /// Name of the variable that colours it.
    pub fn variable(self) -> &'static str {
        match self {
            Ink::Design(number) => COLOURS[12 + usize::from(number) % SLOTS].0,
            Ink::Control(class) => CONTROLS[usize::from(class).min(3)],
            role => ROLES.iter().find(|&&(ink, _)| ink == role).map_or("fg", |&(_, name)| name),
        }
    }

    /// The colour in the light theme, for a plot that is cut out of the page.
    pub fn light(self) -> &'static str {
        let name = self.variable();
        COLOURS.iter().find(|&&(variable, ..)| variable == name).map_or("#000000", |c| c.1)
    }
}

/// An ink, and the design that the painted thing belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Paint {
    /// How it looks.
    pub ink: Ink,
    /// Number of the design, if it is of one.
    pub owner: Option<u8>,
}

impl From<Ink> for Paint {
    fn from(ink: Ink) -> Paint {
        let owner = if let Ink::Design(number) = ink { Some(number) } else { None };
        Paint { ink, owner }
    }
}

impl Paint {
    /// The colour that stands for the paint while plotters draws: kind and number of the ink, and
    /// the owner's number from one.
    pub fn rgb(self) -> RGBColor {
        let owner = self.owner.map_or(0, |number| number.saturating_add(1));
        match self.ink {
            Ink::Design(number) => RGBColor(2, number, owner),
            Ink::Control(class) => RGBColor(3, class, owner),
            role => {
                let place = ROLES.iter().position(|&(ink, _)| ink == role).unwrap_or(0);
                RGBColor(1, place as u8, owner)
            }
        }
    }

    /// The paint of six hexadecimal digits written by plotters.
    pub fn from_hex(digits: &str) -> Option<Paint> {
        let value = u32::from_str_radix(digits, 16).ok()?;
        let [_, kind, number, owner] = value.to_be_bytes();
        let ink = match kind {
            1 => ROLES.get(usize::from(number)).map(|&(ink, _)| ink),
            2 => Some(Ink::Design(number)),
            3 => Some(Ink::Control(number)),
            _ => None,
        };
        Some(Paint { ink: ink?, owner: owner.checked_sub(1) })
    }
}

/// Place of a class among `branchy`, `mixed`, `branchless`; 3 for any other word.
pub fn control_place(control: &str) -> usize {
    CONTROLS.iter().position(|&name| name == control).unwrap_or(3)
}

/// Variables for both themes and the classes that use them. The dark theme follows the reader's
/// system unless the switch says otherwise, and never goes to paper.
pub fn style() -> String {
    let mut light = "color-scheme:light;".to_owned();
    let mut dark = "color-scheme:dark;".to_owned();
    let mut classes = String::new();
    for (name, day, night) in COLOURS {
        // Writing into a string does not fail.
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
    fn words_stand_out_by_four_and_a_half_in_both_themes() {
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
    fn strokes_stand_out_by_three_in_both_themes() {
        for (ink, day, night) in
            COLOURS.into_iter().skip(12).chain([("axis", colour("axis")[0], colour("axis")[1])])
        {
            for ground in ["card", "stripe"] {
                let [light, dark] = colour(ground);
                let found = contrast(day, light).min(contrast(night, dark));
                assert!(found >= 3.0, "{ink} on {ground}: {found:.2}");
            }
        }
    }

    #[test]
    fn a_paint_survives_being_a_colour() {
        let designs = [0, 7, 8, 254].map(Ink::Design);
        let control = Ink::of_control("mixed");
        let all = ROLES.iter().map(|&(ink, _)| ink).chain(designs).chain([control]);
        let owned = Paint { ink: control, owner: Some(3) };
        for paint in all.map(Paint::from).chain([owned]) {
            let RGBColor(r, g, b) = paint.rgb();
            assert_eq!(Paint::from_hex(&format!("{r:02X}{g:02X}{b:02X}")), Some(paint));
        }
        assert_eq!(Paint::from_hex("FFFFFF"), None);
        assert_eq!(Ink::Design(9).variable(), "s1");
    }
}
