//! *Matched*: the memory-matched control of the memorisation curve.
//!
//! A long cycle of positions differs from a short one in two ways: the branch predictor has not learnt it,
//! and its boards do not fit into the caches. This regime has the branches of the short cycle and the
//! memory of the long one: the same K positions again and again, each time on other boards, laid out in
//! memory like a cycle of [`BOARDS`] positions and prepared in the same way. Its cost minus that of a
//! replay of K is what the memory adds; that of a replay of [`BOARDS`] minus its cost is what the
//! predictor adds. The parameter in plan files is K.

use raywalk_results::format::grouped;
use raywalk_results::schema::{Order, Regime, RegimeKind};

use super::interface::{Parameter, Rules};
use crate::source::PositionSource;

pub(super) struct Matched;

/// Boards of the long cycle: the last point of the memorisation curve.
const BOARDS: u64 = 65_536;

/// The first `k` positions, laid out like a long cycle.
pub(crate) fn regime(k: u64, order: Order) -> Regime {
    let (positions, boards) = (grouped(k), grouped(BOARDS));
    Regime {
        kind: RegimeKind::Matched,
        period: Some(k),
        boards: Some(BOARDS),
        label: format!("{positions} as {boards}"),
        description: match k {
            1 => format!("one position, again and again, in the memory of {boards}"),
            _ => format!(
                "the same {positions} positions, again and again, in the memory of {boards}"
            ),
        },
        ..Regime::stream(order)
    }
}

impl Rules for Matched {
    fn parse(&self, parameter: Parameter<'_>, order: Order) -> Result<Vec<Regime>, String> {
        let k = parameter.and_then(toml::Value::as_integer).and_then(|k| u64::try_from(k).ok());
        match k {
            Some(k) if 0 < k && k < BOARDS => Ok(vec![regime(k, order)]),
            _ => Err(format!(
                "needs the number of positions, at least 1 and below {BOARDS}, as in \
                 `{{ matched = 256 }}`"
            )),
        }
    }

    fn parameter(&self, regime: &Regime) -> Option<toml::Value> {
        regime.period.map(|k| toml::Value::Integer(k.cast_signed()))
    }

    fn reference(&self) -> (&'static str, &'static str) {
        (
            "required: the number K of positions, from 1 to those of the workload, below 65536",
            "The same K positions again and again, laid out in memory like a cycle of 65536: the memory \
             of a long replay with the branches of a short one.",
        )
    }

    fn id(&self, regime: &Regime) -> String {
        format!("matched-{}", regime.period.unwrap_or_default())
    }

    fn source(&self, regime: &Regime, len: usize) -> Result<PositionSource, String> {
        let k = regime.period.unwrap_or_default();
        match usize::try_from(k) {
            Ok(k) if 0 < k && k <= len => Ok(PositionSource::copies(k, BOARDS as usize)),
            _ => Err(format!("has {len} positions, too few for {k} of them")),
        }
    }
}
