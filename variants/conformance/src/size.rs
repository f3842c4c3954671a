//! How much the kit checks.
//!
//! The variable `RAYWALK_KIT` chooses the size: `full`, which is the default, or `small`, which is for user-mode
//! emulators. `qemu-aarch64` executes the kit about seven times slower than a processor, and the small kit takes about
//! a tenth of the time of the full one. Both sizes check every obligation on every position of the perft facts, and so
//! on every rare rule.

use std::env;
use std::ffi::OsStr;
use std::sync::LazyLock;

/// The name of the variable.
const VARIABLE: &str = "RAYWALK_KIT";

/// How much the obligations check beyond the positions of the perft facts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Size {
    /// Random games whose positions are cases. One has up to 120.
    pub(crate) games: u64,
    /// The largest perft count that is checked. `raywalk verify` checks larger ones.
    pub(crate) leaves: u64,
    /// Fewest perft counts up to `leaves`, so that a check of nothing fails.
    pub(crate) counts: usize,
    /// Plies that are made and taken back from each position of the facts.
    pub(crate) plies: u32,
}

const FULL: Size = Size { games: 24, leaves: 30_000, counts: 800, plies: 2 };
const SMALL: Size = Size { games: 1, leaves: 1_000, counts: 500, plies: 1 };

/// The size of this test process.
pub(crate) static SIZE: LazyLock<Size> = LazyLock::new(|| {
    Size::named(env::var_os(VARIABLE).as_deref()).unwrap_or_else(|why| panic!("{why}"))
});

impl Size {
    /// The size that the variable names. Fails with a sentence if there is none of this name.
    fn named(name: Option<&OsStr>) -> Result<Size, String> {
        match name.map(OsStr::to_string_lossy).as_deref() {
            None | Some("full") => Ok(FULL),
            Some("small") => Ok(SMALL),
            Some(other) => {
                Err(format!("{VARIABLE} is `{other}`; the sizes of the kit are `full` and `small`"))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_kit_is_full_unless_the_variable_says_small() {
        let named = |name: &str| Size::named(Some(OsStr::new(name)));
        assert_eq!((Size::named(None), named("full")), (Ok(FULL), Ok(FULL)));
        assert_eq!(named("small"), Ok(SMALL));
    }

    #[test]
    fn another_name_is_refused() {
        for name in ["", "Small", "0", "tiny"] {
            let sentence =
                format!("RAYWALK_KIT is `{name}`; the sizes of the kit are `full` and `small`");
            assert_eq!(Size::named(Some(OsStr::new(name))), Err(sentence));
        }
    }
}
