//! *Stream*: each batch continues where the last one ended, so that no position repeats before the end of the
//! workload. It has no parameter.

use raywalk_results::schema::{Call, Order, Regime};

use super::interface::{Parameter, Rules};
use crate::source::PositionSource;

pub(super) struct Stream;

impl Rules for Stream {
    fn parse(&self, parameter: Parameter<'_>, order: Order) -> Result<Vec<Regime>, String> {
        match parameter {
            None => Ok(vec![Regime::stream(order)]),
            Some(_) => Err("takes no parameter".to_owned()),
        }
    }

    fn reference(&self) -> (&'static str, &'static str) {
        ("none", "Positions in the order of the workload, none of them twice before its end.")
    }

    fn id(&self, regime: &Regime) -> String {
        format!("stream-{}", regime.order)
    }

    fn source(&self, _regime: &Regime, len: usize) -> Result<PositionSource, String> {
        Ok(PositionSource::stream(len))
    }

    fn times(&self, _regime: &Regime, _call: Call) -> Result<(), String> {
        Ok(())
    }
}
