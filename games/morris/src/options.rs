//! What a variant and its options say.

use crate::board::{Grid, NINE, SIX, TWELVE};
use kiban_core::{OptionSpec, Variant};

/// Which board is played on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Board {
    /// Two rings, 16 points.
    Six,
    /// Three rings, 24 points.
    Nine,
    /// Three rings with diagonals, 24 points.
    Twelve,
}

/// When a side may move to any empty point.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Flying {
    /// With exactly three men left.
    AtThree,
    /// With four men or fewer.
    AtFour,
    /// Not at all.
    Never,
}

/// Whether men that stand in mills may be taken.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Take {
    /// Only when all the side's men stand in mills.
    WhenAllInMills,
    /// Never.
    Never,
    /// Always.
    Always,
}

/// What becomes of a side that has no move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Blocked {
    /// It loses.
    Loses,
    /// The game is drawn.
    Draws,
    /// It passes; if neither side has a move the game is drawn.
    Passes,
}

/// The rules of one variant.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Morris {
    /// The board.
    pub board: Board,
    /// Men of each side.
    pub men: u8,
    /// Whether men may be slid while others are still in hand (Lasker morris).
    pub early_slides: bool,
    /// Whether twenty plies without a removal draw once both sides are down to three men
    /// (morabaraba).
    pub short_endgame: bool,
    /// When men fly.
    pub flying: Flying,
    /// Which men may be taken.
    pub take: Take,
    /// Whether closing two mills at once takes two men.
    pub take_two: bool,
    /// What becomes of a blocked side.
    pub blocked: Blocked,
}

/// Six men's morris has no flying; the other games have it.
fn flying_of(variant: &str, _: Option<&str>) -> &'static str {
    if variant == "six" { "never" } else { "at-three" }
}

pub(crate) const OPTIONS: &[OptionSpec] = &[
    OptionSpec {
        key: "flying",
        values: &["at-three", "never", "at-four"],
        default: "at-three",
        default_for: Some(flying_of),
    },
    OptionSpec {
        key: "remove-from-mills",
        values: &["when-all-in-mills", "never", "always"],
        default: "when-all-in-mills",
        default_for: None,
    },
    OptionSpec { key: "double-mill", values: &["one", "two"], default: "one", default_for: None },
    OptionSpec {
        key: "blocked",
        values: &["loses", "draws", "passes"],
        default: "loses",
        default_for: None,
    },
];

impl Morris {
    /// The rules of a variant.
    pub fn of_variant(variant: &Variant) -> Morris {
        let option = |key| variant.option(key, OPTIONS, None);
        let (board, men) = match variant.id() {
            "six" => (Board::Six, 6),
            "twelve" | "morabaraba" => (Board::Twelve, 12),
            "lasker" => (Board::Nine, 10),
            _ => (Board::Nine, 9),
        };
        Morris {
            board,
            men,
            early_slides: variant.id() == "lasker",
            short_endgame: variant.id() == "morabaraba",
            flying: match option("flying") {
                "never" => Flying::Never,
                "at-four" => Flying::AtFour,
                _ => Flying::AtThree,
            },
            take: match option("remove-from-mills") {
                "never" => Take::Never,
                "always" => Take::Always,
                _ => Take::WhenAllInMills,
            },
            take_two: option("double-mill") == "two",
            blocked: match option("blocked") {
                "draws" => Blocked::Draws,
                "passes" => Blocked::Passes,
                _ => Blocked::Loses,
            },
        }
    }

    /// The geometry of the board.
    pub fn grid(self) -> &'static Grid {
        match self.board {
            Board::Six => &SIX,
            Board::Nine => &NINE,
            Board::Twelve => &TWELVE,
        }
    }

    /// The most men a side can have and still fly.
    pub(crate) fn flies_with(self) -> u32 {
        match self.flying {
            Flying::AtThree => 3,
            Flying::AtFour => 4,
            Flying::Never => 0,
        }
    }
}
