//! Interface between the analysis and a binary file.

use std::ops::Range;

use crate::program::Program;

/// The code and the constants of a program.
pub(crate) trait Binary {
    /// The range of the function that contains an address.
    fn function(&self, address: u64) -> Option<Range<u64>>;
    /// The mangled name of the function that contains an address.
    fn name(&self, address: u64) -> Option<&str>;
    /// The bytes from an address on.
    fn bytes(&self, address: u64) -> Option<&[u8]>;
    /// The address of the program that a slot of the global offset table holds.
    fn slot(&self, address: u64) -> Option<u64>;
    /// The imported function whose address a slot holds.
    fn import(&self, address: u64) -> Option<&str>;
}

impl Binary for Program<'_> {
    fn function(&self, address: u64) -> Option<Range<u64>> {
        Program::function(self, address).map(|(range, _)| range)
    }

    fn name(&self, address: u64) -> Option<&str> {
        Program::function(self, address).map(|(_, name)| name)
    }

    fn bytes(&self, address: u64) -> Option<&[u8]> {
        Program::bytes(self, address)
    }

    fn slot(&self, address: u64) -> Option<u64> {
        Program::slot(self, address)
    }

    fn import(&self, address: u64) -> Option<&str> {
        Program::import(self, address)
    }
}

/// Functions that never return because they report a panic, by a part of their mangled name. Both manglings
/// of Rust contain the segments of a path with their lengths.
const PANICS: [&str; 9] = [
    "9panicking",
    "5slice5index",
    "13unwrap_failed",
    "13expect_failed",
    "16slice_error_fail",
    "18handle_alloc_error",
    "17capacity_overflow",
    "13panic_display",
    "10panic_misa",
];

/// Whether a function reports a panic.
pub(crate) fn is_panic(mangled: &str) -> bool {
    PANICS.iter().any(|part| mangled.contains(part))
}

/// The name of a function as in the source, without the hash.
pub(crate) fn demangled(mangled: &str) -> String {
    let name = addr2line::demangle_auto(mangled.into(), None);
    // A legacy symbol ends with `::h` and a hash of sixteen digits.
    match name.rsplit_once("::h") {
        Some((path, hash)) if hash.len() == 16 => path.to_owned(),
        _ => name.into_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_is_recognised_in_both_manglings() {
        let legacy = "_ZN4core9panicking18panic_bounds_check17h0123456789abcdefE";
        assert!(is_panic(legacy) && is_panic("_RNvNtCs1_4core9panicking5panic"));
        assert!(!is_panic("_ZN12raywalk_core12square_board5rules6castle17h0123456789abcdefE"));
        assert_eq!(demangled(legacy), "core::panicking::panic_bounds_check");
    }
}
