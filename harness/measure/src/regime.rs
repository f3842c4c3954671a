//! Regimes: the way positions reach the designs, and the perturbation before each call.
//!
//! Each regime is one module: its parameter in plan files, its texts in terminal and page, its batches, its
//! perturbation before each call and the time of that perturbation. To add one, write its module, name it in
//! [`RegimeKind`] and give it an arm in `rules`.
//!
//! In streams and replays a design has caches and predictor to itself. In an engine a call comes between an
//! evaluation and a hash probe. The perturbed regimes imitate their effects on caches and predictor, each with one
//! intensity.

use raywalk_results::schema::{Order, Regime, RegimeKind};

use crate::perturb::Perturb;

#[allow(unsafe_code, reason = "branches in assembly")]
mod cold;
mod interface;
mod lists;
mod matched;
mod pressure;
mod replay;
mod stream;

pub(crate) use cold::INTENSITIES as COLD_INTENSITIES;
pub(crate) use interface::Rules;
pub(crate) use matched::regime as matched;
pub(crate) use pressure::SIZES as PRESSURE_SIZES;
pub use pressure::step;
pub(crate) use replay::regime as replay;

pub(crate) fn rules(kind: RegimeKind) -> &'static dyn Rules {
    match kind {
        RegimeKind::Replay => &replay::Replay,
        RegimeKind::Matched => &matched::Matched,
        RegimeKind::Stream => &stream::Stream,
        RegimeKind::Cold => &cold::COLD,
        RegimeKind::ColdPlacebo => &cold::PLACEBO,
        RegimeKind::Pressure => &pressure::Pressure,
        RegimeKind::Lists => &lists::Lists,
    }
}

/// The one regime of this kind with the default parameter; `None` where it needs a parameter, or
/// this machine cannot do it.
pub(crate) fn default_of(kind: RegimeKind, order: Order) -> Option<Regime> {
    let regime = rules(kind).parse(None, order).ok()?.pop()?;
    works_here(&regime).ok().map(|()| regime)
}

/// Whether this machine can perturb calls as the regime says.
///
/// # Errors
/// The reason why it cannot, as the end of a sentence.
pub fn works_here(regime: &Regime) -> Result<(), String> {
    rules(regime.kind).works_here(regime)
}

/// Makes the perturbations of the calls of a panel. Behind a trait, so that tests perturb virtual machines.
pub trait Perturbations {
    /// Perturbation before each call, if the regime has one.
    ///
    /// # Errors
    /// The reason why this machine cannot do it, as the end of a sentence.
    fn of(&self, regime: &Regime) -> Result<Option<Box<dyn Perturb>>, String>;
}

/// Real perturbations of the machine that this runs on.
#[derive(Clone, Copy, Debug, Default)]
pub struct RealPerturbations;

impl Perturbations for RealPerturbations {
    fn of(&self, regime: &Regime) -> Result<Option<Box<dyn Perturb>>, String> {
        rules(regime.kind).perturb(regime)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_regime_parses_its_default_or_names_what_it_needs() {
        for kind in RegimeKind::ALL {
            match rules(kind).parse(None, Order::Tree) {
                Ok(regimes) => assert!(regimes.iter().all(|regime| regime.kind == kind)),
                Err(why) => assert!(why.contains("needs"), "{kind}: {why}"),
            }
        }
    }

    #[test]
    fn regimes_with_an_intensity_perturb_and_no_others() {
        for kind in RegimeKind::ALL {
            let Some(regime) = default_of(kind, Order::Tree) else { continue };
            let perturbs = RealPerturbations.of(&regime).expect("a perturbation or none").is_some();
            assert_eq!(perturbs, regime.is_perturbed(), "{kind}");
        }
    }

    #[test]
    fn labels_and_descriptions_read_well_in_tables_and_sentences() {
        let parse = |kind: RegimeKind, value: Option<toml::Value>| {
            let mut regimes = rules(kind).parse(value.as_ref(), Order::Tree).expect("a regime");
            let Regime { label, description, .. } = regimes.remove(0);
            (label, description)
        };
        let texts = parse(RegimeKind::Pressure, Some("8 MiB".into()));
        assert_eq!(texts.0, "pressure, 8 MiB");
        assert_eq!(
            texts.1,
            "a stream in search-tree order, 64 cache lines of a ring of 8 MiB read before each call \
             (difference of two timed runs)"
        );
        let texts = parse(RegimeKind::Pressure, Some("0".into()));
        assert_eq!(texts.0, "pressure, 0 B");
        assert!(texts.1.contains("no cache pressure but measured as with it"));
        let texts = parse(RegimeKind::Lists, Some("256 KiB".into()));
        assert_eq!(texts.0, "lists, 256 KiB");
        assert_eq!(
            texts.1,
            "a stream in search-tree order, each call writes to the next of the lists that fit into 256 KiB, at least one"
        );
        let texts = parse(RegimeKind::Replay, Some(4_096.into()));
        assert_eq!(texts.0, "replay of 4,096");
        assert_eq!(texts.1, "the same 4,096 positions, again and again");
        let texts = parse(RegimeKind::Matched, Some(256.into()));
        assert_eq!(texts.0, "256 as 65,536");
        assert_eq!(texts.1, "the same 256 positions, again and again, in the memory of 65,536");
        assert_eq!(parse(RegimeKind::Stream, None).0, "stream, tree");
        if let Some(cold) = default_of(RegimeKind::Cold, Order::Tree) {
            assert_eq!(cold.label, "cold predictor");
            assert!(cold.description.contains("overwritten by 16,384 random branches"));
            let placebo = default_of(RegimeKind::ColdPlacebo, Order::Tree).expect("as for cold");
            assert_eq!(placebo.label, "cold placebo");
            assert!(placebo.description.contains("16,384 branches of constant outcome"));
        }
    }
}
