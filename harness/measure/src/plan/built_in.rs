//! The plans that need no file: quick and full.

use std::time::Duration;

use raywalk_positions::workload::{self, Description};
use raywalk_results::schema::{Operation, Order, RegimeKind, Search, Stage};

use super::{PanelPlan, Plan};
use crate::regime::{COLD_INTENSITIES, PRESSURE_SIZES, default_of, matched, rules};
use crate::sizing::Rounds;

raywalk_results::texts! {
    /// A plan that needs no file, by its name on the command line.
    pub enum BuiltIn: name {
        /// The plan of a bare `raywalk run`.
        Quick = "quick",
        /// All workloads.
        Full = "full",
    }
}

impl BuiltIn {
    /// The plan of this name.
    pub fn named(name: &str) -> Option<BuiltIn> {
        BuiltIn::ALL.into_iter().find(|it| it.name() == name)
    }
}

/// The workload that represents a session of the built-in plans: search-tree order.
const HEADLINE: &str = "ab4";
/// Workloads whose captures the full plan measures: learnt and unlearnt, of games and searches, and where captures are
/// all that is asked or the longest rays.
const CAPTURED: [&str; 6] = ["cycle-256", "cycle-65536", "game", HEADLINE, "qs", "queen-ending"];
/// Workloads whose quiet moves the full plan measures.
const QUIET: [&str; 4] = ["cycle-256", "cycle-65536", "game", HEADLINE];
/// An overwritten predictor, and the same code without that effect.
const COLD: [RegimeKind; 2] = [RegimeKind::Cold, RegimeKind::ColdPlacebo];
/// Two passes over 64 roots, in equal shares of twelve processes.
const MOST_ROUNDS: u64 = 132;
/// Time for measuring a design in the full plan. A round of a panel times every design, so in a fixed time each new
/// design would take rounds from all others.
const FULL_PER_DESIGN: Duration = Duration::from_secs(24);

impl Plan {
    /// The plan of a bare `raywalk run`: the memorisation curve, games, and the headline workload as a search, as
    /// nodes, and with an overwritten predictor beside its placebo, in about 30 seconds of measuring. The first panel
    /// of a process warms up longest, so it is a cheap one.
    pub fn quick() -> Plan {
        let panels = [
            "repeat-1",
            "cycle-16",
            "cycle-256",
            "cycle-512",
            "cycle-1024",
            "cycle-2048",
            "cycle-4096",
            "cycle-65536",
            "game",
        ];
        let panels = panels.into_iter().filter_map(|name| PanelPlan::of(name, Stage::All));
        let searched = [Search::Tree, Search::Node].into_iter().filter_map(searched);
        let node = |panel: PanelPlan| panel.calling(Search::Node);
        let cold = COLD.into_iter().filter_map(|kind| perturbed(kind, HEADLINE)).map(node);
        let panels = panels.chain(searched).chain(control()).chain(cold);
        let time = Duration::from_secs(30);
        // Reading the corpora, looking for the peers and writing the page come on top, a few seconds together.
        let total = Some(Duration::from_secs(46));
        let rounds = Rounds::Budget { time, total, least: 12, most: MOST_ROUNDS };
        Plan { trace: 256, ..Plan::built_in(BuiltIn::Quick, rounds, panels) }
    }

    /// All moves of every workload with enough positions, captures and quiet moves of some, some panels perturbed or
    /// for the sliders only, every other call on the headline workload, the look-up of attack sets also in loops over
    /// few and over many shuffled positions and under pressure on the caches, and perft of the positions that are known
    /// for it. Its time grows with the number of designs: about 80 minutes for all built-in ones and the peers.
    pub fn full(designs: usize) -> Plan {
        let timed = workload::ALL.iter().filter(|description| description.timed);
        let (known, timed): (Vec<&Description>, Vec<_>) =
            timed.partition(|row| row.leaves().is_some());
        let perfts = known.into_iter().flat_map(|description| {
            let panel = PanelPlan::of(description.name, Stage::All);
            let counted = [Operation::Perft, Operation::PerftBulk];
            counted.into_iter().filter_map(move |operation| Some(panel.clone()?.asking(operation)))
        });
        let panels = timed.into_iter().flat_map(|&Description { name, .. }| {
            let stages = Stage::ALL.iter().filter(move |&&stage| match stage {
                Stage::All => true,
                Stage::Captures => CAPTURED.contains(&name),
                Stage::Quiets => QUIET.contains(&name),
            });
            stages.filter_map(move |&stage| PanelPlan::of(name, stage))
        });
        let all = |name: &str| PanelPlan::of(name, Stage::All);
        let cold = |name| perturbed(RegimeKind::Cold, name);
        let cold = [HEADLINE, "game", "cycle-65536"].into_iter().filter_map(cold);
        let intensities = COLD.into_iter().flat_map(intensities);
        let under = |panel: PanelPlan, sizes: &[u64]| {
            let sizes: Vec<_> = sizes.iter().map(u64::to_string).collect();
            let regimes =
                rules(RegimeKind::Pressure).parse(Some(&sizes.into()), panel.regime.order);
            regimes.into_iter().flatten().map(move |regime| panel.clone().in_regime(regime))
        };
        let pressed = [HEADLINE, "cycle-65536"].into_iter().filter_map(all);
        let pressed = pressed.flat_map(|panel| under(panel, &PRESSURE_SIZES));
        let sliders = ["repeat-1", "cycle-65536", "game", HEADLINE].into_iter().filter_map(all);
        let searched = Search::ALL.iter().filter_map(|&search| searched(search));
        let panels = panels.chain(searched).chain(control()).chain(cold).chain(intensities);
        let panels = panels.chain(pressed).chain(sliders.map(PanelPlan::sliders));
        let asked = Operation::ALL.iter();
        let asked = asked.filter_map(|&operation| Some(all(HEADLINE)?.asking(operation)));
        let node = COLD.into_iter().filter_map(|kind| perturbed(kind, HEADLINE));
        let node = node.map(|panel| panel.calling(Search::Node));
        let most = &PRESSURE_SIZES[PRESSURE_SIZES.len() - 1..];
        let lookups = all(HEADLINE).into_iter().flat_map(|panel| under(panel, most));
        // Shuffled positions with nothing but boards and tables in the caches, as in public tables, and a few positions
        // that are learnt.
        let lookups = ["cycle-16", "cycle-65536"].into_iter().filter_map(all).chain(lookups);
        let lookups = lookups.map(|panel| panel.asking(Operation::QueenLookups));
        let panels = panels.chain(asked).chain(node).chain(lookups).chain(perfts);
        let time = FULL_PER_DESIGN.saturating_mul(u32::try_from(designs).unwrap_or(u32::MAX));
        let rounds = Rounds::Budget { time, total: None, least: 12, most: MOST_ROUNDS };
        Plan { trace: 2048, ..Plan::built_in(BuiltIn::Full, rounds, panels) }
    }

    /// A built-in plan. The walk of the headline workload is its headline.
    fn built_in(which: BuiltIn, rounds: Rounds, panels: impl Iterator<Item = PanelPlan>) -> Plan {
        let headline = searched(Search::Tree).map(|panel| panel.id());
        let mark = |panel: PanelPlan| PanelPlan {
            headline: headline.as_ref() == Some(&panel.id()),
            ..panel
        };
        Plan { rounds, panels: panels.map(mark).collect(), ..Plan::empty(which.name()) }
    }
}

/// The panel of a workload in a perturbed regime with its default parameter, all moves, where the regime
/// is available.
fn perturbed(kind: RegimeKind, workload: &str) -> Option<PanelPlan> {
    let panel = PanelPlan::of(workload, Stage::All)?;
    let regime = default_of(kind, panel.regime.order)?;
    Some(panel.in_regime(regime))
}

/// The panels of the headline workload in each intensity of a regime, where it is available. The
/// first intensity of the cold regime is a panel of its own already.
fn intensities(kind: RegimeKind) -> Vec<PanelPlan> {
    let Some(panel) = perturbed(kind, HEADLINE) else { return Vec::new() };
    let intensities = match kind {
        RegimeKind::Cold => COLD_INTENSITIES[1..].to_vec(),
        _ => COLD_INTENSITIES.to_vec(),
    };
    let regimes = rules(kind).parse(Some(&intensities.into()), panel.regime.order);
    regimes.into_iter().flatten().map(|regime| panel.clone().in_regime(regime)).collect()
}

/// The panel of a part of the recorded search of the headline workload.
fn searched(search: Search) -> Option<PanelPlan> {
    Some(PanelPlan::of(HEADLINE, Stage::All)?.calling(search))
}

/// The memory-matched control of the memorisation curve.
fn control() -> Option<PanelPlan> {
    let panel = PanelPlan::of("cycle-256", Stage::All)?;
    Some(panel.in_regime(matched(256, Order::Shuffled)))
}
