//! The build that is measured, as the build script wrote it down.

use raywalk_reports::schema::Build;

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
    }
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
    }
}
