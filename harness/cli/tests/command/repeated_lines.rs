//! No run of six equal lines of code stands in two places.
//!
//! A line of code is a line without its indentation that has a letter or a digit. Comments, imports, attributes and a
//! lone `else` do not count. Modules `tests`, and folders `tests`, `examples` and `benches` of a crate are not read.

use std::collections::HashMap;
use std::fs;
use std::path::PathBuf;

use walkdir::{DirEntry, WalkDir};

use crate::layers::root;

/// So many equal lines are a repetition.
const LINES: usize = 6;

/// A line of code: its number in the file, and its text.
type Line = (usize, String);

/// The sources below a folder, without tests.
fn sources(folder: PathBuf) -> impl Iterator<Item = PathBuf> {
    let is_read = |entry: &DirEntry| {
        let name = entry.file_name().to_str().unwrap_or_default();
        entry.depth() == 0
            || !["target", "tests", "examples", "benches", "tests.rs"].contains(&name)
    };
    let entries = WalkDir::new(folder).sort_by_file_name().into_iter().filter_entry(is_read);
    let paths = entries.map(|entry| entry.expect("a readable folder").into_path());
    paths.filter(|path| path.extension().is_some_and(|end| end == "rs"))
}

/// The lines of code of a source, up to its tests.
fn lines(text: &str) -> Vec<Line> {
    let mut found = Vec::new();
    let mut skipped = Skipped::Nothing;
    let text = text.split("mod tests {").next().unwrap_or_default();
    for (number, line) in (1..).zip(text.lines()) {
        let line = line.split("//").next().unwrap_or_default().trim();
        if matches!(skipped, Skipped::Nothing) {
            skipped = Skipped::begin(line);
        }
        let code = skipped.behind(line);
        if code.contains(char::is_alphanumeric) && code != "} else {" {
            found.push((number, code.to_owned()));
        }
    }
    found
}

/// An item that does not count, of which some lines were read.
enum Skipped {
    Nothing,
    Import,
    /// With so many open brackets.
    Attribute(usize),
}

impl Skipped {
    /// The item that begins with this line.
    fn begin(line: &str) -> Skipped {
        // `pub(crate) use`.
        let public = line.strip_prefix("pub").map(|rest| rest.trim_start_matches(|c| c != ' '));
        if line.starts_with("use ") || public.is_some_and(|rest| rest.starts_with(" use ")) {
            Skipped::Import
        } else if line.starts_with("#[") || line.starts_with("#![") {
            Skipped::Attribute(0)
        } else {
            Skipped::Nothing
        }
    }

    /// What stands in the line behind the item, if it ends there.
    fn behind<'a>(&mut self, line: &'a str) -> &'a str {
        let rest = match self {
            Skipped::Nothing => return line,
            Skipped::Import => line.split_once(';').map(|(_, rest)| rest),
            Skipped::Attribute(open) => line.char_indices().find_map(|(place, c)| {
                match c {
                    '[' => *open += 1,
                    ']' => *open -= 1,
                    _ => return None,
                }
                (*open == 0).then(|| &line[place + 1..])
            }),
        };
        let Some(rest) = rest else { return "" };
        *self = Skipped::Nothing;
        rest.trim()
    }
}

/// The places of all runs that stand twice, each by its first six lines.
fn repetitions(files: &[(String, Vec<Line>)]) -> Vec<String> {
    let mut first: HashMap<Vec<&str>, (usize, usize)> = HashMap::new();
    let mut found = Vec::new();
    for (file, (name, lines)) in files.iter().enumerate() {
        for (place, run) in lines.windows(LINES).enumerate() {
            let run: Vec<&str> = run.iter().map(|(_, line)| &**line).collect();
            let earlier = *first.entry(run.clone()).or_insert((file, place));
            let overlaps = earlier.0 == file && place < earlier.1 + LINES;
            if !overlaps {
                let (other, others) = &files[earlier.0];
                let (here, there) = (lines[place].0, others[earlier.1].0);
                found.push(format!("{name}:{here} repeats {other}:{there}: {}", run[0]));
            }
        }
    }
    found
}

#[test]
fn no_six_lines_of_code_stand_twice() {
    let root = root();
    let tops = ["variants", "harness", "reports", "benches", "positions"];
    let paths: Vec<PathBuf> = tops.iter().flat_map(|top| sources(root.join(top))).collect();
    assert!(paths.len() > 300, "{} sources", paths.len());
    let read = |path: &PathBuf| {
        let name = path.strip_prefix(&root).unwrap_or(path).display().to_string();
        (name, lines(&fs::read_to_string(path).expect("a source")))
    };
    let files: Vec<_> = paths.iter().map(read).collect();
    let found = repetitions(&files);
    assert!(found.is_empty(), "move the lines to one place:\n{}", found.join("\n"));
}

#[test]
fn a_repetition_is_found_whatever_stands_between_its_lines() {
    let code = |names: &str, between: &str| {
        let line = |name: char| format!("    let {name} = {name}();\n{between}");
        format!("use std::{{\n    fmt,\n}};\n{}", names.chars().map(line).collect::<String>())
    };
    let of = |one: String, other: String| {
        repetitions(&[("a.rs".to_owned(), lines(&one)), ("b.rs".to_owned(), lines(&other))])
    };
    let between = "}\n\n    #[inline]\n    // Why.\n    } else {\n";
    assert_eq!(
        of(code("abcdefg", ""), code("xbcdefgy", between)),
        ["b.rs:10 repeats a.rs:5: let b = b();"]
    );
    assert_eq!(of(code("abcdef", ""), code("abcdeg", "")), [""; 0]);
    let repeated = code("abcdefabcdef", "");
    assert_eq!(of(repeated.clone(), String::new()).len(), 1);
    assert_eq!(of(format!("#[cfg(test)]\nmod tests {{\n{repeated}"), String::new()), [""; 0]);
}
