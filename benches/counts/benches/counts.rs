//! The Callgrind benchmark; the crate's documentation describes what is counted.

#![expect(missing_docs, reason = "gungraun's macros generate undocumented items")]

use std::hint::black_box;

use gungraun::{
    Callgrind, EntryPoint, LibraryBenchmarkConfig, library_benchmark, library_benchmark_group,
};
use raywalk_bench_counts::{CACHE_VARIABLES, CACHES, ENTRIES, Work, filter, load};
use raywalk_results::schema::Stage::{All, Captures, Quiets};

/// Declares one function per line of the registry, so that gungraun's output shows the designs' names.
macro_rules! counts {
    ($($name:ident: $design:ty;)+) => {
        $(
            #[library_benchmark]
            #[bench::ab4_all(args = ((stringify!($name), "ab4", All)), setup = load)]
            #[bench::ab4_captures(args = ((stringify!($name), "ab4", Captures)), setup = load)]
            #[bench::ab4_quiets(args = ((stringify!($name), "ab4", Quiets)), setup = load)]
            #[bench::cycle_65536_all(args = ((stringify!($name), "cycle-65536", All)), setup = load)]
            fn $name(mut work: Work) -> Work {
                black_box(work.pass());
                work // returned, so that freeing the boards is not counted
            }
        )+
        library_benchmark_group!(name = designs; benchmarks = $($name),+);
    };
}
#[cfg(not(clippy))]
raywalk_registry::designs!(counts);

/// The same for the first design. Clippy reads no more: the functions of all are alike, and take it half a minute.
#[cfg(clippy)]
macro_rules! counts_of_the_first {
    ($name:ident: $design:ty; $($other:tt)*) => {
        counts!($name: $design;);
    };
}
#[cfg(clippy)]
raywalk_registry::designs!(counts_of_the_first);

fn main() {
    // Gungraun reads the arguments of the process, so a changed filter needs another process.
    filter::apply();
    // Declares a `main` of its own, which this block sees instead of the one outside.
    gungraun::main!(
        config = LibraryBenchmarkConfig::default().pass_through_envs(CACHE_VARIABLES).tool(
            Callgrind::with_args(CACHES.into_iter().chain(["--branch-sim=yes", "--cache-sim=yes"]))
                .entry_point(EntryPoint::Custom(ENTRIES.to_owned()))
        );
        library_benchmark_groups = designs
    );
    main();
}
