//! Perturbations on virtual time.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::rc::Rc;

use raywalk_results::schema::{IntensityUnit, Regime};

use super::clock::Time;
use crate::perturb::Perturb;
use crate::regime::Perturbations;

/// Perturbations that take time and do nothing else.
#[derive(Debug, Default)]
pub struct FakePerturbations {
    /// The time that each perturbation advances.
    pub now: Time,
    /// Ticks of the next perturbations; the later ones take [`FakePerturbations::COST`].
    pub costs: Rc<RefCell<VecDeque<u64>>>,
}

impl FakePerturbations {
    /// Ticks of one perturbation.
    pub const COST: u64 = 5_000;
}

impl Perturbations for FakePerturbations {
    /// Fails for zero branches, as a machine without the regime would.
    fn of(&self, regime: &Regime) -> Result<Option<Box<dyn Perturb>>, String> {
        let Some(intensity) = regime.intensity else { return Ok(None) };
        if intensity.unit == IntensityUnit::Branches && intensity.amount == 0 {
            return Err("is not written for this machine".to_owned());
        }
        let (now, costs) = (self.now.clone(), Rc::clone(&self.costs));
        Ok(Some(Box::new(FakePerturbation { now, costs })))
    }
}

struct FakePerturbation {
    now: Time,
    costs: Rc<RefCell<VecDeque<u64>>>,
}

impl Perturb for FakePerturbation {
    fn perturb(&mut self) {
        let cost = self.costs.borrow_mut().pop_front().unwrap_or(FakePerturbations::COST);
        self.now.set(self.now.get() + cost);
    }
}
