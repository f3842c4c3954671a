//! The build that was measured.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The build that was measured.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Build {
    /// Version of the package `raywalk`, such as `0.1.0`.
    pub version: String,
    /// Commit of the source tree, if it was built in one.
    pub commit: Option<String>,
    /// Whether the tree had uncommitted changes.
    pub dirty: bool,
    /// Output of `rustc --version` of the compiler that built the program.
    pub rustc: String,
    /// Target triple, such as `x86_64-unknown-linux-gnu`.
    pub target: String,
    /// Target CPU and other code-generation flags.
    pub flags: String,
    /// Cargo profile, optimisation level and debug assertions, as [`Build::describe_profile`] writes
    /// them.
    pub profile: String,
    /// FNV-1a 64 over paths and contents of the sources that went into the binary, sixteen hex
    /// digits; empty if they could not be read. It distinguishes changed trees of one commit.
    pub sources: String,
}

// The words of a profile.
const OPT_LEVEL: &str = "opt-level ";
const ASSERTIONS_ON: &str = "debug assertions on";
const ASSERTIONS_OFF: &str = "debug assertions off";
const PACKAGED: &str = " from a package";

impl Build {
    /// The text of [`profile`](Build::profile), which [`is_optimised`](Build::is_optimised) reads.
    pub fn describe_profile(name: &str, opt_level: &str, debug_assertions: bool) -> String {
        let assertions = if debug_assertions { ASSERTIONS_ON } else { ASSERTIONS_OFF };
        format!("{name}, {OPT_LEVEL}{opt_level}, {assertions}")
    }

    /// The name of a profile, for [`describe_profile`](Build::describe_profile), of a program that was built from
    /// a package, outside the workspace: Cargo then ignores the profiles of the workspace.
    pub fn name_packaged_profile(name: &str) -> String {
        format!("{name}{PACKAGED}")
    }

    /// Whether it was built from a package, outside the workspace.
    pub fn is_packaged(&self) -> bool {
        self.profile.split(", ").next().is_some_and(|name| name.ends_with(PACKAGED))
    }

    /// Whether the build has optimised code without debug assertions.
    pub fn is_optimised(&self) -> bool {
        let mut parts = self.profile.split(", ");
        !parts.any(|part| part == ASSERTIONS_ON || part.strip_prefix(OPT_LEVEL) == Some("0"))
    }

    /// The flags that make the machine code of the workspace.
    ///
    /// `.cargo/config.toml` sets them, and Cargo reads it only in the source tree and only if
    /// `RUSTFLAGS` is not set. A package is built with Cargo's own profile as well: sixteen codegen units, and
    /// with them link-time optimisation within a crate. A single unit leaves nothing to optimise between units.
    pub fn wanted_flags(&self) -> impl Iterator<Item = &'static str> {
        let x86_64 = self.target.starts_with("x86_64").then_some("target-cpu=x86-64-v3");
        let packaged = self.is_packaged().then_some("codegen-units=1");
        let everywhere = ["llvm-args=-unroll-runtime=false", "no-vectorize-slp"];
        x86_64.into_iter().chain(everywhere).chain(packaged)
    }

    /// The [wanted flags](Build::wanted_flags) that the build lacks. Without them the designs compile to
    /// different machine code: on x86-64, counting the bits of a bitboard takes a dozen instructions instead of
    /// one.
    pub fn missing_flags(&self) -> Vec<&'static str> {
        self.wanted_flags().filter(|flag| !self.flags.contains(flag)).collect()
    }

    /// The properties that make code of two builds comparable, each with its name.
    pub fn code(&self) -> [(&'static str, String); 4] {
        [
            ("compiler", self.rustc.clone()),
            ("target", self.target.clone()),
            ("flags", self.flags.clone()),
            ("profile", self.profile.clone()),
        ]
    }

    /// Every property of a build, each with its name: two builds are the same program if all agree.
    pub fn identity(&self) -> Vec<(&'static str, String)> {
        let commit = self.commit.as_deref().unwrap_or("unknown");
        let changed = if self.dirty { ", changed" } else { "" };
        let mut parts = vec![
            ("version", self.version.clone()),
            ("digest of the sources", self.sources.clone()),
            ("commit", format!("{commit}{changed}")),
        ];
        parts.extend(self.code());
        parts
    }
}

#[cfg(test)]
mod tests {
    use super::Build;

    #[test]
    fn a_build_from_a_package_needs_a_flag_for_what_the_profile_of_the_workspace_sets() {
        let profile = |name: &str| Build::describe_profile(name, "3", false);
        let flags = "-C llvm-args=-unroll-runtime=false -C no-vectorize-slp".to_owned();
        let own = Build { flags, profile: profile("release"), ..Build::default() };
        assert!(!own.is_packaged() && own.missing_flags().is_empty(), "{own:?}");
        let packaged = profile(&Build::name_packaged_profile("release"));
        let packaged = Build { profile: packaged, ..own };
        assert!(packaged.is_packaged() && packaged.is_optimised(), "{packaged:?}");
        assert_eq!(packaged.missing_flags(), ["codegen-units=1"]);
        let flags = format!("{} -C codegen-units=1", packaged.flags);
        assert!(Build { flags, ..packaged }.missing_flags().is_empty());
    }

    #[test]
    fn only_a_profile_without_optimisation_or_with_assertions_is_not_optimised() {
        for (opt_level, assertions, expected) in
            [("3", false, true), ("s", false, true), ("0", false, false), ("3", true, false)]
        {
            let profile = Build::describe_profile("release", opt_level, assertions);
            let build = Build { profile, ..Build::default() };
            assert_eq!(build.is_optimised(), expected, "{}", build.profile);
        }
    }
}
