//! Cache files: a corpus or recorded searches, with a checksum.
//!
//! Little-endian. Magic `raywalkp` for a corpus, `raywalks` for searches, version (u32), zero (u32),
//! FNV-1a of the name (u64), number of records (u64); the records, of 32 bytes or four; FNV-1a of all
//! bytes before (u64).

use std::fs;
use std::hash::Hasher;
use std::io;
use std::path::Path;
use std::sync::atomic::{AtomicU32, Ordering};

use fnv::FnvHasher;

use crate::corpus::Corpus;
use crate::packed::{self, BYTES, Record};

const POSITIONS: [u8; 8] = *b"raywalkp";
const SEARCHES: [u8; 8] = *b"raywalks";
/// Increase it whenever the layout or any recipe changes.
const VERSION: u32 = 2;
const HEADER: usize = 32;
const TRAILER: usize = 8;

/// The file name of what has this title: `stem`, then a hash of the title that keeps apart titles
/// that differ in case only, because some file systems ignore case.
pub(crate) fn file_name(stem: &str, title: &str) -> String {
    format!("{stem}-{:016x}.positions", fnv1a(title.as_bytes()))
}

/// Reads the corpus of this name. `None` if the file is missing, damaged, of another version or of
/// another corpus, or if it is not a regular file: opening a pipe would wait for its writer.
pub(crate) fn read(path: &Path, name: &str) -> Option<Corpus> {
    decode(&bytes_of(path)?, name)
}

/// Reads the words of the recorded searches of this name. `None` as for [`read`].
pub(crate) fn read_words(path: &Path, name: &str) -> Option<Vec<u32>> {
    let bytes = bytes_of(path)?;
    let words: &[[u8; 4]] = opened(&bytes, SEARCHES, name)?;
    Some(words.iter().map(|&word| u32::from_le_bytes(word)).collect())
}

fn bytes_of(path: &Path) -> Option<Vec<u8>> {
    if !fs::metadata(path).ok()?.is_file() {
        return None;
    }
    fs::read(path).ok()
}

/// Writes a corpus. The file appears under its name only when it is complete, because other
/// processes may read or write it at the same time.
///
/// # Errors
/// The folder or the file cannot be written.
pub(crate) fn write(path: &Path, corpus: &Corpus) -> io::Result<()> {
    write_bytes(path, &encode(corpus))
}

/// Writes the words of recorded searches, as [`write`] writes a corpus.
///
/// # Errors
/// The folder or the file cannot be written.
pub(crate) fn write_words(path: &Path, name: &str, words: &[u32]) -> io::Result<()> {
    write_bytes(path, &sealed(SEARCHES, name, words.iter().map(|word| word.to_le_bytes())))
}

fn write_bytes(path: &Path, bytes: &[u8]) -> io::Result<()> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)?;
    }
    // The process id is not enough: threads of one process may write the same corpus too.
    static NUMBER: AtomicU32 = AtomicU32::new(0);
    let number = NUMBER.fetch_add(1, Ordering::Relaxed);
    let unfinished = path.with_extension(format!("{}-{number}.tmp", std::process::id()));
    let written = fs::write(&unfinished, bytes).and_then(|()| fs::rename(&unfinished, path));
    if written.is_err() {
        let _ = fs::remove_file(&unfinished);
    }
    written
}

fn encode(corpus: &Corpus) -> Vec<u8> {
    sealed(POSITIONS, &corpus.name, corpus.samples.iter().map(packed::pack))
}

fn decode(bytes: &[u8], name: &str) -> Option<Corpus> {
    let records: &[Record] = opened::<BYTES>(bytes, POSITIONS, name)?;
    let samples: Option<Vec<_>> = records.iter().map(packed::unpack).collect();
    Some(Corpus::new(name.to_owned(), samples?))
}

/// The bytes of a file with these records.
fn sealed<const N: usize>(
    magic: [u8; 8],
    name: &str,
    records: impl ExactSizeIterator<Item = [u8; N]>,
) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(HEADER + N * records.len() + TRAILER);
    bytes.extend(magic);
    bytes.extend(VERSION.to_le_bytes());
    bytes.extend(0u32.to_le_bytes());
    bytes.extend(fnv1a(name.as_bytes()).to_le_bytes());
    bytes.extend((records.len() as u64).to_le_bytes());
    records.for_each(|record| bytes.extend(record));
    bytes.extend(fnv1a(&bytes).to_le_bytes());
    bytes
}

/// The records in the bytes of a file, if it is whole and has this magic and name.
fn opened<'a, const N: usize>(
    bytes: &'a [u8],
    magic: [u8; 8],
    name: &str,
) -> Option<&'a [[u8; N]]> {
    let (body, checksum) = bytes.split_last_chunk::<TRAILER>()?;
    let (header, records) = body.split_first_chunk::<HEADER>()?;
    let (records, rest) = records.as_chunks::<N>();
    let valid = header[..8] == magic
        && header[8..12] == VERSION.to_le_bytes()
        && header[16..24] == fnv1a(name.as_bytes()).to_le_bytes()
        && header[24..32] == (records.len() as u64).to_le_bytes()
        && rest.is_empty()
        && *checksum == fnv1a(body).to_le_bytes();
    valid.then_some(records)
}

fn fnv1a(bytes: &[u8]) -> u64 {
    let mut hasher = FnvHasher::default();
    hasher.write(bytes);
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::placement::{Material, place};

    fn small() -> Corpus {
        Corpus::new("queens".to_owned(), place(Material::QUEEN_ENDING, 100, 9))
    }

    #[test]
    fn encoding_and_decoding_restores_a_corpus() {
        let corpus = small();
        assert_eq!(decode(&encode(&corpus), &corpus.name), Some(corpus));
    }

    #[test]
    fn words_come_back_under_their_own_name_only() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("words");
        let words = [0, 7, u32::MAX];
        write_words(&path, "searches", &words).expect("written");
        assert_eq!(read_words(&path, "searches").as_deref(), Some(&words[..]));
        assert_eq!(read_words(&path, "others"), None);
        assert_eq!(read(&path, "searches"), None, "it is no corpus");
        write(&path, &small()).expect("written");
        assert_eq!(read_words(&path, "queens"), None, "it is a corpus");
    }

    #[test]
    #[cfg(unix)]
    fn a_pipe_in_place_of_a_file_is_not_opened() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("pipe");
        let made = std::process::Command::new("mkfifo").arg(&path).status();
        assert!(made.expect("mkfifo").success());
        assert_eq!(read(&path, "queens"), None);
        write(&path, &small()).expect("the pipe is replaced");
        assert_eq!(read(&path, "queens"), Some(small()));
    }

    #[test]
    fn damage_anywhere_in_a_file_is_detected() {
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
    fn a_file_of_another_version_is_rejected() {
        let corpus = small();
        let mut bytes = encode(&corpus);
        bytes[8] += 1;
        let end = bytes.len() - TRAILER;
        let checksum = fnv1a(&bytes[..end]).to_le_bytes();
        bytes[end..].copy_from_slice(&checksum);
        assert_eq!(decode(&bytes, &corpus.name), None);
    }

    #[test]
    fn names_that_differ_in_case_have_different_files() {
        assert_ne!(
            file_name("rpf-Kk", "rpf-Kk").to_lowercase(),
            file_name("rpf-kK", "rpf-kK").to_lowercase()
        );
    }
}
