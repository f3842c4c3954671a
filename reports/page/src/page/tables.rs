//! The tables of a page by name, for readers outside of it.

use raywalk_judge::matrix::Baseline;

use super::{
    PLOTS, boards, calls, chains, code, density, designs, leaves, limit, lookups, machine, matrix,
    peers, trust,
};
use crate::plain::PlainTable;
use crate::plot::{branches, gap};
use crate::table::Table;
use crate::view::View;

/// The tables of a session in the order of the page, each with its name. Some names have several tables, such as one
/// for each workload. Ranked tables of panels and verdicts on claims are not among them: these have commands of their
/// own.
pub(crate) fn tables(view: View<'_>) -> Vec<(String, PlainTable)> {
    let matrices = matrix::all(view).into_iter();
    let first = Baseline::ALL[0].name();
    let name = |choice: &str| match choice == first {
        true => "matrix".to_owned(),
        false => format!("matrix-{choice}"),
    };
    let matrices = matrices.map(|(choice, table)| (name(choice), table));
    let figures = PLOTS.iter().filter_map(|(_, figure, _)| figure(view));
    let figures = figures.map(|figure| (figure.id, figure.numbers));
    let others: [(&str, Vec<Table>); 14] = [
        ("density", density::all(view)),
        ("calls", calls::all(view)),
        ("lookups", lookups::all(view).into_iter().collect()),
        ("perft", leaves::all(view)),
        ("parts", gap::parts(view).into_iter().collect()),
        ("branches-of-all", branches::all(view).into_iter().collect()),
        ("branches-by-node", branches::by_node(view).into_iter().collect()),
        ("code", code::table(view).into_iter().collect()),
        ("positions", boards::all(view).into_iter().collect()),
        ("chains", chains::all(view).into_iter().collect()),
        ("peers", peers::all(view).into_iter().collect()),
        ("limit", limit::all(view).into_iter().collect()),
        ("resolution", trust::panels(view).into_iter().collect()),
        ("designs", designs::table(view).into_iter().collect()),
    ];
    let others = others
        .into_iter()
        .flat_map(|(name, tables)| tables.into_iter().map(move |table| (name.to_owned(), table)));
    let machine = [("panels", machine::panels(view)), ("corpora", machine::corpora(view))];
    let machine = machine.map(|(name, table)| (name.to_owned(), table));
    let all = matrices.chain(figures).chain(others).chain(machine);
    let plain = all.map(|(name, table)| (name, table.plain()));
    plain.filter(|(_, table)| !table.rows.is_empty()).collect()
}
