//! The build that was measured.

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::named;

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
    /// Cargo profile, optimisation level and debug assertions: `release, opt-level 3, debug assertions off`.
    #[schemars(with = "String")]
    pub profile: Profile,
    /// FNV-1a 64 over paths and contents of the sources that went into the binary, sixteen hex
    /// digits; empty if they could not be read. It distinguishes changed trees of one commit.
    pub sources: String,
}

named! {
    /// How far the compiler optimised, by Cargo's names.
    #[derive(Default)]
    #[expect(missing_docs, reason = "each is the level of its name")]
    pub enum OptLevel {
        Zero = "0",
        One = "1",
        Two = "2",
        #[default]
        Three = "3",
        Size = "s",
        LeastSize = "z",
    }
}

/// How Cargo compiled the program. A journal has it as text.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Profile {
    /// Name of the profile, such as `release`.
    pub name: String,
    /// Whether the program was built from a package, outside the workspace: Cargo then ignores the profiles of the
    /// workspace.
    pub packaged: bool,
    /// How far the compiler optimised.
    pub opt_level: OptLevel,
    /// Whether debug assertions are on.
    pub debug_assertions: bool,
}

/// The name of the profile of [`Profile::release`].
const RELEASE: &str = "release";
// The other words of a profile in a journal.
const PACKAGED: &str = " from a package";
const OPT_LEVEL: &str = "opt-level ";
const ASSERTIONS: [(&str, bool); 2] =
    [("debug assertions off", false), ("debug assertions on", true)];

impl Profile {
    /// The profile `release` with its optimisation, built in the workspace.
    pub fn release() -> Profile {
        Profile { name: RELEASE.to_owned(), ..Profile::default() }
    }

    /// Whether it has the name of [`Profile::release`].
    pub fn is_release(&self) -> bool {
        self.name == RELEASE
    }
}

impl fmt::Display for Profile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Profile { name, packaged, opt_level, debug_assertions } = self;
        let packaged = if *packaged { PACKAGED } else { "" };
        let (assertions, _) = ASSERTIONS[usize::from(*debug_assertions)];
        write!(f, "{name}{packaged}, {OPT_LEVEL}{opt_level}, {assertions}")
    }
}

impl From<Profile> for String {
    fn from(profile: Profile) -> String {
        profile.to_string()
    }
}

/// A text that is no profile.
#[derive(Debug, thiserror::Error)]
#[error("the profile is {0:?} and not such as \"{profile}\"", profile = Profile::release())]
pub struct ProfileError(String);

impl TryFrom<String> for Profile {
    type Error = ProfileError;

    fn try_from(text: String) -> Result<Profile, ProfileError> {
        let parsed = |text: &str| {
            let parts: Vec<&str> = text.split(", ").collect();
            let [name, level, assertions] = parts[..] else { return None };
            let (name, packaged) = match name.strip_suffix(PACKAGED) {
                Some(name) => (name, true),
                None => (name, false),
            };
            let opt_level = level.strip_prefix(OPT_LEVEL)?.parse().ok()?;
            let (_, debug_assertions) =
                ASSERTIONS.into_iter().find(|(words, _)| *words == assertions)?;
            Some(Profile { name: name.to_owned(), packaged, opt_level, debug_assertions })
        };
        parsed(&text).ok_or(ProfileError(text))
    }
}

impl Build {
    /// Whether the build has optimised code without debug assertions.
    pub fn is_optimised(&self) -> bool {
        self.profile.opt_level != OptLevel::Zero && !self.profile.debug_assertions
    }

    /// The flags that make the machine code of the workspace.
    ///
    /// `.cargo/config.toml` sets them, and Cargo reads it only in the source tree and only if
    /// `RUSTFLAGS` is not set. A package is built with Cargo's own profile as well: sixteen codegen units, and
    /// with them link-time optimisation within a crate. A single unit leaves nothing to optimise between units.
    pub fn wanted_flags(&self) -> impl Iterator<Item = &'static str> {
        let x86_64 = self.target.starts_with("x86_64").then_some("target-cpu=x86-64-v3");
        let packaged = self.profile.packaged.then_some("codegen-units=1");
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
            ("profile", self.profile.to_string()),
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
    use super::{Build, OptLevel, Profile};

    #[test]
    fn a_build_from_a_package_needs_a_flag_for_what_the_profile_of_the_workspace_sets() {
        let flags = "-C llvm-args=-unroll-runtime=false -C no-vectorize-slp".to_owned();
        let own = Build { flags, profile: Profile::release(), ..Build::default() };
        assert!(own.missing_flags().is_empty(), "{own:?}");
        let packaged = Build { profile: Profile { packaged: true, ..Profile::release() }, ..own };
        assert!(packaged.is_optimised(), "{packaged:?}");
        assert_eq!(packaged.missing_flags(), ["codegen-units=1"]);
        let flags = format!("{} -C codegen-units=1", packaged.flags);
        assert!(Build { flags, ..packaged }.missing_flags().is_empty());
    }

    #[test]
    fn only_a_profile_without_optimisation_or_with_assertions_is_not_optimised() {
        for (opt_level, debug_assertions, expected) in [
            (OptLevel::Three, false, true),
            (OptLevel::Size, false, true),
            (OptLevel::Zero, false, false),
            (OptLevel::Three, true, false),
        ] {
            let profile = Profile { opt_level, debug_assertions, ..Profile::release() };
            let build = Build { profile, ..Build::default() };
            assert_eq!(build.is_optimised(), expected, "{}", build.profile);
        }
    }

    #[test]
    fn a_profile_is_read_back_from_its_text_and_another_text_is_refused() {
        let packaged = Profile {
            name: "debug".to_owned(),
            packaged: true,
            opt_level: OptLevel::Zero,
            debug_assertions: true,
        };
        for (profile, text) in [
            (Profile::release(), "release, opt-level 3, debug assertions off"),
            (packaged, "debug from a package, opt-level 0, debug assertions on"),
        ] {
            let json = serde_json::to_string(&profile).expect("a profile");
            assert_eq!(json, format!("{text:?}"));
            assert_eq!(serde_json::from_str::<Profile>(&json).expect("a profile"), profile);
        }
        for text in [
            "",
            "release",
            "release, opt-level 4, debug assertions off",
            "release, opt-level 3, off",
        ] {
            let json = format!("{text:?}");
            let error = serde_json::from_str::<Profile>(&json).expect_err(text).to_string();
            let expected = "and not such as \"release, opt-level 3, debug assertions off\"";
            assert!(error.starts_with(&format!("the profile is {text:?} {expected}")), "{error}");
        }
    }
}
