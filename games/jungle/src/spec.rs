//! The game's entry in the registry.

use crate::options::{OPTIONS, START, VARIANTS};
use crate::rules::REASONS;
use crate::{Jungle, Move, Options, Position, engine, notation, openings, tables, ui};
use kiban_core::{
    Bench, Decision, Game, GameSpec, Limits, Line, Names, PerftCount, Report, Thinks, Variant,
    Workspace, judge, open, perft,
};

/// The start, middle games and endings of our own play.
const BENCH: &[&str] = &[
    START,
    "l5t/1d3c1/2p1w1e/7/r6/4R2/E1W1P2/1C3D1/T5L w 4 3",
    "l5t/3d1c1/2p1w1e/7/1r5/4R2/E1W1P2/1CD4/T5L b 9 5",
    "6t/2T2cL/2pe3/7/6R/7/1lWP3/2C2D1/7 b",
    "7/1l1p3/4w2/R5e/3T3/6r/2P1E2/3c3/4L2 w 0 40",
    "2r4/2L4/7/4R2/7/3e3/1T3l1/7/2P4 b 3 61",
    "7/2w4/7/3T3/1r5/7/4E2/6d/7 w 12 80",
    "4e2/7/1P5/3l3/6R/T6/7/2w4/4W2 b 2 47",
];

/// Dou Shou Qi.
pub static GAME: GameSpec = GameSpec {
    id: "jungle",
    names: Names { en: "Dou Shou Qi", zh_hans: "斗兽棋", zh_hant: "鬥獸棋", ja: "闘獣棋" },
    variants: VARIANTS,
    options: OPTIONS,
    setups: &[],
    layouts: &[],
    formats: &[notation::FORMAT],
    protocols: &[],
    openings: openings::openings,
    mate: None,
    proofs: None,
    probe: Some(tables::probe),
    atlas: None,
    tables: Some(tables::TABLES),
    puzzles: Vec::new,
    bench: Some(Bench { positions: BENCH, depth: 9 }),
    reasons: REASONS,
    messages: &[("en", include_str!("../data/en.ftl"))],
    perft_leaf: "finished",
    open: open::<Jungle>,
    perft: perft::<Jungle>,
    judge: judge::<Jungle>,
    picture: |variant, _| ui::picture(Options::of(variant)),
    problems: &[],
};

impl Thinks for Jungle {
    fn think(
        self,
        line: &Line<Jungle>,
        memory: &mut Workspace,
        limits: &Limits,
        report: &mut dyn FnMut(Report),
    ) -> Decision<Move> {
        Decision::Move(engine::think(self, line, memory, limits, report))
    }
}

impl Game for Jungle {
    fn spec() -> &'static GameSpec {
        &GAME
    }

    fn of(variant: &Variant, _: Option<&str>) -> Jungle {
        Jungle::of_variant(variant)
    }

    fn start_text(self, _: Option<u64>) -> String {
        START.to_string()
    }

    fn perft(self, p: &Position, depth: u32, divide: bool) -> PerftCount {
        let rows = || {
            let row = |m: &Move| {
                let mut next = *p;
                next.play(self.options, *m);
                (m.to_string(), next.perft(self.options, depth - 1))
            };
            let moves = if depth == 0 { Default::default() } else { p.moves(self.options) };
            moves.iter().map(row).collect()
        };
        PerftCount { nodes: p.perft(self.options, depth), divide: divide.then(rows) }
    }
}
