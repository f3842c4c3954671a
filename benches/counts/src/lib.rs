//! callgrind counts of every design.
