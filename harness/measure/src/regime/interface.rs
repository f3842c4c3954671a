//! The trait that every regime implements.

use raywalk_results::schema::{Order, Regime};

use crate::disturb::Disturb;
use crate::source::PositionSource;

/// A parameter from a plan file: the value behind a regime's name.
pub(crate) type Parameter<'a> = Option<&'a toml::Value>;

/// The behaviour of a kind of regime. The data of one use of it is a [`Regime`].
pub(crate) trait Rules: Sync {
    /// The regimes that a plan file selects with this regime's name and a parameter, on a workload whose
    /// positions have this order. Errors in the parameter are the end of a sentence, as are those below.
    fn parse(&self, parameter: Parameter<'_>, order: Order) -> Result<Vec<Regime>, String>;

    /// The parameter with which a plan file selects this regime; `None` if the name alone does.
    fn parameter(&self, _regime: &Regime) -> Option<toml::Value> {
        None
    }

    /// The parameter, and what the regime does, for the reference of the plan file.
    fn reference(&self) -> (&'static str, &'static str);

    /// Bytes of memory that the regime holds beside the positions.
    fn memory(&self, _regime: &Regime) -> u64 {
        0
    }

    /// The middle part of a panel's id.
    fn id(&self, regime: &Regime) -> String;

    /// Cuts a workload of `len` positions into batches; an error if it has too few. The default is that of a
    /// disturbed stream.
    fn source(&self, _regime: &Regime, len: usize) -> Result<PositionSource, String> {
        Ok(PositionSource::disturbed(len))
    }

    /// Disturbance before each call, if the regime has one; an error if this machine cannot do it.
    fn disturb(&self, _regime: &Regime) -> Result<Option<Box<dyn Disturb>>, String> {
        Ok(None)
    }

    /// An error if this machine cannot do it, found without the memory of a large disturbance.
    fn works_here(&self, regime: &Regime) -> Result<(), String> {
        self.disturb(regime).map(drop)
    }

    /// Approximate nanoseconds of one disturbance, for `--dry-run`.
    fn disturbance_nanoseconds(&self, _regime: &Regime) -> f64 {
        0.0
    }
}
