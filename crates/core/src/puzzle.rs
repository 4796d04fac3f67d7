//! Problems for people: a position, and what is to be found in it.

use crate::Value;

/// How hard something is for a person.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Grade {
    /// For who has just learnt the moves.
    Beginner,
    /// A few moves ahead suffice.
    Easy,
    /// For who plays often.
    Medium,
    /// For who sees far.
    Hard,
}

impl Grade {
    /// All, the easiest first.
    pub const ALL: [Grade; 4] = [Grade::Beginner, Grade::Easy, Grade::Medium, Grade::Hard];

    /// `beginner`, `easy`, `medium` or `hard`.
    pub fn name(self) -> &'static str {
        match self {
            Grade::Beginner => "beginner",
            Grade::Easy => "easy",
            Grade::Medium => "medium",
            Grade::Hard => "hard",
        }
    }

    /// The grade of this name.
    pub fn from_name(name: &str) -> Option<Grade> {
        Grade::ALL.into_iter().find(|grade| grade.name() == name)
    }
}

/// What is to be found. The answers are never kept: they are what the game's probe says.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Aim {
    /// A win in so many plies; one move alone is as quick.
    Win(u32),
    /// The only move that keeps this value, a win or a draw.
    Hold(Value),
}

/// A problem with one right first move.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Puzzle {
    /// The variant's text.
    pub variant: String,
    /// The position's text.
    pub position: String,
    /// What is to be found.
    pub aim: Aim,
    /// How hard it is.
    pub grade: Grade,
}
