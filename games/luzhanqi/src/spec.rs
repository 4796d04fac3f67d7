//! The game's entry in the registry.

use crate::known::Known;
use crate::layout::LAYOUTS;
use crate::notation::{self, FORMATS, arranged_text};
use crate::options::{OPTIONS, VARIANTS, conflict};
use crate::rules::REASONS;
use crate::{Luzhanqi, Move, Options, Position, engine, ui, wire};
use kiban_core::{
    Decision, Game, GameSpec, Limits, Names, Notation, PerftCount, ReadError, Report, Rules,
    Thinks, Variant, Workspace, open, perft,
};

/// Luzhanqi.
pub static GAME: GameSpec = GameSpec {
    id: "luzhanqi",
    names: Names { en: "Luzhanqi", zh_hans: "军棋", zh_hant: "軍棋", ja: "軍棋" },
    variants: VARIANTS,
    options: OPTIONS,
    setups: &[],
    layouts: LAYOUTS,
    formats: FORMATS,
    protocols: &[wire::CONTEST],
    openings: Vec::new,
    mate: None,
    proofs: None,
    probe: None,
    atlas: None,
    tables: None,
    puzzles: Vec::new,
    bench: None,
    reasons: REASONS,
    messages: &[("en", include_str!("../data/en.ftl"))],
    perft_leaf: "finished",
    open: open::<Luzhanqi>,
    perft: perft::<Luzhanqi>,
    judge: notation::judge,
    picture: |variant, _| ui::picture(Options::of(variant)),
    problems: &[],
};

impl Thinks for Luzhanqi {
    fn think(
        self,
        known: &Known,
        _: &mut Workspace,
        limits: &Limits,
        report: &mut dyn FnMut(Report),
    ) -> Decision<Move> {
        Decision::Move(engine::think(self, known, limits, report))
    }
}

impl Game for Luzhanqi {
    fn spec() -> &'static GameSpec {
        &GAME
    }

    fn conflict(variant: &Variant) -> Option<ReadError> {
        conflict(variant)
    }

    fn of(variant: &Variant, start: Option<&str>) -> Luzhanqi {
        let options = Options::of(variant);
        let arranged = |text: &str| text.is_empty() || text == arranged_text(options.flips());
        Luzhanqi { options, placed: start.is_some_and(|text| !arranged(text.trim())) }
    }

    fn start_text(self, _: Option<u64>) -> String {
        self.arranged().to_string()
    }

    fn perft(self, p: &Position, depth: u32, divide: bool) -> PerftCount {
        let count = |m: Move, depth| {
            let mut below = *p;
            self.play(&mut below, m);
            self.leaves(&below, depth)
        };
        if !divide || depth == 0 {
            return PerftCount { nodes: self.leaves(p, depth), divide: None };
        }
        let rows: Vec<(String, u64)> =
            self.moves(p).into_iter().map(|m| (self.write_move(m), count(m, depth - 1))).collect();
        let nodes = if rows.is_empty() { 1 } else { rows.iter().map(|(_, n)| n).sum() };
        PerftCount { nodes, divide: Some(rows) }
    }
}

impl Luzhanqi {
    /// Leaves of the tree of this depth; a finished game is a leaf.
    fn leaves(self, p: &Position, depth: u32) -> u64 {
        if depth == 0 {
            return 1;
        }
        let moves = self.moves(p);
        match (moves.len(), depth) {
            (0, _) => 1,
            (n, 1) => n as u64,
            _ => {
                let below = |m: Move| {
                    let mut next = *p;
                    self.play(&mut next, m);
                    self.leaves(&next, depth - 1)
                };
                moves.into_iter().map(below).sum()
            }
        }
    }
}
