//! The plug-ins of a plan. This crate handles their file names only.

use std::hash::Hasher;
use std::path::Path;

use fnv::FnvHasher;
use serde::{Deserialize, Serialize};

/// A shared library with designs, as it was when the plan was read.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PluginFile {
    /// Its path, absolute, so that the run can be resumed from any folder.
    pub path: String,
    /// FNV-1a 64 over its bytes, sixteen hex digits.
    pub digest: String,
}

/// A plug-in cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("plug-in {path} cannot be read: {why}")]
pub struct PluginError {
    path: String,
    why: String,
}

impl PluginFile {
    /// Reads a file.
    ///
    /// # Errors
    /// [`PluginError`].
    pub fn read(path: &Path) -> Result<PluginFile, PluginError> {
        let error = |why| PluginError { path: path.display().to_string(), why };
        let absolute = path.canonicalize().map_err(|failed| error(failed.to_string()))?;
        // A device may have no end, and a pipe would wait for its writer.
        if !absolute.is_file() {
            return Err(error("it is not a regular file".to_owned()));
        }
        let bytes = std::fs::read(&absolute).map_err(|failed| error(failed.to_string()))?;
        let text = absolute.to_str().ok_or_else(|| error("its path is not UTF-8".to_owned()))?;
        let mut hasher = FnvHasher::default();
        hasher.write(&bytes);
        Ok(PluginFile { path: text.to_owned(), digest: format!("{:016x}", hasher.finish()) })
    }
}
