//! Selects designs by id, family or pattern, among the built-in ones and those of plug-ins.

use std::time::Duration;

use anyhow::{Result, bail};
use raywalk_core::Card;
use raywalk_measure::plan::PluginFile;
use raywalk_results::pattern::is_match;

use super::{DESIGNS, Entry};
use crate::plugin::{self, Plugin, Plugins};

/// The designs of a command: the built-in ones, then those of its plug-ins.
pub(crate) struct Designs(Vec<&'static Entry>);

impl Designs {
    pub(crate) fn built_in() -> Designs {
        Designs(DESIGNS.iter().collect())
    }

    /// The built-in designs and those of the plug-ins of a command line.
    ///
    /// # Errors
    /// One sentence if a file is no plug-in, or if two designs have the same id.
    pub(crate) fn with(plugins: &Plugins) -> Result<Designs> {
        let files = plugins.files.iter().map(|path| PluginFile::read(path));
        Designs::of_files(&files.collect::<Result<Vec<_>, _>>()?, plugins.timeout)
    }

    /// The same with files that have not changed since their digests were made. Each is loaded in a process of its own
    /// first.
    pub(crate) fn of_files(files: &[PluginFile], timeout: Duration) -> Result<Designs> {
        files.iter().try_for_each(|file| plugin::try_apart(file, timeout))?;
        Designs::loaded(files, timeout)
    }

    /// The same in a process that may crash.
    pub(crate) fn loaded(files: &[PluginFile], timeout: Duration) -> Result<Designs> {
        let mut designs = Designs::built_in();
        for file in files {
            for plugin in plugin::load(file, timeout)? {
                designs.add(plugin)?;
            }
        }
        Ok(designs)
    }

    fn add(&mut self, plugin: Plugin) -> Result<()> {
        let id = plugin.card().id;
        if let Some(other) = self.0.iter().find(|other| other.card.id == id) {
            let other = other.plugin().map_or("a built-in one".to_owned(), Plugin::file_name);
            bail!(
                "two designs are called `{id}`: that of plug-in {} and {other}; give one another id",
                plugin.file_name()
            );
        }
        // As long as the library, which is never unloaded.
        let plugin = Box::leak(Box::new(plugin));
        self.0.push(Box::leak(Box::new(Entry::of_plugin(plugin))));
        Ok(())
    }

    /// Whether a design comes from a plug-in.
    pub(crate) fn is_plugin(&self, id: &str) -> bool {
        self.0.iter().any(|entry| entry.card.id == id && entry.plugin().is_some())
    }

    /// The designs whose id or family matches one of the patterns, in registry order; all designs if there
    /// is no pattern. `*` matches any text.
    ///
    /// # Errors
    /// A sentence that names the pattern without a match and suggests similar ids.
    pub(crate) fn matching(&self, patterns: &[String]) -> Result<Vec<&'static Entry>> {
        for pattern in patterns {
            if !self.0.iter().any(|entry| matches(pattern, &entry.card)) {
                bail!(
                    "no design is called `{pattern}`{}; `raywalk list` shows all designs",
                    self.near(pattern)
                );
            }
        }
        let wanted = |entry: &&Entry| {
            patterns.is_empty() || patterns.iter().any(|pattern| matches(pattern, &entry.card))
        };
        Ok(self.0.iter().copied().filter(wanted).collect())
    }

    /// The design of the plug-ins.
    ///
    /// # Errors
    /// A sentence if they have several.
    pub(crate) fn only_plugin(&self) -> Result<&'static Entry> {
        match &self.0[DESIGNS.len()..] {
            [entry] => Ok(entry),
            several => {
                let ids: Vec<_> = several.iter().map(|entry| entry.card.id).collect();
                bail!(
                    "the plug-ins have several designs: {}; choose one with --design",
                    ids.join(", ")
                )
            }
        }
    }

    /// Those of the built-in designs that match, or all, then the designs of all plug-ins.
    ///
    /// # Errors
    /// As for [`matching`](Designs::matching).
    pub(crate) fn with_all_plugins(&self, patterns: &[String]) -> Result<Vec<&'static Entry>> {
        let mut entries = self.matching(patterns)?;
        entries.retain(|entry| entry.plugin().is_none());
        entries.extend(&self.0[DESIGNS.len()..]);
        Ok(entries)
    }

    /// The designs of the plug-ins, and before them the built-in ones that match a pattern. Without plug-ins
    /// as [`matching`](Designs::matching).
    ///
    /// # Errors
    /// As for [`matching`](Designs::matching).
    pub(crate) fn beside_plugins(&self, patterns: &[String]) -> Result<Vec<&'static Entry>> {
        let plugins = &self.0[DESIGNS.len()..];
        match patterns {
            [] if !plugins.is_empty() => Ok(plugins.to_vec()),
            _ => self.with_all_plugins(patterns),
        }
    }

    /// The one design with this id.
    ///
    /// # Errors
    /// A sentence if no design or several designs match.
    pub(crate) fn named(&self, id: &str) -> Result<&'static Entry> {
        match self.matching(&[id.to_owned()])?.as_slice() {
            [entry] => Ok(entry),
            several => {
                let ids: Vec<_> = several.iter().map(|entry| entry.card.id).collect();
                bail!("`{id}` matches several designs: {}; choose one of them", ids.join(", "))
            }
        }
    }

    /// `; did you mean …?` with similar ids, if there are any.
    fn near(&self, pattern: &str) -> String {
        let plain = pattern.trim_matches('*');
        let ids = raywalk_positions::nearest(plain, self.0.iter().map(|entry| entry.card.id));
        if ids.is_empty() { String::new() } else { format!("; did you mean {}?", ids.join(" or ")) }
    }
}

/// The built-in designs that match one of the patterns, each once.
///
/// # Errors
/// A pattern matches no design.
pub fn matching(patterns: &[String]) -> Result<Vec<&'static Entry>> {
    Designs::built_in().matching(patterns)
}

/// The built-in design with this id.
///
/// # Errors
/// No design has it.
pub fn named(id: &str) -> Result<&'static Entry> {
    Designs::built_in().named(id)
}

fn matches(pattern: &str, card: &Card) -> bool {
    is_match(pattern, card.id)
}
