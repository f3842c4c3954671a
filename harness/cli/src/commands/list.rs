//! `raywalk list`.

use std::io::Write;
use std::process::ExitCode;

use anyhow::Result;
use raywalk_core::Feature;
use raywalk_judge::format::NONE;
use raywalk_page::terminal::Screen;
use raywalk_page::terminal::text_table::{TextTable, number, text};
use serde_json::json;

use crate::audit;
use crate::output::{DocFormat, screen, write_json};
use crate::registry::{self, Entry};

/// List the designs with year, class and sizes
///
/// Table sizes are counted on this machine and shown next to those that the source published. JSON and Markdown have
/// author and source as well, as --long does.
#[derive(clap::Args)]
pub(super) struct List {
    /// List only these designs: an id, a family, or a pattern such as `bitboard/*`
    #[arg(long, value_name = "ID")]
    design: Vec<String>,
    /// Also write the source of each design, what we completed, and what the audit accepts in its code
    #[arg(long)]
    long: bool,
    /// Output format
    #[arg(long, value_enum, default_value_t = DocFormat::Table)]
    format: DocFormat,
}

impl List {
    pub(super) fn run(self, out: &mut dyn Write) -> Result<ExitCode> {
        let entries = registry::matching(&self.design)?;
        match self.format {
            DocFormat::Table => {
                let mut text = screen();
                table(&entries, self.long, &mut text);
                out.write_all(text.as_str().as_bytes())?;
            }
            DocFormat::Json => json(&entries, out)?,
            DocFormat::Markdown => markdown(&entries, counted, out)?,
        }
        Ok(ExitCode::SUCCESS)
    }
}

/// Bytes of the tables, or the CPU feature that the machine lacks.
fn tables(entry: &Entry) -> Result<usize, Feature> {
    entry.build().map(|design| design.table_bytes())
}

/// Bytes of the tables as text, or `needs` and the CPU feature that the machine lacks.
fn counted(entry: &Entry) -> String {
    tables(entry).map_or_else(|lacking| format!("needs {lacking}"), |bytes| bytes.to_string())
}

fn table(entries: &[&Entry], long: bool, out: &mut Screen) {
    let mut table = TextTable::new([
        text("design"),
        number("year"),
        text("control"),
        text("legality"),
        number("table bytes"),
        number("published"),
        number("board bytes"),
        number("cells"),
        number("move bytes"),
    ]);
    let or_none = |value: Option<String>| value.unwrap_or_else(|| NONE.to_owned());
    for entry in entries {
        let card = &entry.card;
        table.row([
            card.id.to_owned(),
            or_none(card.year.map(|year| year.to_string())),
            card.control.to_string(),
            card.legality.to_string(),
            counted(entry),
            or_none(card.published_bytes.map(|bytes| bytes.to_string())),
            entry.board_bytes.to_string(),
            or_none(entry.board_cells.map(|cells| cells.to_string())),
            entry.move_bytes.to_string(),
        ]);
        if !long {
            continue;
        }
        let source = card.source.trim_end_matches('.');
        table.note(format!("{}, {}. {source}.", card.name, card.author));
        if !card.reconstructed.is_empty() {
            let completed = card.reconstructed.trim_end_matches('.');
            table.note(format!("Completed by us: {completed}."));
        }
        for (exception, stages) in audit::accepted(card.id) {
            table.note(format!(
                "Accepted by the audit, {} ({}): {}",
                exception.check.label(),
                audit::listed(stages),
                exception.reason
            ));
        }
        for (other, pair) in audit::also_different(card.id) {
            let also = audit::also_of(&pair);
            let (differ, why) = (&pair.differ, audit::why(&pair));
            table.note(format!("Against {other} ({differ}) differs in {also} as well: {why}"));
        }
    }
    table.write(out);
}

fn markdown(
    entries: &[&Entry],
    counted: impl Fn(&Entry) -> String,
    out: &mut dyn Write,
) -> Result<()> {
    let mut family = "";
    for entry in entries {
        let card = &entry.card;
        if card.family() != family {
            family = card.family();
            writeln!(out, "\n## {family}\n")?;
            writeln!(
                out,
                "| design | author, year | claims | table bytes: published, counted | bytes per move | source | completed by us |"
            )?;
            writeln!(out, "| --- | --- | --- | --- | --- | --- | --- |")?;
        }
        let published = card.published_bytes.map_or("–".to_owned(), |bytes| bytes.to_string());
        let counted = counted(entry);
        writeln!(
            out,
            "| `{}` {} | {}, {} | {}, {} | {published}, {counted} | {} | {} | {} |",
            card.id,
            card.name,
            card.author,
            card.year.map_or("undated".to_owned(), |year| year.to_string()),
            card.control,
            card.legality,
            entry.move_bytes,
            card.source,
            card.reconstructed
        )?;
    }
    accepted(entries, out)?;
    also_different(entries, out)
}

/// The findings of the audit that are accepted in these designs.
fn accepted(entries: &[&Entry], out: &mut dyn Write) -> Result<()> {
    let is_listed = |id: &str| entries.iter().any(|entry| entry.card.id == id);
    let mut rows = Vec::new();
    for exception in audit::EXCEPTIONS {
        let listed = exception.entries.iter().filter(|(design, _)| is_listed(design));
        let named: Vec<_> = listed
            .map(|(design, stages)| format!("`{design}` {}", audit::listed(stages)))
            .collect();
        if !named.is_empty() {
            let (label, reason) = (exception.check.label(), exception.reason);
            rows.push(format!("| {} | {label} | {reason} |", named.join("; ")));
        }
    }
    if rows.is_empty() {
        return Ok(());
    }
    writeln!(out, "\n## Accepted findings of the audit\n")?;
    writeln!(out, "| designs and stages | finding | why it is accepted |\n| --- | --- | --- |")?;
    rows.iter().try_for_each(|row| writeln!(out, "{row}"))?;
    Ok(())
}

/// The pairs of these designs whose code differs in more than the parameter.
fn also_different(entries: &[&Entry], out: &mut dyn Write) -> Result<()> {
    let is_listed = |id: &String| entries.iter().any(|entry| entry.card.id == id);
    let mut pairs = audit::pairs();
    pairs.retain(|pair| !pair.also.is_empty() && pair.designs.iter().any(is_listed));
    if pairs.is_empty() {
        return Ok(());
    }
    writeln!(out, "\n## Pairs whose code differs in more than the parameter\n")?;
    writeln!(out, "| designs | parameter | differ as well in | why |\n| --- | --- | --- | --- |")?;
    for pair in pairs {
        let [one, other] = &pair.designs;
        let (also, why) = (audit::also_of(&pair), audit::why(&pair));
        writeln!(out, "| `{one}`, `{other}` | {} | {also} | {why} |", pair.differ)?;
    }
    Ok(())
}

fn json(entries: &[&Entry], out: &mut dyn Write) -> Result<()> {
    let rows: Vec<_> = entries
        .iter()
        .map(|entry| {
            let card = &entry.card;
            let tables = tables(entry);
            let accepted: Vec<_> = audit::accepted(card.id)
                .map(|(one, stages)| {
                    json!({ "check": one.check, "stages": stages, "reason": one.reason })
                })
                .collect();
            let also: Vec<_> = audit::also_different(card.id)
                .into_iter()
                .map(|(other, pair)| {
                    json!({
                        "design": other, "differ": pair.differ, "differences": pair.also,
                        "why": pair.why,
                    })
                })
                .collect();
            json!({
                "id": card.id,
                "family": card.family(),
                "name": card.name,
                "author": card.author,
                "year": card.year,
                "source": card.source,
                "control": card.control.to_string(),
                "legality": card.legality.to_string(),
                "published_bytes": card.published_bytes,
                "table_bytes": tables.as_ref().ok(),
                "board_bytes": entry.board_bytes,
                "board_cells": entry.board_cells,
                "whole_vectors": entry.whole_vectors,
                "move_bytes": entry.move_bytes,
                "missing": tables.as_ref().err().map(ToString::to_string),
                "needs": entry.needs(),
                "reconstructed": card.reconstructed,
                "accepted": accepted,
                "also": also,
            })
        })
        .collect();
    write_json(out, &rows)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[cfg(target_arch = "x86_64")] // some designs need this architecture, and sizes depend on pointers
    fn the_documentation_contains_the_current_list() {
        let page = include_str!("../../../../docs/designs.md");
        // The tables of a design whose instructions this processor lacks were counted elsewhere.
        let stated = |entry: &Entry| {
            let of_design = format!("| `{}` ", entry.card.id);
            let row = page.lines().find(|line| line.starts_with(&of_design)).unwrap_or_default();
            let cell = row.split(" | ").nth(3).and_then(|cell| cell.split_once(", "));
            let bytes = cell.and_then(|(_, counted)| counted.parse::<usize>().ok());
            bytes.map_or(NONE.to_owned(), |bytes| bytes.to_string())
        };
        let counted =
            |entry: &Entry| tables(entry).map_or_else(|_| stated(entry), |bytes| bytes.to_string());
        let mut text = Vec::new();
        let all = registry::matching(&[]).expect("no pattern");
        markdown(&all, counted, &mut text).expect("written to memory");
        let text = String::from_utf8(text).expect("text");
        assert!(page.starts_with("# Designs and their sources\n"), "the introduction is missing");
        assert!(
            page.contains(text.trim()),
            "docs/designs.md is outdated: put the output of `raywalk list --format markdown` below its \
             introduction"
        );
    }
}
