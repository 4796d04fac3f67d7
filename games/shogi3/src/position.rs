//! What stands where, and the legal moves.

use crate::moves::{Move, Square};
use crate::reach::{Squares, reach};
use kiban_shogi::moves::{Color, Hand, PieceKind};

/// The square's content: 0 is empty, else the kind's code plus one, plus 16 for gote.
type Cell = u8;

const GOTE: Cell = 16;

/// A position. Equal if it is the same for repetition: the move number is outside.
#[derive(Clone, Copy, Debug)]
pub struct Position {
    cells: [Cell; 9],
    hands: [Hand; 2],
    turn: Color,
    number: u32,
}

impl PartialEq for Position {
    fn eq(&self, other: &Position) -> bool {
        (self.cells, self.hands, self.turn) == (other.cells, other.hands, other.turn)
    }
}

impl Eq for Position {}

const fn cell(side: Color, kind: PieceKind) -> Cell {
    kind as Cell + 1 + if matches!(side, Color::Gote) { GOTE } else { 0 }
}

/// Whether a piece of this kind could never move again from a rank as its owner counts it.
pub(crate) const fn is_dead(kind: PieceKind, rank: u8) -> bool {
    match kind {
        PieceKind::Pawn | PieceKind::Lance => rank == 1,
        PieceKind::Knight => rank <= 2,
        _ => false,
    }
}

/// Whether a piece of this kind may promote: its move begins or ends on the far rank.
pub(crate) const fn may_promote(kind: PieceKind, from: Square, to: Square, side: Color) -> bool {
    kind.promoted().is_some() && (from.rank_for(side) == 1 || to.rank_for(side) == 1)
}

impl Position {
    /// An empty board, sente to move.
    pub(crate) fn empty() -> Position {
        Position { cells: [0; 9], hands: [Hand::EMPTY; 2], turn: Color::Sente, number: 1 }
    }

    /// Puts a piece on a square.
    pub(crate) fn set(&mut self, square: Square, piece: Option<(Color, PieceKind)>) {
        self.cells[square.index()] = piece.map_or(0, |(side, kind)| cell(side, kind));
    }

    /// Sets a hand.
    pub(crate) fn set_hand(&mut self, side: Color, hand: Hand) {
        self.hands[side.index()] = hand;
    }

    /// Sets whose turn it is, and the number of the next move.
    pub(crate) fn set_turn(&mut self, turn: Color, number: u32) {
        (self.turn, self.number) = (turn, number);
    }

    /// Whose turn it is.
    pub fn turn(&self) -> Color {
        self.turn
    }

    /// The number of the next move, from 1.
    pub fn number(&self) -> u32 {
        self.number
    }

    /// What stands on a square.
    pub fn piece_at(&self, square: Square) -> Option<(Color, PieceKind)> {
        let cell = self.cells[square.index()];
        let side = if cell & GOTE == 0 { Color::Sente } else { Color::Gote };
        (cell != 0).then(|| (side, PieceKind::from_code((cell & 15) - 1)))
    }

    /// A side's hand.
    pub fn hand(&self, side: Color) -> Hand {
        self.hands[side.index()]
    }

    /// Where a side's king stands.
    pub fn king(&self, side: Color) -> Option<Square> {
        let king = cell(side, PieceKind::King);
        self.cells.iter().position(|cell| *cell == king).map(|i| Square::at(i as u8))
    }

    fn occupied(&self) -> Squares {
        let mut set = 0;
        for (i, cell) in self.cells.iter().enumerate() {
            set |= Squares::from(*cell != 0) << i;
        }
        set
    }

    /// The squares of a side's pieces.
    fn men(&self, side: Color) -> Squares {
        let mut set = 0;
        for (i, cell) in self.cells.iter().enumerate() {
            let own = *cell != 0 && (*cell & GOTE != 0) == (side == Color::Gote);
            set |= Squares::from(own) << i;
        }
        set
    }

    /// What the piece on a square reaches.
    fn reached_from(&self, square: usize, occupied: Squares) -> Squares {
        let cell = self.cells[square];
        if cell == 0 {
            return 0;
        }
        reach(usize::from(cell >> 4), (cell & 15) - 1, square).squares(occupied)
    }

    /// Whether the piece on `from` reaches `to`, whatever stands there.
    pub fn reaches(&self, from: Square, to: Square) -> bool {
        self.reached_from(from.index(), self.occupied()) >> to.index() & 1 == 1
    }

    fn is_attacked(&self, square: Square, by: Color) -> bool {
        let occupied = self.occupied();
        let mut men = self.men(by);
        while men != 0 {
            let from = men.trailing_zeros() as usize;
            if self.reached_from(from, occupied) >> square.index() & 1 == 1 {
                return true;
            }
            men &= men - 1;
        }
        false
    }

    /// Whether this side's king is attacked.
    pub(crate) fn is_checked(&self, side: Color) -> bool {
        self.king(side).is_some_and(|king| self.is_attacked(king, side.other()))
    }

    /// Whether the side to move is in check.
    pub fn in_check(&self) -> bool {
        self.is_checked(self.turn)
    }

    /// Whether a side has an unpromoted pawn on a file.
    pub(crate) fn has_pawn_on_file(&self, side: Color, file: u8) -> bool {
        let pawn = cell(side, PieceKind::Pawn);
        let first = usize::from(3 * (file - 1));
        self.cells[first..first + 3].contains(&pawn)
    }

    /// Plays a move that is legal, or at least one of the board's own pieces or of the hand.
    pub fn play(&mut self, m: Move) {
        let side = self.turn;
        match m {
            Move::Drop { kind, to } => {
                self.hands[side.index()] = self.hand(side).without(kind);
                self.cells[to.index()] = cell(side, kind);
            }
            Move::Board { from, to, promotes } => {
                if let Some((_, taken)) = self.piece_at(to)
                    && taken != PieceKind::King
                {
                    self.hands[side.index()] = self.hand(side).with(taken.unpromoted());
                }
                let moved = self.cells[from.index()];
                self.cells[from.index()] = 0;
                self.cells[to.index()] = if promotes { moved + 8 } else { moved };
            }
        }
        self.turn = side.other();
        self.number = self.number.saturating_add(1);
    }

    /// Whether a move leaves the mover's own king in check.
    pub(crate) fn exposes_king(&self, m: Move) -> bool {
        let mut after = *self;
        after.play(m);
        after.is_checked(self.turn)
    }

    /// Whether dropping a pawn there mates at once.
    pub(crate) fn pawn_drop_mates(&self, to: Square) -> bool {
        let mut after = *self;
        after.play(Move::Drop { kind: PieceKind::Pawn, to });
        after.in_check() && !after.has_legal_move(true)
    }

    /// The legal moves. `uchifuzume`: whether mating by a pawn drop is allowed.
    pub fn legal_moves(&self, uchifuzume: bool) -> Vec<Move> {
        let mut moves = Vec::with_capacity(24);
        self.each_legal(uchifuzume, &mut |m| {
            moves.push(m);
            true
        });
        moves
    }

    /// Whether there is a legal move.
    pub fn has_legal_move(&self, uchifuzume: bool) -> bool {
        let mut found = false;
        self.each_legal(uchifuzume, &mut |_| {
            found = true;
            false
        });
        found
    }

    /// Gives each legal move to `take`, as long as that says to go on.
    pub(crate) fn each_legal(&self, uchifuzume: bool, take: &mut impl FnMut(Move) -> bool) {
        let side = self.turn;
        let (own, occupied) = (self.men(side), self.occupied());
        let mut men = own;
        while men != 0 {
            let from = men.trailing_zeros() as usize;
            men &= men - 1;
            let mut targets = self.reached_from(from, occupied) & !own;
            while targets != 0 {
                let to = targets.trailing_zeros() as u8;
                targets &= targets - 1;
                if !self.board_moves(from as u8, to, take) {
                    return;
                }
            }
        }
        self.drops(!occupied & 0x1ff, uchifuzume, take);
    }

    /// The legal moves of a piece to a square it reaches; false if no more are wanted.
    fn board_moves(&self, from: u8, to: u8, take: &mut impl FnMut(Move) -> bool) -> bool {
        let (from, to, side) = (Square::at(from), Square::at(to), self.turn);
        let kind = PieceKind::from_code((self.cells[from.index()] & 15) - 1);
        // Whether the king is safe hangs on where the piece goes, not on what it becomes.
        if self.exposes_king(Move::Board { from, to, promotes: false }) {
            return true;
        }
        let promotes = may_promote(kind, from, to, side);
        if promotes && !take(Move::Board { from, to, promotes: true }) {
            return false;
        }
        is_dead(kind, to.rank_for(side)) || take(Move::Board { from, to, promotes: false })
    }

    fn drops(&self, mut empty: Squares, uchifuzume: bool, take: &mut impl FnMut(Move) -> bool) {
        let (side, hand) = (self.turn, self.hand(self.turn));
        if hand.is_empty() {
            return;
        }
        let king = self.king(side);
        let checked = self.in_check();
        while empty != 0 {
            let to = Square::at(empty.trailing_zeros() as u8);
            empty &= empty - 1;
            if checked && king.is_some() {
                let mut blocked = *self;
                blocked.cells[to.index()] = cell(side, PieceKind::Gold);
                if blocked.is_checked(side) {
                    continue;
                }
            }
            for (kind, _) in hand.iter() {
                let pawn = kind == PieceKind::Pawn;
                let forbidden = is_dead(kind, to.rank_for(side))
                    || pawn && self.has_pawn_on_file(side, to.file())
                    || pawn && !uchifuzume && self.pawn_drop_mates(to);
                if !forbidden && !take(Move::Drop { kind, to }) {
                    return;
                }
            }
        }
    }
}
