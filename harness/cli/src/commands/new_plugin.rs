//! `raywalk new-plugin`.

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Result, ensure};
use clap::ValueEnum;

use super::new_design;
use crate::folders;

/// Create a plug-in: a project with a move generator of your own, in any folder
///
/// The project needs only a compiler and passes `raywalk verify --plugin`; its comments show where to put your own
/// code. docs/plugin/README.md explains each step.
#[derive(clap::Args)]
pub(super) struct NewPlugin {
    /// Name of the folder and id of the design, in lower-case letters, digits and dashes
    name: String,
    /// Language of the project
    #[arg(long, value_enum)]
    lang: Language,
    /// Folder of the project [default: NAME]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Language {
    /// C, built with `cc`
    C,
    /// C++, built with `c++`
    Cpp,
    /// Rust, built with `cargo`
    Rust,
}

const HEADER: (&str, &str) = ("raywalk.h", include_str!("../../templates/raywalk.h"));

impl Language {
    /// The files of a project, by their paths.
    fn files(self) -> &'static [(&'static str, &'static str)] {
        match self {
            Language::C => &[("generator.c", include_str!("../../templates/generator.c")), HEADER],
            Language::Cpp => {
                &[("generator.cpp", include_str!("../../templates/generator.cpp")), HEADER]
            }
            Language::Rust => &[
                ("Cargo.toml", include_str!("../../templates/plugin.Cargo.toml.txt")),
                ("src/lib.rs", include_str!("../../templates/plugin.rs.txt")),
                ("src/raywalk.rs", include_str!("../../templates/raywalk.rs.txt")),
                HEADER,
            ],
        }
    }

    /// The command that builds the library in the folder of the project, and the library.
    fn build(self, name: &str) -> (String, String) {
        let compiled = |compiler: &str, source: &str| {
            format!("{compiler} -O3 -march=native -shared -fPIC {source} -o {name}.so")
        };
        match self {
            Language::C => (compiled("cc", "generator.c"), format!("{name}.so")),
            Language::Cpp => (compiled("c++ -std=c++17", "generator.cpp"), format!("{name}.so")),
            Language::Rust => {
                let library = name.replace('-', "_");
                ("cargo build --release".to_owned(), format!("target/release/lib{library}.so"))
            }
        }
    }
}

impl NewPlugin {
    pub(super) fn run(self, out: &mut dyn Write) -> Result<ExitCode> {
        let NewPlugin { name, lang, out: folder } = self;
        new_design::name::check(&name)?;
        let folder = folder.unwrap_or_else(|| PathBuf::from(&name));
        ensure!(!folder.exists(), "{} exists; choose another name or --out", folder.display());
        for (file, template) in lang.files() {
            folders::write(&folder.join(file), &template.replace("{name}", &name))?;
        }
        let (build, library) = lang.build(&name);
        writeln!(
            out,
            "Created {folder}. Build and verify it:\n\n  cd {folder}\n  {build}\n  raywalk verify --plugin \
             {library}",
            folder = folder.display()
        )?;
        Ok(ExitCode::SUCCESS)
    }
}
