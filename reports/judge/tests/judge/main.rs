//! The judge on synthetic sessions, one module for each question. They are one program, because each program links all
//! that the judge needs.

mod calls;
mod claims;
mod compare;
mod density;
mod distribution;
mod finding;
mod gap;
mod heading;
mod limit;
mod matrix;
mod peers;
mod ranges;
mod ranking;
mod side_by_side;
mod summary;
mod trust;
