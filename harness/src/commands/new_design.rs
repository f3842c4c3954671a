//! `raywalk new-design`.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, Result, bail, ensure};

use crate::machine::workspace;
use crate::measure::utc;
use crate::registry::DESIGNS;

/// Write the crate of a new design and enter it in the list
///
/// The crate compiles and is registered; its tests fail and say what to write. `docs/` walks through
/// the rest.
#[derive(clap::Args)]
pub struct NewDesign {
    /// Name of the crate and id of the design: lower-case letters, digits and dashes
    name: String,
    /// The workspace; the folder above the working folder that holds it if absent
    #[arg(long, value_name = "DIR")]
    root: Option<PathBuf>,
}

/// Where an entry of the list goes, and where a dependency goes: before these lines.
const END_OF_LIST: &str = "            // New designs go above this line.\n";
const END_OF_DESIGNS: &str = "# New designs go above this line.\n";

impl NewDesign {
    pub fn run(self, out: &mut dyn Write) -> Result<ExitCode> {
        let name = &self.name;
        check(name)?;
        let root = match self.root {
            Some(root) => root,
            None => workspace::above(&std::env::current_dir()?)?,
        };
        let folder = root.join("variants").join(name);
        ensure!(!folder.exists(), "{} is there already", folder.display());
        // Both lists are read before anything is written, so that a failure leaves nothing behind.
        let list = root.join("harness/src/registry.rs");
        let manifest = root.join("harness/Cargo.toml");
        let entry =
            format!("            {}: raywalk_{}::{};\n", module(name), module(name), type_of(name));
        let dependency = format!("raywalk-{name} = {{ path = \"../variants/{name}\" }}\n");
        let list_text = insert(&list, END_OF_LIST, &entry)?;
        let manifest_text = insert(&manifest, END_OF_DESIGNS, &dependency)?;

        for (file, template) in [
            ("Cargo.toml", include_str!("../../templates/Cargo.toml.txt")),
            ("src/lib.rs", include_str!("../../templates/lib.rs.txt")),
            ("tests/conformance.rs", include_str!("../../templates/conformance.rs.txt")),
        ] {
            write(&folder.join(file), &fill(template, name))?;
        }
        write(&list, &list_text)?;
        write(&manifest, &manifest_text)?;
        writeln!(
            out,
            "variants/{name} is written and registered. `cargo test -p raywalk-{name}` says what to \
             write next; docs/adding-a-design.md walks through it."
        )?;
        Ok(ExitCode::SUCCESS)
    }
}

fn check(name: &str) -> Result<()> {
    let plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
    let good = name.chars().all(plain)
        && name.starts_with(|c: char| c.is_ascii_lowercase())
        && !name.ends_with('-')
        && !name.contains("--");
    if !good {
        bail!(
            "`{name}` is no name for a crate: lower-case letters, digits and single dashes, a letter first"
        );
    }
    if ["core", "conformance"].contains(&name)
        || DESIGNS.iter().any(|entry| entry.card.family() == name)
    {
        bail!("`{name}` is taken; `raywalk list` shows the designs");
    }
    Ok(())
}

fn insert(file: &Path, before: &str, line: &str) -> Result<String> {
    let text =
        fs::read_to_string(file).with_context(|| format!("cannot read {}", file.display()))?;
    let at = text
        .find(before)
        .with_context(|| format!("{} lacks the line `{}`", file.display(), before.trim()))?;
    Ok(format!("{}{line}{}", &text[..at], &text[at..]))
}

fn write(file: &Path, text: &str) -> Result<()> {
    if let Some(folder) = file.parent() {
        fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
    }
    fs::write(file, text).with_context(|| format!("cannot write {}", file.display()))
}

fn fill(template: &str, name: &str) -> String {
    let title = name.replace('-', " ");
    let title = title[..1].to_uppercase() + &title[1..];
    template
        .replace("{name}", name)
        .replace("{module}", &module(name))
        .replace("{type}", &type_of(name))
        .replace("{title}", &title)
        .replace("{year}", &utc::now()[..4])
}

fn module(name: &str) -> String {
    name.replace('-', "_")
}

/// `dense-index` as `DenseIndex`.
fn type_of(name: &str) -> String {
    name.split('-').map(|word| word[..1].to_uppercase() + &word[1..]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_that_cannot_be_a_crate_is_refused_in_a_sentence() {
        for name in
            ["", "Mine", "my design", "-mine", "mine-", "my--design", "7th", "core", "bell", "é"]
        {
            assert!(check(name).is_err(), "{name}");
        }
        assert!(check("my-design2").is_ok());
    }

    #[test]
    fn a_design_is_written_and_entered_in_both_lists() {
        let root = tempfile::tempdir().expect("a folder");
        let source = Path::new(env!("CARGO_MANIFEST_DIR"));
        for file in ["src/registry.rs", "Cargo.toml"] {
            let text = fs::read_to_string(source.join(file)).expect("our own file");
            write(&root.path().join("harness").join(file), &text).expect("written");
        }
        let make = || NewDesign { name: "my-walk".to_owned(), root: Some(root.path().to_owned()) };
        make().run(&mut Vec::new()).expect("written");
        let read = |file: &str| fs::read_to_string(root.path().join(file)).expect("a file");
        assert!(
            read("harness/src/registry.rs")
                .contains("            my_walk: raywalk_my_walk::MyWalk;\n")
        );
        assert!(
            read("harness/Cargo.toml")
                .contains("raywalk-my-walk = { path = \"../variants/my-walk\" }\n")
        );
        assert!(read("variants/my-walk/Cargo.toml").contains("name = \"raywalk-my-walk\""));
        assert!(read("variants/my-walk/src/lib.rs").contains("pub struct MyWalk {}"));
        assert!(!read("variants/my-walk/src/lib.rs").contains("{name}"));
        let again = make().run(&mut Vec::new()).expect_err("it is there");
        assert!(again.to_string().ends_with("is there already"), "{again}");
    }
}
