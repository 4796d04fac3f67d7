//! What this machine has: the data folder and memory.

use crate::error::Failure;
use std::path::PathBuf;

/// The user's data folder.
pub(crate) fn data_folder() -> Option<PathBuf> {
    kiban_web::data_folder(|name| std::env::var(name).ok())
}

/// The folder of solved tables in it.
pub(crate) fn tables_folder() -> Option<PathBuf> {
    Some(data_folder()?.join("tables"))
}

/// Why there is no such folder.
pub(crate) fn no_data_folder() -> Failure {
    let message = "There is no data folder, since no home is known; set KIBAN_DATA to one.";
    Failure::no_answer("no-data-folder", message)
}

/// All memory in bytes, where the system tells.
pub(crate) fn memory() -> Option<u64> {
    fact("MemTotal:")
}

/// Memory in bytes that a program could get, where the system tells.
pub(crate) fn free_memory() -> Option<u64> {
    fact("MemAvailable:")
}

fn fact(name: &str) -> Option<u64> {
    let facts = std::fs::read_to_string("/proc/meminfo").ok()?;
    let total = facts.lines().find_map(|line| line.strip_prefix(name))?;
    let kib: u64 = total.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kib * 1024)
}
