//! The weights: read, spread for quick access, applied.

use super::pattern::{Lanes, Layout};
use std::sync::LazyLock;

/// Stages of the game with weights of their own.
pub const PHASES: usize = 12;
/// Numbers of moves told apart: 0 to 31, and more.
pub const MOBILITIES: usize = 33;
/// Hundredths of a disc in a unit of a weight.
pub const UNIT: i32 = 10;
/// Numbers of empties, each with a weight.
const EMPTIES: usize = 61;
/// No judgement promises all discs.
const MOST: i32 = 63 * 100;

/// Trained by `examples/train`, which says how.
static EMBEDDED: &[u8] = include_bytes!("../../data/weights.bin");

static TRAINED: LazyLock<Weights> =
    LazyLock::new(|| Weights::read(EMBEDDED).expect("the embedded weights are whole"));

/// The phase of a number of empties.
#[inline(always)]
pub fn phase_of(empties: u32) -> usize {
    (60u32.saturating_sub(empties) / 5).min(PHASES as u32 - 1) as usize
}

/// Why bytes are no weights.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum WeightsError {
    /// The wrong length.
    #[error("Weights are {expected} bytes long; these are {found}. Train them anew.")]
    Length {
        /// As it is.
        found: usize,
        /// As it must be.
        expected: usize,
    },
}

/// What weights are chosen by, besides the lanes.
#[derive(Clone, Copy, Debug)]
pub struct Terms {
    /// The side to move, in the lanes: 0 or 1.
    pub side: usize,
    /// Empty squares.
    pub empties: u32,
    /// Moves of the side to move.
    pub own_moves: u32,
    /// Moves the other side had, were it its turn.
    pub enemy_moves: u32,
}

struct Phase {
    /// By the side to move and the number among those of all shapes.
    shapes: [Box<[i8]>; 2],
    own_moves: [i8; MOBILITIES],
    enemy_moves: [i8; MOBILITIES],
}

/// The learned weights, in tenths of a disc for the side to move.
pub struct Weights {
    phases: Vec<Phase>,
    empties: [i8; EMPTIES],
}

impl Weights {
    /// Bytes of weights: for each phase the weights of the shapes and of both sides' numbers of
    /// moves; then one for each number of empties.
    pub fn length() -> usize {
        PHASES * Weights::phase_length() + EMPTIES
    }

    /// Bytes of a phase.
    pub fn phase_length() -> usize {
        Layout::get().weights() + 2 * MOBILITIES
    }

    /// The weights the program was trained to.
    pub fn trained() -> &'static Weights {
        &TRAINED
    }

    /// Reads weights.
    ///
    /// # Errors
    /// If their number is not [`Weights::length`].
    pub fn read(bytes: &[u8]) -> Result<Weights, WeightsError> {
        let expected = Weights::length();
        if bytes.len() != expected {
            return Err(WeightsError::Length { found: bytes.len(), expected });
        }
        let layout = Layout::get();
        let signed: Vec<i8> = bytes.iter().map(|b| *b as i8).collect();
        let (phases, empties) = signed.split_at(PHASES * Weights::phase_length());
        let phase = |bytes: &[i8]| {
            let (shapes, moves) = bytes.split_at(layout.weights());
            let own: Box<[i8]> = layout.shared().iter().map(|w| shapes[*w as usize]).collect();
            let enemy = layout.exchanged().iter().map(|n| own[*n as usize]).collect();
            Phase {
                shapes: [own, enemy],
                own_moves: *moves.first_chunk().expect("both are there"),
                enemy_moves: *moves.last_chunk().expect("both are there"),
            }
        };
        Ok(Weights {
            phases: phases.chunks(Weights::phase_length()).map(phase).collect(),
            empties: empties.try_into().expect("the rest is of this length"),
        })
    }

    /// The worth of a position for the side to move, in hundredths of a disc.
    #[inline(always)]
    pub fn worth(&self, layout: &Layout, lanes: &Lanes, terms: Terms) -> i32 {
        let phase = &self.phases[phase_of(terms.empties)];
        let shapes = &phase.shapes[terms.side & 1];
        let most = MOBILITIES - 1;
        let mut sum = i32::from(phase.own_moves[(terms.own_moves as usize).min(most)])
            + i32::from(phase.enemy_moves[(terms.enemy_moves as usize).min(most)])
            + i32::from(self.empties[(terms.empties as usize).min(EMPTIES - 1)]);
        for (start, number) in layout.starts().iter().zip(lanes.numbers()) {
            sum += i32::from(shapes[(start + u32::from(*number)) as usize]);
        }
        (sum * UNIT).clamp(-MOST, MOST)
    }
}
