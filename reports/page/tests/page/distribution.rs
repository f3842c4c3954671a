//! The figure of the distribution of the rounds: its points are the quantiles that the judge computes.

use raywalk_judge::Judged;
use raywalk_judge::distribution::{Distribution, SHARES, distributions};
use raywalk_results::fixture::Recipe;

/// The points of each curve of a drawing, in the order in which they are drawn.
fn curves(drawing: &str) -> Vec<Vec<(f64, f64)>> {
    let point = |text: &str| {
        let (x, y) = text.split_once(',').expect("a point");
        (x.parse().expect("pixels"), y.parse().expect("pixels"))
    };
    let curve = |group: &str| {
        let (_, rest) = group.split_once("points=\"").expect("a curve");
        let points = rest.split('"').next().unwrap_or_default();
        points.split(' ').map(point).collect()
    };
    drawing.split("<g data-say=\"").skip(1).map(curve).collect()
}

/// Checks all curves of a drawing by the scale of the widest one.
fn check(drawing: &str, found: &[Distribution<'_>]) {
    let drawn = curves(drawing);
    assert_eq!(drawn.len(), found.len());
    let value = |one: &Distribution<'_>, place: usize| {
        one.from_median(SHARES[place]).expect("one of the shares")
    };
    let last = SHARES.len() - 1;
    let width = |one: &Distribution<'_>| value(one, last) - value(one, 0);
    // The control is drawn first.
    let pairs: Vec<_> = drawn.iter().zip(found.iter().rev()).collect();
    let (points, one) =
        pairs.iter().max_by(|(_, a), (_, b)| width(a).total_cmp(&width(b))).expect("a curve");
    let scale = (points[last].0 - points[0].0) / width(one);
    let height = (points[last].1 - points[0].1) / (SHARES[last] - SHARES[0]);
    assert!(scale > 0.0 && height < 0.0, "to the right and upwards");
    let (left, low) = (points[0].0 - scale * value(one, 0), points[0].1 - height * SHARES[0]);
    for (points, one) in &pairs {
        assert_eq!(points.len(), SHARES.len());
        for (place, (x, y)) in points.iter().enumerate() {
            let (at, up) = (left + scale * value(one, place), low + height * SHARES[place]);
            assert!((x - at).abs() < 2.5 && (y - up).abs() < 2.5, "{}: {x},{y} {at},{up}", one.id);
        }
    }
}

#[test]
fn the_points_of_both_drawings_are_the_quantiles_of_the_rounds() {
    let results = Recipe::FULL.results();
    let judged = Judged::of(&results);
    let page = raywalk_page::page(std::slice::from_ref(&judged));
    let (_, figure) = page.split_once("id=\"distribution-head\"").expect("the figure");
    let (figure, _) = figure.split_once("</figure>").expect("its end");
    let (_, found) = distributions(&judged).expect("enough rounds");
    let drawings: Vec<&str> = figure.split("<svg ").skip(1).collect();
    assert_eq!(drawings.len(), 2, "wide and narrow");
    for drawing in drawings {
        check(drawing.split("</svg>").next().unwrap_or_default(), &found);
        let elements = drawing.split("</svg>").next().unwrap_or_default().matches('<').count();
        assert!(elements < 150, "{elements}");
    }
    for one in found.iter().filter_map(|one| one.row) {
        assert!(figure.contains(&format!(" for {}", one.name)), "{figure:.800}");
    }
    assert!(figure.contains("Provenance: measured"));
}

#[test]
fn a_session_of_few_rounds_has_no_such_figure() {
    let mut results = Recipe::FULL.results();
    results.panels.iter_mut().for_each(|panel| panel.rounds.truncate(5));
    let page = raywalk_page::page(&[Judged::of(&results)]);
    assert!(!page.contains("distribution-head") && page.contains("sequence-head"));
}
