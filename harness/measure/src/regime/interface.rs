//! The trait that every regime implements.

use raywalk_results::schema::{Call, Order, Regime};

use crate::perturb::Perturb;
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
    /// perturbed stream.
    fn source(&self, _regime: &Regime, len: usize) -> Result<PositionSource, String> {
        Ok(PositionSource::perturbed(len))
    }

    /// Whether calls of this kind can be timed; the error is the end of a sentence that begins with the key of a plan
    /// file. The default times every call but the walk of a search, as in replays.
    fn times(&self, regime: &Regime, call: Call) -> Result<(), String> {
        no_walk(regime, call)
    }

    /// Perturbation before each call, if the regime has one; an error if this machine cannot do it.
    fn perturb(&self, _regime: &Regime) -> Result<Option<Box<dyn Perturb>>, String> {
        Ok(None)
    }

    /// An error if this machine cannot do it, found without the memory of a large perturbation.
    fn works_here(&self, regime: &Regime) -> Result<(), String> {
        self.perturb(regime).map(drop)
    }

    /// Approximate nanoseconds of one perturbation, for `--dry-run`.
    fn perturbation_nanoseconds(&self, _regime: &Regime) -> f64 {
        0.0
    }
}

/// Times every call but the walk of a search, which has to begin with the first position of the search.
fn no_walk(regime: &Regime, call: Call) -> Result<(), String> {
    match call.search().filter(|_| call.is_walk()) {
        None => Ok(()),
        Some(search) => Err(format!(
            "contains `{search}`, which follows a search once; it needs the regime `stream`, not `{}`",
            regime.kind
        )),
    }
}

/// Times the calls that can be made one by one between fences.
pub(super) fn one_by_one(regime: &Regime, call: Call) -> Result<(), String> {
    if call.operation().is_some_and(|operation| operation.lookups().is_none()) {
        let why = "cannot be timed in a perturbed regime, where calls generate moves or look up queen attacks";
        return Err(why.to_owned());
    }
    no_walk(regime, call)
}
