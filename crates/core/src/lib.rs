//! The game contract of Kiban.
//!
//! A game implements the small static traits of [`rules`](Rules) on a value that carries its
//! variant's options, and describes itself by a [`GameSpec`]. [`Table`] makes the object-safe
//! [`Arbiter`] of any game: the server, the command line and the tests know nothing else.
//!
//! One log: a game is its list of [`Entry`]s. One keyhole: all that leaves for a viewer is
//! computed from [`Rules::known`].

mod arbiter;
mod entry;
mod error;
mod exact;
mod job;
mod judge;
mod line;
mod protocol;
mod puzzle;
mod record;
mod review;
mod rules;
mod scene;
mod seat;
mod spec;
mod table;
mod variant;

pub use arbiter::{Arbiter, Choice, Stage};
pub use entry::{Act, Call, Ending, Entry, Foul, Outcome, Reason, Refusal};
pub use error::{OpenError, ReadError, Where};
pub use exact::{
    Atlas, BuildLimits, BuildTable, Probe, ProbeError, Probed, ProbedMove, SectorSpec, Tables,
};
pub use job::{
    Bench, BestLine, Bound, Clocks, Job, Limits, Mate, Proof, Proved, Report, Score, Stop, Value,
    Workspace,
};
pub use judge::{Judged, judge};
pub use line::{Line, Step};
pub use protocol::{
    Conversation, Desk, Flow, Found, Heard, MakeEngine, MakePilot, Pace, Pilot, Protocol, Task,
};
pub use puzzle::{Aim, Grade, Puzzle};
pub use record::{Claimed, Node, Record, Warning};
pub use review::{Depths, JudgedPly, Mark, Opinion, Review, forced, plies, to_move};
pub use rules::{
    ArrangedKind, Arrangement, Decision, Dice, Game, Notation, PerftCount, Rules, Ruling, Secret,
    Seen, Taps, Thinks, Told, common_call,
};
pub use scene::{Drawing, Fallen, Label, Picture, Place, Scene, ScenePiece, Shape};
pub use seat::{Seat, Seats, Viewer};
pub use spec::{
    Beside, Companion, Conduct, FindProofs, Format, GameSpec, LayoutSpec, Names, Opening, Problem,
    ReadProblems, ReadRecords, SetupSpec, Sink, SolveMate, Source, StreamRecords, WriteBeside,
    WriteRecords, gather, open, perft,
};
pub use table::Table;
pub use variant::{OptionSpec, Variant, VariantSpec};
