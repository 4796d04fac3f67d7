//! The game's entry in the registry.

use crate::engine;
use crate::notation::{REASONS, ggf, obf, sgf, transcript, wthor};
use crate::openings;
use crate::{Move, Othello, Position, ui, wire};
use kiban_core::{
    Bench, Decision, Game, GameSpec, Limits, Line, Names, OptionSpec, PerftCount, Report,
    SetupSpec, Thinks, Variant, VariantSpec, Workspace, judge, open, perft,
};

pub(crate) const START: &str = "---------------------------OX------XO--------------------------- X";

const VARIANTS: &[VariantSpec] = &[
    VariantSpec { id: "othello", seats: 2, hidden: false, start: Some(START) },
    VariantSpec { id: "anti", seats: 2, hidden: false, start: Some(START) },
    VariantSpec {
        id: "reversi",
        seats: 2,
        hidden: false,
        start: Some("---------------------------------------------------------------- X"),
    },
    // Its start is drawn from the list of openings.
    VariantSpec { id: "xot", seats: 2, hidden: false, start: None },
];

pub(crate) const OPTIONS: &[OptionSpec] = &[
    OptionSpec { key: "size", values: &["4", "6", "8", "10"], default: "8", default_for: None },
    OptionSpec {
        key: "handicap",
        values: &["0", "1", "2", "3", "4"],
        default: "0",
        default_for: None,
    },
];

const SETUPS: &[SetupSpec] = &[
    SetupSpec::new(
        "handicap-1",
        "One corner",
        "X--------------------------OX------XO--------------------------- O",
    ),
    SetupSpec::new(
        "handicap-2",
        "Two corners",
        "X--------------------------OX------XO--------------------------X O",
    ),
    SetupSpec::new(
        "handicap-3",
        "Three corners",
        "X------X-------------------OX------XO--------------------------X O",
    ),
    SetupSpec::new(
        "handicap-4",
        "Four corners",
        "X------X-------------------OX------XO-------------------X------X O",
    ),
    SetupSpec::new(
        "parallel",
        "Parallel start",
        "---------------------------OO------XX--------------------------- X",
    ),
];

/// Openings, the published line of perfect play after 20 and 30 plies, and ends of the FFO suite.
const BENCH: Bench = Bench {
    positions: &[
        START,
        "------------------O-------OOX-----OOOXO------XX------X---------- X",
        "------------------O-OX---XXOXO----OXX-------X------------------- X",
        "-----------O-------OO-X----OXOO----OO------OX------------------- X",
        "-----------X------XX-O----XXOO--XXXXXX--OOOOXX----OOO------O---- X",
        "---O------OO------XOXO---OXXOXX-XXXXXOO-XXXOXOO-X-XXX-----XXX--- X",
        "O--OOOOX-OOOOOOXOOXXOOOXOOXOOOXXOOOOOOXX---OOOOX----O--X-------- X",
        "-OOOOO----OOOOX--OOOOOO-XXXXXOO--XXOOX--OOXOXX----OXXO---OOO--O- X",
        "--OOO-------XX-OOOOOOXOO-OOOOXOOX-OOOXXO---OOXOO---OOOXO--OOOO-- X",
        "--XXXXX--OOOXX-O-OOOXXOX-OXOXOXXOXXXOXXX--XOXOXX-XXXOOO--OOOOO-- X",
        "-XXXXXX---XOOOO--XOXXOOX-OOOOOOOOOOOXXOOOOOXXOOX--XXOO----XXXXX- X",
    ],
    depth: 14,
};

/// Othello, anti-reversi and Reversi.
pub static GAME: GameSpec = GameSpec {
    id: "othello",
    names: Names { en: "Othello", zh_hans: "黑白棋", zh_hant: "黑白棋", ja: "オセロ" },
    variants: VARIANTS,
    options: OPTIONS,
    setups: SETUPS,
    layouts: &[],
    formats: &[
        transcript::FORMAT,
        ggf::FORMAT,
        sgf::FORMAT,
        wthor::FORMAT,
        wthor::solitaires::FORMAT,
        obf::FORMAT,
    ],
    protocols: &[wire::NBOARD, wire::GTP, wire::CASSIO, wire::XBOARD],
    openings: openings::lines,
    mate: None,
    proofs: None,
    probe: None,
    atlas: None,
    tables: None,
    puzzles: Vec::new,
    bench: Some(BENCH),
    reasons: REASONS,
    messages: &[("en", include_str!("../data/en.ftl"))],
    perft_leaf: "finished",
    open: open::<Othello>,
    perft: perft::<Othello>,
    judge: judge::<Othello>,
    picture: |variant, _| ui::picture(variant),
    problems: &[("obf", obf::problems)],
};

impl Thinks for Othello {
    fn think(
        self,
        line: &Line<Othello>,
        memory: &mut Workspace,
        limits: &Limits,
        report: &mut dyn FnMut(Report),
    ) -> Decision<Move> {
        Decision::Move(engine::think(self, line.position(), memory, limits, report))
    }
}

impl Game for Othello {
    fn spec() -> &'static GameSpec {
        &GAME
    }

    fn of(variant: &Variant, _: Option<&str>) -> Othello {
        Othello::of_variant(variant)
    }

    fn start_text(self, seed: Option<u64>) -> String {
        let ordinary = Position::start(self.options);
        match seed {
            // The openings are of the 8x8 board without handicap; other boards start as they are.
            Some(seed) if self.drawn_opening && ordinary.write() == START => {
                openings::drawn(seed).write()
            }
            _ => ordinary.write(),
        }
    }

    fn perft(self, p: &Position, depth: u32, divide: bool) -> PerftCount {
        let rows = || {
            let row = |(m, nodes): (Move, u64)| (m.to_string(), nodes);
            crate::perft::divide(p, depth).into_iter().map(row).collect()
        };
        PerftCount { nodes: crate::perft::perft(p, depth), divide: divide.then(rows) }
    }
}
