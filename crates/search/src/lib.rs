//! What engines share: a budget of nodes and time, what a level means, a transposition table,
//! reproducible chance. Knows no game and prints nothing.

mod budget;
mod level;
mod random;
mod table;

pub use budget::Budget;
pub use level::Level;
pub use random::Random;
pub use table::{Hit, TranspositionTable};
