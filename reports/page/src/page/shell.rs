//! The document around the sections: head, header with contents and switches, footer.

use base64::Engine;
use base64::engine::general_purpose::STANDARD as BASE64;
use maud::{DOCTYPE, Markup, PreEscaped, html};
use raywalk_results::schema::SchemaVersion;
use sha2::{Digest, Sha256};

use super::section::Section;
use crate::palette::{self, FONTS};

/// One script, so that one hash allows it.
const SCRIPT: &str = concat!(
    "'use strict';\n(() => {\n",
    include_str!("script/base.js"),
    include_str!("script/tables.js"),
    include_str!("script/figures.js"),
    include_str!("script/packed.js"),
    include_str!("script/boards.js"),
    include_str!("script/follow.js"),
    include_str!("script/view.js"),
    "})();\n"
);
const LAYOUT: &str = include_str!("style.css");

/// `heading` is the finding of the page; `first` is shown below it, before the contents. The bar stays in view from
/// the section with the number `before` on.
pub(crate) fn document(
    heading: &str,
    first: &Markup,
    bar: &Markup,
    before: usize,
    sections: &[Section],
) -> String {
    let style = format!("{}html{{font-family:{FONTS}}}\n{LAYOUT}", palette::style());
    let script = script();
    let title = "Raywalk: chess move generators, measured";
    html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta http-equiv="Content-Security-Policy" content=(policy(&style, &script));
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="generator" content=(concat!("raywalk ", env!("CARGO_PKG_VERSION")));
                meta name="referrer" content="no-referrer";
                title { (title) }
                style { (PreEscaped(&style)) }
            }
            body {
                a.skip href="#main" { "Skip to the results" }
                header {
                    div.title {
                        h1 { small { "Raywalk" } " " (heading) }
                        (theme_switch())
                    }
                    div.first { (first) }
                    nav aria-label="Contents" {
                        ul {
                            @for section in sections {
                                li { a href=(format!("#{}", section.id)) { (section.title) } }
                            }
                        }
                    }
                }
                main id="main" tabindex="-1" {
                    @for (number, section) in sections.iter().enumerate() {
                        @if number == before { (bar) }
                        (section.render())
                    }
                }
                footer {
                    p {
                        "Made by raywalk " (env!("CARGO_PKG_VERSION")) " from journals in schema "
                        (SchemaVersion::CURRENT) ". It loads nothing from the network. Without scripts it lacks the tables and \
                         numbers that are compressed; of these, the summary for download has the rows of panels."
                    }
                }
                script { (PreEscaped(&script)) }
            }
        }
    }
    .into_string()
}

/// The script without comments and indentation, which would take a quarter of it. No text of it spans lines.
fn script() -> String {
    let lines = SCRIPT.lines().map(str::trim_start).filter(|line| !line.starts_with("//"));
    lines.collect::<Vec<_>>().join("\n")
}

/// Allows no loading, and exactly this style and this script.
fn policy(style: &str, script: &str) -> String {
    let hash = |text: &str| BASE64.encode(Sha256::digest(text.as_bytes()));
    format!(
        "default-src 'none'; style-src 'sha256-{}'; script-src 'sha256-{}'; base-uri 'none'; \
         form-action 'none'",
        hash(style),
        hash(script)
    )
}

/// Three radio buttons. The style sheet selects by `:checked`, so no script is needed.
fn theme_switch() -> Markup {
    html! {
        fieldset.theme {
            legend { "Colours" }
            @for (id, label, checked) in
                [("auto", "System", true), ("light", "Light", false), ("dark", "Dark", false)]
            {
                input type="radio" name="theme" id=(format!("theme-{id}")) checked[checked];
                label for=(format!("theme-{id}")) { (label) }
            }
        }
    }
}
