//! The tests of the filter. They are a program that is built on demand, because `cargo test` need not compile the
//! libraries of benchmarks.

#[path = "../src/filter.rs"]
#[allow(dead_code, unreachable_pub, reason = "the benchmark uses the rest")]
mod filter;
