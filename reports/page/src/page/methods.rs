//! How the numbers are made, and the terms of the page. Their texts are in files of their own.

use maud::html;

use super::section::Section;

/// The methods in brief, a paragraph each, and then their limits. Reasons and evidence are in the
/// project's documentation.
const METHODS: &str = include_str!("methods.txt");

/// One line per term: `term: meaning`.
const TERMS: &str = include_str!("terms.txt");

pub(crate) fn method() -> Section {
    let paragraphs: Vec<String> =
        METHODS.trim_end().split("\n\n").map(|lines| lines.replace('\n', " ")).collect();
    let (limits, methods) = paragraphs.split_last().expect("the file is part of the program");
    let body = html! {
        ol {
            @for (name, text) in methods.iter().filter_map(|method| method.split_once(". ")) {
                li { strong { (name) ". " } (text) }
            }
        }
        p { (limits) }
    };
    Section::new("method", "Methods", body)
}

pub(crate) fn glossary() -> Section {
    let terms = TERMS.lines().filter_map(|line| line.split_once(": "));
    let body = html! {
        dl.words { @for (term, meaning) in terms { dt { (term) } dd { (meaning) } } }
    };
    Section::new("words", "Terms", body)
}
