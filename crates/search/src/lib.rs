//! What engines share: a budget of nodes and time, what a level means, a transposition table
//! threads may share, the deepening frame with its windows and lines, tables for ordering moves,
//! helpers on other threads, reproducible chance. Knows no game and prints nothing.

mod budget;
mod deepen;
mod level;
mod order;
mod random;
mod signature;
mod table;
mod threads;

pub use budget::Budget;
pub use deepen::{INFINITE, Plan, Root, RootMove, Tree, Window};
pub use level::Level;
pub use order::{History, Killers, Lines};
pub use random::Random;
pub use signature::Signature;
pub use table::{Hit, TranspositionTable};
pub use threads::with_helpers;
