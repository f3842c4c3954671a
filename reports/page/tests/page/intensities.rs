//! The plots of perturbed regimes, and the sentences of figures where nothing is resolved.

use raywalk_results::fixture::Recipe;
use raywalk_results::journal::Results;
use raywalk_results::schema::{Intensity, IntensityUnit, Order, RegimeKind};

use crate::plots::{COLD, copy, figure};

fn intensity(results: &mut Results, amount: u64, kind: RegimeKind, factor: f64) {
    let id = format!("ab4/{kind}-{amount}/all");
    let at = copy(results, COLD, &id, factor);
    let unit = match kind {
        RegimeKind::ColdPlacebo => IntensityUnit::ConstantBranches,
        RegimeKind::Pressure => IntensityUnit::Bytes,
        _ => IntensityUnit::Branches,
    };
    let regime = &mut results.panels[at].panel.regime;
    (regime.kind, regime.intensity) = (kind, Some(Intensity { amount, unit }));
}

#[test]
fn the_plot_of_the_cold_regime_needs_two_intensities_and_says_what_the_placebo_explains() {
    let mut results = Recipe::FULL.results();
    assert_eq!(figure(&results, "intensity"), "");
    intensity(&mut results, 65_536, RegimeKind::Cold, 1.5);
    let cold = figure(&results, "intensity");
    assert!(
        cold.contains(
            "From 16,384 to 65,536 branches before each call the cost of a position rises for 12 of 12 designs (1.5"
        ),
        "{cold:.900}"
    );
    assert!(!cold.contains("placebo"));
    intensity(&mut results, 16_384, RegimeKind::ColdPlacebo, 0.5);
    let one = figure(&results, "intensity");
    let twice = "From the placebo to the regime itself, at 16,384 branches, it rises for 12 of 12 designs (2";
    assert!(one.contains(twice) && !one.contains("With the placebo"), "{one:.900}");
    let below = "Compared with the placebo, which executes the same code with constant outcomes, the cost of a \
                 position here rises for 12 of 12 designs (2";
    assert_eq!(
        crate::page(&[results.clone()]).matches(below).count(),
        1,
        "below the panel that has a placebo"
    );
    // From 0.5 to 0.7.
    intensity(&mut results, 65_536, RegimeKind::ColdPlacebo, 0.7);
    let both = figure(&results, "intensity");
    let placebo = "constant outcomes, it rises for 12 of 12 designs (1.4";
    assert!(both.contains(placebo), "{both:.900}");
    assert!(both.contains("placebo, 65,536") && both.contains("ring and thin line: placebo"));
}

/// The fixture has one panel beside 256 KiB.
#[test]
fn the_cost_under_pressure_needs_two_sizes_of_other_data() {
    let mut results = Recipe::FULL.results();
    assert_eq!(figure(&results, "pressure"), "");
    intensity(&mut results, 8 << 20, RegimeKind::Pressure, 1.5);
    let both = figure(&results, "pressure");
    let sizes =
        "From 256 to 8,192 KiB of other data between calls the cost of a position rises for ";
    assert!(both.contains(sizes), "{both:.900}");
    assert!(both.contains("8,192 KiB") && !both.contains("placebo"));
}

/// The sentences of a figure.
fn finding(results: &Results, id: &str) -> String {
    let figure = figure(results, id);
    let text = figure.split_once("<p class=\"finding\">").map_or("", |(_, rest)| rest);
    text.split("</p>").next().unwrap_or_default().to_owned()
}

/// With three rounds nothing has an interval, although the times are those of a session that resolves much.
#[test]
fn sentences_of_a_session_without_intervals_tell_no_difference() {
    let mut results = Recipe::FULL.results();
    intensity(&mut results, 65_536, RegimeKind::Cold, 1.5);
    intensity(&mut results, 8 << 20, RegimeKind::Pressure, 1.5);
    let at = copy(&mut results, "ab4/stream-tree/captures", "generated", 1.5);
    results.panels[at].panel.regime.order = Order::Generated;
    let names = ["memorisation", "intensity", "pressure", "size", "captures", "sequence"];
    let told = names.map(|name| finding(&results, name));
    assert!(told[..3].iter().all(|text| text.contains(" rises for ")), "{told:#?}");
    assert!(told[4].contains(" times faster"), "{told:#?}");
    for panel in &mut results.panels {
        panel.rounds.truncate(3);
    }
    let told = names.map(|name| finding(&results, name));
    for text in &told[..3] {
        assert!(text.contains("not change by a resolved amount for any of 12 designs"), "{text}");
    }
    assert_eq!(told[3].matches("(not compared with it)").count(), 2, "{}", told[3]);
    for text in &told[..5] {
        assert!(!text.contains("times ") && !text.contains("-fold"), "{text}");
    }
    assert!(told[4].contains(": no interval"), "{}", told[4]);
    assert!(told[5].contains("too few rounds"), "{}", told[5]);
}
