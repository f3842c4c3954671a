//! criterion timings of every design.
