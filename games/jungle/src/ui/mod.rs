//! What the board looks like.

mod ground;
mod tokens;

use crate::board::{FILES, RANKS, SQUARES};
use crate::{Animal, Jungle, Options, Position, Square};
use kiban_core::{Fallen, Label, Line, Picture, Place, Rules, Scene, ScenePiece, Seat};
use std::fmt::Write as _;

/// The side of a square, in the picture's units.
const CELL: f32 = 64.0;
/// Room for coordinates around the board.
const MARGIN: f32 = 26.0;
/// The size of a coordinate's box: figures are about seven tenths of it.
const LETTER: f32 = 17.0;

/// The left and the top of a square, Red at the bottom.
fn corner(square: Square) -> (f32, f32) {
    let (file, rank) = (f32::from(square.file()), f32::from(RANKS - 1 - square.rank()));
    (MARGIN + file * CELL, MARGIN + rank * CELL)
}

fn centre(square: Square) -> (f32, f32) {
    let (x, y) = corner(square);
    (x + CELL / 2.0, y + CELL / 2.0)
}

/// What kind of square it is, where it is no plain land.
fn kind(square: Square) -> Option<&'static str> {
    let trap = square.trap_of().map(|_| "jungle-place-trap");
    let den = square.den_of().map(|_| "jungle-place-den");
    trap.or(den).or(square.is_water().then_some("jungle-place-lake"))
}

/// The empty board: the same on wide and tall screens, as nothing lies beside it.
pub(crate) fn picture(options: Options) -> Picture {
    let mut labels = Vec::new();
    let places = Square::all().map(|square| {
        let (id, (x, y)) = (square.to_string(), centre(square));
        Place { tap: id.clone(), id, seat: None, x, y, w: CELL, h: CELL, kind: kind(square) }
    });
    let places = places.collect();
    for file in 0..FILES {
        let x = MARGIN + (f32::from(file) + 0.5) * CELL;
        let y = MARGIN * 1.5 + f32::from(RANKS) * CELL;
        labels.push(Label { x, y, svg: letter(char::from(b'a' + file)) });
    }
    for rank in 0..RANKS {
        let y = MARGIN + (f32::from(RANKS - 1 - rank) + 0.5) * CELL;
        labels.push(Label { x: MARGIN / 2.0, y, svg: letter(char::from(b'1' + rank)) });
    }
    labels.extend(ground::gates());
    Picture {
        width: 2.0 * MARGIN + f32::from(FILES) * CELL,
        height: 2.0 * MARGIN + f32::from(RANKS) * CELL,
        places,
        defs: tokens::defs(options) + &ground::defs(),
        board: ground::board(),
        labels,
    }
}

/// A character's outline around the origin, its box `size` wide.
fn outline(c: char, size: f32, fill: &str) -> String {
    let glyph = kiban_glyphs::glyph(c).expect("what is written on the board has outlines");
    let (scale, half) = (size / kiban_glyphs::BOX as f32, -size / 2.0);
    format!(
        "<path transform=\"translate({half} {half}) scale({scale})\" fill=\"{fill}\" d=\"{}\"/>",
        glyph.path
    )
}

fn letter(c: char) -> String {
    outline(c, LETTER, "var(--muted,#6d6456)")
}

/// The character on an animal's token, as it is printed in China today.
pub(crate) fn character(animal: Animal, _: Seat) -> char {
    ['鼠', '猫', '狗', '狼', '豹', '虎', '狮', '象'][animal.index()]
}

fn colour(seat: Seat) -> &'static str {
    if seat == Seat::FIRST { "red" } else { "black" }
}

/// An animal's symbol of the picture.
fn face(seat: Seat, animal: Animal) -> String {
    format!("{}-{}", colour(seat), animal.name())
}

/// The message that names it.
fn name(seat: Seat, animal: Animal) -> String {
    format!("jungle-piece-{}", face(seat, animal))
}

/// What to draw of a line.
pub(crate) fn scene(rules: Jungle, line: &Line<Jungle>) -> Scene {
    let p = line.position();
    let piece = |(seat, animal, at): (Seat, Animal, Square)| ScenePiece {
        at: at.to_string(),
        face: face(seat, animal),
        seat: Some(seat),
        turned: false,
        upright: true,
        count: 1,
        name: name(seat, animal),
    };
    let last = line.steps().last();
    Scene {
        pieces: p.animals().map(piece).collect(),
        last: last.map_or_else(Vec::new, |s| vec![s.m.from.to_string(), s.m.to.to_string()]),
        facts: quiet_fact(rules, p).into_iter().collect(),
        fallen: fallen(line),
        leap: last.is_some_and(|step| is_jump(step.m.from, step.m.to)),
        ..Scene::default()
    }
}

/// Whether a move goes farther than one step: over water.
fn is_jump(from: Square, to: Square) -> bool {
    let apart = |i: fn(Square) -> u8| i(from).abs_diff(i(to));
    apart(Square::file) + apart(Square::rank) > 1
}

/// How near a draw for want of a capture is, once half of the way is gone.
fn quiet_fact(rules: Jungle, p: &Position) -> Option<(String, String)> {
    let most = u32::from(rules.options.no_capture?);
    (2 * p.quiet() >= most).then(|| ("jungle-quiet".to_string(), format!("{} / {most}", p.quiet())))
}

/// Animals that left the board in this line, the strongest first.
fn fallen(line: &Line<Jungle>) -> Vec<Fallen> {
    let (then, now) = (line.setup(), line.position());
    let lost = |seat: Seat, animal: &Animal| {
        let had = |p: &Position| p.kind(*animal) & p.side(seat) != 0;
        had(then) && !had(now)
    };
    let of = |seat: Seat| {
        let lost = Animal::ALL.into_iter().rev().filter(move |animal| lost(seat, animal));
        lost.map(move |animal| Fallen {
            seat: Some(seat),
            face: face(seat, animal),
            name: name(seat, animal),
            count: 1,
        })
    };
    of(Seat::FIRST).chain(of(Seat::SECOND)).collect()
}

/// The board for a terminal: letters, Red's in upper case; `~` water, `#` traps, `@` dens.
pub(crate) fn text(rules: Jungle, line: &Line<Jungle>) -> String {
    let p = line.position();
    let mut text = String::new();
    for rank in (0..RANKS).rev() {
        write!(text, "{} ", rank + 1).expect("a string takes any text");
        for file in 0..FILES {
            let square = Square::at(usize::from(rank * FILES + file));
            text.extend([' ', sign(p, square)]);
        }
        text.push('\n');
    }
    text.push_str("   a b c d e f g\n");
    let red = p.side(Seat::FIRST).count_ones();
    let black = p.side(Seat::SECOND).count_ones();
    write!(text, "   Red {red}  Black {black}").expect("a string takes any text");
    if line.outcome().is_none() {
        let side = if rules.to_move(p) == Seat::FIRST { "Red" } else { "Black" };
        write!(text, "  {side} to move").expect("a string takes any text");
    }
    text.push('\n');
    text
}

fn sign(p: &Position, square: Square) -> char {
    debug_assert!(square.index() < SQUARES);
    match p.at(square) {
        Some((Seat::FIRST, animal)) => animal.letter(),
        Some((_, animal)) => animal.letter().to_ascii_lowercase(),
        None if square.is_water() => '~',
        None if square.trap_of().is_some() => '#',
        None if square.den_of().is_some() => '@',
        None => '.',
    }
}
