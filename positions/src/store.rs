//! The store: makes each corpus once and keeps it in a cache folder.
//!
//! The cache never causes an error. A file that is missing, damaged, of another version or of
//! another corpus is made again. If the folder cannot be written, every process makes what it needs,
//! and the progress says so once.

use std::collections::HashMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use crate::cache_file;
use crate::corpus::{Corpus, CorpusId, MakeError};
use crate::recording::{self, RecordedTree};
use crate::tree;

/// Supplies corpora from memory, from the cache folder, or by their recipes.
pub struct Store {
    folder: Option<PathBuf>,
    progress: Box<dyn Fn(&str) + Send + Sync>,
    kept: Mutex<HashMap<CorpusId, Arc<Corpus>>>,
    /// Whether a failed write was reported.
    warned: AtomicBool,
}

impl Store {
    /// A store in the user's cache folder.
    ///
    /// The folder is `RAYWALK_CACHE` if that is set. Otherwise it is `raywalk` in `XDG_CACHE_HOME`
    /// or `~/.cache`, in `~/Library/Caches` on macOS, in `%LOCALAPPDATA%` on Windows, or else in
    /// the folder for temporary files.
    pub fn open_default() -> Store {
        Store::at(default_folder(|name| std::env::var_os(name)))
    }

    /// A store in this folder, which is created on the first write.
    pub fn at(folder: impl Into<PathBuf>) -> Store {
        Store { folder: Some(folder.into()), ..Store::in_memory() }
    }

    /// A store that writes no files.
    pub fn in_memory() -> Store {
        Store {
            folder: None,
            progress: Box::new(|_| ()),
            kept: Mutex::default(),
            warned: AtomicBool::new(false),
        }
    }

    /// Calls `progress` with one line before each corpus is made, which can take seconds.
    #[must_use]
    pub fn with_progress(self, progress: impl Fn(&str) + Send + Sync + 'static) -> Store {
        Store { progress: Box::new(progress), ..self }
    }

    /// The cache folder, unless the store is in memory.
    pub fn folder(&self) -> Option<&Path> {
        self.folder.as_deref()
    }

    /// Loads or makes a corpus.
    ///
    /// # Errors
    /// [`MakeError`] if the corpus has to be made and misses a golden row.
    pub fn corpus(&self, id: CorpusId) -> Result<Arc<Corpus>, MakeError> {
        if let Some(corpus) = self.lock().get(&id) {
            return Ok(Arc::clone(corpus));
        }
        let corpus = Arc::new(match self.load(id) {
            Some(corpus) => corpus,
            None => self.make(id)?,
        });
        if id.is_shared() {
            self.lock().insert(id, Arc::clone(&corpus));
        }
        Ok(corpus)
    }

    /// Loads or makes the recorded searches of the corpus [`Ab4`](CorpusId::Ab4), whose trees begin at
    /// `roots`.
    ///
    /// # Errors
    /// [`MakeError`] if they have to be made and their nodes are not those of the corpus.
    pub(crate) fn searches(&self, roots: &[usize]) -> Result<Vec<RecordedTree>, MakeError> {
        let corpus = self.corpus(CorpusId::Ab4)?;
        let title = format!("{} searches", CorpusId::Ab4.fingerprint());
        let stem = format!("{}-searches", corpus.name);
        let path = self.folder().map(|folder| folder.join(cache_file::file_name(&stem, &title)));
        let trees =
            |words: &[u32]| recording::trees_of(words, &corpus.samples, roots, tree::QUIESCENCE);
        let read = path.as_ref().and_then(|path| cache_file::read_words(path, &title));
        if let Some(kept) = read.and_then(|words| trees(&words)) {
            return Ok(kept);
        }
        let sp1 = self.corpus(CorpusId::Sp1)?;
        (self.progress)(&format!("recording the searches of corpus {}", corpus.name));
        let (made, nodes): (Vec<_>, Vec<_>) =
            tree::recorded_ab4(&tree::roots(&sp1.samples))?.into_iter().unzip();
        CorpusId::Ab4.verify(&nodes.concat())?;
        if let Some(path) = path {
            let written = cache_file::write_words(&path, &title, &recording::words_of(&made));
            self.warn(&path, written);
        }
        Ok(made)
    }

    /// Reports once that corpora cannot be kept. A failed write costs the next process some seconds,
    /// nothing else.
    fn warn(&self, path: &Path, written: std::io::Result<()>) {
        if let Err(error) = written
            && !self.warned.swap(true, Ordering::Relaxed)
        {
            (self.progress)(&format!(
                "cannot keep corpora in {} ({error}), so each process makes them again; set \
                 RAYWALK_CACHE to a folder that can be written",
                path.parent().unwrap_or(path).display()
            ));
        }
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, HashMap<CorpusId, Arc<Corpus>>> {
        // Only complete entries are inserted, so the map stays valid when another thread panics.
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn make(&self, id: CorpusId) -> Result<Corpus, MakeError> {
        let needed = id.needs().map(|needed| self.corpus(needed)).transpose()?;
        (self.progress)(&format!("making corpus {}", id.name()));
        let corpus = id.make(needed.as_deref())?;
        if let Some(path) = self.path(id) {
            self.warn(&path, cache_file::write(&path, &corpus));
        }
        Ok(corpus)
    }

    fn load(&self, id: CorpusId) -> Option<Corpus> {
        cache_file::read(&self.path(id)?, &id.name())
    }

    /// The name tells the golden rows, so that a file of an earlier recipe is not found. They cannot be verified
    /// again on every file: some corpora leave boards out after the verification.
    fn path(&self, id: CorpusId) -> Option<PathBuf> {
        let name = cache_file::file_name(&id.name(), &id.fingerprint());
        self.folder.as_ref().map(|folder| folder.join(name))
    }
}

fn default_folder(variable: impl Fn(&str) -> Option<OsString>) -> PathBuf {
    let set = |name| variable(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    if let Some(folder) = set("RAYWALK_CACHE") {
        return folder;
    }
    let user = if cfg!(windows) {
        set("LOCALAPPDATA")
    } else if cfg!(target_os = "macos") {
        set("HOME").map(|home| home.join("Library").join("Caches"))
    } else {
        set("XDG_CACHE_HOME").or_else(|| set("HOME").map(|home| home.join(".cache")))
    };
    user.unwrap_or_else(std::env::temp_dir).join("raywalk")
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;
    use crate::placement::{Kinds, Material};

    const QUEENS: CorpusId = CorpusId::Placed(Material::QUEEN_ENDING);

    #[test]
    fn a_corpus_is_made_once_and_again_after_its_file_was_damaged() {
        let folder = tempfile::tempdir().expect("a folder");
        let made = Arc::new(AtomicUsize::new(0));
        let open = || {
            let made = Arc::clone(&made);
            Store::at(folder.path().join("below")).with_progress(move |line| {
                assert_eq!(line, "making corpus rpf-KkQqPpPpPpPp");
                made.fetch_add(1, Ordering::Relaxed);
            })
        };
        let first = open().corpus(QUEENS).expect("the corpus");
        assert_eq!(made.load(Ordering::Relaxed), 1);
        let again = open().corpus(QUEENS).expect("the corpus");
        assert_eq!((made.load(Ordering::Relaxed), &again), (1, &first));

        let path = open().path(QUEENS).expect("a path");
        fs::write(&path, "not a corpus").expect("the file can be written");
        let repaired = open().corpus(QUEENS).expect("the corpus");
        assert_eq!((made.load(Ordering::Relaxed), &repaired), (2, &first));
        assert!(open().load(QUEENS).is_some(), "the repaired file is not valid");
        let files = fs::read_dir(folder.path().join("below")).expect("the folder").count();
        assert_eq!(files, 1, "an unfinished file is left behind");
    }

    #[test]
    #[ignore = "makes a corpus for some seconds; run by CI with --include-ignored"]
    fn a_corpus_that_leaves_boards_out_is_made_once() {
        let folder = tempfile::tempdir().expect("a folder");
        let sliders = CorpusId::Placed(Material::Drawn(Kinds::Sliders, 24));
        let made = Store::at(folder.path()).corpus(sliders).expect("the corpus");
        assert!(sliders.verify(&made.samples).is_err(), "no board was left out");
        let read = Store::at(folder.path()).load(sliders).expect("the file");
        assert_eq!(read, *made);
    }

    #[test]
    fn a_folder_that_cannot_be_written_only_disables_the_cache() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("a-file");
        fs::write(&file, "").expect("the file can be written");
        let lines = Arc::new(Mutex::new(Vec::new()));
        let kept = Arc::clone(&lines);
        let store = Store::at(file.join("below"))
            .with_progress(move |line| kept.lock().expect("a lock").push(line.to_owned()));
        for _ in 0..2 {
            assert_eq!(store.corpus(QUEENS).expect("the corpus").samples.len(), 65_536);
        }
        let lines = lines.lock().expect("a lock");
        let reasons = lines.iter().filter(|line| line.contains("set RAYWALK_CACHE"));
        assert_eq!(reasons.count(), 1, "{lines:?}");
    }

    #[test]
    fn the_environment_determines_the_folder() {
        let from = |known: &'static [(&str, &str)]| {
            default_folder(move |name| {
                known.iter().find(|(key, _)| *key == name).map(|(_, value)| value.into())
            })
        };
        assert_eq!(from(&[("RAYWALK_CACHE", "here"), ("HOME", "home")]), Path::new("here"));
        assert_eq!(from(&[("RAYWALK_CACHE", "")]), std::env::temp_dir().join("raywalk"));
        if cfg!(all(unix, not(target_os = "macos"))) {
            assert_eq!(from(&[("HOME", "home")]), Path::new("home/.cache/raywalk"));
            let both = from(&[("HOME", "home"), ("XDG_CACHE_HOME", "cache")]);
            assert_eq!(both, Path::new("cache/raywalk"));
        }
    }
}
