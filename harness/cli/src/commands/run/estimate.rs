//! `raywalk run --dry-run`.

use raywalk_judge::format::plural;
use raywalk_measure::plan::Plan;
use raywalk_page::terminal::Screen;
use raywalk_page::terminal::text_table::{TextTable, number, text};

use crate::duration::in_words;

/// Writes the plan and how long it will take.
pub(super) fn write(plan: &Plan, ids: &[&str], out: &mut Screen) {
    let designs = plural(ids.len(), "design");
    out.line(format!("plan {}, {designs}: {}", plan.name, ids.join(", ")));
    let estimate = plan.estimate(ids.len());
    let columns = [text("panel"), number("estimated rounds"), number("time")];
    let mut table = TextTable::new(columns).indented();
    for panel in &estimate.panels {
        table.row([panel.id.clone(), panel.rounds.to_string(), in_words(panel.time)]);
    }
    table.write(out);
    let time = in_words(estimate.time);
    out.line(format!("about {time} of measuring, plus corpora, verification, traces and sizes"));
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(plan: &Plan, ids: &[&str], width: usize) -> String {
        let mut screen = Screen::new(width, false);
        write(plan, ids, &mut screen);
        screen.as_str().to_owned()
    }

    #[test]
    fn the_columns_of_every_plan_are_aligned() {
        for plan in [Plan::quick(), Plan::full(160)] {
            let text = written(&plan, &["bell/last-square"], 100);
            assert!(text.starts_with(&format!("plan {}, 1 design: bell", plan.name)), "{text}");
            let rows: Vec<_> = text.lines().filter(|line| line.starts_with("  ")).collect();
            assert_eq!(rows.len(), plan.panels.len() + 1, "{text}");
            for row in &rows {
                assert_eq!(row.len(), rows[0].len(), "{row}");
            }
        }
    }

    #[test]
    fn a_long_list_of_designs_fits_the_width() {
        let ids = ["bitboard/hyperbola"; 80];
        for width in [40, 100] {
            let text = written(&Plan::quick(), &ids, width);
            assert!(text.lines().all(|line| line.len() <= width), "{text}");
        }
    }
}
