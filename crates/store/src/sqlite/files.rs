//! Whether the files of a database are still where they were.
//!
//! A file that was deleted or replaced can still be written by who has it open, and is gone when
//! they close it: nothing that is written then may be acknowledged.

use std::path::{Path, PathBuf};

use crate::StoreError;

/// The files of a database, and which ones they are.
#[derive(Default)]
pub(super) struct Files(Vec<(PathBuf, Option<Identity>)>);

/// Device and number of a file.
type Identity = (u64, u64);

impl Files {
    /// Those files, as they are now; one that is missing yet may come later.
    pub(super) fn of(paths: impl IntoIterator<Item = PathBuf>) -> Self {
        Self(
            paths
                .into_iter()
                .map(|path| {
                    let known = identity(&path);
                    (path, known)
                })
                .collect(),
        )
    }

    /// Checks that each is still the one it was.
    pub(super) fn check(&mut self) -> Result<(), StoreError> {
        for (path, known) in &mut self.0 {
            let now = identity(path);
            if known.is_none() {
                *known = now;
            }
            if *known != now {
                return Err(StoreError::Gone { path: path.clone() });
            }
        }
        Ok(())
    }
}

#[cfg(unix)]
fn identity(path: &Path) -> Option<Identity> {
    use std::os::unix::fs::MetadataExt;
    let found = std::fs::metadata(path).ok()?;
    Some((found.dev(), found.ino()))
}

/// Elsewhere a file that is open cannot be taken away.
#[cfg(not(unix))]
fn identity(_: &Path) -> Option<Identity> {
    None
}
