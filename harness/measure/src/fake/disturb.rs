//! Disturbances on virtual time.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::rc::Rc;

use raywalk_results::schema::{IntensityUnit, Regime};

use super::clock::Time;
use crate::disturb::Disturb;
use crate::regime::Disturbances;

/// Disturbances that take time and do nothing else.
#[derive(Debug, Default)]
pub struct FakeDisturbances {
    /// The time that each disturbance advances.
    pub now: Time,
    /// Ticks of the next disturbances; the later ones take [`FakeDisturbances::COST`].
    pub costs: Rc<RefCell<VecDeque<u64>>>,
}

impl FakeDisturbances {
    /// Ticks of one disturbance.
    pub const COST: u64 = 5_000;
}

impl Disturbances for FakeDisturbances {
    /// Fails for zero branches, as a machine without the regime would.
    fn of(&self, regime: &Regime) -> Result<Option<Box<dyn Disturb>>, String> {
        let Some(intensity) = regime.intensity else { return Ok(None) };
        if intensity.unit == IntensityUnit::Branches && intensity.amount == 0 {
            return Err("is not written for this machine".to_owned());
        }
        let (now, costs) = (self.now.clone(), Rc::clone(&self.costs));
        Ok(Some(Box::new(FakeDisturbance { now, costs })))
    }
}

struct FakeDisturbance {
    now: Time,
    costs: Rc<RefCell<VecDeque<u64>>>,
}

impl Disturb for FakeDisturbance {
    fn disturb(&mut self) {
        let cost = self.costs.borrow_mut().pop_front().unwrap_or(FakeDisturbances::COST);
        self.now.set(self.now.get() + cost);
    }
}
