//! A hand-made evaluation: a sum of weights, one for each thing it sees in a position. What it
//! sees is in `features`; the weights are fitted to games of our own play (`examples/tune.rs`).
//!
//! The part that says where each piece stands to a king is kept up to date move by move
//! ([`Stand`]); the rest is found anew in each position.

mod features;
mod layout;

pub use features::{VALUES, features};
pub use layout::{COUNT, PIECE_SQUARES, SCALE, Slot, slot_of};

use crate::moves::{Color, Move, Piece, Square};
use crate::position::Position;
use features::Sum;
use layout::{View, hand_weight, piece_weight};
use std::sync::LazyLock;

/// The weights' file: a line of text, then each weight as two bytes, low byte first.
static FILE: &[u8] = include_bytes!("../../../data/eval.bin");

static WEIGHTS: LazyLock<Box<[i16]>> =
    LazyLock::new(|| read(FILE).expect("the weights built in are whole"));

/// Weights from the bytes of a weights' file; `None` if it is cut or changed.
#[must_use]
pub fn read(file: &[u8]) -> Option<Box<[i16]>> {
    let end = file.iter().position(|byte| *byte == b'\n')?;
    let (head, body) = (std::str::from_utf8(&file[..end]).ok()?, &file[end + 1..]);
    let whole = head == heading(body) && body.len() == 2 * COUNT;
    let weight = |pair: &[u8]| i16::from_le_bytes([pair[0], pair[1]]);
    whole.then(|| body.chunks_exact(2).map(weight).collect())
}

/// The bytes of a weights' file.
#[must_use]
pub fn write(weights: &[i16]) -> Vec<u8> {
    let body: Vec<u8> = weights.iter().flat_map(|weight| weight.to_le_bytes()).collect();
    let mut file = heading(&body).into_bytes();
    file.push(b'\n');
    file.extend(body);
    file
}

/// The first line: what this is, its version, how many weights, and the checksum (64-bit FNV-1a).
fn heading(body: &[u8]) -> String {
    let mix = |hash: u64, byte: &u8| (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
    let sum = body.iter().fold(0xcbf2_9ce4_8422_2325, mix);
    format!("kiban shogi weights 1 {COUNT} {sum:016x}")
}

/// Weights ready for use.
#[derive(Clone, Copy)]
pub(crate) struct Eval {
    weights: &'static [i16],
}

/// Sums the weights of what is seen.
struct Total {
    weights: &'static [i16],
    sum: i32,
}

impl Sum for Total {
    #[inline(always)]
    fn add(&mut self, index: usize, count: i32) {
        self.sum += i32::from(self.weights[index]) * count;
    }
}

/// For each king, the sum over all pieces of what they are worth standing as they do to it, for
/// the king's side.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Stand([i32; 2]);

impl Eval {
    /// The weights built in.
    pub(crate) fn built_in() -> Eval {
        Eval { weights: &WEIGHTS }
    }

    fn about(self, p: &Position, color: Color) -> i32 {
        let mut total = Total { weights: self.weights, sum: 0 };
        features::about_king(p, color, 1, &mut total);
        total.sum
    }

    /// The stand of all pieces.
    pub(crate) fn stand(self, p: &Position) -> Stand {
        Stand(Color::BOTH.map(|color| self.about(p, color)))
    }

    /// The stand after `m`, which has been played: `p` is the position after it, `moved` the piece
    /// as it stood before (a dropped one as it stands now), `taken` what it took.
    pub(crate) fn after(
        self,
        stand: Stand,
        p: &Position,
        m: Move,
        moved: Piece,
        taken: Option<Piece>,
    ) -> Stand {
        let mut next = stand;
        let us = moved.color();
        for color in Color::BOTH {
            let sum = &mut next.0[color.index()];
            if moved.kind() == crate::moves::PieceKind::King && us == color {
                *sum = self.about(p, color);
                continue;
            }
            let view = View::of(p, color);
            let at = |piece: Piece, square: Square| {
                i32::from(self.weights[piece_weight(view, color, piece, square)])
            };
            let placed = p.piece_at(m.to()).expect("the moved piece stands on the destination");
            *sum += at(placed, m.to());
            let hand = |kind| i32::from(self.weights[hand_weight(view, color, us, kind)]);
            match m.from() {
                Some(from) => *sum -= at(moved, from),
                None => *sum -= hand(moved.kind()),
            }
            if let Some(taken) = taken {
                *sum += hand(taken.kind().unpromoted()) - at(taken, m.to());
            }
        }
        next
    }

    /// The position's worth for the side to move, in hundredths of a pawn.
    pub(crate) fn of(self, p: &Position, stand: Stand) -> i32 {
        let mut total = Total { weights: self.weights, sum: stand.0[0] - stand.0[1] };
        features::dynamic(p, &mut total);
        let sum = if p.turn() == Color::Sente { total.sum } else { -total.sum };
        (sum + i32::from(self.weights[layout::TEMPO])) / SCALE
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_survive_and_damage_is_found() {
        let weights: Vec<i16> = (0..COUNT).map(|i| (i * 7) as i16).collect();
        let mut file = write(&weights);
        assert_eq!(read(&file).as_deref(), Some(weights.as_slice()));
        assert_eq!(read(&file[..file.len() - 2]), None);
        let last = file.len() - 1;
        file[last] ^= 1;
        assert_eq!(read(&file), None);
        assert_eq!(read(b""), None);
    }

    /// Plays on from the start by a fixed rule, which takes and drops much.
    #[test]
    fn the_stand_kept_up_is_the_stand_found_anew() {
        let (eval, mut p) = (Eval::built_in(), Position::start());
        let (mut stand, mut seed) = (eval.stand(&p), 1usize);
        for _ in 0..400 {
            let (noisy, all) = (p.noisy_moves(), p.legal_moves());
            if all.is_empty() {
                break;
            }
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963);
            let moves =
                if noisy.is_empty() || (seed >> 60).is_multiple_of(2) { all } else { noisy };
            let m = moves[(seed >> 33) % moves.len()];
            let moved = p.mover(m);
            let undo = p.play(m);
            stand = eval.after(stand, &p, m, moved, undo.captured());
            assert_eq!(stand, eval.stand(&p), "{p}");
        }
    }

    /// Both sides see the same position alike, and so they do its mirror image where no king stands
    /// in the middle.
    #[test]
    fn colours_and_sides_of_the_board_are_alike() {
        let eval = Eval::built_in();
        for (one, other) in [
            (
                "lnsgk1snl/1r4gb1/pppppppp1/8p/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL b - 1",
                "lnsgkgsnl/1r5b1/pppppp1pp/6p2/9/P8/1PPPPPPPP/1BG4R1/LNS1KGSNL w - 1",
            ),
            ("3k5/9/9/9/4r4/4P4/9/9/3K5 b G 1", "5k3/9/9/9/4r4/4P4/9/9/5K3 b G 1"),
        ] {
            let value = |sfen: &str| {
                let setup = crate::sfen::Setup::from_sfen(sfen).unwrap();
                let p = Position::from_setup(&setup).unwrap();
                eval.of(&p, eval.stand(&p))
            };
            assert_eq!(value(one), value(other), "{one}");
        }
    }
}
