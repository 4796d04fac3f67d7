//! What stands on the board, for diagrams and for a terminal.

use crate::board::{ARM, ARM_LETTERS, Board, FILES, Kind, RANKS, centre, file_letter};
use crate::known::{Known, side_name};
use crate::layout::piece_letter;
use crate::notation::side_key;
use crate::position::{Move, Piece, Position};
use crate::{Luzhanqi, Options, Rank, ui};
use kiban_core::{Fallen, Rules, Scene, ScenePiece, Seat, Seats};

/// The pieces and the last ply.
pub(crate) fn scene(rules: Luzhanqi, k: &Known) -> Scene {
    let Some(p) = &k.position else { return before_play(rules, k) };
    let options = rules.options;
    let names = &Board::of(options.four).names;
    let name = |at: u8| names[usize::from(at)].clone();
    let pieces = p.pieces().map(|(at, piece)| {
        let seat = if piece.down { None } else { p.seat(options, piece.side) };
        scene_piece(rules, name(at), piece, seat)
    });
    let last = match k.events.iter().rev().map(|event| event.m).next() {
        Some(Move::Step(from, to)) => vec![name(from), name(to)],
        Some(Move::Flip(at)) => vec![name(at)],
        _ => Vec::new(),
    };
    Scene {
        pieces: pieces.collect(),
        last,
        check: Vec::new(),
        glow: Vec::new(),
        facts: facts(options, p),
        fallen: fallen(rules, k),
        sides: sides(rules, k),
        out: p.out,
        leap: false,
    }
}

/// The layouts that the viewer knows, while others are still owed.
fn before_play(rules: Luzhanqi, k: &Known) -> Scene {
    let names = &Board::of(rules.options.four).names;
    let mut pieces = Vec::new();
    for (side, layout) in (0u8..).zip(&k.layouts) {
        let ranks = layout.iter().flat_map(|layout| layout.0);
        for (rank, station) in ranks.zip(crate::layout::stations()) {
            let at = crate::layout::on_board(rules.options.four, side, station);
            let piece = Piece { side, rank, down: false, told: false };
            let seat = Seat::new(side.into());
            pieces.push(scene_piece(rules, names[usize::from(at)].clone(), piece, seat));
        }
    }
    Scene { pieces, sides: sides(rules, k), ..Scene::default() }
}

/// How long nothing has happened, and turns skipped by those who skipped any.
fn facts(options: Options, p: &Position) -> Vec<(String, String)> {
    let mut facts = vec![("luzhanqi-quiet".to_string(), p.quiet.to_string())];
    for (seat, skips) in Seat::ALL.into_iter().zip(p.skips).filter(|(_, skips)| *skips > 0) {
        let side = p.side(options, seat).map(|side| side_name(options.four, side));
        let side = side.unwrap_or(seat.name());
        facts.push((format!("luzhanqi-skips-{side}"), skips.to_string()));
    }
    facts
}

/// The messages that name the seats.
fn sides(rules: Luzhanqi, k: &Known) -> Vec<String> {
    Seats::first_n(rules.seats()).iter().map(|seat| side_key(rules, k, seat)).collect()
}

/// The pieces lost, by side and rank, those of unknown rank last.
fn fallen(rules: Luzhanqi, k: &Known) -> Vec<Fallen> {
    let mut lost = k.lost();
    lost.sort_unstable_by_key(|(side, rank)| (*side, *rank as u8));
    let of_kind = lost.chunk_by(|a, b| a == b);
    of_kind
        .map(|pieces| {
            let (side, rank) = pieces[0];
            let piece = Piece { side, rank, down: false, told: false };
            Fallen {
                seat: k.position.as_ref().and_then(|p| p.seat(rules.options, side)),
                face: ui::face(rules.options.four, piece),
                name: format!("luzhanqi-piece-{}", rank.letter()),
                count: pieces.len() as u8,
            }
        })
        .collect()
}

fn scene_piece(rules: Luzhanqi, at: String, piece: Piece, seat: Option<Seat>) -> ScenePiece {
    let name = match (piece.down, piece.rank) {
        (true, _) => "luzhanqi-piece-down".to_string(),
        (false, Rank::Flag) if piece.told => "luzhanqi-piece-l-told".to_string(),
        (false, rank) => format!("luzhanqi-piece-{}", rank.letter()),
    };
    ScenePiece {
        at,
        face: ui::face(rules.options.four, piece),
        seat,
        // Characters are read upright by everybody.
        turned: false,
        upright: true,
        count: 1,
        name,
    }
}

/// The board for a terminal.
pub(crate) fn text(rules: Luzhanqi, k: &Known) -> String {
    let four = rules.options.four;
    let cell = |at: u8| match k.position.as_ref().and_then(|p| p.at(at)) {
        Some(piece) if piece.down && piece.rank == Rank::Unknown => " ?".to_string(),
        Some(piece) if piece.down => format!("~{}", piece_letter(piece.side, piece.rank)),
        Some(piece) if four => {
            format!("{}{}", ARM_LETTERS[usize::from(piece.side)], piece.rank.letter())
        }
        Some(piece) => format!(" {}", piece_letter(piece.side, piece.rank)),
        None => match Board::of(four).kind(at) {
            Kind::Camp => " o".to_string(),
            Kind::Headquarters => " ^".to_string(),
            Kind::Post => " .".to_string(),
        },
    };
    let mut text = if four { four_text(cell) } else { two_text(cell) };
    match (&k.position, k.outcome) {
        (None, _) => text.push_str("layouts are owed\n"),
        (Some(p), None) => {
            let side = p.side(rules.options, p.turn);
            let side = side.map_or("either colour", |side| side_name(four, side));
            text.push_str(&format!("{} to move ({side}), quiet plies {}\n", p.turn, p.quiet));
        }
        (Some(_), Some(_)) => {}
    }
    text
}

fn two_text(cell: impl Fn(u8) -> String) -> String {
    let mut text = String::new();
    for rank in (0..2 * RANKS).rev() {
        text.push_str(&format!("{:2} ", rank + 1));
        text.extend((0..FILES).map(|file| format!(" {}", cell(rank * FILES + file))));
        text.push('\n');
        if rank == RANKS {
            text.push_str("     |  /\\  |  /\\  |\n");
        }
    }
    text.push_str("   ");
    text.extend((0..FILES).map(|file| format!("  {}", file_letter(file))));
    text.push('\n');
    text
}

fn four_text(cell: impl Fn(u8) -> String) -> String {
    const SIDE: usize = 17;
    let mut grid = vec![vec!["  ".to_string(); SIDE]; SIDE];
    for at in 0..4 * ARM {
        let (arm, file, rank) = (at / ARM, usize::from(at % FILES), usize::from(at % ARM / FILES));
        let (column, row) = match arm {
            0 => (6 + file, 16 - rank),
            1 => (16 - rank, 10 - file),
            2 => (10 - file, rank),
            _ => (rank, 6 + file),
        };
        grid[row][column] = cell(at);
    }
    for number in 0..9u8 {
        let (row, column) = (usize::from(number / 3), usize::from(number % 3));
        grid[6 + 2 * row][6 + 2 * column] = cell(centre(number + 1));
    }
    let line = |row: Vec<String>| format!("{}\n", row.join(" ").trim_end());
    grid.into_iter().map(line).collect()
}
