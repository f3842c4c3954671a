//! The finding of a session: each sentence against the data that it names, also where the finding is the opposite.

use std::collections::BTreeSet;

use raywalk_judge::Judged;
use raywalk_judge::board_kind::BoardKind;
use raywalk_judge::classes::{Condition, Point, Winner, choices, classes, left_out};
use raywalk_judge::finding::finding;
use raywalk_judge::gap::breakdown;
use raywalk_judge::summary::Row;
use raywalk_results::fixture::{self, Recipe};
use raywalk_results::journal::Results;
use raywalk_results::schema::{Control, Design, Feature, Panel, RegimeKind};
use raywalk_results::statistics::Verdict;

/// The session in which branchy and branchless designs have exchanged their classes.
pub(crate) fn swapped() -> Results {
    let mut results = Recipe::FULL.results();
    for design in &mut results.designs {
        design.control = match design.control {
            Control::Branchy => Control::Branchless,
            Control::Branchless => Control::Branchy,
            Control::Mixed => Control::Mixed,
        };
    }
    results
}

fn without(control: Control) -> Results {
    let mut results = Recipe::FULL.results();
    results.designs.iter_mut().for_each(|design| design.control = control);
    results
}

#[test]
fn the_fastest_of_each_class_on_one_kind_of_board_are_compared() {
    let results = Recipe::FULL.results();
    let judged = Judged::of(&results);
    let found = classes(&judged);
    assert_eq!(found.len(), 1, "the fixture has no branchy bitboards");
    let squares = &found[0];
    assert_eq!(squares.board, BoardKind::Squares);
    for point in &squares.points {
        let fastest = |control: Control| {
            let rows = point.panel.rows.iter().filter(|row| row.control == control);
            let squares = rows.filter(|row| {
                results.design(&row.id).is_some_and(|design| design.board_cells.is_some())
            });
            squares.min_by(|a, b| a.ratio.total_cmp(&b.ratio)).expect("a design").id.clone()
        };
        assert_eq!(point.branchy.id, fastest(Control::Branchy));
        assert_eq!(point.branchless.id, fastest(Control::Branchless));
        let by_rows = point.branchless.ratio / point.branchy.ratio;
        assert!((point.ratio.middle / by_rows - 1.0).abs() < 0.05, "{point:#?}");
        assert!(point.ratio.low <= point.ratio.middle && point.ratio.middle <= point.ratio.high);
        match point.winner() {
            Some(Winner::Branchless) => assert!(point.ratio.high < 1.0, "{point:#?}"),
            Some(Winner::Branchy) => assert!(point.ratio.low > 1.0, "{point:#?}"),
            None => {}
        }
    }
    let curve = squares.points.iter().filter(|it| matches!(it.condition, Condition::Repeated(_)));
    assert!(curve.count() > 3);
}

#[test]
fn a_design_with_vector_instructions_is_not_compared_with_scalar_ones() {
    let mut results = Recipe::FULL.results();
    let fastest = classes(&Judged::of(&results))[0].points[0].branchless.id.clone();
    let is_fastest = |id: &str| id == fastest;
    results.designs.iter_mut().filter(|it| is_fastest(&it.id)).for_each(|it| {
        it.needs = vec![Feature::Avx2];
    });
    let judged = Judged::of(&results);
    let found = classes(&judged);
    assert!(found.iter().flat_map(|one| &one.points).all(|it| !is_fastest(&it.branchless.id)));
    assert!(left_out(&judged).contains(&BoardKind::Vectors));
    assert!(!left_out(&Judged::of(&Recipe::FULL.results())).contains(&BoardKind::Vectors));
}

#[test]
fn branchy_designs_win_what_is_repeated_and_the_heading_says_so() {
    let mut results = Recipe::FULL.results();
    results.panels.retain(|it| it.panel.regime.kind == RegimeKind::Replay);
    let judged = Judged::of(&results);
    assert_eq!(classes(&judged)[0].turns_with_k(), Some(Winner::Branchy));
    let found = finding(&judged);
    assert_eq!(found.heading, "Branchy or branchless? It depends on how many positions repeat.");
    assert!(found.sentences.len() <= 3, "{found:#?}");
}

#[test]
fn a_stream_that_the_class_of_long_replays_loses_makes_the_workload_part_of_the_heading() {
    let mut results = Recipe::FULL.results();
    // A game now has the times of sixteen repeated positions, where branchy designs win.
    let game = results.panels.iter().position(|it| it.panel.workload == "game").expect("a stream");
    let game = results.panels.remove(game).panel;
    let short = |panel: &Panel| panel.regime.period == Some(16) && panel.call.is_whole();
    let short = results.panels.iter_mut().find(|it| short(&it.panel)).expect("a replay");
    let Panel { regime, workload, memorisation_curve, .. } = game;
    short.panel = Panel { regime, workload, memorisation_curve, ..short.panel.clone() };
    let judged = Judged::of(&results);
    let squares = &classes(&judged)[0];
    let won = |is: fn(Condition) -> bool| {
        let points = squares.points.iter().filter(move |point| is(point.condition));
        points.filter_map(Point::winner).collect::<Vec<_>>()
    };
    let repeated = won(|condition| matches!(condition, Condition::Repeated(_)));
    let streams = won(|condition| !matches!(condition, Condition::Repeated(_)));
    assert_eq!(repeated.last(), Some(&Winner::Branchless));
    assert!(streams.contains(&Winner::Branchy), "{streams:?}");
    assert_eq!(
        finding(&judged).heading,
        "Branchy or branchless? It depends on repetition and on the workload."
    );
}

#[test]
fn the_opposite_session_has_the_opposite_sentence() {
    let (one, other) = (Recipe::FULL.results(), swapped());
    let (one, other) = (Judged::of(&one), Judged::of(&other));
    assert_eq!(classes(&other)[0].turns_with_k(), Some(Winner::Branchless));
    let (one, other) = (finding(&one), finding(&other));
    let at = |text: &str, class: &str| text.find(&format!("{class} designs win from K = 1 "));
    assert!(at(&one.sentences[0].text, "branchy").is_some(), "{one:#?}");
    assert!(at(&other.sentences[0].text, "branchy").is_none(), "{other:#?}");
    assert!(at(&other.sentences[0].text, "branchless").is_some(), "{other:#?}");
}

/// The reason names the slower and the faster design of the fastest two of each class, and their largest part.
#[test]
fn the_reason_says_what_the_waterfall_draws_also_where_the_classes_are_exchanged() {
    let mut exchanged = fixture::explained(22.0);
    for design in &mut exchanged.designs {
        design.control = match design.control {
            Control::Branchy => Control::Branchless,
            Control::Branchless => Control::Branchy,
            Control::Mixed => Control::Mixed,
        };
    }
    for results in [fixture::explained(22.0), exchanged] {
        let judged = Judged::of(&results);
        let parts = breakdown(&judged).expect("parts");
        let gap = parts.of_classes().expect("a gap");
        let text = &finding(&judged).sentences[1].text;
        let (slower, faster) = (&gap.slower.row.name, &gap.faster.row.name);
        assert!(text.contains(&format!(", {slower} takes ")), "{text}");
        assert!(text.contains(&format!(" cycles more per position than {faster}; ")), "{text}");
        let largest = gap.parts.iter().max_by(|a, b| a.cycles.abs().total_cmp(&b.cycles.abs()));
        let largest = largest.expect("parts");
        let (_, others) =
            text.split_once(&format!(" for {}", largest.cause.name())).expect("the largest part");
        // What the others take back is told, because the part may be larger than the gap.
        let take_back = (gap.cycles() - largest.cycles) * largest.cycles < 0.0;
        assert_eq!(others != ".", take_back, "{text}");
        assert!(!take_back || others.starts_with(", and the others add up to "), "{text}");
        assert!(parts.finding(&judged, &gap).starts_with(text), "{text}");
    }
}

#[test]
fn a_difference_that_is_not_resolved_has_no_reason() {
    let mut results = fixture::explained(22.0);
    let judged = Judged::of(&results);
    let stream = breakdown(&judged).expect("parts").panel.panel.id.clone();
    let panel = results.panels.iter_mut().find(|it| it.panel.id == stream).expect("the stream");
    // Too few rounds for an interval.
    panel.rounds.truncate(2);
    let judged = Judged::of(&results);
    let parts = breakdown(&judged).expect("parts");
    let figure = parts.finding(&judged, &parts.of_classes().expect("a gap"));
    assert!(figure.contains("does not resolve the gap"), "{figure}");
    let found = finding(&judged);
    assert_eq!(found.sentences.len(), 2, "{found:#?}");
    assert!(found.sentences.iter().all(|it| !it.text.contains("largest part")), "{found:#?}");
}

/// Two kinds of boards have a sentence each, and the reason stays.
#[test]
fn two_kinds_of_boards_keep_the_reason() {
    let mut results = fixture::explained(22.0);
    let one = finding(&Judged::of(&results)).sentences[1].text.clone();
    // Half of the slower designs of each class now have bitboards.
    let squares = |results: &Results, control| {
        let is = |it: &&Design| it.control == control && it.board_cells.is_some();
        results.designs.iter().filter(is).map(|it| it.id.clone()).collect::<Vec<_>>()
    };
    let gap = |results: &Results| {
        let judged = Judged::of(results);
        let parts = breakdown(&judged).expect("parts");
        let gap = parts.of_classes().expect("a gap");
        [gap.slower.row.id.clone(), gap.faster.row.id.clone()]
    };
    let kept = gap(&results);
    for control in [Control::Branchy, Control::Branchless] {
        let other = squares(&results, control).into_iter().find(|id| !kept.contains(id));
        let other = other.expect("another design of the class");
        let is_other = |design: &&mut Design| design.id == other;
        results.designs.iter_mut().filter(is_other).for_each(|it| it.board_cells = None);
    }
    let judged = Judged::of(&results);
    assert_eq!(classes(&judged).len(), 2);
    let found = finding(&judged);
    assert_eq!(found.sentences.len(), 3, "{found:#?}");
    assert_eq!(found.sentences[2].text, one);
    assert!(found.sentences[1].text.starts_with("On bitboards, "), "{found:#?}");
}

/// A design that changes its class is not compared; all other numbers of the session stay.
#[test]
fn the_choices_of_a_point_are_what_it_would_be_without_faster_designs() {
    let mut results = Recipe::FULL.results();
    let (mut all, mut compared) = (Vec::new(), 0);
    for point in &classes(&Judged::of(&results))[0].points {
        let judged = Judged::of(&results);
        let board = classes(&judged)[0].board;
        let choices = choices(&judged, board, point.condition, point.panel).pairs;
        assert_eq!((choices[0].ratio, &choices[0].verdict), (point.ratio, &point.verdict));
        let count = |ids: Vec<&String>| ids.into_iter().collect::<BTreeSet<_>>().len();
        let one = count(choices.iter().map(|it| &it.branchless.id).collect());
        let other = count(choices.iter().map(|it| &it.branchy.id).collect());
        all.push((one, other, choices.len(), point.branchless.id.clone()));
    }
    // The fixture has two branchless designs on square boards, and more than three branchy ones.
    assert!(all.iter().all(|it| (it.0, it.1, it.2) == (2, 3, 6)), "{all:?}");
    let fastest = all[0].3.clone();
    let before = results.clone();
    for design in results.designs.iter_mut().filter(|design| design.id == fastest) {
        design.control = Control::Mixed;
    }
    let (judged, before) = (Judged::of(&results), Judged::of(&before));
    let kind = &classes(&judged)[0];
    for point in &classes(&before)[0].points {
        let choices = choices(&before, kind.board, point.condition, point.panel);
        assert!(choices.fastest.iter().all(|rows| rows.is_sorted_by(|a, b| a.ratio <= b.ratio)));
        let next = choices.pairs.iter().find(|it| it.branchless.id != fastest).expect("a pair");
        let now = kind.points.iter().find(|it| it.condition == point.condition).expect("a point");
        assert_eq!((next.ratio, &next.verdict), (now.ratio, &now.verdict), "{:?}", point.condition);
        compared += usize::from(next.ratio != point.ratio);
    }
    assert!(compared > 3, "{compared}");
}

#[test]
fn the_fastest_of_a_family_with_both_classes_can_be_chosen() {
    // The slowest branchy design of the fixture, and a branchless one.
    let text = fixture::text(&Recipe::FULL.records());
    let text = text.replace("synthetic-theta", "one/theta").replace("synthetic-delta", "one/delta");
    for (text, pairs) in [(text.replace("one/", "synthetic-"), 6), (text, 7)] {
        let results = fixture::read(&text);
        let judged = Judged::of(&results);
        let kind = &classes(&judged)[0];
        for point in &kind.points {
            let choices = choices(&judged, kind.board, point.condition, point.panel);
            assert_eq!(choices.pairs.len(), pairs, "{:?}", point.condition);
            let of_family =
                |it: &&Point<'_>| it.branchless.id == "one/delta" && it.branchy.id == "one/theta";
            assert_eq!(choices.pairs.iter().filter(of_family).count(), pairs - 6);
        }
    }
}

#[test]
fn a_session_of_one_class_compares_none() {
    let results = without(Control::Branchless);
    let judged = Judged::of(&results);
    assert_eq!(classes(&judged), []);
    let found = finding(&judged);
    assert_eq!(found.heading, "Chess move generators, measured");
    assert_eq!(found.sentences.len(), 1, "{found:#?}");
}

/// The sentence on the fastest design against the verdicts of all other designs of the headline panel.
#[test]
fn the_sentence_on_the_fastest_design_counts_resolved_comparisons_only() {
    let (mut forms, mut leaders) = (BTreeSet::new(), BTreeSet::new());
    let mut slowed = Recipe::FULL.records();
    fixture::stretch(&mut slowed, "synthetic-iota", 3.0);
    let slowed = fixture::read(&fixture::text(&slowed));
    let sessions = [3, 8, 12, 40].map(|rounds| (Recipe::FULL.results(), rounds));
    for (mut results, rounds) in sessions.into_iter().chain([(slowed, 40)]) {
        results.panels.iter_mut().for_each(|panel| panel.rounds.truncate(rounds));
        let judged = Judged::of(&results);
        let panel = judged.headline().expect("a headline");
        let first = &panel.rows[0];
        leaders.insert(first.name.clone());
        let verdict = |row: &Row| judged.compared(panel, row, first).map(|it| it.verdict);
        let others: Vec<_> = panel.rows[1..].iter().map(verdict).collect();
        let slower = others.iter().filter(|it| matches!(it, Some(Verdict::Slower(_)))).count();
        let rivals = others.len() - slower;
        let found = finding(&judged);
        let sentence = found.sentences.last().expect("a sentence");
        let text = &sentence.text;
        assert_eq!(sentence.panels, [panel.panel.id.as_str()]);
        assert_eq!(sentence.designs.len(), others.len() + 1, "it is hidden with any of them");
        let all = format!("the fastest of {} designs is {}", others.len() + 1, first.name);
        let form = if others.iter().all(Option::is_none) {
            let none = format!(", no design is compared with {}: ", first.name);
            assert!(text.contains(&none) && !text.contains(&all), "{text}");
            "not compared"
        } else if rivals == 0 {
            assert!(text.contains(&format!("{all}; the runner-up, ")), "{text}");
            "resolved"
        } else {
            let which =
                if rivals == 1 { "other".to_owned() } else { format!("of {rivals} others") };
            assert!(text.contains(&format!("{all} or one {which}")), "{text}");
            let told = match slower {
                0 => "; none is resolved to be slower.".to_owned(),
                1 => "; one is slower.".to_owned(),
                more => format!("; {more} are slower."),
            };
            assert!(text.ends_with(&told), "{text}");
            "in part"
        };
        forms.insert(form);
    }
    assert_eq!(forms.into_iter().collect::<Vec<_>>(), ["in part", "not compared", "resolved"]);
    assert_eq!(leaders.len(), 2, "another design leads where the first one is slow: {leaders:?}");
}
