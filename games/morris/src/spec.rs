//! The game's entry in the registry.

use crate::notation::{FORMAT, REASONS};
use crate::options::OPTIONS;
use crate::{Morris, Move, Position, engine, openings, tables, ui};
use kiban_core::{
    Bench, Decision, Game, GameSpec, Limits, Line, Names, PerftCount, Report, Thinks, Variant,
    VariantSpec, Workspace, judge, open, perft,
};

const fn variant(id: &'static str, start: &'static str) -> VariantSpec {
    VariantSpec { id, seats: 2, hidden: false, start: Some(start) }
}

const VARIANTS: &[VariantSpec] = &[
    variant("nine", "********/********/******** w p 0 9 0 9 0 1"),
    variant("six", "********/******** w p 0 6 0 6 0 1"),
    variant("twelve", "********/********/******** w p 0 12 0 12 0 1"),
    variant("lasker", "********/********/******** w p 0 10 0 10 0 1"),
    variant("morabaraba", "********/********/******** w p 0 12 0 12 0 1"),
];

/// The opening, the end of placing, open play and a few men that fly.
const BENCH: Bench = Bench {
    positions: &[
        "********/********/******** w p 0 9 0 9 0 1",
        "**O***@*/O*@*O*@*/******** w p 3 6 3 6 0 4",
        "O*O*@*@*/@*O*O*@*/**@*O**@ b p 5 2 6 3 0 7",
        "O*O*@*@*/@*O*O*@*/O*@*O*@* w m 6 0 6 0 0 10",
        "OO**@@**/*O@**@O*/O**@**@O b m 6 0 6 0 12 18",
        "O*O*****/@***O***/@**@**@* w m 3 0 4 0 3 30",
        "O**O*O**/**@*****/@****@** b m 3 0 3 0 9 41",
    ],
    depth: 8,
};

/// Nine Men's Morris and its kin.
pub static GAME: GameSpec = GameSpec {
    id: "morris",
    names: Names {
        en: "Nine Men's Morris",
        zh_hans: "九子棋",
        zh_hant: "九子棋",
        ja: "ナイン・メンズ・モリス",
    },
    variants: VARIANTS,
    options: OPTIONS,
    setups: &[],
    layouts: &[],
    formats: &[FORMAT],
    protocols: &[],
    openings: openings::list,
    mate: None,
    proofs: None,
    probe: Some(tables::probe),
    atlas: None,
    tables: Some(tables::TABLES),
    puzzles: Vec::new,
    bench: Some(BENCH),
    reasons: REASONS,
    messages: &[("en", include_str!("../data/en.ftl"))],
    perft_leaf: "finished",
    open: open::<Morris>,
    perft: perft::<Morris>,
    judge: judge::<Morris>,
    picture: |variant, shape| ui::picture(Morris::of_variant(variant), shape),
    problems: &[],
};

impl Thinks for Morris {
    fn think(
        self,
        line: &Line<Morris>,
        memory: &mut Workspace,
        limits: &Limits,
        report: &mut dyn FnMut(Report),
    ) -> Decision<Move> {
        Decision::Move(engine::think(self, line, memory, limits, report))
    }
}

impl Game for Morris {
    fn spec() -> &'static GameSpec {
        &GAME
    }

    fn of(variant: &Variant, _: Option<&str>) -> Morris {
        Morris::of_variant(variant)
    }

    fn start_text(self, _: Option<u64>) -> String {
        self.write(&Position::start(self.men))
    }

    fn perft(self, p: &Position, depth: u32, divide: bool) -> PerftCount {
        if !divide || depth == 0 {
            return PerftCount { nodes: Morris::perft(self, p, depth), divide: None };
        }
        let row = |m: Move| {
            let mut next = *p;
            next.play(m);
            (self.move_text(m), Morris::perft(self, &next, depth - 1))
        };
        let rows: Vec<(String, u64)> = self.moves(p).into_iter().map(row).collect();
        let nodes = if rows.is_empty() { 1 } else { rows.iter().map(|row| row.1).sum() };
        PerftCount { nodes, divide: Some(rows) }
    }
}
