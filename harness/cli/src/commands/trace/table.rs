//! The counts as tables.

use raywalk_judge::format::{NONE, cost, grouped, rate};
use raywalk_page::terminal::text_table::{TextTable, number, text};
use raywalk_page::terminal::{Screen, Tone};
use raywalk_trace::{BranchKind, Site};

use super::Row;
use crate::trace::{Names, Place, Traced};

/// Branches that a table shows, of a hundred or more.
const SHOWN: usize = 20;

/// Writes the table of one workload and stage, and the branches if there is one design.
pub(super) fn write(rows: &[Row<'_>], names: &Names<'_>, out: &mut Screen) {
    heading(rows, out);
    counts(rows, out);
    differences(rows, out);
    if let [row] = rows
        && let Ok(traced) = &row.traced
    {
        out.blank();
        branches(traced, names, out);
    }
}

fn heading(rows: &[Row<'_>], out: &mut Screen) {
    let Some(row) = rows.first() else { return };
    let (name, stage) = (&row.list.name, row.stage.name());
    let positions = row.list.sample.positions.len();
    let mut line = format!(
        "{name}, {stage}: {} of {} positions, counted",
        grouped(positions as u64),
        grouped(row.list.positions as u64)
    );
    if let Some(traced) = rows.iter().find_map(|row| row.traced.as_ref().ok()) {
        let squares = traced.all.squares as f64 / traced.all.positions.max(1) as f64;
        line.push_str(&format!("; {} visited squares per position", cost(squares)));
    }
    out.toned(line, Tone::Heading);
}

fn counts(rows: &[Row<'_>], out: &mut Screen) {
    let mut table = TextTable::new([
        text("design"),
        number("instr./position"),
        number("/move"),
        number("/square"),
        number("branches/position"),
        number("taken %"),
        number("indirect"),
        number("loads"),
        number("stores"),
        number("cond. moves"),
        number("vector"),
        number("data lines"),
        number("code bytes"),
    ]);
    for row in rows {
        let id = row.entry.card.id.to_owned();
        let traced = match &row.traced {
            Ok(traced) => traced,
            Err(why) => {
                table.row(std::iter::once(id).chain(std::iter::repeat_n(NONE.to_owned(), 12)));
                table.note(why.to_string());
                continue;
            }
        };
        let (all, stepped) = (&traced.all, &traced.stepped);
        let counts = &all.counts;
        let per = |count: u64, by: u64| cost(count as f64 / by.max(1) as f64);
        let small = |count: u64| rate(count as f64 / all.positions.max(1) as f64);
        table.row([
            id,
            per(counts.instructions, all.positions),
            per(counts.instructions, all.moves),
            per(counts.instructions, all.squares),
            per(counts.conditional, all.positions),
            percent(counts.taken, counts.conditional),
            small(counts.indirect_jumps),
            per(counts.loads, all.positions),
            per(counts.stores, all.positions),
            small(counts.conditional_moves),
            small(counts.vector),
            per(stepped.counts.data_lines, stepped.positions),
            traced.code_bytes.to_string(),
        ]);
        if let Some(reason) = &traced.breakpoints {
            table.note(format!("stepped only: {reason}"));
        }
    }
    table.write(out);
}

/// The positions in which the two ways to trace disagree.
fn differences(rows: &[Row<'_>], out: &mut Screen) {
    for row in rows {
        let difference = row.traced.as_ref().ok().and_then(|traced| traced.difference.as_ref());
        if let Some(position) = difference {
            let id = row.entry.card.id;
            out.toned(format!("{id}: steps and breakpoints differ in {position}"), Tone::Bad);
        }
    }
}

/// The branches whose outcome depends on data, the most frequent first.
fn branches(traced: &Traced, names: &Names<'_>, out: &mut Screen) {
    let has_nodes = traced.by_node.iter().any(|sites| !sites.0.is_empty());
    let mut columns = vec![
        text("branch"),
        number("executed/position"),
        number("taken %"),
        number("entropy"),
        number("rarer/position"),
    ];
    if has_nodes {
        columns.extend([number("interior: taken %"), number("quiescence: taken %")]);
    }
    let table = TextTable::new(columns);
    let mut sites: Vec<_> = traced.sites.0.iter().collect();
    sites.sort_by_key(|(address, site)| (std::cmp::Reverse(site.executed()), **address));
    let positions = traced.all.positions.max(1) as f64;
    list(table, &sites, positions, out, |address, site| {
        let mut cells = vec![
            name(site, &names.place(address)),
            rate(site.executed() as f64 / positions),
            percent(site.taken, site.executed()),
            format!("{:.3}", site.entropy()),
            rate(site.minority() as f64 / positions),
        ];
        if has_nodes {
            let taken = |site: Option<&Site>| {
                site.map_or(NONE.to_owned(), |site| percent(site.taken, site.executed()))
            };
            cells.extend(traced.nodes(address).map(taken));
        }
        cells
    });
}

/// Writes a table with one row for each of the first branches, and how many are left out.
pub(super) fn list(
    mut table: TextTable,
    sites: &[(&u64, &Site)],
    positions: f64,
    out: &mut Screen,
    cells: impl Fn(u64, &Site) -> Vec<String>,
) {
    let (shown, hidden) = sites.split_at(SHOWN.min(sites.len()));
    for &(&address, site) in shown {
        table.row(cells(address, site));
    }
    table.write(out);
    if !hidden.is_empty() {
        let executed: u64 = hidden.iter().map(|(_, site)| site.executed()).sum();
        out.line(format!(
            "{} more, with {} executions per position; --format json lists every branch",
            grouped(hidden.len() as u64),
            rate(executed as f64 / positions)
        ));
    }
}

/// The source line of a branch, and how it is special.
pub(super) fn name(site: &Site, place: &Place) -> String {
    let mut name = place.line.clone().unwrap_or_else(|| "unknown line".to_owned());
    if let Some(caller) = &place.caller {
        name.push_str(&format!(" in {caller}"));
    }
    match site.kind {
        BranchKind::IndirectJump => name.push_str(&format!(", jump to {} places", site.next.len())),
        BranchKind::IndirectCall => name.push_str(", indirect call"),
        _ => {}
    }
    name
}

/// A share in percent with one digit.
pub(super) fn percent(part: u64, of: u64) -> String {
    match of {
        0 => NONE.to_owned(),
        _ => format!("{:.1}", 100.0 * part as f64 / of as f64),
    }
}
