//! Compiled code of the designs: sizes and counts of all, and the loop of each walk with its source lines.

use maud::{Markup, html};
use raywalk_judge::format::bytes;
use raywalk_results::schema::{Code, CodeLine, Provenance, WalkLoop};

use crate::label::About;
use crate::table::{Cell, Table};
use crate::view::View;

/// The code of every design. `None` without an audit.
pub(crate) fn table(view: View<'_>) -> Option<Table> {
    let codes = &view.judged.results.codes;
    let caption = "What the compiler made of every design, all moves: bytes of code that can be reached, copies of the \
                   walk, instructions of the shortest iteration of its loop beside those of the same loop in C, and \
                   executed instructions per visited square";
    let columns = ["Design", "Code", "Copies", "Iteration", "In C", "Instructions per square"];
    let about = About::Nothing("properties of the code; squares are those of lone sliders");
    let mut table = Table::new(view.label(caption, Provenance::Counted.name(), about), &columns);
    for code in codes {
        let Code { design, copies, per_square, walk, .. } = code;
        let whole = |count: f64| format!("{count:.0}");
        let of_walk = |count: fn(&WalkLoop) -> Option<u64>| {
            Cell::number(walk.as_ref().and_then(count).map(|count| count as f64), whole)
        };
        let cells = vec![
            Cell::number(Some(code.bytes as f64), |_| bytes(code.bytes)),
            Cell::number(Some(*copies as f64), whole),
            of_walk(|walk| Some(walk.turn)),
            of_walk(|walk| walk.in_c),
            Cell::number(*per_square, |count| format!("{count:.1}")),
        ];
        table.design(view.keys, design, view.judged.results.name(design), cells);
    }
    (!codes.is_empty()).then_some(table)
}

/// The loops of all walks; empty without an audit.
pub(crate) fn loops(view: View<'_>) -> Option<Markup> {
    let results = view.judged.results;
    let loops = results.codes.iter().filter_map(|code| Some((code, code.walk.as_ref()?)));
    let loops: Vec<_> = loops.collect();
    (!loops.is_empty()).then(|| {
        html! {
            @for (code, walk) in loops {
                p { strong { (results.name(&code.design)) } }
                pre.tall tabindex="0" role="group" aria-label=(results.name(&code.design)) { (listing(walk)) }
            }
        }
    })
}

/// One line per instruction, the source behind it.
fn listing(walk: &WalkLoop) -> String {
    let line = |CodeLine { instruction, source }: &CodeLine| match source {
        Some(source) => format!("{instruction:<44}{source}\n"),
        None => format!("{instruction}\n"),
    };
    walk.lines.iter().map(line).collect()
}
