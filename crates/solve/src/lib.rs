//! The retrograde kit: what games that can be solved share.
//!
//! A game is cut into *sectors*, sets of positions that moves leave only towards smaller sectors.
//! The positions of a sector have dense numbers ([`subsets`] helps to make them). [`solve`] finds the
//! exact value and distance of each, from the ends backwards in waves of equal distance; the result
//! is a packed [`Table`], kept in memory or in a checksummed file by a [`Library`].

mod check;
mod error;
mod exact;
mod file;
mod library;
mod packed;
mod sector;
mod shelf;
pub mod subsets;
mod waves;
mod worth;

pub use check::check;
pub use error::SolveError;
pub use exact::Exact;
pub use file::{Header, TableFile, list, place};
pub use library::{Game, Library, Within, command, over};
pub use sector::{Sector, Start};
pub use shelf::Shelf;
pub use waves::{BYTES_AN_ENTRY, Table, Tally, solve};
pub use worth::Worth;
