//! The last step of a plot: from what plotters wrote to what the page holds.
//!
//! Plotters' SVG is clean (one element a line, text as text, all text escaped), but it has fixed
//! colours, a name-space address and no title. Here each colour that stands for a [`Paint`] becomes
//! a class, with the light colour left behind for a plot that is cut out of the page, and the plot
//! gets the title and the description that a screen reader speaks.

use std::fmt::Write;

use maud::{Markup, PreEscaped, Render};

use super::palette::Paint;

/// Makes an image of the page from `raw`, the output of plotters for a plot of this size.
pub fn finish(raw: &str, size: (u32, u32), id: &str, title: &str, description: &str) -> Markup {
    let (id, title, description) = (id.render().0, title.render().0, description.render().0);
    let (width, height) = size;
    let mut svg = format!(
        "<svg viewBox=\"0 0 {width} {height}\" role=\"img\" \
         aria-labelledby=\"{id}-title {id}-desc\">\
         <title id=\"{id}-title\">{title}</title><desc id=\"{id}-desc\">{description}</desc>\n"
    );
    // Lines that begin an element are plotters' own; text is escaped, so it never begins with `<`.
    for line in raw.lines().filter(|line| !line.starts_with("<svg ") && *line != "</svg>") {
        match line.strip_prefix('<') {
            Some(tag) if !tag.starts_with('/') => element(&mut svg, tag),
            _ => svg.push_str(line),
        }
        svg.push('\n');
    }
    svg.push_str("</svg>");
    PreEscaped(svg)
}

/// One start tag, without its `<`.
fn element(svg: &mut String, tag: &str) {
    let (name, mut rest) = tag.split_once(' ').unwrap_or((tag, ""));
    let mut attributes = String::new();
    let mut classes: Vec<String> = Vec::new();
    while let Some((key, after)) = rest.split_once("=\"") {
        let Some((value, after)) = after.split_once('"') else { break };
        rest = after;
        let key = key.trim_start();
        let paint = value.strip_prefix('#').and_then(Paint::from_hex);
        // Writing into a string does not fail.
        let _ = match (key, paint) {
            ("fill" | "stroke", Some(Paint { ink, owner })) => {
                let prefix = if key == "fill" { 'f' } else { 'k' };
                classes.push(format!("{prefix}-{}", ink.variable()));
                classes.extend(owner.map(|number| format!("d{number}")));
                write!(attributes, " {key}=\"{}\"", ink.light())
            }
            // The page sets the font; a full opacity and an absent stroke say nothing.
            ("font-family", _) | ("opacity", _) if key == "font-family" || value == "1" => Ok(()),
            ("stroke", None) if value == "none" => Ok(()),
            ("font-size", _) => {
                let size: f64 = value.parse().unwrap_or(12.0);
                write!(attributes, " {key}=\"{size:.1}\"")
            }
            ("points", _) => write!(attributes, " points=\"{}\"", value.trim_end()),
            _ => write!(attributes, " {key}=\"{value}\""),
        };
    }
    let _ = write!(svg, "<{name}");
    if !classes.is_empty() {
        let _ = write!(svg, " class=\"{}\"", classes.join(" "));
    }
    svg.push_str(&attributes);
    svg.push_str(rest.trim_start());
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_painted_ink_becomes_a_class_and_keeps_its_light_colour() {
        let raw = "<svg width=\"9\" height=\"9\" xmlns=\"http://www.w3.org/2000/svg\">\n\
            <polyline fill=\"none\" opacity=\"1\" stroke=\"#02090A\" points=\"1,2 3,4 \"/>\n\
            <text x=\"1\" font-family=\"sans-serif\" font-size=\"12.096\" fill=\"#010000\">\n\
            a &lt; b\n</text>\n</svg>\n";
        let found = finish(raw, (9, 9), "p", "A <title>", "What \"it\" shows").0;
        assert!(found.contains(
            "<polyline class=\"k-s1 d9\" fill=\"none\" stroke=\"#c84c00\" points=\"1,2 3,4\"/>"
        ));
        assert!(
            found.contains("<text class=\"f-fg\" x=\"1\" font-size=\"12.1\" fill=\"#1b1f26\">")
        );
        assert!(found.contains("a &lt; b"));
        assert!(found.contains("<title id=\"p-title\">A &lt;title&gt;</title>"));
        assert!(!found.contains("http"));
    }
}
