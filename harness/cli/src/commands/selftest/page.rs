//! Tables, the Markdown page that contains them, and the JSON file beside it.
//!
//! The page is written by hand, except for the text between `<!-- table: NAME -->` and `<!-- end -->`,
//! which is replaced. Other tables stay unchanged, on the page and in the JSON file.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use raywalk_measure::{machine, utc};
use serde_json::{Map, Value};

use crate::{arguments, folders, host, manifest};

/// A table that was made.
pub(super) struct Table {
    /// The name in its marker. In the JSON file hyphens are underscores.
    pub(super) name: &'static str,
    /// The table in Markdown.
    pub(super) text: String,
    /// The numbers of the table, by their JSON keys.
    pub(super) json: Map<String, Value>,
}

/// A table in Markdown: one line of heads, and one line for each row.
pub(super) fn rows<const N: usize>(
    heads: &[&str; N],
    rows: impl IntoIterator<Item = [String; N]>,
) -> String {
    let line = |cells: &[String]| format!("| {} |\n", cells.join(" | "));
    let mut text = line(&heads.map(str::to_owned));
    text += &format!("|{}\n", "---|".repeat(N));
    rows.into_iter().for_each(|row| text += &line(&row));
    text
}

/// By what, when, and on which machine tables were made.
pub(super) struct Provenance {
    command: String,
    date: String,
    cpu: String,
    compiler: String,
    version: String,
}

impl Provenance {
    /// This command on this machine, now.
    pub(super) fn of_this_command() -> Provenance {
        let build = manifest::build();
        let commit = build.commit.as_deref().and_then(|commit| commit.get(..12));
        let changed = if build.dirty { ", changed" } else { "" };
        let commit = commit.map(|commit| format!(" ({commit}{changed})"));
        let mut words = host::words();
        if let Some(program) = words.first_mut() {
            "raywalk".clone_into(program);
        }
        Provenance {
            command: words.join(" "),
            date: utc::now(),
            cpu: machine::describe().processor(),
            compiler: build.rustc,
            version: format!("{}{}", build.version, commit.unwrap_or_default()),
        }
    }

    fn text(&self) -> String {
        let Provenance { command, date, cpu, compiler, version } = self;
        let cpu = if cpu.is_empty() { "a processor without a name" } else { cpu };
        format!("`{command}`, {date}, {cpu}, {compiler}, Raywalk {version}\n")
    }
}

/// All tables as JSON. docs/json.md documents every key.
pub(super) fn document(tables: &[Table], provenance: &Provenance) -> Map<String, Value> {
    let Provenance { command, date, cpu, compiler, version } = provenance;
    let section = |table: &Table| {
        let facts = [
            ("command", command),
            ("date", date),
            ("cpu", cpu),
            ("compiler", compiler),
            ("version", version),
        ];
        let mut section = table.json.clone();
        section.extend(facts.map(|(key, value)| (key.to_owned(), value.as_str().into())));
        (table.name.replace('-', "_"), Value::Object(section))
    };
    tables.iter().map(section).collect()
}

/// A page with a place for each table, and the JSON beside it.
pub(super) struct Page {
    path: PathBuf,
    text: String,
    json: PathBuf,
    known: Map<String, Value>,
}

impl Page {
    /// Reads page and JSON file, and checks that each of these tables has a place.
    pub(super) fn open(path: &Path, tables: &[&str]) -> Result<Page> {
        let text = arguments::text(path)?;
        for table in tables {
            place(&text, table).with_context(|| path.display().to_string())?;
        }
        let json = path.with_extension("json");
        ensure!(json != path, "{} is the name of the JSON file beside a page", path.display());
        let known = match json.exists() {
            false => Map::new(),
            true => serde_json::from_str(&arguments::text(&json)?)
                .ok()
                .with_context(|| format!("{} exists and is no JSON object", json.display()))?,
        };
        Ok(Page { path: path.to_owned(), text, json, known })
    }

    /// Replaces these tables on the page and in the JSON file, and writes both files.
    pub(super) fn write(mut self, tables: &[Table], provenance: &Provenance) -> Result<()> {
        for table in tables {
            let text = format!("\n{}\n{}\n", provenance.text(), table.text);
            let place = place(&self.text, table.name)?;
            self.text.replace_range(place, &text);
        }
        self.known.extend(document(tables, provenance));
        let mut json = serde_json::to_string_pretty(&self.known)?;
        json.push('\n');
        folders::write(&self.path, &self.text)?;
        folders::write(&self.json, &json)
    }
}

/// The text between the markers of a table.
fn place(page: &str, table: &str) -> Result<std::ops::Range<usize>> {
    const END: &str = "<!-- end -->";
    let marker = format!("<!-- table: {table} -->\n");
    let mut found = page.match_indices(&marker);
    let missing = || format!("no line `{}` marks the place of the table", marker.trim());
    let start = found.next().with_context(missing)?.0 + marker.len();
    ensure!(found.next().is_none(), "two places for the table `{table}`");
    let behind = &page[start..];
    let end = behind.find(END).filter(|&end| !behind[..end].contains("<!-- table: "));
    let end = end.with_context(|| format!("no `{END}` behind the line `{}`", marker.trim()))?;
    Ok(start..start + end)
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAGE: &str = "# Trust\n\n<!-- table: coverage -->\nold\n<!-- end -->\n\nBetween.\n\n\
                        <!-- table: pairs -->\n<!-- end -->\nThe end.\n";

    fn provenance() -> Provenance {
        Provenance {
            command: "raywalk selftest --sessions 2".to_owned(),
            date: "2026-03-01T12:00:00Z".to_owned(),
            cpu: "A CPU".to_owned(),
            compiler: "rustc 1".to_owned(),
            version: "1.0".to_owned(),
        }
    }

    fn table(name: &'static str, number: u64) -> Table {
        let text = rows(&["a", "b"], [["1".to_owned(), number.to_string()]]);
        Table { name, text, json: Map::from_iter([("b".to_owned(), number.into())]) }
    }

    #[test]
    fn tables_replace_what_stands_between_their_markers_and_nothing_else() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("trust.md");
        folders::write(&path, PAGE).expect("written");
        let write = |tables: &[Table]| {
            let page = Page::open(&path, &["coverage", "pairs"]).expect("a page");
            page.write(tables, &provenance()).expect("written");
            let json = arguments::text(&folder.path().join("trust.json")).expect("a file");
            let json: Value = serde_json::from_str(&json).expect("JSON");
            (arguments::text(&path).expect("a file"), json)
        };
        let (text, json) = write(&[table("coverage", 7), table("pairs", 8)]);
        let of = |number| {
            format!(
                "\n`raywalk selftest --sessions 2`, 2026-03-01T12:00:00Z, A CPU, rustc 1, Raywalk \
                 1.0\n\n| a | b |\n|---|---|\n| 1 | {number} |\n\n"
            )
        };
        let expected = |coverage: &str| {
            let old = "old\n<!-- end -->\n\nBetween.\n\n<!-- table: pairs -->\n";
            let new =
                format!("{coverage}<!-- end -->\n\nBetween.\n\n<!-- table: pairs -->\n{}", of(8));
            PAGE.replace(old, &new)
        };
        assert_eq!(text, expected(&of(7)));
        assert_eq!(json["pairs"]["b"], 8);
        assert_eq!(json["coverage"]["cpu"], "A CPU");
        // A second run changes its own tables alone.
        let (text, json) = write(&[table("coverage", 9)]);
        assert_eq!(text, expected(&of(9)));
        assert_eq!(
            (json["pairs"]["b"].as_u64(), json["coverage"]["b"].as_u64()),
            (Some(8), Some(9))
        );
    }

    #[test]
    fn a_page_without_a_place_for_a_table_is_refused() {
        let refused = |page: &str, reason: &str| {
            let error = place(page, "pairs").expect_err(page);
            assert!(error.to_string().contains(reason), "{error}");
        };
        refused("", "no line `<!-- table: pairs -->`");
        refused("<!-- table: coverage -->\n<!-- end -->\n", "no line");
        refused("<!-- table: pairs -->\ntext\n", "no `<!-- end -->`");
        refused(
            "<!-- table: pairs -->\n<!-- table: coverage -->\n<!-- end -->",
            "no `<!-- end -->`",
        );
        refused(&format!("{PAGE}{PAGE}"), "two places");
        assert!(place(PAGE, "pairs").is_ok_and(|place| place.is_empty()));
    }

    #[test]
    fn a_file_beside_the_page_that_is_no_json_is_not_replaced() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("trust.md");
        folders::write(&path, PAGE).expect("written");
        folders::write(&folder.path().join("trust.json"), "[1]").expect("written");
        let error = Page::open(&path, &[]).map(|_| ()).expect_err("an array");
        assert!(error.to_string().ends_with("trust.json exists and is no JSON object"), "{error}");
    }
}
