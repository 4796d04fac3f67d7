//! Shogi's entry in the registry.

use crate::impasse::{Agreement, Declaration};
use crate::moves::Move;
use crate::position::Position;
use crate::rules::{FOULS, Shogi};
use crate::sfen::START_SFEN;
use crate::{notation, perft, ui};
use kiban_core::{
    Game, GameSpec, Names, OptionSpec, PerftCount, Reason, SetupSpec, Variant, VariantSpec,
};

const VARIANTS: &[VariantSpec] =
    &[VariantSpec { id: "shogi", seats: 2, hidden: false, start: Some(START_SFEN) }];

const OPTIONS: &[OptionSpec] = &[
    OptionSpec {
        key: "agreement",
        values: &["agreed27", "agreed24"],
        default: "agreed27",
        default_for: None,
    },
    OptionSpec {
        key: "impasse",
        values: &["points27", "points24", "points27h", "points24h", "try", "none"],
        default: "points27",
        default_for: Some(default_impasse),
    },
    OptionSpec {
        key: "max-moves",
        values: &["off", "256", "320", "500", "512"],
        default: "off",
        default_for: None,
    },
    OptionSpec {
        key: "sennichite",
        values: &["replay", "draw"],
        default: "replay",
        default_for: None,
    },
];

/// In handicap games the giver's missing pieces count.
fn default_impasse(_: &str, start: Option<&str>) -> &'static str {
    let Some(start) = start else { return "points27" };
    let board_and_hands = |sfen: &str| {
        let fields: Vec<&str> = sfen.split_whitespace().take(3).collect();
        fields.join(" ")
    };
    let start = board_and_hands(start);
    let handicap = SETUPS.iter().any(|setup| board_and_hands(setup.position) == start);
    if handicap { "points27h" } else { "points27" }
}

macro_rules! handicaps {
    ($($id:literal $name:literal $ranks:literal),* $(,)?) => {
        &[$(SetupSpec {
            id: $id,
            name: $name,
            position: concat!($ranks, "/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1"),
        },)*
        SetupSpec {
            id: "three-pawns",
            name: "Three pawns handicap",
            position: "4k4/9/9/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w 3p 1",
        },
        SetupSpec {
            id: "naked-king",
            name: "Naked king",
            position: "4k4/9/9/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1",
        }]
    };
}

/// Handicaps, named by what gote leaves away.
const SETUPS: &[SetupSpec] = handicaps![
    "lance" "Lance handicap" "lnsgkgsn1/1r5b1",
    "right-lance" "Right lance handicap" "1nsgkgsnl/1r5b1",
    "bishop" "Bishop handicap" "lnsgkgsnl/1r7",
    "rook" "Rook handicap" "lnsgkgsnl/7b1",
    "rook-lance" "Rook and lance handicap" "lnsgkgsn1/7b1",
    "two" "Two-piece handicap" "lnsgkgsnl/9",
    "three" "Three-piece handicap" "lnsgkgsn1/9",
    "four" "Four-piece handicap" "1nsgkgsn1/9",
    "five" "Five-piece handicap" "2sgkgsn1/9",
    "left-five" "Left five-piece handicap" "1nsgkgs2/9",
    "six" "Six-piece handicap" "2sgkgs2/9",
    "left-seven" "Left seven-piece handicap" "2sgkg3/9",
    "right-seven" "Right seven-piece handicap" "3gkgs2/9",
    "eight" "Eight-piece handicap" "3gkg3/9",
    "ten" "Ten-piece handicap" "4k4/9",
];

const REASONS: &[Reason] = &[
    Reason("checkmate"),
    Reason("stalemate"),
    Reason("sennichite"),
    Reason("perpetual-check"),
    Reason("impasse"),
    Reason("failed-declaration"),
    Reason("try"),
    Reason("max-moves"),
    FOULS[0],
    FOULS[1],
    FOULS[2],
    FOULS[3],
    FOULS[4],
    FOULS[5],
    FOULS[6],
    FOULS[7],
];

/// Shogi.
pub static GAME: GameSpec = GameSpec {
    id: "shogi",
    names: Names { en: "Shogi", zh_hans: "将棋", zh_hant: "將棋", ja: "将棋" },
    variants: VARIANTS,
    options: OPTIONS,
    setups: SETUPS,
    layouts: &[],
    formats: notation::FORMATS,
    protocols: &[],
    openings: Vec::new,
    mate: None,
    bench: None,
    reasons: REASONS,
    messages: &[("en", include_str!("../data/en.ftl"))],
    perft_leaf: "path",
    open: kiban_core::open::<Shogi>,
    perft: kiban_core::perft::<Shogi>,
    judge: kiban_core::judge::<Shogi>,
    picture: |_, shape| ui::picture(shape),
    problems: &[],
};

impl Game for Shogi {
    fn spec() -> &'static GameSpec {
        &GAME
    }

    fn of(variant: &Variant, start: Option<&str>) -> Shogi {
        let option = |key| variant.option(key, OPTIONS, start.or(Some(START_SFEN)));
        let impasse = option("impasse");
        Shogi {
            sennichite_draws: option("sennichite") == "draw",
            declaration: match impasse {
                "points27" | "points27h" => Declaration::Points27,
                "points24" | "points24h" => Declaration::Points24,
                "try" => Declaration::Try,
                _ => Declaration::None,
            },
            count_missing: impasse.ends_with('h'),
            agreement: if option("agreement") == "agreed24" {
                Agreement::Agreed24
            } else {
                Agreement::Agreed27
            },
            max_moves: option("max-moves").parse().ok(),
        }
    }

    fn start_text(self, _: Option<u64>) -> String {
        START_SFEN.to_string()
    }

    fn perft(self, p: &Position, depth: u32, divide: bool) -> PerftCount {
        let mut p = p.clone();
        if !divide || depth == 0 {
            return PerftCount { nodes: perft::perft(&mut p, depth), divide: None };
        }
        let rows = perft::divide(&mut p, depth);
        let nodes = rows.iter().map(|row| row.1).sum();
        let text = |(m, n): (Move, u64)| (m.to_usi(), n);
        PerftCount { nodes, divide: Some(rows.into_iter().map(text).collect()) }
    }
}
