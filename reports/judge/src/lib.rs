//! Judges sessions: what each design costs, how it compares with the baseline, and how far a verdict
//! can be trusted.
//!
//! [`Judged::of`] computes every summary of a session once. The page and the terminal only draw it.
//!
//! # Layers, bottom to top
//!
//! 1. `estimate`: ratios of total times with their intervals; `crossed`: the parts of their variance; `spoilt`: the
//!    blocks that do not count; [`no_interval`]: why there is no interval.
//! 2. [`ratios`], [`spread`]: the rounds they are made of, and how far they vary with placement; [`drift`]: with time.
//! 3. [`mod@format`], [`selftest`]: numbers, lists and labels as text; [`chains`]: what limits a walk.
//! 4. [`aa_control`], [`pair`]: the A/A control, and verdicts on two designs; [`simulation`], [`agreement`]:
//!    how often intervals hold a known truth, or the estimate of another session.
//! 5. [`summary`]: one panel.
//! 6. [`across`]: costs in two panels; [`boards`]: designs whose boards exceed a cache; [`memorisation`], [`trust`]:
//!    several panels of a session.
//! 7. [`calls`]: the calls of a session side by side; [`Judged`]: a whole session.
//! 8. [`classes`]: branchless against branchy; [`density`]: from few moves to many; [`distribution`]: quantiles of
//!    the rounds; [`intensity`]: the cost of stronger perturbation; [`regimes`]: the panels that differ most in what
//!    the predictor has learnt; [`lookups`]: attack sets per second; [`leaves`]: leaves per second; [`limit`]: how
//!    near designs come to the limit of writing a list; [`claims`]: the claims of the literature, and the verdict of
//!    a session; [`mod@gap`]: why one design is faster than another; [`ranking`], [`compare`]: several sessions;
//!    [`contribution`]: whether a session can be contributed.
//! 9. [`matrix`]: designs × workloads against several baselines; [`layouts`]: whether a branch predictor explains
//!    differences between layouts; [`machines`]: the claims on several machines.
//! 10. [`finding`]: a session in a heading and a few sentences; [`peers`]: plug-ins against the fastest designs.
//!
//! A module uses modules of lower layers only.

pub mod aa_control;
pub mod across;
pub mod agreement;
pub mod board_kind;
pub mod boards;
pub mod calls;
pub mod chains;
pub mod claims;
pub mod classes;
pub mod compare;
pub mod contribution;
mod crossed;
pub mod density;
pub mod distribution;
pub mod drift;
mod estimate;
pub mod finding;
pub mod format;
pub mod gap;
pub mod intensity;
mod judged;
pub mod layouts;
pub mod lead;
pub mod leaves;
pub mod limit;
pub mod lookups;
pub mod machines;
pub mod matrix;
pub mod memorisation;
pub mod no_interval;
pub mod pair;
pub mod peers;
pub mod ranking;
pub mod ratios;
pub mod regimes;
pub mod selftest;
pub mod simulation;
mod spoilt;
pub mod spread;
pub mod summary;
pub mod trust;

pub use judged::Judged;
