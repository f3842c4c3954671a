//! The layers of crates and modules: nothing imports from above, and neighbouring modules form no cycle.
//!
//! `docs/layers.toml` declares the layers. The sources are read as text: a path that begins with
//! `crate::` or `super::` is an import, resolved through `pub use` to the module that defines the
//! name. Tests, benches and examples are not read. A parent and its own submodules count as one.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

type Layers = Vec<Vec<String>>;

#[derive(serde::Deserialize)]
struct Declared {
    crates: Layers,
    modules: BTreeMap<String, Layers>,
}

pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn declared() -> Declared {
    let text = fs::read_to_string(root().join("docs/layers.toml")).expect("the declared layers");
    toml::from_str(&text).expect("layers as TOML")
}

/// Every package below the workspace's folders: name, folder, manifest.
fn packages() -> Vec<(String, PathBuf, toml::Table)> {
    let parents = ["variants", "harness", "reports", "benches"].map(|name| root().join(name));
    let children = parents.iter().flat_map(|parent| fs::read_dir(parent).expect("a folder"));
    let mut folders: Vec<_> = children.map(|entry| entry.expect("an entry").path()).collect();
    folders.push(root().join("positions"));
    folders.sort();
    let manifest = |folder: PathBuf| {
        let text = fs::read_to_string(folder.join("Cargo.toml")).ok()?;
        let manifest: toml::Table = toml::from_str(&text).expect("a manifest");
        let name = manifest["package"]["name"].as_str().expect("a name").to_owned();
        Some((name, folder, manifest))
    };
    folders.into_iter().filter_map(manifest).collect()
}

/// The names of a package's dependencies, on every target.
fn dependencies(manifest: &toml::Table) -> impl Iterator<Item = &String> {
    let targets = manifest.get("target").and_then(toml::Value::as_table);
    let targets = targets.into_iter().flat_map(toml::Table::values);
    let tables = targets.filter_map(toml::Value::as_table).chain([manifest]);
    let tables = tables.filter_map(|of| of.get("dependencies")?.as_table());
    tables.flat_map(toml::Table::keys)
}

#[test]
fn no_crate_depends_on_one_of_its_own_layer_or_above() {
    let layers = declared().crates;
    let packages = packages();
    let layer = |name: &str| {
        let folder = &packages.iter().find(|(other, ..)| other == name)?.1;
        let is_design = folder.parent().is_some_and(|parent| parent.ends_with("variants"));
        let own = layers.iter().position(|row| row.iter().any(|one| one == name));
        let family = || layers.iter().position(|row| row.iter().any(|one| one == "variants/*"));
        own.or_else(|| is_design.then(family).flatten())
    };
    for (name, _, manifest) in &packages {
        let own = layer(name).unwrap_or_else(|| panic!("docs/layers.toml has no layer for {name}"));
        for other in dependencies(manifest) {
            if let Some(other_layer) = layer(other) {
                assert!(other_layer < own, "{name} depends on {other}, which is not below it");
            }
        }
    }
}

#[test]
fn no_module_imports_from_its_own_layer_or_above_and_no_cycle_is_left() {
    let declared = declared().modules;
    let mut faults = Vec::new();
    for (name, folder, _) in packages() {
        let modules = Modules::read(&folder.join("src"));
        let edges = modules.edges();
        faults.extend(cycles(&edges).into_iter().map(|cycle| format!("{name}: cycle {cycle}")));
        let top = || modules.sources.keys().filter(|path| path.len() == 1).map(|path| &path[0]);
        let Some(layers) = declared.get(&name) else {
            let has_layers = ["harness", "reports"].map(|name| root().join(name));
            if has_layers.iter().any(|parent| folder.starts_with(parent)) && top().count() > 1 {
                faults.push(format!("{name}: docs/layers.toml has no row for its modules"));
            }
            continue;
        };
        let layer =
            |module: &str| layers.iter().position(|row| row.iter().any(|one| one == module));
        for module in top().filter(|module| layer(module).is_none()) {
            faults.push(format!("{name}: docs/layers.toml has no layer for module {module}"));
        }
        for (from, to, file) in edges.iter().filter(|(from, ..)| from.len() == 1) {
            if layer(&from[0]).zip(layer(&to[0])).is_some_and(|(from, to)| to >= from) {
                faults.push(format!("{name}: {file} imports {} from {}", to[0], from[0]));
            }
        }
    }
    assert!(faults.is_empty(), "\n{}", faults.join("\n"));
}

type ModulePath = Vec<String>;

/// The modules of a crate: source text without tests and comments, and re-exported names.
struct Modules {
    sources: BTreeMap<ModulePath, String>,
}

impl Modules {
    fn read(src: &Path) -> Modules {
        let mut sources = BTreeMap::new();
        let mut open = vec![src.to_owned()];
        while let Some(folder) = open.pop() {
            for entry in fs::read_dir(&folder).into_iter().flatten().flatten() {
                let path = entry.path();
                if path.is_dir() {
                    open.push(path);
                    continue;
                }
                let relative = path.strip_prefix(src).expect("below src").with_extension("");
                let mut module: ModulePath =
                    relative.iter().map(|part| part.to_string_lossy().into_owned()).collect();
                if module.iter().any(|part| part == "tests")
                    || path.extension() != Some("rs".as_ref())
                {
                    continue;
                }
                if module == ["lib"] || module == ["main"] {
                    module.clear();
                }
                let text = fs::read_to_string(&path).expect("a source file");
                sources.entry(module).or_insert_with(String::new).push_str(&code(&text));
            }
        }
        Modules { sources }
    }

    /// Imports between neighbouring modules: both paths, cut behind their first difference, and the
    /// importing module.
    fn edges(&self) -> BTreeSet<(ModulePath, ModulePath, String)> {
        let mut edges = BTreeSet::new();
        for (module, text) in &self.sources {
            for path in paths(text) {
                let target = self.resolve(module, &path);
                let common =
                    module.iter().zip(&target).take_while(|(one, other)| one == other).count();
                // A module and its own submodules count as one.
                if common < module.len() && common < target.len() {
                    let (from, to) = (&module[..=common], &target[..=common]);
                    edges.insert((from.to_vec(), to.to_vec(), module.join("::")));
                }
            }
        }
        edges
    }

    /// The module that a path leads to.
    fn resolve(&self, from: &ModulePath, path: &[String]) -> ModulePath {
        let mut at: ModulePath = Vec::new();
        let mut rest = path;
        if rest[0] == "crate" {
            rest = &rest[1..];
        } else {
            at.clone_from(from);
            while rest.first().is_some_and(|part| part == "super") {
                at.pop();
                rest = &rest[1..];
            }
        }
        while let Some(name) = rest.first() {
            let child: ModulePath = [&at[..], std::slice::from_ref(name)].concat();
            if self.sources.contains_key(&child) {
                at = child;
            } else if let Some(module) = self.exported(&at, name) {
                return module;
            } else {
                break;
            }
            rest = &rest[1..];
        }
        at
    }

    /// The submodule from which a module re-exports a name.
    fn exported(&self, module: &ModulePath, name: &str) -> Option<ModulePath> {
        let text = self.sources.get(module)?;
        for statement in text.split(';').filter_map(|part| part.split("pub use ").nth(1)) {
            for path in expand(statement.trim()) {
                let (last, leading) = path.split_last()?;
                let child: ModulePath = [&module[..], &leading[..leading.len().min(1)]].concat();
                if last == name && !leading.is_empty() && self.sources.contains_key(&child) {
                    return Some(child);
                }
            }
        }
        None
    }
}

/// A source text without its inline tests, comments and strings' line ends.
fn code(text: &str) -> String {
    let text = text.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default();
    let lines = text.lines().map(|line| line.split("//").next().unwrap_or_default());
    lines.collect::<Vec<_>>().join("\n")
}

/// Every path that begins with `crate::` or `super::`, with groups in braces expanded.
fn paths(text: &str) -> Vec<Vec<String>> {
    let mut found = Vec::new();
    for start in ["crate::", "super::"] {
        for (at, _) in text.match_indices(start) {
            let before = text[..at].chars().next_back();
            let inside = before.is_some_and(|c| c.is_alphanumeric() || "_:$".contains(c));
            if !inside {
                found.extend(expand(&text[at..]));
            }
        }
    }
    found
}

/// `a::{b, c::d}` as `a::b` and `a::c::d`; ends where the path ends.
fn expand(text: &str) -> Vec<Vec<String>> {
    fn read(text: &str, prefix: &[String], found: &mut Vec<Vec<String>>) -> usize {
        let word = |c: char| c.is_alphanumeric() || c == '_';
        let mut path = prefix.to_vec();
        let mut at = 0;
        loop {
            let rest = &text[at..];
            if rest.starts_with('{') {
                at += 1;
                while !text[at..].starts_with('}') && at < text.len() {
                    let skipped = text[at..].find(|c: char| word(c) || c == '}' || c == '{');
                    let Some(skipped) = skipped else { return text.len() };
                    at += skipped;
                    if text[at..].starts_with('}') {
                        break;
                    }
                    at += read(&text[at..], &path, found).max(1);
                }
                return at + 1;
            }
            let end = rest.find(|c| !word(c)).unwrap_or(rest.len());
            if end == 0 {
                found.push(path);
                return at;
            }
            // `self` in a group means the module itself.
            if &rest[..end] != "self" {
                path.push(rest[..end].to_owned());
            }
            at += end;
            if !text[at..].starts_with("::") {
                found.push(path);
                return at;
            }
            at += 2;
        }
    }
    let mut found = Vec::new();
    read(text, &[], &mut found);
    found.retain(|path| !path.is_empty());
    found
}

/// Cycles between neighbouring modules, one description for each pair that reaches itself.
fn cycles(edges: &BTreeSet<(ModulePath, ModulePath, String)>) -> Vec<String> {
    let mut next: BTreeMap<&ModulePath, BTreeSet<&ModulePath>> = BTreeMap::new();
    for (from, to, _) in edges {
        next.entry(from).or_default().insert(to);
    }
    let mut found = Vec::new();
    for (from, to, file) in edges {
        let mut seen = BTreeSet::new();
        let mut open = vec![to];
        while let Some(module) = open.pop() {
            if module == from {
                found.push(format!("{} -> {} (in {file})", from.join("::"), to.join("::")));
                break;
            }
            if seen.insert(module) {
                open.extend(next.get(module).into_iter().flatten());
            }
        }
    }
    found
}

#[test]
fn dependencies_of_single_targets_are_read() {
    let text = "[dependencies]\na = '1'\n[target.'cfg(unix)'.dependencies]\nb = '1'\n[dev-dependencies]\nc = '1'\n";
    let manifest: toml::Table = toml::from_str(text).expect("a manifest");
    let mut found: Vec<&String> = dependencies(&manifest).collect();
    found.sort();
    assert_eq!(found, ["a", "b"]);
}

#[test]
fn paths_are_read_with_their_groups() {
    let text = "use crate::{a, b::{self, c}};\nlet x = super::super::d::E::new();\nmy_crate::f;";
    let found: Vec<String> = paths(text).iter().map(|path| path.join("::")).collect();
    assert_eq!(found, ["crate::a", "crate::b", "crate::b::c", "super::super::d::E::new"]);
}

#[test]
fn an_upward_import_through_a_re_export_is_seen_as_a_cycle() {
    let source = |path: &str, text: &str| {
        let path: ModulePath =
            path.split("::").filter(|p| !p.is_empty()).map(String::from).collect();
        (path, text.to_owned())
    };
    let sources = [
        source("", "mod low; mod high; pub use high::Thing;"),
        source("low", "use crate::Thing;"),
        source("high", "use crate::low::Other;"),
    ];
    let modules = Modules { sources: sources.into() };
    assert_eq!(cycles(&modules.edges()).len(), 2);
}
