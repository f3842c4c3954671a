//! The store: corpora are made once and kept in a folder.
//!
//! A file that is missing, short, damaged, of another version or of another corpus is made again
//! without a word; what a cache holds is never worth an error. A folder that cannot be written is
//! no error either: then every process makes what it needs.
//!
//! # File
//! Little-endian. Magic `raywalkp`, version (u32), zero (u32), FNV-1a of the corpus name (u64),
//! number of records (u64); the records of 32 bytes; FNV-1a of all bytes before (u64).

use std::collections::HashMap;
use std::ffi::OsString;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use raywalk_core::Position;

use crate::corpus::MakeError;
use crate::digest::Fnv;
use crate::packed::{self, BYTES, Record};
use crate::workload::{Workload, WorkloadError};
use crate::{Corpus, CorpusId, Sample, golden, oracle};

const MAGIC: [u8; 8] = *b"raywalkp";
/// To be raised whenever the layout or any recipe changes.
const VERSION: u32 = 1;
const HEADER: usize = 32;
const TRAILER: usize = 8;

/// Where corpora come from: memory, the cache folder, or their recipes.
pub struct Store {
    folder: Option<PathBuf>,
    progress: Box<dyn Fn(&str) + Send + Sync>,
    kept: Mutex<HashMap<CorpusId, Arc<Corpus>>>,
}

impl Store {
    /// A store in the user's cache folder.
    ///
    /// `RAYWALK_CACHE` names the folder itself. Otherwise it is `raywalk` in `XDG_CACHE_HOME` or
    /// `~/.cache`, in `~/Library/Caches` on macOS, in `%LOCALAPPDATA%` on Windows, or else in the
    /// folder for temporary files.
    pub fn open_default() -> Store {
        Store::at(default_folder(|name| std::env::var_os(name)))
    }

    /// A store in this folder, which is created when something is written.
    pub fn at(folder: impl Into<PathBuf>) -> Store {
        Store { folder: Some(folder.into()), ..Store::in_memory() }
    }

    /// A store that writes nothing.
    pub fn in_memory() -> Store {
        Store { folder: None, progress: Box::new(|_| ()), kept: Mutex::default() }
    }

    /// Tells `progress` in one line what is being made, before anything that takes a while.
    #[must_use]
    pub fn with_progress(self, progress: impl Fn(&str) + Send + Sync + 'static) -> Store {
        Store { progress: Box::new(progress), ..self }
    }

    /// The folder, if there is one.
    pub fn folder(&self) -> Option<&Path> {
        self.folder.as_deref()
    }

    /// A corpus, loaded or made.
    ///
    /// # Errors
    /// [`MakeError`] if it has to be made and does not come out as it is known to.
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

    /// The workload of this name.
    ///
    /// # Errors
    /// [`WorkloadError`] if there is none of that name, with near ones, or a corpus cannot be made.
    pub fn workload(&self, name: &str) -> Result<Workload, WorkloadError> {
        Workload::load(name, self)
    }

    /// The first `count` positions of a workload, kept in a small file of their own: for readers to
    /// whom loading and checking a whole corpus is dear, such as a program under a simulator.
    ///
    /// # Errors
    /// As [`Store::workload`], if they are not kept yet.
    pub fn first(&self, name: &str, count: usize) -> Result<Vec<Position>, WorkloadError> {
        let title = format!("{name} first {count}");
        let path = self.folder.as_ref().map(|folder| {
            folder
                .join(format!("{name}-first-{count}-{:016x}.positions", Fnv::of(title.as_bytes())))
        });
        let kept = path.as_ref().and_then(|path| decode(&fs::read(path).ok()?, &title));
        if let Some(corpus) = kept {
            return Ok(corpus.samples.iter().map(|sample| sample.position).collect());
        }
        let workload = self.workload(name)?;
        let positions: Vec<Position> = workload.positions.iter().take(count).copied().collect();
        if let Some(path) = path {
            let sample = |position| Ok(Sample::of(&oracle::board(position)?, 0));
            let samples = positions.iter().map(sample).collect::<Result<_, WorkloadError>>()?;
            // As with a corpus: what could not be kept is made again.
            let _ = write(&path, &encode(&Corpus::new(title, samples)));
        }
        Ok(positions)
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, HashMap<CorpusId, Arc<Corpus>>> {
        // Entries are only ever added whole, so a panic elsewhere leaves none half made.
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn make(&self, id: CorpusId) -> Result<Corpus, MakeError> {
        let needed = id.needs().map(|needed| self.corpus(needed)).transpose()?;
        (self.progress)(&format!("making corpus {}", id.name()));
        let corpus = id.make(needed.as_deref())?;
        if let Some(path) = self.path(id) {
            // The corpus is at hand; that it could not be kept costs the next process some seconds.
            let _ = write(&path, &encode(&corpus));
        }
        Ok(corpus)
    }

    fn load(&self, id: CorpusId) -> Option<Corpus> {
        let corpus = decode(&fs::read(self.path(id)?).ok()?, &id.name())?;
        // The golden numbers may have been changed, by a change of the recipe, since it was made.
        golden::verify(id, &corpus.samples).ok()?;
        Some(corpus)
    }

    fn path(&self, id: CorpusId) -> Option<PathBuf> {
        // Fixed lists of pieces differ in upper and lower case, which some file systems do not.
        let name = format!("{}-{:016x}.positions", id.name(), Fnv::of(id.name().as_bytes()));
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

fn encode(corpus: &Corpus) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(HEADER + BYTES * corpus.samples.len() + TRAILER);
    bytes.extend(MAGIC);
    bytes.extend(VERSION.to_le_bytes());
    bytes.extend(0u32.to_le_bytes());
    bytes.extend(Fnv::of(corpus.name.as_bytes()).to_le_bytes());
    bytes.extend((corpus.samples.len() as u64).to_le_bytes());
    for sample in &corpus.samples {
        bytes.extend(packed::pack(sample));
    }
    bytes.extend(Fnv::of(&bytes).to_le_bytes());
    bytes
}

/// The corpus of this name in these bytes, or `None` if they hold anything else.
fn decode(bytes: &[u8], name: &str) -> Option<Corpus> {
    let (body, checksum) = bytes.split_last_chunk::<TRAILER>()?;
    let (header, records) = body.split_first_chunk::<HEADER>()?;
    let (records, rest) = records.as_chunks::<BYTES>();
    let right = header[..8] == MAGIC
        && header[8..12] == VERSION.to_le_bytes()
        && header[16..24] == Fnv::of(name.as_bytes()).to_le_bytes()
        && header[24..32] == (records.len() as u64).to_le_bytes()
        && rest.is_empty()
        && *checksum == Fnv::of(body).to_le_bytes();
    if !right {
        return None;
    }
    let samples: Option<Vec<_>> =
        records.iter().map(|record: &Record| packed::unpack(record)).collect();
    Some(Corpus::new(name.to_owned(), samples?))
}

/// Writes a whole file under its name or nothing: other processes may be reading or writing it.
fn write(path: &Path, bytes: &[u8]) -> io::Result<()> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)?;
    }
    // Threads of one process may make the same corpus too.
    static NUMBER: AtomicU32 = AtomicU32::new(0);
    let number = NUMBER.fetch_add(1, Ordering::Relaxed);
    let unfinished = path.with_extension(format!("{}-{number}.tmp", std::process::id()));
    let written = fs::write(&unfinished, bytes).and_then(|()| fs::rename(&unfinished, path));
    if written.is_err() {
        let _ = fs::remove_file(&unfinished);
    }
    written
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicUsize;

    use super::*;
    use crate::placement::Material;

    const QUEENS: CorpusId = CorpusId::Placed(Material::QUEEN_ENDING);

    fn small() -> Corpus {
        let samples = crate::placement::place(Material::QUEEN_ENDING, 100, 9);
        Corpus::new(QUEENS.name(), samples)
    }

    #[test]
    fn a_corpus_survives_its_file() {
        let corpus = small();
        assert_eq!(decode(&encode(&corpus), &corpus.name), Some(corpus));
    }

    #[test]
    fn the_first_positions_are_the_same_from_their_own_file() {
        let folder = tempfile::tempdir().expect("a folder");
        let store = Store::at(folder.path());
        let made = store.first("tricky", 40).expect("the facts");
        assert_eq!(made[..], store.workload("tricky").expect("the facts").positions[..40]);
        assert_eq!(fs::read_dir(folder.path()).expect("the folder").count(), 1);
        assert_eq!(Store::at(folder.path()).first("tricky", 40).expect("kept"), made);
    }

    #[test]
    fn a_damaged_file_is_not_taken_wherever_the_damage_is() {
        let corpus = small();
        let bytes = encode(&corpus);
        for place in (0..bytes.len()).step_by(7) {
            let mut damaged = bytes.clone();
            damaged[place] ^= 16;
            assert_eq!(decode(&damaged, &corpus.name), None, "byte {place}");
        }
        for length in [0, 7, HEADER, bytes.len() - BYTES, bytes.len() - 1] {
            assert_eq!(decode(&bytes[..length], &corpus.name), None, "{length} bytes");
        }
        assert_eq!(decode(&bytes, "sp1"), None);
    }

    #[test]
    fn a_file_of_another_version_is_not_taken() {
        let corpus = small();
        let mut bytes = encode(&corpus);
        bytes[8] += 1;
        let end = bytes.len() - TRAILER;
        let checksum = Fnv::of(&bytes[..end]).to_le_bytes();
        bytes[end..].copy_from_slice(&checksum);
        assert_eq!(decode(&bytes, &corpus.name), None);
    }

    #[test]
    fn a_corpus_is_made_once_and_again_when_its_file_is_broken() {
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
        assert!(open().load(QUEENS).is_some(), "the repaired file is whole");
        let files = fs::read_dir(folder.path().join("below")).expect("the folder").count();
        assert_eq!(files, 1, "nothing unfinished is left behind");
    }

    #[test]
    fn a_folder_that_cannot_be_written_costs_nothing_but_the_cache() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("a-file");
        fs::write(&file, "").expect("the file can be written");
        let store = Store::at(file.join("below"));
        assert_eq!(store.corpus(QUEENS).expect("the corpus").samples.len(), 65_536);
    }

    #[test]
    fn the_folder_is_the_one_the_user_named_or_the_systems() {
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
