//! The game's entry in the registry.

use crate::exact;
use crate::notation::START;
use crate::openings;
use crate::puzzles;
use crate::rules::{CHECKMATE, PERPETUAL_CHECK, SENNICHITE, STALEMATE};
use crate::setups::SETUPS;
use crate::{Move, Position, Shogi3};
use kiban_core::{
    Format, Game, GameSpec, Names, OptionSpec, PerftCount, Reason, Rules, Variant, VariantSpec,
};
use kiban_pgn::Dialect;
use kiban_shogi::{Board, FOULS, board_picture};

const VARIANTS: &[VariantSpec] =
    &[VariantSpec { id: "shogi3", seats: 2, hidden: false, start: Some(START) }];

const OPTIONS: &[OptionSpec] = &[
    option("stalemate", &["loss", "draw"]),
    option("uchifuzume", &["forbidden", "allowed"]),
    option("perpetual-check", &["loses", "draw"]),
];

/// An option whose first value is the default.
const fn option(key: &'static str, values: &'static [&'static str]) -> OptionSpec {
    OptionSpec { key, values, default: values[0], default_for: None }
}

const REASONS: &[Reason] = &[
    CHECKMATE,
    STALEMATE,
    SENNICHITE,
    PERPETUAL_CHECK,
    FOULS[0],
    FOULS[1],
    FOULS[2],
    FOULS[3],
    FOULS[4],
    FOULS[5],
    FOULS[6],
    FOULS[7],
];

const DIALECT: Dialect = Dialect::new(&GAME);

const PGN: Format = Format {
    id: "pgn",
    extensions: &["pgn"],
    sniff: |bytes| DIALECT.sniff(bytes),
    read: Some(|source| DIALECT.read(source)),
    stream: Some(|source, sink| DIALECT.stream(source, sink)),
    write: Some(|records| DIALECT.write(records)),
    ..Format::NONE
};

const BOARD: Board =
    Board { side: 3, stand_columns: 2, stand_width: 30.0, slot: 30.0, in_hand: 0.74, dots: false };

/// Nine-square shogi.
pub static GAME: GameSpec = GameSpec {
    id: "shogi3",
    names: Names {
        en: "Nine-square shogi",
        zh_hans: "九格将棋",
        zh_hant: "九格將棋",
        ja: "9マス将棋",
    },
    variants: VARIANTS,
    options: OPTIONS,
    setups: SETUPS,
    layouts: &[],
    formats: &[PGN],
    protocols: &[],
    openings: openings::listed,
    mate: None,
    proofs: None,
    probe: Some(exact::probe),
    atlas: Some(exact::ATLAS),
    tables: None,
    puzzles: puzzles::listed,
    bench: None,
    reasons: REASONS,
    messages: &[("en", kiban_shogi::ENGLISH), ("en", include_str!("../data/en.ftl"))],
    perft_leaf: "path",
    open: kiban_core::open::<Shogi3>,
    perft: kiban_core::perft::<Shogi3>,
    judge: kiban_core::judge::<Shogi3>,
    picture: |_, shape| board_picture(BOARD, shape),
    problems: &[],
};

impl Game for Shogi3 {
    fn spec() -> &'static GameSpec {
        &GAME
    }

    fn of(variant: &Variant, _: Option<&str>) -> Shogi3 {
        let option = |key| variant.option(key, OPTIONS, None);
        Shogi3 {
            stalemate_draws: option("stalemate") == "draw",
            uchifuzume: option("uchifuzume") == "allowed",
            perpetual_draws: option("perpetual-check") == "draw",
        }
    }

    fn start_text(self, _: Option<u64>) -> String {
        START.to_string()
    }

    fn perft(self, p: &Position, depth: u32, divide: bool) -> PerftCount {
        let count = |m: Move, depth| {
            let mut below = *p;
            below.play(m);
            self.paths(&below, depth)
        };
        if !divide || depth == 0 {
            return PerftCount { nodes: self.paths(p, depth), divide: None };
        }
        let moves = self.moves(p).into_iter();
        let rows: Vec<(String, u64)> =
            moves.map(|m| (m.to_string(), count(m, depth - 1))).collect();
        PerftCount { nodes: rows.iter().map(|(_, n)| n).sum(), divide: Some(rows) }
    }
}

impl Shogi3 {
    /// Paths of exactly this many plies.
    fn paths(self, p: &Position, depth: u32) -> u64 {
        if depth == 0 {
            return 1;
        }
        let moves = p.legal_moves(self.uchifuzume);
        if depth == 1 {
            return moves.len() as u64;
        }
        let below = |m: Move| {
            let mut after = *p;
            after.play(m);
            self.paths(&after, depth - 1)
        };
        moves.into_iter().map(below).sum()
    }
}
