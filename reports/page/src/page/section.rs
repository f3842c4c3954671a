//! Sections and headings.

use maud::{Markup, html};

pub(crate) struct Section {
    pub(crate) id: String,
    pub(crate) title: String,
    body: Markup,
}

impl Section {
    pub(crate) fn new(id: &str, title: &str, body: Markup) -> Section {
        Section { id: id.to_owned(), title: title.to_owned(), body }
    }

    pub(crate) fn render(&self) -> Markup {
        html! {
            section aria-labelledby=(self.id) {
                (heading(2, Some(&self.id), &self.title))
                (self.body)
            }
        }
    }
}

pub(crate) fn heading(level: u8, id: Option<&str>, text: &str) -> Markup {
    match level {
        0..=2 => html! { h2 id=[id] { (text) } },
        3 => html! { h3 id=[id] { (text) } },
        4 => html! { h4 id=[id] { (text) } },
        _ => html! { h5 id=[id] { (text) } },
    }
}
