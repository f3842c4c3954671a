//! `raywalk new-design`.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, Result};
use raywalk_measure::utc;

use crate::registry::identifier;
use crate::{arguments, folders, workspace};

pub(super) mod name;

/// Create the crate of a new design and register it
///
/// The crate compiles, and its failing tests name the code to write. docs/adding-a-design.md explains
/// each step.
#[derive(clap::Args)]
pub(super) struct NewDesign {
    /// Name of the crate and id of the design, in lower-case letters, digits and dashes
    name: String,
    /// Root of the workspace [default: the one that contains the working folder]
    #[arg(long, value_name = "DIR")]
    root: Option<PathBuf>,
}

/// Line of the registry above which a new entry goes.
const END_OF_ENTRIES: &str = "            // New designs go above this line.\n";
/// Line of the manifest above which a new dependency goes.
const END_OF_DEPENDENCIES: &str = "# New designs go above this line.\n";

/// The templates of the crate.
const MANIFEST: &str = include_str!("../../templates/Cargo.toml.txt");
const LIBRARY: &str = include_str!("../../templates/lib.rs.txt");
const TESTS: &str = include_str!("../../templates/conformance.rs.txt");
const README: &str = include_str!("../../templates/design.README.md");

/// The licences, which a package carries with it.
const LICENCES: [&str; 2] = ["LICENSE-APACHE", "LICENSE-MIT"];

impl NewDesign {
    pub(super) fn run(self, out: &mut dyn Write) -> Result<ExitCode> {
        let name = &self.name;
        name::check(name)?;
        let root = match self.root {
            Some(root) => root,
            None => workspace::above(&std::env::current_dir()?)?,
        };
        name::check_in(&root, name)?;
        let folder = root.join("variants").join(name);
        // All files are read before any file is written, so that a failure leaves nothing behind.
        let registry = root.join("harness/registry/src/lib.rs");
        let manifest = root.join("harness/registry/Cargo.toml");
        let entry = format!(
            "            {}: raywalk_{}::{};\n",
            identifier(name),
            identifier(name),
            type_of(name)
        );
        // All crates are released together, so the version is that of this program.
        let version = env!("CARGO_PKG_VERSION");
        let dependency = format!(
            "raywalk-{name} = {{ path = \"../../variants/{name}\", version = \"={version}\" }}\n"
        );
        let registry_text = insert(&registry, END_OF_ENTRIES, &entry)?;
        let manifest_text = insert(&manifest, END_OF_DEPENDENCIES, &dependency)?;

        let licences: Vec<String> =
            LICENCES.iter().map(|file| arguments::text(&root.join(file))).collect::<Result<_>>()?;

        for (file, template) in [
            ("Cargo.toml", MANIFEST),
            ("README.md", README),
            ("src/lib.rs", LIBRARY),
            ("tests/conformance.rs", TESTS),
        ] {
            folders::write(&folder.join(file), &fill(template, name))?;
        }
        for (file, text) in LICENCES.iter().zip(&licences) {
            folders::write(&folder.join(file), text)?;
        }
        folders::write(&registry, &registry_text)?;
        folders::write(&manifest, &manifest_text)?;
        writeln!(
            out,
            "Created and registered variants/{name}. Run `cargo test -p raywalk-{name}` to see what to \
             write next; docs/adding-a-design.md explains each step."
        )?;
        Ok(ExitCode::SUCCESS)
    }
}

/// The text of a file with `line` inserted above the line `before`.
fn insert(file: &Path, before: &str, line: &str) -> Result<String> {
    let text = arguments::text(file)?;
    let at = text
        .find(before)
        .with_context(|| format!("{} lacks the line `{}`", file.display(), before.trim()))?;
    Ok(format!("{}{line}{}", &text[..at], &text[at..]))
}

/// Replaces the placeholders of a template.
fn fill(template: &str, name: &str) -> String {
    let title = name.replace('-', " ");
    let title = title[..1].to_uppercase() + &title[1..];
    template
        .replace("{name}", name)
        .replace("{module}", &identifier(name))
        .replace("{type}", &type_of(name))
        .replace("{title}", &title)
        .replace("{year}", &utc::now()[..4])
}

/// Name of the Rust type of a design: `DenseIndex` for `dense-index`.
fn type_of(name: &str) -> String {
    name.split('-').map(|word| word[..1].to_uppercase() + &word[1..]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_new_design_is_created_and_registered_once() {
        let root = tempfile::tempdir().expect("a folder");
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("../registry");
        for file in ["src/lib.rs", "Cargo.toml"] {
            let text = arguments::text(&source.join(file)).expect("a file of the registry");
            folders::write(&root.path().join("harness/registry").join(file), &text)
                .expect("a copy");
        }
        for file in LICENCES {
            folders::write(&root.path().join(file), "licence").expect("a file");
        }
        let make = || NewDesign { name: "my-walk".to_owned(), root: Some(root.path().to_owned()) };
        make().run(&mut Vec::new()).expect("written");
        let read = |file: &str| arguments::text(&root.path().join(file)).expect("a file");
        assert!(
            read("harness/registry/src/lib.rs")
                .contains("            my_walk: raywalk_my_walk::MyWalk;\n")
        );
        assert!(
            read("harness/registry/Cargo.toml")
                .contains("raywalk-my-walk = { path = \"../../variants/my-walk\", version = \"=")
        );
        assert!(read("variants/my-walk/Cargo.toml").contains("name = \"raywalk-my-walk\""));
        assert!(read("variants/my-walk/README.md").starts_with("# raywalk-my-walk\n"));
        assert_eq!(read("variants/my-walk/LICENSE-MIT"), "licence");
        assert!(read("variants/my-walk/src/lib.rs").contains("pub struct MyWalk {}"));
        assert!(!read("variants/my-walk/src/lib.rs").contains("{name}"));
        let again = make().run(&mut Vec::new()).expect_err("it exists");
        assert!(again.to_string().contains("taken by the folder"), "{again}");
    }
}
