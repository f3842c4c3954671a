//! Plots that need panels which the fixture lacks: each test derives them from those that it has.

use std::collections::{BTreeMap, BTreeSet};

use raywalk_judge::Judged;
use raywalk_results::fixture::{Recipe, explained};
use raywalk_results::journal::{PanelRounds, Results};
use raywalk_results::schema::{
    ExpectedRange, Found, Grade, Order, Per, Quantity, RegimeKind, Search, Selftest, Trial, Unit,
};

const NODE: &str = "ab4/stream-tree/node";
pub(crate) const COLD: &str = "ab4/cold-16384/all";

/// What is drawn of each mark, by its words: the shapes, wherever they stand.
fn marks(figure: &str) -> Vec<(String, String)> {
    let value = |element: &str, name: &str| {
        let (_, rest) = element.split_once(&format!(" {name}=\""))?;
        rest.split('"').next().map(str::to_owned)
    };
    let moved = |points: String| {
        let points: Vec<(i32, i32)> = points
            .split(' ')
            .filter_map(|point| point.split_once(','))
            .map(|(x, y)| (x.parse().expect("pixels"), y.parse().expect("pixels")))
            .collect();
        let first = points[0];
        format!("{:?}", points.iter().map(|(x, y)| (x - first.0, y - first.1)).collect::<Vec<_>>())
    };
    let shape = |element: &str| {
        let tag = element.split(' ').next().unwrap_or_default();
        let size = value(element, "r").or_else(|| value(element, "points").map(moved));
        format!(
            "{tag} {} {}",
            value(element, "fill") == Some("none".to_owned()),
            size.unwrap_or_default()
        )
    };
    let mark = |group: &str| {
        let (says, rest) = group.split_once("\">").expect("words");
        let drawn = rest.split("</g>").next().unwrap_or_default();
        (says.to_owned(), drawn.split('<').skip(1).map(shape).collect::<Vec<_>>().join("; "))
    };
    figure.split("<g data-say=\"").skip(1).map(mark).collect()
}

/// Figures are drawn for pages, and `raywalk show --figure` writes them as files of XML, where no attribute lacks a
/// value.
#[test]
fn every_attribute_of_a_figure_has_a_value() {
    let page = raywalk_page::page(&[Judged::of(&explained(22.0))]);
    let mut tags = 0;
    for svg in page.split("<svg ").skip(1) {
        let svg = svg.split("</svg>").next().expect("its end");
        for tag in svg.split('<').skip(1).filter(|tag| !tag.starts_with('/')) {
            let (tag, _) = tag.split_once('>').expect("the end of a tag");
            // Outside of quotes, every word after the name has a value.
            let bare: String = tag.split('"').step_by(2).collect();
            let mut words = bare.trim_end_matches('/').split_whitespace().skip(1);
            assert!(words.all(|word| word.ends_with('=')), "<{tag}>");
            tags += 1;
        }
    }
    assert!(tags > 1_000, "{tags}");
}

/// The marker of a design, by a figure in which every design has one mark.
#[test]
fn a_mark_has_the_shape_of_its_family_in_every_figure() {
    let results = explained(22.0);
    let page = raywalk_page::page(&[Judged::of(&results)]);
    let mut known: BTreeMap<&str, String> = BTreeMap::new();
    let mut figures = 0;
    let names = ["size", "memorisation", "forest-planned", "regimes", "misses", "lines"];
    for name in names {
        let marks = marks(&figure_of(&page, name));
        assert!(marks.len() > 10, "{name}: {marks:?}");
        figures += 1;
        for (says, shape) in marks {
            // The longest name: a shorter one may be the beginning of another.
            let named = results.designs.iter().filter(|it| says.starts_with(&it.name));
            let design = named.max_by_key(|it| it.name.len()).expect("a mark names its design");
            let family = design.id.split('/').next().expect("a family");
            let first = known.entry(family).or_insert_with(|| shape.clone());
            assert_eq!(*first, shape, "{name}: {says}");
        }
    }
    assert_eq!(figures, names.len());
    let shapes: BTreeSet<&String> = known.values().collect();
    assert!(known.len() > 5 && shapes.len() == known.len(), "{known:?}");
    // A pair of designs has no family.
    let pairs = marks(&figure_of(&page, "classes"));
    assert!(pairs.len() > 5 && pairs.iter().all(|(_, shape)| !shapes.contains(shape)), "{pairs:?}");
}

/// The figure with this id, or an empty text.
pub(crate) fn figure(results: &Results, id: &str) -> String {
    figure_of(&raywalk_page::page(&[Judged::of(results)]), id)
}

/// A figure of a page; empty if the page lacks it.
fn figure_of(page: &str, id: &str) -> String {
    let parts = page.split("<figure").skip(1).map(|part| part.split("</figure>").next());
    let head = format!("id=\"{id}-head\"");
    parts.flatten().find(|part| part.contains(&head)).unwrap_or_default().to_owned()
}

fn panel<'a>(results: &'a mut Results, id: &str) -> &'a mut PanelRounds {
    results.panels.iter_mut().find(|panel| panel.panel.id == id).expect("a panel of the fixture")
}

/// A copy of a panel under another id, with the times of all designs multiplied.
pub(crate) fn copy(results: &mut Results, of: &str, id: &str, factor: f64) -> usize {
    let mut copy = panel(results, of).clone();
    copy.panel.id = id.to_owned();
    copy.panel.memorisation_curve = false;
    for round in &mut copy.rounds {
        round.panel = id.to_owned();
        for sample in &mut round.samples {
            sample.ticks = (sample.ticks as f64 * factor) as u64;
        }
    }
    results.panels.push(copy);
    results.panels.len() - 1
}

#[test]
fn the_stage_of_each_node_stands_for_all_moves() {
    let mut results = Recipe::FULL.results();
    assert!(figure(&results, "regimes").contains("ab4 (cold, 16384 branches)"));
    for id in ["ab4/stream-tree/all", COLD] {
        panel(&mut results, id).panel.call = Search::Node.into();
    }
    panel(&mut results, "ab4/stream-tree/all").panel.id = NODE.to_owned();
    results.session.headline = NODE.to_owned();
    let regimes = figure(&results, "regimes");
    assert!(regimes.contains("ab4/node (cold, 16384 branches)"), "{regimes:.900}");
}

#[test]
fn the_first_figure_names_the_conditions_that_are_not_judged() {
    let mut results = Recipe::FULL.results();
    let says = "Too few undisturbed rounds to judge: ";
    let lines = |figure: &str| figure.matches("data-joined").count();
    let before = figure(&results, "classes");
    assert!(!before.contains(says));
    panel(&mut results, "cycle-256/replay-256/all").rounds.truncate(3);
    let figure = figure(&results, "classes");
    assert_eq!(lines(&figure), lines(&before) + 1, "the line is interrupted");
    let (_, rest) = figure.split_once(says).expect("the sentence");
    assert!(rest.starts_with("K = 256"), "{rest:.200}");
    assert!(
        !rest[..rest.find('<').expect("the end of a paragraph")].contains("K = 16"),
        "{rest:.200}"
    );
}

#[test]
fn an_overwritten_predictor_stands_beside_the_same_call() {
    let mut results = Recipe::FULL.results();
    panel(&mut results, COLD).panel.call = Search::Node.into();
    let regimes = figure(&results, "regimes");
    assert!(regimes.contains(" ab4") && !regimes.contains("cold"), "all moves have no cold panel");
    // With a stream of the stage of each node, that is the counterpart.
    let at = copy(&mut results, "ab4/stream-tree/all", NODE, 1.0);
    results.panels[at].panel.call = Search::Node.into();
    results.session.headline = NODE.to_owned();
    assert!(figure(&results, "regimes").contains("ab4/node (cold, 16384 branches)"));
}

#[test]
fn labels_of_cut_intervals_stay_inside_the_frame() {
    let mut results = Recipe::FULL.results();
    // Processes that disagree about every design: the intervals of this panel are longer than the axis.
    for round in &mut panel(&mut results, "cycle-256/replay-256/all").rounds {
        for (design, sample) in round.samples.iter_mut().enumerate() {
            let factor = if (round.process as usize + design).is_multiple_of(2) { 30 } else { 1 };
            sample.ticks *= factor;
        }
    }
    let figure = figure(&results, "classes");
    let (wide, _) = figure.split_once("</svg>").expect("a wide drawing");
    let value = |element: &str, name: &str| {
        let (_, rest) = element.split_once(&format!(" {name}=\"")).expect("an attribute");
        rest.split('"').next().expect("a value").to_owned()
    };
    let pixels = |text: &str| text.parse::<i32>().expect("pixels");
    let (mut points, mut cut) = (0, 0);
    for point in wide.split("data-point=").skip(1) {
        let (_, label) = point.split_once("<text").expect("a label");
        let (label, dot) = (pixels(&value(label, "y")), pixels(&value(point, "cy")));
        let ends = value(point, "points");
        let ends = ends.split(' ').filter_map(|end| end.split_once(',')).map(|(_, y)| pixels(y));
        let (high, low) =
            ends.fold((i32::MAX, i32::MIN), |(high, low), y| (high.min(y), low.max(y)));
        // Above the frame is the title of the axis, below it are the conditions.
        assert!((30..232).contains(&label), "{point}");
        assert!(label < high || label > low || label == dot, "{point}");
        points += 1;
        cut += usize::from((high, low) == (30, 232) && label == dot);
    }
    assert_eq!((points, cut), (9, 1), "{wide}");
}

#[test]
fn the_memory_matched_control_tells_memory_and_predictor_apart() {
    let mut results = Recipe::FULL.results();
    let without = figure(&results, "memorisation");
    assert!(without.contains("interval") && !without.contains("memory"), "{without:.900}");
    let at = copy(&mut results, "cycle-256/replay-256/all", "cycle-256/matched-256/all", 1.2);
    let regime = &mut results.panels[at].panel.regime;
    (regime.kind, regime.boards) = (RegimeKind::Matched, Some(65_536));
    let with = figure(&results, "memorisation");
    // A fifth dearer than the replay of 256, by construction.
    let memory = "laid out as 65,536 boards it rises for 12 of 12 designs (1.2";
    assert!(with.contains(memory), "{with:.900}");
    assert!(with.contains("256 as 65,536") && with.contains("laid out as 65,536 boards"));
    let rings = |text: &str| text.matches("r=\"7\"").count();
    // Once for wide windows and once for narrow ones.
    assert_eq!((rings(&without), rings(&with)), (0, 24), "one marker per design");
    // It is no column of the regimes, because it differs in memory.
    assert_eq!(figure(&results, "regimes"), figure(&Recipe::FULL.results(), "regimes"));
}

#[test]
fn the_plot_of_sizes_adds_the_board_to_the_tables() {
    let results = Recipe::FULL.results();
    let with = figure(&results, "size");
    assert!(with.contains("bytes of tables and one board"));
    // The fixture's first design: a board of 96 bytes.
    assert!(with.contains("Board bytes") && with.contains(">96<"), "{with:.900}");
}

/// The texts of the cells in one column of the numbers of a figure.
fn column(figure: &str, name: &str) -> Vec<String> {
    let text = |cell: &str| {
        let end = cell.find("</t").unwrap_or(cell.len());
        let shown = cell[..end].rsplit('>').next().unwrap_or_default();
        shown.to_owned()
    };
    let heads: Vec<String> = figure.split("<th scope=\"col\"").skip(1).map(text).collect();
    let place = heads.iter().position(|head| head == name).expect("a column of this name");
    let rows = figure.split("<tbody>").nth(1).expect("rows").split("<tr").skip(1);
    rows.map(|row| text(row.split("<td").nth(place).expect("a cell"))).collect()
}

#[test]
fn modelled_and_counted_mispredictions_stand_in_neighbouring_columns() {
    let mut results = Recipe::FULL.results();
    let misses = figure(&results, "misses");
    assert!(misses.contains("prefer the counted ones"), "{misses:.900}");
    let heads: Vec<&str> = misses.split("<th scope=\"col\"").skip(1).collect();
    let counted: Vec<usize> =
        (0..heads.len()).filter(|&at| heads[at].contains("stream (counted)")).collect();
    assert!(counted.iter().all(|&at| heads[at - 1].contains("(modelled)")), "{heads:?}");
    assert!(column(&misses, "stream (counted)").iter().any(|cell| cell != "–"));
    // Without a counter nothing is called counted.
    for sample in
        results.panels.iter_mut().flat_map(|it| &mut it.rounds).flat_map(|it| &mut it.samples)
    {
        sample.events.clear();
    }
    let misses = figure(&results, "misses");
    assert!(!misses.contains("prefer the counted ones"), "{misses:.900}");
    assert!(column(&misses, "stream (counted)").iter().all(|cell| cell == "–"));
}

#[test]
fn a_fit_says_whether_the_model_is_to_be_believed() {
    let mut results = Recipe::FULL.results();
    let better =
        "Synthetic TAGE predicts better than Synthetic gshare (20.0 %), constant (40.0 %) on this";
    assert!(figure(&results, "fit").contains(better));
    // An equal error to the digits shown is no better prediction.
    let first = results.fit.as_ref().expect("a fit").pooled[0].mean_error;
    results.fit.as_mut().expect("a fit").pooled[1].mean_error = 1.01 * first;
    let equal =
        "predicts better than constant (40.0 %), as well as Synthetic gshare (3.0 %) on this";
    assert!(figure(&results, "fit").contains(equal));
    results.fit.as_mut().expect("a fit").believed = false;
    let page = raywalk_page::page(&[Judged::of(&results)]);
    assert!(figure_of(&page, "fit").contains("Synthetic TAGE is not accurate here"));
    let learning = figure_of(&page, "learning");
    assert!(learning.contains("places 12 of 12 knees within a quarter"), "{learning:.900}");
    results.fit = None;
    assert_eq!(figure(&results, "fit") + &figure(&results, "learning"), "");
}

#[test]
fn lines_name_the_designs_that_touch_least_and_most() {
    let mut results = Recipe::FULL.results();
    let lines = figure(&results, "lines");
    // 20 lines, and one more for each 400 bytes under a root.
    assert!(
        lines.contains("between 20 lines") || lines.contains("between 20.0 lines"),
        "{lines:.900}"
    );
    results.traces.clear();
    assert_eq!(figure(&results, "lines") + &figure(&results, "misses"), "");
}

#[test]
fn the_gap_is_drawn_with_its_remainder_and_the_lines_of_both_designs() {
    let mut results = Recipe::FULL.results();
    assert_eq!(figure(&results, "gap"), "", "no control, no gap");
    let at = copy(&mut results, "cycle-256/replay-256/all", "cycle-256/matched-256/all", 1.05);
    results.panels[at].panel.regime.boards = Some(65_536);
    let unit = Unit { quantity: Quantity::Cycles, per: Some(Per::Miss) };
    results.selftest.push(Selftest {
        trials: vec![Trial {
            instrument: "misprediction cost".to_owned(),
            kernel: String::new(),
            expected: ExpectedRange::between(5.0, 60.0),
            found: vec![Found { value: 22.0, low: 21.0, high: 23.0, unit }],
            grade: Grade::Usable,
            why: String::new(),
        }],
        ..Selftest::default()
    });
    let gap = figure(&results, "gap");
    assert!(gap.contains("remainder") && gap.contains("more than was measured."), "{gap:.900}");
    assert!(gap.contains("The fit gives each design its own: 22"), "{gap:.900}");
    let branches = figure(&results, "branches");
    assert!(branches.contains("/lib.rs:12") && branches.contains("walk.rs:7"), "{branches:.900}");
    // Twice: in the wide and in the narrow drawing of each design, and in the table below.
    let text = "while board[usize::from(to)] == Piece::EMPTY {";
    assert!(branches.matches(text).count() >= 4, "{branches:.900}");
}

#[test]
fn captures_of_generated_positions_show_the_fastest_design_of_each_family() {
    let mut results = Recipe::FULL.results();
    assert_eq!(figure(&results, "captures"), "", "no captures of generated positions");
    let place = copy(
        &mut results,
        "ab4/stream-tree/captures",
        "queen-ending/stream-generated/captures",
        1.5,
    );
    let panel = &mut results.panels[place].panel;
    panel.workload = "queen-ending".to_owned();
    panel.regime.order = Order::Generated;
    let captures = figure(&results, "captures");
    let families = results.designs.iter().filter_map(|design| design.id.split('/').next());
    let families: BTreeSet<_> = families.collect();
    let rows = captures.matches("data-say").count() / 2;
    assert!(rows > 3 && rows <= families.len(), "{rows} of {families:?}");
    assert!(
        captures.contains("The fastest pseudo-legal design of each class")
            && captures.contains("(branchless)")
    );
    assert!(captures.contains("Captures in queen-ending"), "{captures:.300}");
    assert!(captures.contains("stroke: ab4"), "{captures:.900}");
}

#[test]
fn kinds_of_boards_have_letters_where_there_are_several() {
    let mut results = Recipe { designs: 26, ..Recipe::FULL }.results();
    let one = figure(&results, "classes");
    assert!(!one.contains(">S<") && one.contains("square boards"), "{one:.900}");
    for design in results.designs.iter_mut().skip(12) {
        design.board_cells = None;
    }
    let several = figure(&results, "classes");
    // In the wide and in the narrow drawing.
    for letter in ['S', 'B'] {
        assert!(several.matches(&format!(">{letter}<")).count() > 12, "{letter}: {several:.900}");
    }
    assert!(several.contains("S: square boards") && several.contains("B: bitboards"));
}
