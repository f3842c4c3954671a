//! The document around the sections: head, header with contents and switches, footer.

use base64::Engine;
use base64::engine::general_purpose::STANDARD as BASE64;
use maud::{DOCTYPE, Markup, PreEscaped, html};
use sha2::{Digest, Sha256};

use crate::plot::key::Keys;
use crate::plot::palette;
use crate::schema::SCHEMA;

use super::Section;
use super::table::marker;

const SCRIPT: &str = include_str!("script.js");
const LAYOUT: &str = include_str!("style.css");

/// The complete document.
pub fn document(keys: &Keys, intro: &Markup, sections: &[Section]) -> String {
    let style = format!("{}{LAYOUT}", palette::style());
    let title = "Raywalk: chess move generators, measured";
    html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta http-equiv="Content-Security-Policy" content=(policy(&style));
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
                        h1 { (title) }
                        (theme_switch())
                    }
                    (intro)
                    nav aria-label="Contents" {
                        ul {
                            @for section in sections {
                                li { a href=(format!("#{}", section.id)) { (section.title) } }
                            }
                        }
                    }
                    (design_switch(keys))
                }
                main id="main" tabindex="-1" {
                    @for section in sections { (section.render(2)) }
                }
                footer {
                    p {
                        "Made by raywalk " (env!("CARGO_PKG_VERSION")) " from results of schema "
                        (SCHEMA) ". The page is complete without scripts and loads nothing."
                    }
                }
                script { (PreEscaped(SCRIPT)) }
            }
        }
    }
    .into_string()
}

/// Nothing may be loaded from anywhere, and only this very style and this very script may run.
fn policy(style: &str) -> String {
    let hash = |text: &str| BASE64.encode(Sha256::digest(text.as_bytes()));
    format!(
        "default-src 'none'; style-src 'sha256-{}'; script-src 'sha256-{}'; base-uri 'none'; \
         form-action 'none'",
        hash(style),
        hash(SCRIPT)
    )
}

/// Three radio buttons; the style sheet asks which is checked, so no script is needed.
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

/// Boxes that take designs out of view. Without a script they would do nothing, so a script has to
/// uncover them.
fn design_switch(keys: &Keys) -> Markup {
    html! {
        details.switch hidden data-switch {
            summary { "Choose designs" }
            fieldset {
                legend { "Designs shown in tables and plots" }
                @for (id, key) in keys.all() {
                    label {
                        input type="checkbox" checked data-design=(key.class());
                        (marker(keys, id)) (key.name)
                    }
                }
            }
        }
    }
}
