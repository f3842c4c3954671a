//! A folder of its own for each test, in which the command is run.

#![allow(dead_code, reason = "each test uses its part")]

use std::path::PathBuf;

use assert_cmd::Command;

pub struct Folder(tempfile::TempDir);

impl Folder {
    pub fn new() -> Folder {
        Folder(tempfile::tempdir().expect("a folder"))
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// Writes a file; the folder that it lies in is made.
    pub fn write(&self, name: &str, text: &str) {
        let path = self.path(name);
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        std::fs::write(path, text).expect("written");
    }

    pub fn raywalk(&self, words: &[&str]) -> Command {
        let mut command = Command::cargo_bin("raywalk").expect("the program of this package");
        command.current_dir(self.0.path()).args(words);
        command
    }

    /// What a call prints that succeeds.
    pub fn answer(&self, words: &[&str]) -> String {
        let output = self.raywalk(words).assert().success().get_output().stdout.clone();
        String::from_utf8(output).expect("text")
    }
}
