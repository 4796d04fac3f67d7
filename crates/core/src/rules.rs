//! The contract: small static traits a game implements once, on a value that carries the
//! variant's options. Hot loops use inherent methods of the game's own types; `Table` makes the
//! object-safe [`crate::Arbiter`] of these.

use crate::{
    Call, GameSpec, Limits, Line, Outcome, ReadError, Reason, Refusal, Report, Scene, Seat, Seats,
    Variant, Viewer, Workspace,
};
use serde::Serialize;
use std::fmt::Debug;

/// A path of taps: places of the board, hand pieces (`hand:P`) or small options (`promote`).
pub type Taps = Vec<String>;

/// A source of chance, passed in: cryptographic where a secret hangs on it, seeded where a run must
/// be repeatable.
pub type Dice<'a> = &'a mut dyn FnMut() -> u64;

/// What is put down before play: a seat's secret layout, the referee's deal. `()` where a game has
/// none.
pub trait Secret: Clone + PartialEq + Send + Sync + 'static {
    /// Reads its text.
    ///
    /// # Errors
    /// Says what is wrong with the text; tells nothing hidden.
    fn read(text: &str) -> Result<Self, ReadError>;
    /// Its text.
    fn write(&self) -> String;
    /// One by chance: the referee's deal; the computer's layout, and that of a person whose time to
    /// arrange runs out.
    fn draw(dice: Dice<'_>) -> Self;
}

/// Nobody is asked for it, so no text is right.
impl Secret for () {
    fn read(_: &str) -> Result<(), ReadError> {
        Err(ReadError::new("no-secret", "Nothing is put down before this game."))
    }

    fn write(&self) -> String {
        String::new()
    }

    fn draw(_: Dice<'_>) {}
}

/// What comes of an accepted call.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ruling<M> {
    /// The game is over.
    End(Outcome),
    /// Play goes on with this move (a skip, a seat going out).
    Goes(M),
}

/// What comes of the calls every game has, where a seat that stops loses to all others. `None`
/// for a call that only some games have.
pub fn common_call<M>(all: Seats, by: Seats, call: Call) -> Option<Result<Ruling<M>, Refusal>> {
    let others: Seats = all.iter().filter(|s| !by.has(*s)).collect();
    if by.iter().any(|s| !all.has(s)) {
        return Some(Err(Refusal::NoSuchCall(call)));
    }
    let lost = |by| Ok(Ruling::End(Outcome::Win { seats: others, by }));
    Some(match call {
        Call::Declare | Call::AgreeImpasse => return None,
        Call::AgreeDraw if by == all => Ok(Ruling::End(Outcome::Draw { by: Reason::AGREEMENT })),
        Call::Resign if !by.is_empty() && !others.is_empty() => lost(Reason::RESIGN),
        Call::Timeout if !by.is_empty() && !others.is_empty() => lost(Reason::TIMEOUT),
        Call::Left if !by.is_empty() && !others.is_empty() => lost(Reason::ABANDONED),
        _ => Err(Refusal::NoSuchCall(call)),
    })
}

/// The rules of a game. The value is the variant's options, a few bytes. What is provided holds in
/// games without layouts, a deal, forced moves and calls of their own.
pub trait Rules: Copy + Send + Sync + 'static {
    /// What the rules need besides history. Equality is "the same for repetition"; counters are
    /// fields outside equality.
    type Position: Clone + Eq + Send + Sync + 'static;
    /// A move.
    type Move: Copy + Eq + Debug + Send + Sync + 'static;
    /// A list of moves.
    type Moves: IntoIterator<Item = Self::Move>;
    /// What `undo` needs.
    type Undo;
    /// Any arrangement a text can describe, admitted or not.
    type Setup: Clone + Send + Sync + 'static;
    /// A seat's secret arrangement; `()` where there is none.
    type Layout: Secret;
    /// The referee's chance; `()` where there is none.
    type Deal: Secret;
    /// All a viewer may know; in open games the whole line.
    type Known: Clone + Send + 'static;
    /// What a viewer sees, as JSON.
    type View: Serialize;

    /// How many seats.
    fn seats(self) -> u8;
    /// Which seats owe a layout before play.
    fn arranging(self) -> Seats {
        Seats::NONE
    }
    /// Whether the referee owes a deal before play.
    fn deals(self) -> bool {
        false
    }
    /// The position play starts from.
    fn start(
        self,
        setup: &Self::Setup,
        layouts: &[Option<Self::Layout>],
        deal: Option<&Self::Deal>,
    ) -> Self::Position;
    /// Whose turn it is.
    fn to_move(self, p: &Self::Position) -> Seat;
    /// The legal moves of the position alone; empty exactly when `ended` is `Some`.
    fn moves(self, p: &Self::Position) -> Self::Moves;
    /// The outcome the position alone gives.
    fn ended(self, p: &Self::Position) -> Option<Outcome>;
    /// Plays a legal move.
    fn play(self, p: &mut Self::Position, m: Self::Move) -> Self::Undo;
    /// Takes back the move just played.
    fn undo(self, p: &mut Self::Position, m: Self::Move, u: Self::Undo);
    /// The legal moves with history (bans); empty when the line is over.
    fn legal(self, line: &Line<Self>) -> Self::Moves;
    /// The outcome with history (repetition, quiet limits); includes `ended`.
    fn verdict(self, line: &Line<Self>) -> Option<Outcome>;
    /// The move that is played without asking (Othello's pass), its own ply.
    fn forced(self, _: &Line<Self>) -> Option<Self::Move> {
        None
    }
    /// The rule a move of this seat breaks; `None` exactly for legal moves. For a seat that is not
    /// to move: the foul of moving out of turn, or `None` where that is simply refused.
    fn foul(self, line: &Line<Self>, seat: Seat, m: Self::Move) -> Option<Reason>;
    /// In a record whose text names no side: who made this move. `turn` unless the move shows
    /// that another seat moved.
    fn author(self, _: &Line<Self>, _: Self::Move, turn: Seat) -> Seat {
        turn
    }
    /// Whether a foul in an archived record decides it.
    fn fouls_decide_records(self) -> bool {
        true
    }
    /// What comes of a call; asked only while the line is not over.
    ///
    /// # Errors
    /// A refusal if it cannot be made now.
    fn call(self, _: &Line<Self>, by: Seats, call: Call) -> Result<Ruling<Self::Move>, Refusal> {
        let common = common_call(Seats::first_n(self.seats()), by, call);
        common.unwrap_or(Err(Refusal::NoSuchCall(call)))
    }
    /// The calls a seat may make now, the buttons to show; asked only while the line is not over.
    fn calls(self, _: &Line<Self>, _: Seat) -> Vec<Call> {
        vec![Call::Resign, Call::AgreeDraw]
    }
    /// The keyhole: the only function that hides anything. All that leaves for a viewer is
    /// computed from its result.
    fn known(self, line: &Line<Self>, who: Viewer) -> Self::Known;
    /// What a viewer sees.
    fn view(self, k: &Self::Known) -> Self::View;
    /// The moves to choose from; asked only for what the seat knows whose turn it is.
    fn choices(self, k: &Self::Known) -> Vec<Self::Move>;
    /// Whether the last move may be taken back: false once something hidden was told.
    fn may_take_back(self, line: &Line<Self>) -> bool;
}

/// One thing a viewer has seen happen.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Seen {
    /// Who did it.
    pub by: Seats,
    /// Its canonical text, as far as the viewer knows it.
    pub text: String,
    /// As players of the game's home country write it.
    pub native: String,
    /// As players elsewhere write it.
    pub western: String,
    /// The places it touched, for the last-move marks and the animation.
    pub taps: Taps,
    /// The places it went over, from the first to the last, where the way is not a straight line.
    pub path: Taps,
    /// Of these, the places whose piece (as it stood before) left the board by it.
    pub fell: Taps,
    /// What the referee announced, in games where one does.
    #[serde(skip)]
    pub told: Vec<Told>,
}

/// One sentence of a referee's announcement.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Told {
    /// Its message.
    pub key: &'static str,
    /// What stands for the message's variables; a value that is itself a message's key is shown
    /// as that message.
    pub values: Vec<(&'static str, String)>,
}

/// What an editor of layouts needs to know of a seat's half; the same for every game of a variant.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Arrangement {
    /// The picture's places, in the order of a layout's text.
    pub places: Vec<String>,
    /// For each place the index of its twin when the layout is mirrored.
    pub mirror: Vec<usize>,
    /// The kinds of pieces, those with the fewest places first: laid in this order at random, there
    /// is always room for the next.
    pub kinds: Vec<ArrangedKind>,
}

/// A kind of piece in a layout.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ArrangedKind {
    /// Its letter in a layout's text.
    pub letter: char,
    /// Its symbol of the picture.
    pub face: String,
    /// The message that names it.
    pub name: String,
    /// How many there are.
    pub count: usize,
    /// Indices of the places it may stand on.
    pub places: Vec<usize>,
    /// The message that says where it may stand, if not everywhere.
    pub why: Option<&'static str>,
}

/// Texts of a game: positions, moves, layouts, deals, taps.
pub trait Notation: Rules {
    /// Reads a position's text; an empty text is the variant's start.
    ///
    /// # Errors
    /// Says which field and character is wrong.
    fn read_setup(self, text: &str) -> Result<Self::Setup, ReadError>;
    /// The rules a read arrangement breaks, a sentence each; empty if it is admitted.
    fn faults(self, setup: &Self::Setup) -> Vec<String>;
    /// An arrangement's canonical text.
    fn write_setup(self, setup: &Self::Setup) -> String;
    /// A position's canonical text as this viewer knows it.
    fn write_position(self, k: &Self::Known) -> String;
    /// Reads a move's text, whatever the position.
    ///
    /// # Errors
    /// Says what is wrong with the text.
    fn read_move(self, text: &str) -> Result<Self::Move, ReadError>;
    /// A move's canonical text.
    fn write_move(self, m: Self::Move) -> String;
    /// What an editor of a seat's layout needs; `None` where the seat lays out nothing.
    fn arrangement(self, _: Seat) -> Option<Arrangement> {
        None
    }
    /// The taps that say a move. No legal choice's path is a prefix of another's.
    fn taps(self, k: &Self::Known, m: Self::Move) -> Taps;
    /// The move a path of taps says, legal or not (official conduct sends free paths).
    ///
    /// # Errors
    /// If the path says no move at all.
    fn read_taps(self, k: &Self::Known, taps: &[String]) -> Result<Self::Move, ReadError>;
    /// What has happened as this viewer knows it, oldest first.
    fn seen(self, k: &Self::Known) -> Vec<Seen>;
    /// What to draw.
    fn scene(self, k: &Self::Known) -> Scene;
    /// The board as text for a terminal.
    fn text(self, k: &Self::Known) -> String;
    /// Whether the seat to move is in check; `None` in games without check.
    fn in_check(self, _: &Self::Known) -> Option<bool> {
        None
    }
    /// The score of `first` and `second`; `None` in games that count none.
    fn score(self, _: &Line<Self>, _ending: Option<Outcome>) -> Option<(i64, i64)> {
        None
    }
}

/// What an engine decides.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Decision<M> {
    /// To move.
    Move(M),
    /// To say something instead.
    Call(Call),
}

/// A game with a computer player.
pub trait Thinks: Notation {
    /// Chooses for the seat whose `known` this is. Called only when that seat has a choice.
    fn think(
        self,
        known: &Self::Known,
        memory: &mut Workspace,
        limits: &Limits,
        report: &mut dyn FnMut(Report),
    ) -> Decision<Self::Move>;
}

/// A whole game: what [`GameSpec`] is made of.
pub trait Game: Thinks {
    /// The game's entry in the registry.
    fn spec() -> &'static GameSpec;
    /// Why options that are sound each by itself cannot stand together; games without such pairs
    /// leave this as it is.
    fn conflict(_: &Variant) -> Option<ReadError> {
        None
    }
    /// The rules of a variant, for a game from this start (`None`: the variant's own).
    fn of(variant: &Variant, start: Option<&str>) -> Self;
    /// The set-up text of the variant's start, drawn with a seed where it is random.
    fn start_text(self, seed: Option<u64>) -> String;
    /// Counts move paths. `divide` gives the count below each move.
    fn perft(self, p: &Self::Position, depth: u32, divide: bool) -> PerftCount;
}

/// A count of move paths.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct PerftCount {
    /// Leaves.
    pub nodes: u64,
    /// Leaves below each move, if asked.
    pub divide: Option<Vec<(String, u64)>>,
}
