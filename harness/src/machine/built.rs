//! The build that is measured, as the build script wrote it down.

use std::collections::BTreeMap;

use raywalk_core::Entries;
use raywalk_reports::schema::Build;
use serde::{Deserialize, Serialize};

use crate::registry;

/// The build of this binary.
pub fn build() -> Build {
    let commit = env!("RAYWALK_COMMIT");
    Build {
        version: env!("CARGO_PKG_VERSION").to_owned(),
        commit: (!commit.is_empty()).then(|| commit.to_owned()),
        dirty: env!("RAYWALK_DIRTY") == "true",
        rustc: env!("RAYWALK_RUSTC").to_owned(),
        target: env!("RAYWALK_TARGET").to_owned(),
        flags: env!("RAYWALK_FLAGS").to_owned(),
        profile: env!("RAYWALK_PROFILE").to_owned(),
        sources: env!("RAYWALK_SOURCES").to_owned(),
    }
}

/// What a binary says of itself: what it was built from, and how it was laid out.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Receipt {
    /// The build.
    pub build: Build,
    /// Where its functions lie.
    pub places: Places,
}

/// Where the entry of each design lies, by its name in the list, in bytes from the first. Relative,
/// so that an address space laid out at random says the same each time.
pub type Places = BTreeMap<String, i64>;

impl Receipt {
    /// The receipt of this binary.
    pub fn of_this_binary() -> Receipt {
        let addresses = addresses();
        let first = addresses[0];
        let places = registry::NAMES.iter().zip(&addresses).map(|(name, address)| {
            ((*name).to_owned(), address.wrapping_sub(first).cast_signed() as i64)
        });
        Receipt { build: build(), places: places.collect() }
    }
}

/// The addresses of the designs' entries, in the order of the list.
fn addresses() -> Vec<usize> {
    macro_rules! addresses {
        ($($name:ident: $design:ty;)+) => {
            vec![$((<$design as Entries>::all as *const ()).addr()),+]
        };
    }
    crate::designs!(addresses)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_build_knows_its_compiler_and_profile() {
        let build = build();
        assert!(build.rustc.starts_with("rustc "), "{build:?}");
        assert!(build.profile.contains("opt-level"), "{build:?}");
        assert!(build.target.contains('-'), "{build:?}");
        assert!(build.commit.is_none_or(|commit| commit.len() >= 40));
        assert_eq!(build.sources.len(), 16, "{}", build.sources);
    }

    #[test]
    fn a_receipt_places_every_design_and_can_be_read_back() {
        let receipt = Receipt::of_this_binary();
        assert_eq!(receipt.places.len(), registry::NAMES.len());
        assert_eq!(receipt.places[registry::NAMES[0]], 0);
        let text = serde_json::to_string(&receipt).expect("a receipt");
        assert_eq!(serde_json::from_str::<Receipt>(&text).expect("a receipt"), receipt);
    }
}
