//! Whole archives: many files, folders, patterns and zip archives, worked on by all cores in
//! bounded memory, with results in a stable order.

mod companions;
mod pipeline;
mod progress;
mod sources;
mod zips;

pub(crate) use companions::Targets;
pub(crate) use pipeline::{Feed, in_order, threads};
pub(crate) use progress::Progress;
pub(crate) use sources::{Item, Sources, is_archive};
