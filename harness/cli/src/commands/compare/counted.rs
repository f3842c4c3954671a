//! Compares the counts of two traces: whether a design executes more instructions in B than in A.
//!
//! Counts are exact: they repeat to the last digit for the same code and the same positions. So there is no interval,
//! and every difference is a difference of the code. Its cost in time is not measured here.

use std::fs::File;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;

use anyhow::{Result, anyhow, bail, ensure};
use raywalk_judge::format::{grouped, list, percent, plural};
use raywalk_page::terminal::text_table::{Cell, TextTable, number, text};
use raywalk_page::terminal::{Screen, Tone};
use raywalk_results::json_error::in_words;
use raywalk_results::schema::Provenance;
use serde::{Deserialize, Serialize};

use super::texts;
use crate::arguments;
use crate::output::{DocFormat, write_json};

/// Whether a file holds the JSON of `raywalk trace`, an array. A journal begins with an object. A pipe, which can be
/// read once only, is taken for a journal.
pub(super) fn is_trace(path: &Path) -> bool {
    if !path.is_file() {
        return false;
    }
    let first = File::open(path).and_then(|file| {
        let mut reader = BufReader::new(file);
        let bytes = reader.fill_buf()?;
        Ok(bytes.iter().copied().find(|byte| !byte.is_ascii_whitespace()))
    });
    matches!(first, Ok(Some(b'[')))
}

/// One design in one workload and one stage, as `raywalk trace --format json` writes it.
#[derive(Clone, Debug, PartialEq, Deserialize)]
struct Traced {
    design: String,
    workload: String,
    stage: String,
    positions: Option<u64>,
    /// FNV-1a 64 over the FENs of the traced positions, sixteen hex digits.
    digest: String,
    moves: Option<u64>,
    /// `None` if the design needs a CPU feature that the machine lacked.
    counts: Option<Counts>,
}

#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
struct Counts {
    instructions: u64,
    conditional: u64,
    loads: u64,
    stores: u64,
}

impl Traced {
    fn is_same_as(&self, other: &Traced) -> bool {
        (&self.design, &self.workload, &self.stage)
            == (&other.design, &other.workload, &other.stage)
    }

    fn name(&self) -> String {
        format!("{} in {}, {}", self.design, self.workload, self.stage)
    }
}

/// Two traces, design by design.
#[derive(Debug, Serialize)]
struct Comparison {
    provenance: Provenance,
    margin: f64,
    rows: Vec<Row>,
    /// Designs, workloads and stages that only one of the two counted.
    left_out: Vec<String>,
}

/// One design in both; each pair is A's count and B's.
#[derive(Debug, Serialize)]
struct Row {
    design: String,
    workload: String,
    stage: String,
    positions: u64,
    moves: u64,
    instructions: [u64; 2],
    conditional: [u64; 2],
    loads: [u64; 2],
    stores: [u64; 2],
    regression: bool,
}

/// Prints the comparison of two traces, and returns whether B has a regression.
pub(super) fn run(
    paths: [&Path; 2],
    margin: f64,
    selects: &dyn Fn(&str) -> bool,
    format: DocFormat,
    out: &mut dyn Write,
) -> Result<bool> {
    let [a, b] = [read(paths[0])?, read(paths[1])?];
    let comparison = compare(&a, &b, margin, selects)?;
    match texts(format) {
        Some(mut text) => {
            write(&comparison, &mut text);
            out.write_all(text.as_str().as_bytes())?;
        }
        None => write_json(out, &comparison)?,
    }
    Ok(comparison.rows.iter().any(|row| row.regression))
}

fn read(path: &Path) -> Result<Vec<Traced>> {
    serde_json::from_str(&arguments::text(path)?).map_err(|error| {
        let (path, why) = (path.display(), in_words(&error));
        anyhow!("{path} is not the output of `raywalk trace --format json`: {why}")
    })
}

fn compare(
    a: &[Traced],
    b: &[Traced],
    margin: f64,
    selects: &dyn Fn(&str) -> bool,
) -> Result<Comparison> {
    let mut rows = Vec::new();
    let mut left_out = Vec::new();
    for one in a.iter().filter(|one| selects(&one.design)) {
        let other = b.iter().find(|other| one.is_same_as(other));
        match other.map(|other| row(one, other, margin)).transpose()?.flatten() {
            Some(row) => rows.push(row),
            None => left_out.push(one.name()),
        }
    }
    let only_in_b = b.iter().filter(|other| !a.iter().any(|one| one.is_same_as(other)));
    left_out.extend(only_in_b.filter(|one| selects(&one.design)).map(Traced::name));
    ensure!(
        !rows.is_empty(),
        "the two traces have no counts of the same design, workload and stage"
    );
    Ok(Comparison { provenance: Provenance::Counted, margin, rows, left_out })
}

/// `None` if one of the two was not counted.
///
/// # Errors
/// If they are counts of different positions, or of other moves in the same positions.
fn row(a: &Traced, b: &Traced, margin: f64) -> Result<Option<Row>> {
    let (Some(one), Some(other)) = (a.counts, b.counts) else { return Ok(None) };
    let of = |traced: &Traced| (traced.positions.unwrap_or(0), traced.moves.unwrap_or(0));
    let [(positions, moves), (other_positions, other_moves)] = [of(a), of(b)];
    if positions != other_positions {
        bail!(
            "{}: A traced {positions} positions and B {other_positions}; trace the same ones",
            a.name()
        );
    }
    if a.digest != b.digest {
        bail!("{}: A traced other positions than B; trace the same ones", a.name());
    }
    if moves != other_moves {
        bail!("{}: A finds {moves} moves and B {other_moves}; one of them is wrong", a.name());
    }
    let instructions = [one.instructions, other.instructions];
    Ok(Some(Row {
        design: a.design.clone(),
        workload: a.workload.clone(),
        stage: a.stage.clone(),
        positions,
        moves,
        instructions,
        conditional: [one.conditional, other.conditional],
        loads: [one.loads, other.loads],
        stores: [one.stores, other.stores],
        regression: share(instructions) > 1.0 + margin,
    }))
}

/// B's count divided by A's; 1 if both are zero.
fn share([a, b]: [u64; 2]) -> f64 {
    if a == b { 1.0 } else { b as f64 / a as f64 }
}

fn write(comparison: &Comparison, out: &mut Screen) {
    let mut table = TextTable::new([
        text("design"),
        text("workload"),
        text("stage"),
        number("instructions A"),
        number("B"),
        number("B÷A"),
        text("verdict on B"),
        number("branches B÷A").section(),
        number("loads B÷A"),
        number("stores B÷A"),
    ]);
    for row in &comparison.rows {
        let ratio = |pair| format!("{:.4}", share(pair));
        let [a, b] = row.instructions.map(grouped);
        let cells = [row.design.clone(), row.workload.clone(), row.stage.clone(), a, b];
        let mut cells: Vec<Cell> = cells.map(Cell::from).into();
        cells.push(ratio(row.instructions).into());
        cells.push(verdict(row));
        cells.extend([row.conditional, row.loads, row.stores].map(|pair| Cell::from(ratio(pair))));
        table.row(cells);
    }
    table.write(out);
    out.blank();
    let positions = comparison.rows.first().map_or(0, |row| row.positions);
    out.line(format!(
        "Counted in {} and exact, so there is no interval. Fewer instructions need not take less time.",
        plural(positions as usize, "position")
    ));
    if !comparison.left_out.is_empty() {
        out.line(format!("In one of the two only: {}.", list(&comparison.left_out)));
    }
    let margin = percent(comparison.margin);
    let found: Vec<String> = comparison
        .rows
        .iter()
        .filter(|row| row.regression)
        .map(|row| format!("{} in {}, {}", row.design, row.workload, row.stage))
        .collect();
    match found.len() {
        0 => out.toned(
            format!("No design executes more instructions beyond the margin of {margin}."),
            Tone::Good,
        ),
        n => {
            let regressions = plural(n, "regression");
            let found = list(&found);
            out.toned(format!("{regressions} beyond the margin of {margin}: {found}."), Tone::Bad);
        }
    }
}

fn verdict(row: &Row) -> Cell {
    let [a, b] = row.instructions;
    match (row.regression, b.cmp(&a)) {
        (true, _) => Cell::toned("more: a regression", Tone::Bad),
        (false, std::cmp::Ordering::Greater) => "more, within the margin".to_owned().into(),
        (false, std::cmp::Ordering::Less) => Cell::toned("fewer", Tone::Good),
        (false, std::cmp::Ordering::Equal) => "equal".to_owned().into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn traced(design: &str, instructions: u64) -> Traced {
        Traced {
            design: design.to_owned(),
            workload: "ab4".to_owned(),
            stage: "all".to_owned(),
            positions: Some(40),
            digest: "8483a35506f0bd2f".to_owned(),
            moves: Some(1_200),
            counts: Some(Counts { instructions, conditional: 50, loads: 0, stores: 30 }),
        }
    }

    fn compared(a: &[Traced], b: &[Traced], margin: f64) -> Result<Comparison> {
        compare(a, b, margin, &|id| id != "ignored")
    }

    #[test]
    fn only_more_instructions_beyond_the_margin_are_a_regression() {
        let a = [traced("mine", 10_000)];
        for (instructions, expected) in
            [(9_000, false), (10_000, false), (10_100, false), (10_101, true), (20_000, true)]
        {
            let found = compared(&a, &[traced("mine", instructions)], 0.01).expect("a row");
            assert_eq!(found.rows[0].regression, expected, "{instructions}");
        }
        // Without a margin a single instruction counts, because counts have no noise.
        assert!(compared(&a, &[traced("mine", 10_001)], 0.0).expect("a row").rows[0].regression);
    }

    #[test]
    fn traces_of_other_positions_or_moves_are_refused() {
        let a = [traced("mine", 1)];
        let error = |b: Traced| compared(&a, &[b], 0.0).expect_err("another trace").to_string();
        assert!(error(Traced { positions: Some(39), ..traced("mine", 1) }).contains("A traced 40"));
        let digest = "9db4bf6fb957c7f3".to_owned();
        assert!(error(Traced { digest, ..traced("mine", 1) }).contains("other positions"));
        assert!(error(Traced { moves: Some(1_201), ..traced("mine", 1) }).contains("B 1201"));
        assert!(error(traced("other", 1)).contains("no counts of the same design"));
        assert!(error(Traced { counts: None, ..traced("mine", 1) }).contains("no counts"));
    }

    #[test]
    fn what_one_trace_has_alone_is_named_and_what_is_not_selected_is_not() {
        let a = [traced("mine", 1), traced("old", 1), traced("ignored", 1)];
        let b = [traced("mine", 1), traced("new", 1), traced("ignored", 2)];
        let found = compared(&a, &b, 0.0).expect("a row");
        assert_eq!(found.left_out, ["old in ab4, all", "new in ab4, all"]);
        assert_eq!(found.rows.len(), 1);
    }

    #[test]
    fn the_table_names_the_regression_and_divides_zero_by_zero() {
        let comparison =
            compared(&[traced("mine", 10_000)], &[traced("mine", 10_500)], 0.02).expect("a row");
        let mut screen = Screen::new(200, false);
        write(&comparison, &mut screen);
        let text = screen.as_str();
        for part in [
            "10,500",
            "1.0500",
            "1.0000",
            "1 regression beyond the margin of 2",
            "mine in ab4, all",
        ] {
            assert!(text.contains(part), "{part}: {text}");
        }
    }
}
