//! Variants and what their options say.

use crate::Animal;
use kiban_core::{OptionSpec, Variant, VariantSpec};

/// What a rat coming ashore may take.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Landing {
    /// A rat.
    Rat,
    /// Nothing.
    Nothing,
    /// All it takes on land.
    Anything,
}

/// When an elephant takes a rat.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Elephant {
    /// When the rat is trapped.
    Trapped,
    /// Never.
    Never,
    /// As any weaker animal.
    Always,
}

/// What becomes of two animals of equal power.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Equal {
    /// The one that was taken leaves the board.
    AttackerSurvives,
    /// Both leave it.
    BothVanish,
}

/// The rules of a variant.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Options {
    /// What a rat coming ashore may take.
    pub landing: Landing,
    /// Whether a rat on land takes a rat in the water.
    pub into_water: bool,
    /// Whether an animal in an enemy trap may take.
    pub trapped_takes: bool,
    /// When an elephant takes a rat.
    pub elephant: Elephant,
    /// Whether the rules 7-3 and 17-5 hold.
    pub anti_chase: bool,
    /// Whether a position's third occurrence is a draw.
    pub repetition: bool,
    /// After how many plies without a capture the game is a draw.
    pub no_capture: Option<u16>,
    /// What becomes of two animals of equal power.
    pub equal: Equal,
    /// Whether the dog is stronger than the wolf.
    pub dog_beats_wolf: bool,
}

impl Options {
    /// The options of a variant.
    pub fn of(variant: &Variant) -> Options {
        let get = |key| variant.option(key, OPTIONS, None);
        Options {
            landing: match get("leave-water") {
                "none" => Landing::Nothing,
                "any" => Landing::Anything,
                _ => Landing::Rat,
            },
            into_water: get("enter-water") == "yes",
            trapped_takes: get("trapped-captures") == "yes",
            elephant: match get("elephant-takes-rat") {
                "never" => Elephant::Never,
                "always" => Elephant::Always,
                _ => Elephant::Trapped,
            },
            anti_chase: get("anti-chase") == "on",
            repetition: get("repetition") == "three",
            no_capture: get("no-capture").parse().ok(),
            equal: match get("equal") {
                "both-vanish" => Equal::BothVanish,
                _ => Equal::AttackerSurvives,
            },
            dog_beats_wolf: get("order") == "wolf-below-dog",
        }
    }

    /// The animals from the weakest to the strongest.
    #[inline]
    pub(crate) fn order(self) -> &'static [Animal; 8] {
        const DOG_BEATS_WOLF: [Animal; 8] = {
            let mut order = Animal::ALL;
            (order[2], order[3]) = (Animal::Wolf, Animal::Dog);
            order
        };
        if self.dog_beats_wolf { &DOG_BEATS_WOLF } else { &Animal::ALL }
    }

    /// 1 for the weakest to 8 for the strongest.
    pub fn power(self, animal: Animal) -> u8 {
        match (animal, self.dog_beats_wolf) {
            (Animal::Dog, true) => 4,
            (Animal::Wolf, true) => 3,
            _ => animal.index() as u8 + 1,
        }
    }
}

pub(crate) const START: &str = "l5t/1d3c1/r1p1w1e/7/7/7/E1W1P1R/1C3D1/T5L w";

pub(crate) const VARIANTS: &[VariantSpec] = &[
    VariantSpec { id: "online", seats: 2, hidden: false, start: Some(START) },
    VariantSpec { id: "classic", seats: 2, hidden: false, start: Some(START) },
];

fn pick(variant: &str, online: &'static str, classic: &'static str) -> &'static str {
    if variant == "classic" { classic } else { online }
}

pub(crate) const OPTIONS: &[OptionSpec] = &[
    OptionSpec {
        key: "leave-water",
        values: &["rat", "none", "any"],
        default: "rat",
        default_for: Some(|variant, _| pick(variant, "rat", "none")),
    },
    OptionSpec {
        key: "enter-water",
        values: &["yes", "no"],
        default: "yes",
        default_for: Some(|variant, _| pick(variant, "yes", "no")),
    },
    OptionSpec {
        key: "trapped-captures",
        values: &["no", "yes"],
        default: "no",
        default_for: Some(|variant, _| pick(variant, "no", "yes")),
    },
    OptionSpec {
        key: "elephant-takes-rat",
        values: &["trapped", "never", "always"],
        default: "trapped",
        default_for: None,
    },
    OptionSpec {
        key: "anti-chase",
        values: &["on", "off"],
        default: "on",
        default_for: Some(|variant, _| pick(variant, "on", "off")),
    },
    OptionSpec {
        key: "repetition",
        values: &["none", "three"],
        default: "none",
        default_for: Some(|variant, _| pick(variant, "none", "three")),
    },
    OptionSpec {
        key: "no-capture",
        values: &[
            "off", "20", "30", "40", "50", "60", "70", "80", "90", "100", "120", "140", "150",
            "160", "180", "200", "250", "300", "400",
        ],
        default: "200",
        default_for: Some(|variant, _| pick(variant, "200", "100")),
    },
    OptionSpec {
        key: "equal",
        values: &["attacker-survives", "both-vanish"],
        default: "attacker-survives",
        default_for: None,
    },
    OptionSpec {
        key: "order",
        values: &["dog-below-wolf", "wolf-below-dog"],
        default: "dog-below-wolf",
        default_for: None,
    },
];
