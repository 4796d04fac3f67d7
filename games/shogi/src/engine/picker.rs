//! In which order moves are looked at.

use super::memory::{Memory, column, row};
use super::see::{self, gain};
use crate::movegen::MoveList;
use crate::moves::{Move, PieceKind};
use crate::position::Position;

/// Gives a node's moves one by one: the table's move, gains, killers, the quiet moves by their
/// history, then exchanges that lose. Each kind is found when the one before is used up.
pub(super) struct Picker {
    stage: Stage,
    first: Option<Move>,
    killers: [Option<Move>; 2],
    moves: Vec<(i32, Move)>,
    next: usize,
    losing: Vec<Move>,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Stage {
    First,
    Gains,
    Killers,
    Quiets,
    Losing,
    /// Moves that leave a piece unpromoted for no reason but to be no mate.
    Shy,
}

/// What the history of a node's line says: columns of the moves one and two plies before.
pub(super) type Before = [Option<usize>; 2];

impl Picker {
    pub(super) fn new(p: &Position, first: u16, killers: [Option<Move>; 2]) -> Picker {
        let first = Move::from_bits(first).filter(|m| p.is_legal(*m));
        Picker {
            stage: Stage::First,
            first,
            killers: if p.in_check() { [None; 2] } else { killers },
            moves: Vec::new(),
            next: 0,
            losing: Vec::new(),
        }
    }

    /// Where the last move came from.
    pub(super) fn stage(&self) -> Stage {
        self.stage
    }

    /// The next move. `desperate` says that all before lose.
    pub(super) fn next(
        &mut self,
        p: &Position,
        memory: &Memory,
        before: Before,
        desperate: bool,
    ) -> Option<Move> {
        loop {
            match self.stage {
                Stage::First => {
                    if self.next == 0 && self.first.is_some() {
                        self.next = 1;
                        return self.first;
                    }
                    self.enter(Stage::Gains, rated_gains(p, memory));
                }
                Stage::Gains => match self.best_left() {
                    Some(m) if see::pays(p, m, 0) => return Some(m),
                    Some(m) => self.losing.push(m),
                    None => self.enter(Stage::Killers, Vec::new()),
                },
                Stage::Killers => {
                    let killer = self.killers.get(self.next).copied();
                    self.next += 1;
                    match killer {
                        Some(Some(m)) if self.is_fresh_quiet(p, m) => return Some(m),
                        Some(_) => {}
                        None => self.enter(Stage::Quiets, rated_quiets(p, memory, before)),
                    }
                }
                Stage::Quiets => match self.best_left() {
                    Some(m) if self.killers.contains(&Some(m)) => {}
                    Some(m) => return Some(m),
                    None => self.enter(Stage::Losing, Vec::new()),
                },
                Stage::Losing => {
                    let m = self.losing.get(self.next).copied();
                    self.next += 1;
                    if m.is_some() {
                        return m;
                    }
                    self.enter(Stage::Shy, Vec::new());
                }
                Stage::Shy => {
                    if self.moves.is_empty() && desperate {
                        let shy = p.legal_moves();
                        let shy = shy.iter().filter(|m| is_shy(p, **m));
                        self.moves = shy.map(|m| (0, *m)).collect();
                    }
                    return self.best_left();
                }
            }
        }
    }

    fn enter(&mut self, stage: Stage, moves: Vec<(i32, Move)>) {
        (self.stage, self.moves, self.next) = (stage, moves, 0);
    }

    /// The best of the moves not given yet, without the table's.
    fn best_left(&mut self) -> Option<Move> {
        loop {
            let (_, m) = *self.moves.get(self.next)?;
            self.next += 1;
            if Some(m) != self.first {
                return Some(m);
            }
        }
    }

    /// Gives no more quiet moves.
    pub(super) fn skip_quiets(&mut self) {
        if self.stage == Stage::Quiets {
            self.enter(Stage::Losing, Vec::new());
        }
    }

    fn is_fresh_quiet(&mut self, p: &Position, m: Move) -> bool {
        let fresh = Some(m) != self.first && is_quiet(p, m) && p.is_legal(m);
        if !fresh {
            // It comes with its own kind, if at all.
            for killer in &mut self.killers {
                if *killer == Some(m) {
                    *killer = None;
                }
            }
        }
        fresh
    }
}

/// Whether a move takes nothing and does not promote.
pub(super) fn is_quiet(p: &Position, m: Move) -> bool {
    !m.promotes() && p.piece_at(m.to()).is_none()
}

/// Whether a move leaves a pawn, bishop or rook unpromoted that could promote: never better but
/// to keep a pawn drop from being mate.
pub(super) fn is_shy(p: &Position, m: Move) -> bool {
    let Some(from) = m.from().filter(|_| !m.promotes()) else { return false };
    let side = p.turn();
    (m.to().in_zone(side) || from.in_zone(side))
        && p.piece_at(from).is_some_and(|piece| {
            matches!(piece.kind(), PieceKind::Pawn | PieceKind::Bishop | PieceKind::Rook)
        })
}

/// Takers of much by little first.
fn rated_gains(p: &Position, memory: &Memory) -> Vec<(i32, Move)> {
    rated(p, &p.noisy_moves(), |m| {
        let mover = p.mover(m);
        16 * gain(p, m) - see::swing(mover.kind()).min(3000)
            + memory.gains.get(row(p, m), column(m)) / 4
    })
}

fn rated_quiets(p: &Position, memory: &Memory, before: Before) -> Vec<(i32, Move)> {
    let lines = [0, 1].map(|i| before[i].map(|column| memory.replies[i].row(column)));
    rated(p, &p.quiet_moves(), |m| {
        let (row, column) = (row(p, m), column(m));
        let place = row % 32 * 81 + column;
        let replied = lines.iter().flatten().map(|line| i32::from(line[place])).sum::<i32>();
        2 * memory.quiets.get(row, column) + 2 * replied
    })
}

fn rated(p: &Position, moves: &MoveList, rate: impl Fn(Move) -> i32) -> Vec<(i32, Move)> {
    let bold = moves.iter().filter(|m| !is_shy(p, **m));
    let mut rated: Vec<_> = bold.map(|m| (rate(*m), *m)).collect();
    rated.sort_unstable_by_key(|(rate, m)| (std::cmp::Reverse(*rate), *m));
    rated
}
