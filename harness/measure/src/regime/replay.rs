//! *Replay*: the same K positions again and again, learnt before they are timed.
//!
//! Most microbenchmarks are replays. Below the knee of the memorisation curve, the predictor has learnt
//! the positions, and the cost of a branchy design holds only for learnt positions. The parameter in
//! plan files is K.

use raywalk_results::format::grouped;
use raywalk_results::schema::{Order, Regime, RegimeKind};

use super::interface::{Parameter, Rules};
use crate::source::PositionSource;

pub(super) struct Replay;

/// A replay of the first `k` positions of each stretch of `k`.
pub(crate) fn regime(k: u64, order: Order) -> Regime {
    let description = match k {
        1 => "one position, again and again".to_owned(),
        k => format!("the same {} positions, again and again", grouped(k)),
    };
    Regime {
        kind: RegimeKind::Replay,
        period: Some(k),
        label: format!("replay of {}", grouped(k)),
        description,
        ..Regime::stream(order)
    }
}

impl Rules for Replay {
    fn parse(&self, parameter: Parameter<'_>, order: Order) -> Result<Vec<Regime>, String> {
        let k = parameter.and_then(toml::Value::as_integer).and_then(|k| u64::try_from(k).ok());
        match k {
            Some(k) if k > 0 => Ok(vec![regime(k, order)]),
            _ => Err("needs the number of positions, at least 1, as in `{ replay = 256 }`".into()),
        }
    }

    fn parameter(&self, regime: &Regime) -> Option<toml::Value> {
        regime.period.map(|k| toml::Value::Integer(k.cast_signed()))
    }

    fn reference(&self) -> (&'static str, &'static str) {
        (
            "required: the number K of positions, from 1 to those of the workload",
            "The same K positions again and again, learnt before they are timed.",
        )
    }

    fn id(&self, regime: &Regime) -> String {
        format!("replay-{}", regime.period.unwrap_or_default())
    }

    fn source(&self, regime: &Regime, len: usize) -> Result<PositionSource, String> {
        let k = regime.period.unwrap_or_default();
        match usize::try_from(k) {
            Ok(k) if 0 < k && k <= len => Ok(PositionSource::replay(k, len)),
            _ => Err(format!("has {len} positions, too few for a replay of {k}")),
        }
    }
}
