//! The build manifest: what this program was built from, and where its linker placed the designs.

use std::collections::BTreeMap;

use raywalk_core::StageId;
use raywalk_results::schema::{Build, Profile};
use serde::{Deserialize, Serialize};

use crate::registry::{DESIGNS, Entry, NAMES};

/// The build of this binary, as recorded by `build.rs`.
pub(crate) fn build() -> Build {
    let commit = env!("RAYWALK_COMMIT");
    Build {
        version: env!("CARGO_PKG_VERSION").to_owned(),
        commit: (!commit.is_empty()).then(|| commit.to_owned()),
        dirty: env!("RAYWALK_DIRTY") == "true",
        rustc: env!("RAYWALK_RUSTC").to_owned(),
        target: env!("RAYWALK_TARGET").to_owned(),
        flags: env!("RAYWALK_FLAGS").to_owned(),
        profile: Profile {
            name: env!("RAYWALK_PROFILE").to_owned(),
            packaged: env!("RAYWALK_PACKAGED") == "true",
            opt_level: env!("RAYWALK_OPT_LEVEL").parse().expect("a level of Cargo"),
            debug_assertions: cfg!(debug_assertions),
        },
        sources: env!("RAYWALK_SOURCES").to_owned(),
    }
}

/// The build and the code layout of a binary.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct BuildManifest {
    pub(crate) build: Build,
    pub(crate) places: Places,
}

/// The distance in bytes from the entry of the first design to that of each design, by its name in the
/// registry. Distances, unlike addresses, do not change with address-space randomisation.
pub(crate) type Places = BTreeMap<String, i64>;

impl BuildManifest {
    pub(crate) fn of_this_binary() -> BuildManifest {
        let address = |entry: &Entry| entry.address(StageId::All);
        let first = address(&DESIGNS[0]);
        let places = NAMES.iter().zip(DESIGNS).map(|(name, entry)| {
            ((*name).to_owned(), address(entry).wrapping_sub(first).cast_signed() as i64)
        });
        BuildManifest { build: build(), places: places.collect() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_build_records_its_compiler_and_profile() {
        let build = build();
        assert!(build.rustc.starts_with("rustc "), "{build:?}");
        assert!(["debug", "release"].contains(&&*build.profile.name), "{build:?}");
        assert_eq!(build.profile.debug_assertions, cfg!(debug_assertions));
        assert!(build.target.contains('-'), "{build:?}");
        assert!(build.commit.is_none_or(|commit| commit.len() >= 40));
        assert_eq!(build.sources.len(), 16, "{}", build.sources);
    }

    /// Journals name the level of this crate as that of the build, and this crate contains the timed loops of plug-ins.
    #[test]
    fn every_crate_that_a_timed_region_needs_has_the_level_of_the_release_profile() {
        let manifest: toml::Table =
            include_str!("../../../Cargo.toml").parse().expect("a manifest");
        let release = &manifest["profile"]["release"];
        assert_eq!(release["opt-level"].as_integer(), Some(3));
        let packages = release["package"].as_table().expect("packages");
        let with_another =
            packages.iter().filter(|(_, profile)| profile.get("opt-level").is_some());
        let with_another: Vec<&String> = with_another.map(|(package, _)| package).collect();
        assert_eq!(with_another, ["parquet", "raywalk-audit"]);
        for timed in [
            include_str!("../../measure/Cargo.toml"),
            include_str!("../../registry/Cargo.toml"),
            include_str!("../../known/Cargo.toml"),
        ] {
            let timed: toml::Table = timed.parse().expect("a manifest");
            let needed = timed["dependencies"].as_table().expect("packages");
            assert!(
                with_another.iter().all(|&package| !needed.contains_key(package)),
                "{needed:?}"
            );
        }
    }

    #[test]
    fn the_flags_that_are_missed_are_those_of_the_workspace() {
        let config = include_str!("../../../.cargo/config.toml");
        let flags = |target: &str| Build { target: target.to_owned(), ..Build::default() };
        for build in [flags("x86_64-unknown-linux-gnu"), flags("aarch64-apple-darwin")] {
            let missing = build.missing_flags();
            assert!(
                missing.iter().all(|flag| config.contains(&format!("\"{flag}\""))),
                "{missing:?}"
            );
        }
        assert_eq!(config.matches("\"-C\"").count(), 5, "a flag was added: see missing_flags");
    }

    #[test]
    fn a_manifest_places_every_design_and_survives_serialisation() {
        let manifest = BuildManifest::of_this_binary();
        assert_eq!(manifest.places.len(), NAMES.len());
        assert_eq!(manifest.places[NAMES[0]], 0);
        let text = serde_json::to_string(&manifest).expect("a manifest");
        assert_eq!(serde_json::from_str::<BuildManifest>(&text).expect("a manifest"), manifest);
    }
}
