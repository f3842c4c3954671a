//! Branch predictors, replayed over the branches that a program executed.
//!
//! A predictor sees each branch once, in the order of execution: it predicts, learns the outcome, and
//! appends it to its history. There is no wrong path and no delay between prediction and update. Addresses
//! have to be relative to the program's image. Otherwise table indices, and with them the results, would
//! change with each run that the system loads at another address.
//!
//! A [`Recording`] holds the branches of positions and replays them in the order of a regime.
//!
//! # Conditional branches
//!
//! | model | idea | what it cannot learn |
//! |---|---|---|
//! | [`Bimodal`](ConditionalModel::Bimodal) | a counter per address | any pattern |
//! | [`Callgrind`](ConditionalModel::Callgrind) | a counter per address and last 7 outcomes, without tags | patterns that 7 outcomes do not distinguish |
//! | [`Gshare`](ConditionalModel::Gshare) | a counter per hash of address and last 17 outcomes | long loops, distant correlation |
//! | [`Tage`](ConditionalModel::Tage) | tagged tables for 12 history lengths, up to 640 | long loops of constant outcome: their folded histories repeat every 132 outcomes |
//! | [`TageScL`](ConditionalModel::TageScL) | the same, with a statistical corrector and a loop predictor | |
//!
//! # Indirect branches
//!
//! [`LastTarget`](IndirectModel::LastTarget) predicts the last target of the address, as callgrind does.
//! [`Ittage`](IndirectModel::Ittage) selects a target by history. Returns are not modelled: a return
//! stack predicts nearly all of them.

mod bimodal;
mod callgrind;
mod corrector;
mod counter;
mod gshare;
mod history;
mod indirect;
mod loops;
mod recording;
mod tage;
mod tage_sc_l;

use crate::Description;

pub use recording::{BLOCK, Event, Missed, Misses, Part, Recording, missed_in_parts};

/// A predictor of conditional branches, as its author writes it.
///
/// Prediction and learning are separate, so that no predictor can use the outcome that it predicts.
trait Predictor {
    /// State that a prediction read from the tables; learning needs it again.
    type Lookup;

    /// Predicts whether the branch at `address` is taken.
    fn look_up(&self, address: u64) -> (bool, Self::Lookup);

    /// Learns the outcome and appends it to the history.
    fn learn(&mut self, address: u64, lookup: Self::Lookup, taken: bool);

    /// Appends the target of an indirect branch to the history.
    fn append_target(&mut self, _target: u64) {}

    fn description(&self) -> Description;
}

/// A model of a predictor of conditional branches, ready to replay branches.
pub trait BranchModel: Send {
    /// Replays one conditional branch. True if the model mispredicts it.
    fn misses(&mut self, address: u64, taken: bool) -> bool;

    /// Replays several conditional branches, given as address and outcome. The number of mispredictions.
    fn count_misses(&mut self, branches: &[(u64, bool)]) -> u64;

    /// Appends the target of an indirect branch to the history, if the model has one.
    fn append_target(&mut self, target: u64);

    /// Name, parameters and storage.
    fn description(&self) -> Description;
}

impl<P: Predictor + Send> BranchModel for P {
    fn misses(&mut self, address: u64, taken: bool) -> bool {
        let (predicted, lookup) = self.look_up(address);
        self.learn(address, lookup, taken);
        predicted != taken
    }

    fn count_misses(&mut self, branches: &[(u64, bool)]) -> u64 {
        branches.iter().map(|&(address, taken)| u64::from(self.misses(address, taken))).sum()
    }

    fn append_target(&mut self, target: u64) {
        Predictor::append_target(self, target);
    }

    fn description(&self) -> Description {
        Predictor::description(self)
    }
}

/// A model of a predictor of indirect branches.
pub trait TargetModel: Send {
    /// Replays one indirect branch. True if the model mispredicts its target.
    fn misses(&mut self, address: u64, target: u64) -> bool;

    /// Appends the outcome of a conditional branch to the history, if the model has one.
    fn append_outcome(&mut self, taken: bool);

    /// Name, parameters and storage.
    fn description(&self) -> Description;
}

raywalk_results::texts! {
    /// The models of conditional branches, by rising storage except for callgrind's.
    pub enum ConditionalModel: id {
        /// A two-bit counter for each address.
        Bimodal = "bimodal",
        /// The model of callgrind and cachegrind.
        Callgrind = "callgrind",
        /// Counters indexed by address and history together.
        Gshare = "gshare",
        /// Tagged tables of geometric history lengths.
        Tage = "tage",
        /// TAGE with a statistical corrector and a loop predictor.
        TageScL = "tage-sc-l",
    }
}

impl ConditionalModel {
    /// A predictor that has seen no branch.
    pub fn build(self) -> Box<dyn BranchModel> {
        match self {
            Self::Bimodal => Box::new(bimodal::Bimodal::new()),
            Self::Callgrind => Box::new(callgrind::Callgrind::new()),
            Self::Gshare => Box::new(gshare::Gshare::new()),
            Self::Tage => Box::new(tage::Tage::new()),
            Self::TageScL => Box::new(tage_sc_l::TageScL::new()),
        }
    }
}

raywalk_results::texts! {
    /// The models of indirect branches.
    pub enum IndirectModel: id {
        /// The last target of each address, as in callgrind.
        LastTarget = "last-target",
        /// Tagged tables of targets for several history lengths.
        Ittage = "ittage",
    }
}

impl IndirectModel {
    /// A predictor that has seen no branch.
    pub fn build(self) -> Box<dyn TargetModel> {
        match self {
            Self::LastTarget => Box::new(indirect::LastTarget::new()),
            Self::Ittage => Box::new(indirect::Ittage::new()),
        }
    }
}

/// Both kinds of branches of one program: each model also receives the outcomes of the other kind.
pub struct Replay {
    conditional: Box<dyn BranchModel>,
    indirect: Box<dyn TargetModel>,
}

impl Replay {
    /// Two models that have seen no branch.
    pub fn new(conditional: ConditionalModel, indirect: IndirectModel) -> Replay {
        Replay { conditional: conditional.build(), indirect: indirect.build() }
    }

    /// Replays one conditional branch. True if the model mispredicts it.
    pub fn branch(&mut self, address: u64, taken: bool) -> bool {
        self.indirect.append_outcome(taken);
        self.conditional.misses(address, taken)
    }

    /// Replays one indirect branch. True if the model mispredicts its target.
    pub fn jump(&mut self, address: u64, target: u64) -> bool {
        self.conditional.append_target(target);
        self.indirect.misses(address, target)
    }
}
