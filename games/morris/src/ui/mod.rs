//! What the board looks like: the scene, the picture, the text for a terminal.

mod men;
mod wood;

use crate::board::{Grid, bits};
use crate::{Morris, Position};
use kiban_core::{Label, Line, Picture, Place, Scene, ScenePiece, Seat, Shape};

/// The side of the wooden board, in the picture's units.
const BOARD: f32 = 480.0;
/// From the edge of the wood to the outermost lines.
const MARGIN: f32 = 58.0;
/// A tray's width; it is as long as the board.
const TRAY: f32 = 58.0;
/// Between the board and a tray.
const GAP: f32 = 14.0;
/// The radius of a man on the board.
const MAN: f32 = 23.0;

/// Where the parts of a picture are, with `first` at the bottom.
struct Measures {
    grid: &'static Grid,
    men: u8,
    shape: Shape,
    /// From line to line.
    step: f32,
}

impl Measures {
    fn of(rules: Morris, shape: Shape) -> Measures {
        let grid = rules.grid();
        let step = (BOARD - 2.0 * MARGIN) / f32::from(grid.size - 1);
        Measures { grid, men: rules.men, shape, step }
    }

    fn size(&self) -> (f32, f32) {
        let long = BOARD + 2.0 * (TRAY + GAP);
        match self.shape {
            Shape::Wide => (long, BOARD),
            Shape::Tall => (BOARD, long),
        }
    }

    /// The left upper corner of the wood.
    fn corner(&self) -> (f32, f32) {
        match self.shape {
            Shape::Wide => (TRAY + GAP, 0.0),
            Shape::Tall => (0.0, TRAY + GAP),
        }
    }

    /// Where a file and rank, from 0, are.
    fn at(&self, (file, rank): (u8, u8)) -> (f32, f32) {
        let (left, top) = self.corner();
        let down = f32::from(self.grid.size - 1 - rank);
        (left + MARGIN + f32::from(file) * self.step, top + MARGIN + down * self.step)
    }

    /// The middle of a seat's tray, its width and height.
    fn tray(&self, seat: Seat) -> (f32, f32, f32, f32) {
        let (width, height) = self.size();
        let near = TRAY / 2.0;
        match (self.shape, seat) {
            (Shape::Wide, Seat::FIRST) => (width - near, height / 2.0, TRAY, height),
            (Shape::Wide, _) => (near, height / 2.0, TRAY, height),
            (Shape::Tall, Seat::FIRST) => (width / 2.0, height - near, width, TRAY),
            (Shape::Tall, _) => (width / 2.0, near, width, TRAY),
        }
    }

    /// Where a man lies in a tray, from its middle: `nth` from its owner's right or bottom.
    fn in_tray(&self, nth: u8) -> (f32, f32) {
        let step = (BOARD - 20.0) / f32::from(self.men.max(9));
        let along = (f32::from(self.men - 1) / 2.0 - f32::from(nth)) * step;
        match self.shape {
            Shape::Wide => (0.0, along),
            Shape::Tall => (along, 0.0),
        }
    }
}

/// The empty board of a variant.
pub(crate) fn picture(rules: Morris, shape: Shape) -> Picture {
    let measures = Measures::of(rules, shape);
    let (width, height) = measures.size();
    let mut places = Vec::new();
    for point in 0..measures.grid.points {
        let id = measures.grid.name(point);
        let (x, y) = measures.at(measures.grid.places[usize::from(point)]);
        let side = 2.0 * MAN + 10.0;
        places.push(Place { tap: id.clone(), id, seat: None, x, y, w: side, h: side, kind: None });
    }
    for seat in [Seat::FIRST, Seat::SECOND] {
        let (x, y, w, h) = measures.tray(seat);
        let tap = HAND.to_string();
        places.push(Place { id: hand_of(seat), tap, seat: Some(seat), x, y, w, h, kind: None });
    }
    let defs = wood::DEFS.to_string() + &men::defs(&measures);
    Picture {
        width,
        height,
        places,
        defs,
        board: wood::board(&measures),
        labels: labels(&measures),
    }
}

const HAND: &str = "hand";

fn hand_of(seat: Seat) -> String {
    format!("{seat}/{HAND}")
}

/// File letters below the board and rank figures at its left, on the wood.
fn labels(measures: &Measures) -> Vec<Label> {
    let (left, top) = measures.corner();
    let mut labels = Vec::new();
    for i in 0..measures.grid.size {
        let (x, y) = measures.at((i, i));
        let svg = wood::letter(char::from(b'a' + i));
        labels.push(Label { x, y: top + BOARD - 15.0, svg });
        let svg = wood::letter(char::from(b'1' + i));
        labels.push(Label { x: left + 15.0, y, svg });
    }
    labels
}

/// The men on the board and in the trays, and what the last move was.
pub(crate) fn scene(rules: Morris, line: &Line<Morris>) -> Scene {
    let (p, grid) = (line.position(), rules.grid());
    let mut pieces = Vec::new();
    for seat in [Seat::FIRST, Seat::SECOND] {
        let (face, name) = men::of(seat);
        let piece = |at: String, face: String, count: u8| ScenePiece {
            at,
            face,
            seat: Some(seat),
            turned: false,
            // The light falls from above however the board is turned.
            upright: true,
            count,
            name: name.to_string(),
        };
        let men = bits(p.men[seat.index()]);
        pieces.extend(men.map(|point| piece(grid.name(point), face.to_string(), 1)));
        let hand = p.hand[seat.index()];
        if hand > 0 {
            pieces.push(piece(hand_of(seat), format!("{face}-hand-{hand}"), hand));
        }
    }
    let last = rules.last_move(line);
    let (marks, glow) = last.map_or_else(Default::default, |last| {
        let marks = last.from.into_iter().chain([last.to]).collect();
        (marks, last.mills)
    });
    Scene { pieces, last: marks, glow, facts: facts(rules, p), ..Scene::default() }
}

/// Men left on each side; and how long nothing was taken, once that begins to matter.
fn facts(rules: Morris, p: &Position) -> Vec<(String, String)> {
    const TOLD_FROM: u16 = 10;
    let men = |seat: Seat| p.count(seat).to_string();
    let mut facts = vec![
        ("morris-men-white".to_string(), men(Seat::FIRST)),
        ("morris-men-black".to_string(), men(Seat::SECOND)),
    ];
    if p.slides >= TOLD_FROM {
        let limit = rules.quiet_limit(p);
        facts.push(("morris-slides".to_string(), format!("{} / {limit}", p.slides)));
    }
    facts
}

/// The board for a terminal: `O` white, `@` black, `.` an empty point, with the lines between.
pub(crate) fn text(rules: Morris, p: &Position, playing: bool) -> String {
    let grid = rules.grid();
    let size = usize::from(grid.size);
    // Four columns and two rows from line to line.
    let mut canvas = vec![vec![' '; 4 * size - 3]; 2 * size - 1];
    let at = |point: u8| {
        let (file, rank) = grid.places[usize::from(point)];
        (4 * usize::from(file), 2 * (size - 1 - usize::from(rank)))
    };
    for point in 0..grid.points {
        for other in bits(grid.neighbours[usize::from(point)]) {
            draw_line(&mut canvas, at(point), at(other));
        }
    }
    for point in 0..grid.points {
        let (x, y) = at(point);
        canvas[y][x] = match p.at(point) {
            Some(Seat::FIRST) => 'O',
            Some(_) => '@',
            None => '.',
        };
    }
    let mut text = String::new();
    for (row, cells) in canvas.iter().enumerate() {
        let rank = if row % 2 == 0 { (size - row / 2).to_string() } else { " ".to_string() };
        let cells: String = cells.iter().collect();
        text += format!("{rank}  {cells}").trim_end();
        text.push('\n');
    }
    let files: Vec<String> = (b'a'..).take(size).map(|f| char::from(f).to_string()).collect();
    text += &format!("\n   {}\n", files.join("   "));
    let side = |seat: Seat| (p.men[seat.index()].count_ones(), p.hand[seat.index()]);
    let ((white, in_white), (black, in_black)) = (side(Seat::FIRST), side(Seat::SECOND));
    text += &format!("\n   O {white}, {in_white} in hand   @ {black}, {in_black} in hand");
    if playing {
        text += if p.to_move == Seat::FIRST { "   O to move" } else { "   @ to move" };
    }
    text.push('\n');
    text
}

/// Draws a straight or slanting line between two points; their own cells are drawn over later.
fn draw_line(canvas: &mut [Vec<char>], (x, y): (usize, usize), (to_x, to_y): (usize, usize)) {
    // Each line once, from left to right or from top to bottom.
    if (to_x, to_y) < (x, y) {
        return;
    }
    if y == to_y {
        canvas[y][x + 1..to_x].fill('-');
    } else if x == to_x {
        canvas[y + 1..to_y].iter_mut().for_each(|row| row[x] = '|');
    } else {
        let mark = if to_y > y { '\\' } else { '/' };
        canvas[(y + to_y) / 2][(x + to_x) / 2] = mark;
    }
}
