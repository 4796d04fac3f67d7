//! A position: board, hands and side to move, with moves made and taken back.

mod faults;

pub use faults::Fault;

use crate::attacks;
use crate::bitboard::Bitboard;
use crate::moves::{Color, Hand, Move, Piece, PieceKind, Square};
use crate::sfen::Setup;
use crate::zobrist;
use std::fmt;
use std::hash::{Hash, Hasher};

/// Pieces that move alike share a bitboard: gold and the four small promoted pieces do.
pub(crate) mod class {
    pub(crate) const PAWN: usize = 0;
    pub(crate) const LANCE: usize = 1;
    pub(crate) const KNIGHT: usize = 2;
    pub(crate) const SILVER: usize = 3;
    pub(crate) const GOLD: usize = 4;
    pub(crate) const BISHOP: usize = 5;
    pub(crate) const ROOK: usize = 6;
    pub(crate) const KING: usize = 7;
    pub(crate) const HORSE: usize = 8;
    pub(crate) const DRAGON: usize = 9;
    pub(crate) const COUNT: usize = 10;

    /// The class of each kind, by code.
    pub(crate) const OF: [usize; 16] = [0, 1, 2, 3, 4, 5, 6, 7, 4, 4, 4, 4, 4, 8, 9, 7];
}

/// A legal position: at least one king, at most one a side, no dead piece, no two pawns of one
/// side on a file, no more pieces than a set, the side not to move not in check.
///
/// Two positions are equal if board, both hands and side to move are, as the repetition rule
/// wants it; the move number is outside.
#[derive(Clone)]
pub struct Position {
    pub(crate) classes: [Bitboard; class::COUNT],
    pub(crate) colors: [Bitboard; 2],
    pub(crate) hands: [Hand; 2],
    key: u64,
    number: u32,
    pub(crate) turn: Color,
    pub(crate) board: [Option<Piece>; Square::COUNT],
}

/// What [`Position::play`] could not restore from the move alone.
#[derive(Clone, Copy, Debug)]
pub struct Undo {
    captured: Option<Piece>,
    number: u32,
    key: u64,
}

/// A move made by the side that had just moved.
pub(crate) struct MovedOn(Move, Undo);

impl Undo {
    /// The piece taken, of the opponent's colour and as it stood on the board.
    #[inline]
    #[must_use]
    pub const fn captured(self) -> Option<Piece> {
        self.captured
    }
}

impl Position {
    /// The start position of an even game.
    #[must_use]
    pub fn start() -> Self {
        Self::from_setup(&Setup::start()).expect("the start position has no fault")
    }

    /// The position of a setup.
    ///
    /// # Errors
    /// All the faults of the setup ([`Setup::faults`]).
    pub fn from_setup(setup: &Setup) -> Result<Self, Vec<Fault>> {
        let faults = setup.faults();
        if faults.is_empty() { Ok(Self::from_setup_unchecked(setup)) } else { Err(faults) }
    }

    /// The position of a setup that has no more pieces than a set, whatever else is wrong.
    fn from_setup_unchecked(setup: &Setup) -> Self {
        let mut position = Self {
            classes: [Bitboard::EMPTY; class::COUNT],
            colors: [Bitboard::EMPTY; 2],
            hands: [Hand::EMPTY; 2],
            key: 0,
            number: setup.number,
            turn: setup.turn,
            board: [None; Square::COUNT],
        };
        for square in Square::all() {
            if let Some(piece) = setup.board[square.index()] {
                position.put(piece, square);
            }
        }
        for color in Color::BOTH {
            for kind in PieceKind::HAND {
                for _ in 0..setup.hands[color.index()][kind.index()] {
                    position.hands[color.index()] = position.hands[color.index()].with(kind);
                }
            }
        }
        position.key = position.computed_key();
        position
    }

    /// The position as a setup.
    #[must_use]
    pub fn to_setup(&self) -> Setup {
        let counts = |hand: Hand| PieceKind::HAND.map(|kind| hand.count(kind));
        Setup {
            board: self.board,
            hands: self.hands.map(counts),
            turn: self.turn,
            number: self.number,
        }
    }

    /// The position in SFEN, move number included.
    #[must_use]
    pub fn to_sfen(&self) -> String {
        self.to_setup().to_sfen()
    }

    /// The side to move.
    #[inline(always)]
    #[must_use]
    pub const fn turn(&self) -> Color {
        self.turn
    }

    /// The number of the next move, as counted by the setup and one up with each move.
    #[inline]
    #[must_use]
    pub const fn number(&self) -> u32 {
        self.number
    }

    /// The Zobrist key; equal positions have equal keys.
    #[inline(always)]
    #[must_use]
    pub const fn key(&self) -> u64 {
        self.key
    }

    /// The piece on a square.
    #[inline(always)]
    #[must_use]
    pub const fn piece_at(&self, square: Square) -> Option<Piece> {
        self.board[square.index()]
    }

    /// What a player holds in hand.
    #[inline(always)]
    #[must_use]
    pub const fn hand(&self, color: Color) -> Hand {
        self.hands[color.index()]
    }

    /// All occupied squares.
    #[inline(always)]
    #[must_use]
    pub fn occupied(&self) -> Bitboard {
        self.colors[0] | self.colors[1]
    }

    /// The squares occupied by one side.
    #[inline(always)]
    #[must_use]
    pub const fn pieces_of(&self, color: Color) -> Bitboard {
        self.colors[color.index()]
    }

    /// The squares of one side's pieces of a kind.
    #[inline]
    #[must_use]
    pub fn pieces(&self, color: Color, kind: PieceKind) -> Bitboard {
        let alike = self.of(color, class::OF[kind.index() & 15]);
        if class::OF[kind.index() & 15] != class::GOLD {
            return alike;
        }
        let piece = Some(Piece::new(color, kind));
        alike.into_iter().filter(|square| self.board[square.index()] == piece).collect()
    }

    /// The squares of one side's golds and the promoted pieces that move as gold.
    #[inline]
    #[must_use]
    pub fn gold_movers(&self, color: Color) -> Bitboard {
        self.of(color, class::GOLD)
    }

    #[inline(always)]
    pub(crate) fn of(&self, color: Color, class: usize) -> Bitboard {
        self.classes[class] & self.colors[color.index()]
    }

    /// The square of a king, none if that side has no king.
    #[inline(always)]
    #[must_use]
    pub fn king(&self, color: Color) -> Option<Square> {
        self.of(color, class::KING).first()
    }

    #[inline(always)]
    fn put(&mut self, piece: Piece, square: Square) {
        self.board[square.index()] = Some(piece);
        self.toggle(piece, Bitboard::of(square));
    }

    #[inline(always)]
    fn toggle(&mut self, piece: Piece, squares: Bitboard) {
        self.classes[class::OF[piece.kind().index() & 15]] ^= squares;
        self.colors[piece.color().index()] ^= squares;
    }

    /// The piece a move moves, as it stands before, or drops; there must be one.
    #[inline]
    #[must_use]
    pub fn mover(&self, m: Move) -> Piece {
        match (m.dropped(), m.from()) {
            (None, Some(from)) => self.board[from.index()].expect("a piece stands on the origin"),
            (kind, _) => Piece::new(self.turn, kind.expect("a move without an origin is a drop")),
        }
    }

    /// Makes a move that must be legal here; checked in debug builds only.
    #[inline]
    pub fn play(&mut self, m: Move) -> Undo {
        debug_assert!(self.is_legal(m), "{m} is not legal in {self:?}");
        let undo = self.apply::<true>(m);
        self.number = self.number.saturating_add(1);
        debug_assert!(self.is_consistent());
        undo
    }

    /// Takes back the move just made by [`Self::play`].
    #[inline]
    pub fn undo(&mut self, m: Move, undo: Undo) {
        self.revert(m, undo);
        self.number = undo.number;
        self.key = undo.key;
        debug_assert!(self.is_consistent());
    }

    /// Gives the turn to the opponent without a move, for a search; the same call takes it back.
    /// The side to move must not be in check. The move number does not change.
    #[inline]
    pub fn pass(&mut self) {
        debug_assert!(!self.in_check());
        self.turn = !self.turn;
        self.key ^= zobrist::gote_to_move();
    }

    /// The side that has just moved moves the piece on `from` once more, to an empty square, and the
    /// turn stays. `None`, and nothing changes, if that would leave its own king in check.
    pub(crate) fn move_on(&mut self, from: Square, to: Square, promotes: bool) -> Option<MovedOn> {
        let m = Move::board(from, to, promotes);
        self.turn = !self.turn;
        self.key ^= zobrist::gote_to_move();
        if self.exposes_king(m) {
            self.turn = !self.turn;
            self.key ^= zobrist::gote_to_move();
            return None;
        }
        let undo = self.apply::<true>(m);
        Some(MovedOn(m, undo))
    }

    /// Takes back what [`Self::move_on`] did.
    pub(crate) fn take_back(&mut self, MovedOn(m, undo): MovedOn) {
        self.revert(m, undo);
        self.turn = !self.turn;
        self.key = undo.key ^ zobrist::gote_to_move();
        debug_assert!(self.is_consistent());
    }

    /// The key without the hands.
    pub(crate) fn board_key(&self) -> u64 {
        let hands = Color::BOTH.into_iter().flat_map(|color| {
            self.hand(color).iter().map(move |(kind, count)| zobrist::hand(color, kind, count))
        });
        hands.fold(self.key, |key, hand| key ^ hand)
    }

    /// Makes a move; perft needs no keys (`KEYED`).
    #[inline(always)]
    pub(crate) fn apply<const KEYED: bool>(&mut self, m: Move) -> Undo {
        let (us, to) = (self.turn, m.to());
        let mut undo = Undo { captured: None, number: self.number, key: self.key };
        let mut key = self.key ^ zobrist::gote_to_move();
        if let Some(from) = m.from() {
            let piece = self.board[from.index()].expect("a piece stands on the origin");
            let placed = if m.promotes() { piece.promote() } else { piece };
            undo.captured = self.board[to.index()];
            if let Some(taken) = undo.captured {
                self.toggle(taken, Bitboard::of(to));
                let kind = taken.kind().unpromoted();
                let hand = self.hands[us.index()];
                self.hands[us.index()] = hand.with(kind);
                if KEYED {
                    let count = hand.count(kind);
                    key ^= zobrist::piece(taken, to)
                        ^ zobrist::hand(us, kind, count)
                        ^ zobrist::hand(us, kind, count + 1);
                }
            }
            if KEYED {
                key ^= zobrist::piece(piece, from) ^ zobrist::piece(placed, to);
            }
            self.board[from.index()] = None;
            self.board[to.index()] = Some(placed);
            self.classes[class::OF[piece.kind().index() & 15]] ^= Bitboard::of(from);
            self.classes[class::OF[placed.kind().index() & 15]] ^= Bitboard::of(to);
            self.colors[us.index()] ^= Bitboard::of(from) | Bitboard::of(to);
        } else {
            let kind = m.dropped().expect("a move without an origin is a drop");
            let piece = Piece::new(us, kind);
            let hand = self.hands[us.index()];
            self.hands[us.index()] = hand.without(kind);
            self.put(piece, to);
            if KEYED {
                let count = hand.count(kind);
                key ^= zobrist::piece(piece, to)
                    ^ zobrist::hand(us, kind, count)
                    ^ zobrist::hand(us, kind, count - 1);
            }
        }
        self.turn = !us;
        if KEYED {
            self.key = key;
        }
        undo
    }

    /// Takes a move back; neither key nor number.
    #[inline(always)]
    pub(crate) fn revert(&mut self, m: Move, undo: Undo) {
        let (us, to) = (!self.turn, m.to());
        let placed = self.board[to.index()].expect("the moved piece stands on the destination");
        self.turn = us;
        self.board[to.index()] = undo.captured;
        if let Some(from) = m.from() {
            let piece = if m.promotes() { placed.unpromote() } else { placed };
            self.board[from.index()] = Some(piece);
            self.classes[class::OF[placed.kind().index() & 15]] ^= Bitboard::of(to);
            self.classes[class::OF[piece.kind().index() & 15]] ^= Bitboard::of(from);
            self.colors[us.index()] ^= Bitboard::of(from) | Bitboard::of(to);
            if let Some(taken) = undo.captured {
                self.toggle(taken, Bitboard::of(to));
                let hand = self.hands[us.index()];
                self.hands[us.index()] = hand.without(taken.kind().unpromoted());
            }
        } else {
            self.toggle(placed, Bitboard::of(to));
            self.hands[us.index()] = self.hands[us.index()].with(placed.kind());
        }
    }

    /// The key computed from nothing.
    fn computed_key(&self) -> u64 {
        let mut key = match self.turn {
            Color::Sente => 0,
            Color::Gote => zobrist::gote_to_move(),
        };
        for square in self.occupied() {
            let piece = self.board[square.index()].expect("occupied");
            key ^= zobrist::piece(piece, square);
        }
        for color in Color::BOTH {
            for (kind, count) in self.hand(color).iter() {
                key ^= zobrist::hand(color, kind, count);
            }
        }
        key
    }

    /// Whether bitboards and key say what the board says.
    fn is_consistent(&self) -> bool {
        let mut classes = [Bitboard::EMPTY; class::COUNT];
        let mut colors = [Bitboard::EMPTY; 2];
        for square in Square::all() {
            if let Some(piece) = self.board[square.index()] {
                classes[class::OF[piece.kind().index() & 15]] |= Bitboard::of(square);
                colors[piece.color().index()] |= Bitboard::of(square);
            }
        }
        classes == self.classes && colors == self.colors && self.key == self.computed_key()
    }

    /// The squares of the pieces of `color` that attack `square`, whoever stands there. Pins are
    /// not considered.
    #[must_use]
    pub fn attackers_to(&self, square: Square, color: Color) -> Bitboard {
        self.attackers_with(square, color, self.occupied())
    }

    /// The same with other squares occupied than there are; attackers are still those on the board.
    #[inline]
    pub(crate) fn attackers_with(&self, to: Square, by: Color, occupied: Bitboard) -> Bitboard {
        self.step_attackers(to, by) | self.line_attackers(to, by, occupied)
    }

    /// The stepping attackers: all but the lines of lance, bishop, rook, horse and dragon.
    #[inline(always)]
    pub(crate) fn step_attackers(&self, to: Square, by: Color) -> Bitboard {
        let c = &self.classes;
        let around = c[class::KING] | c[class::HORSE] | c[class::DRAGON];
        let steps = attacks::pawn(!by, to) & c[class::PAWN]
            | attacks::knight(!by, to) & c[class::KNIGHT]
            | attacks::silver(!by, to) & c[class::SILVER]
            | attacks::gold(!by, to) & c[class::GOLD]
            | attacks::king(to) & around;
        steps & self.colors[by.index()]
    }

    /// The pieces of `by` that attack `to` along a line.
    #[inline(always)]
    pub(crate) fn line_attackers(&self, to: Square, by: Color, occupied: Bitboard) -> Bitboard {
        let snipers = self.snipers(to, by).into_iter();
        snipers.filter(|&from| (attacks::between(to, from) & occupied).is_empty()).collect()
    }

    /// The pieces of `by` that would attack `to` along a line if nothing stood between.
    #[inline(always)]
    pub(crate) fn snipers(&self, to: Square, by: Color) -> Bitboard {
        let c = &self.classes;
        let snipers = attacks::rook_lines(to) & (c[class::ROOK] | c[class::DRAGON])
            | attacks::bishop_lines(to) & (c[class::BISHOP] | c[class::HORSE])
            | attacks::ahead(!by, to) & c[class::LANCE];
        snipers & self.colors[by.index()]
    }

    /// Where the piece on a square attacks, own pieces included; nothing from an empty square.
    #[must_use]
    pub fn attacks_from(&self, square: Square) -> Bitboard {
        self.piece_at(square).map_or(Bitboard::EMPTY, |piece| {
            attacks::piece(piece.color(), piece.kind(), square, self.occupied())
        })
    }

    /// Whether the piece on `from`, of either side, could go to `to`: it moves that way, nothing
    /// stands between, and no piece of its own side on `to`. Turn, check and promotion aside.
    #[must_use]
    pub fn reaches(&self, from: Square, to: Square) -> bool {
        self.piece_at(from).is_some_and(|piece| {
            self.attacks_from(from).has(to) && !self.pieces_of(piece.color()).has(to)
        })
    }

    /// Whether a side has an unpromoted pawn on the file (1 to 9), so that a pawn dropped there
    /// would be a second one (nifu).
    #[must_use]
    pub fn has_pawn_on_file(&self, color: Color, file: u8) -> bool {
        !(self.of(color, class::PAWN) & Bitboard::file(file)).is_empty()
    }

    /// The pieces that give check to the side to move.
    #[inline]
    #[must_use]
    pub fn checkers(&self) -> Bitboard {
        self.king(self.turn).map_or(Bitboard::EMPTY, |king| self.attackers_to(king, !self.turn))
    }

    /// Whether the side to move is in check.
    #[inline]
    #[must_use]
    pub fn in_check(&self) -> bool {
        !self.checkers().is_empty()
    }
}

impl PartialEq for Position {
    fn eq(&self, other: &Self) -> bool {
        self.key == other.key
            && self.turn == other.turn
            && self.hands == other.hands
            && self.board == other.board
    }
}

impl Eq for Position {}

impl Hash for Position {
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_u64(self.key);
    }
}

impl Default for Position {
    fn default() -> Self {
        Self::start()
    }
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.to_sfen())
    }
}

impl fmt::Debug for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.to_sfen())
    }
}
