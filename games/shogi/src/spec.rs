//! Shogi's entry in the registry.

use crate::impasse::{Agreement, Declaration};
use crate::mate::{self, solve};
use crate::moves::Move;
use crate::position::Position;
use crate::rules::{FOULS, Shogi};
use crate::sfen::{START_SFEN, Setup};
use crate::{notation, openings, perft, ui, wire};
use kiban_core::{
    Bench, Game, GameSpec, Limits, Mate, Names, OptionSpec, PerftCount, Proof, ReadError, Reason,
    SetupSpec, Variant, VariantSpec,
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
        &[$(SetupSpec::new($id, $name, concat!($ranks, "/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1")),)*
        SetupSpec::new("three-pawns", "Three pawns handicap", "4k4/9/9/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w 3p 1"),
        SetupSpec::new("naked-king", "Naked king", "4k4/9/9/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1")]
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

/// The English texts, for the games that share pieces and rules.
pub const ENGLISH: &str = include_str!("../data/en.ftl");

/// The start, the move generator's hard cases, and positions of our own play from opening to end.
const BENCH: Bench = Bench {
    positions: &[
        START_SFEN,
        "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1",
        "lnsg1gsnl/1r4kb1/ppppp1ppp/5p3/9/2P4P1/PP1PPPP1P/1BG2S1R1/LNS1KG1NL b - 1",
        "ln1gk2nl/1rs2sgb1/p1pppp1pp/6p2/1p5P1/2P6/PPSPPPP1P/1BG2S1R1/LN2KG1NL b - 1",
        "ln1g3nl/1ks1gr3/1pppps1pp/p4pp2/7P1/2P1P1P2/PPSP1P2P/1KG1GS1R1/LN5NL b Bb 1",
        "l4S2l/4g1gs1/5p1p1/pr2N1pkp/4Gn3/PP3PPPP/2GPP4/1K7/L3r+s2L w BS2N5Pb 1",
        "8l/1l+R2P3/p2pBG1pp/kps1p4/Nn1P2G2/P1P1P2PP/1PS6/1KSG3+r1/LN2+p3L w Sbgn3p 1",
        "lr6l/4g1k1p/1s1p1pgp1/p3P1N1P/2Pl5/PPbBSP3/6PP1/4S1SK1/1+r3G1NL b N3Pgn2p 1",
        "6n1l/2+S1k4/2lp4p/1np1B2b1/3PP4/1N1S3rP/1P2+pPP+p1/1p1G5/3KG2r1 b GSN2L4Pgs2p 1",
        "lnsgkg1nl/9/p1pppp1pp/1p4p2/9/2P6/PP1PPPP1P/7R1/LN1GKGSNL w BSPrbs 1",
    ],
    depth: 10,
};

fn read(position: &str) -> Result<Position, ReadError> {
    let setup = Setup::from_sfen(position).map_err(|e| notation::read_error(&e))?;
    Position::from_setup(&setup).map_err(|faults| {
        let faults: Vec<String> = faults.iter().map(ToString::to_string).collect();
        ReadError::new("bad-position", faults.join(" "))
    })
}

/// The mate solver for texts.
fn solve_mate(position: &str, limits: &Limits) -> Result<Mate, ReadError> {
    let answer = solve(&read(position)?, limits);
    Ok(Mate {
        mate: answer.mate,
        plies: answer.plies,
        moves: answer.line.iter().map(|m| m.to_usi()).collect(),
        proved: answer.proved,
        nodes: answer.nodes,
    })
}

/// Mates and threats of mate, for texts.
fn proofs(position: &str, limits: &Limits) -> Result<Vec<Proof>, ReadError> {
    Ok(mate::proofs(&read(position)?, limits))
}

/// Shogi.
pub static GAME: GameSpec = GameSpec {
    id: "shogi",
    names: Names { en: "Shogi", zh_hans: "将棋", zh_hant: "將棋", ja: "将棋" },
    variants: VARIANTS,
    options: OPTIONS,
    setups: SETUPS,
    layouts: &[],
    formats: notation::FORMATS,
    protocols: &[wire::USI],
    openings: openings::lines,
    mate: Some(solve_mate),
    proofs: Some(proofs),
    probe: None,
    atlas: None,
    tables: None,
    puzzles: Vec::new,
    bench: Some(BENCH),
    reasons: REASONS,
    messages: &[("en", ENGLISH)],
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
