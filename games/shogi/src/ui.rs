//! The board, its stands and its pieces as SVG. Units: a cell is 35 wide and 38 high.

use crate::moves::{Color, PieceKind, Square};
use kiban_core::{Label, Picture, Place, Shape};

const CELL_W: f32 = 35.0;
const CELL_H: f32 = 38.0;
/// Wood around the cells, where the coordinates stand.
const MARGIN: f32 = 17.0;
const GAP: f32 = 8.0;
/// Wood before the first and after the last kind of a stand.
const END: f32 = 4.0;

/// Hand pieces from the one held dearest.
const STAND_ORDER: [PieceKind; 7] = [
    PieceKind::Rook,
    PieceKind::Bishop,
    PieceKind::Gold,
    PieceKind::Silver,
    PieceKind::Knight,
    PieceKind::Lance,
    PieceKind::Pawn,
];

/// A board of shogi.
#[derive(Clone, Copy, Debug)]
pub struct Board {
    /// Files, and as many ranks; 9 at most.
    pub side: u8,
    /// Columns of a stand beside the board, its kinds shared among them. One above or below the
    /// board has one row.
    pub stand_columns: u8,
    /// A column's width.
    pub stand_width: f32,
    /// From one kind in hand to the next.
    pub slot: f32,
    /// The size of pieces in hand beside those on the board; where it is not 1, their symbols are
    /// those of [`in_hand`].
    pub in_hand: f32,
    /// Whether it has the four small dots.
    pub dots: bool,
}

/// The board of 81 squares.
const LARGE: Board =
    Board { side: 9, stand_columns: 1, stand_width: 50.0, slot: 41.0, in_hand: 1.0, dots: true };

impl Board {
    fn cells(self) -> f32 {
        f32::from(self.side)
    }

    fn width(self) -> f32 {
        self.cells() * CELL_W + 2.0 * MARGIN
    }

    fn height(self) -> f32 {
        self.cells() * CELL_H + 2.0 * MARGIN
    }
}

/// Where the parts of a picture are, with `first` at the bottom.
struct Layout {
    of: Board,
    width: f32,
    height: f32,
    /// Left upper corner of the wood.
    board: (f32, f32),
    /// Sente's stand: corner, width, height; gote's is the same turned about the middle.
    stand: (f32, f32, f32, f32),
    upright: bool,
    /// Kinds in a column of an upright stand, or in the row of one that lies.
    in_a_row: u8,
}

fn layout(of: Board, shape: Shape) -> Layout {
    let columns = if shape == Shape::Wide { of.stand_columns } else { 1 };
    let in_a_row = (STAND_ORDER.len() as u8).div_ceil(columns);
    let length = f32::from(in_a_row) * of.slot + 2.0 * END;
    let across = f32::from(columns) * of.stand_width;
    let (board_w, board_h) = (of.width(), of.height());
    match shape {
        Shape::Wide => {
            let width = board_w + 2.0 * (across + 2.0 * GAP);
            let height = board_h.max(length) + 2.0 * GAP;
            let board = (across + 2.0 * GAP, (height - board_h) / 2.0);
            let stand = (width - across - GAP, height - GAP - length, across, length);
            Layout { of, width, height, board, stand, upright: true, in_a_row }
        }
        Shape::Tall => {
            let width = board_w.max(length);
            let height = board_h + 2.0 * (across + GAP);
            let stand = (width - length, height - across, length, across);
            let board = ((width - board_w) / 2.0, across + GAP);
            Layout { of, width, height, board, stand, upright: false, in_a_row }
        }
    }
}

/// The empty board of 81 squares.
pub(crate) fn picture(shape: Shape) -> Picture {
    board_picture(LARGE, shape)
}

/// An empty board.
pub fn board_picture(of: Board, shape: Shape) -> Picture {
    let layout = layout(of, shape);
    let on_it = |square: &Square| square.file() <= of.side && square.rank() <= of.side;
    let mut places: Vec<Place> =
        Square::all().filter(on_it).map(|square| cell(&layout, square)).collect();
    for (i, kind) in STAND_ORDER.into_iter().enumerate() {
        places.extend(Color::BOTH.map(|side| slot(&layout, i as u8, kind, side)));
    }
    let labels = labels(&layout);
    Picture {
        width: layout.width,
        height: layout.height,
        places,
        defs: defs() + &small_faces(of.in_hand),
        board: board(&layout),
        labels,
    }
}

fn cell(layout: &Layout, square: Square) -> Place {
    let id = square.to_string();
    let (left, top) = (layout.board.0 + MARGIN, layout.board.1 + MARGIN);
    Place {
        tap: id.clone(),
        id,
        seat: None,
        x: left + (layout.of.cells() + 0.5 - f32::from(square.file())) * CELL_W,
        y: top + (f32::from(square.rank()) - 0.5) * CELL_H,
        w: CELL_W,
        h: CELL_H,
        kind: None,
    }
}

fn slot(layout: &Layout, i: u8, kind: PieceKind, side: Color) -> Place {
    let (x, y, ..) = layout.stand;
    let Board { slot, stand_width, .. } = layout.of;
    let along = END + (f32::from(i % layout.in_a_row) + 0.5) * slot;
    let across = (f32::from(i / layout.in_a_row) + 0.5) * stand_width;
    let (mut cx, mut cy) =
        if layout.upright { (x + across, y + along) } else { (x + along, y + across) };
    if side == Color::Gote {
        (cx, cy) = (layout.width - cx, layout.height - cy);
    }
    let tap = format!("hand:{}", kind.letter());
    let id = format!("{}/{tap}", side.seat());
    let (w, h) = if layout.upright { (stand_width, slot) } else { (slot, stand_width) };
    Place { id, tap, seat: Some(side.seat()), x: cx, y: cy, w, h, kind: None }
}

/// The symbol of a piece in hand on a board whose hands are drawn in a size of their own.
pub fn in_hand(face: &str) -> String {
    format!("hand-{face}")
}

/// Symbols of pieces in hand, where these have a size of their own.
fn small_faces(size: f32) -> String {
    let symbol = |kind: PieceKind| {
        let face = kind.letter().to_string();
        let id = in_hand(&face);
        format!("<g id=\"f-{id}\"><use href=\"#f-{face}\" transform=\"scale({size})\"/></g>")
    };
    let kinds = STAND_ORDER.into_iter().filter(|_| size < 1.0);
    kinds.map(symbol).collect()
}

/// A character centred on the origin, `size` units high.
fn character(ch: char, size: f32, fill: &str) -> String {
    let Some(glyph) = kiban_glyphs::glyph(ch) else { return String::new() };
    let scale = size / 1000.0;
    let half = size / 2.0;
    format!(
        "<path transform=\"translate(-{half} -{half}) scale({scale})\" d=\"{}\" fill=\"{fill}\"/>",
        glyph.path
    )
}

fn labels(layout: &Layout) -> Vec<Label> {
    let kanji = ['一', '二', '三', '四', '五', '六', '七', '八', '九'];
    let (left, top) = (layout.board.0 + MARGIN, layout.board.1 + MARGIN);
    let mut labels = Vec::new();
    let ink = "var(--wood-ink,#4a3414)";
    for (i, kanji) in kanji.into_iter().enumerate().take(layout.of.side.into()) {
        let n = i as f32;
        let digit = char::from(b'0' + layout.of.side - i as u8);
        let across = left + (n + 0.5) * CELL_W;
        let down = top + (n + 0.5) * CELL_H;
        let middle = MARGIN / 2.0;
        labels.push(Label { x: across, y: top - middle, svg: character(digit, 12.0, ink) });
        labels.push(Label {
            x: left + layout.of.cells() * CELL_W + middle,
            y: down,
            svg: character(kanji, 11.0, ink),
        });
        let letter = char::from(b'a' + i as u8);
        labels.push(Label { x: left - middle, y: down, svg: character(letter, 12.0, ink) });
    }
    labels
}

fn board(layout: &Layout) -> String {
    let (x, y) = layout.board;
    let (left, top) = (x + MARGIN, y + MARGIN);
    let (of, w, h) = (layout.of, layout.of.width(), layout.of.height());
    let (right, bottom) = (left + of.cells() * CELL_W, top + of.cells() * CELL_H);
    let mut svg = format!(
        "<rect x=\"{x}\" y=\"{y}\" width=\"{w}\" height=\"{h}\" rx=\"3\" \
         fill=\"var(--wood,#e6c07b)\"/><g fill=\"none\" stroke=\"var(--wood-dark,#c79a4e)\" \
         stroke-opacity=\"0.35\" stroke-width=\"2.5\">"
    );
    for (at, bend) in [(0.18, 14.0), (0.47, -10.0), (0.8, 8.0)] {
        let grain = x + w * at;
        let half = h / 2.0;
        svg.push_str(&format!("<path d=\"M{grain} {y}q{bend} {half} 0 {h}\"/>"));
    }
    svg.push_str("</g><g stroke=\"var(--wood-ink,#4a3414)\" stroke-width=\"0.8\">");
    for i in 0..=of.side {
        let (across, down) = (left + f32::from(i) * CELL_W, top + f32::from(i) * CELL_H);
        svg.push_str(&format!("<path d=\"M{left} {down}H{right}M{across} {top}V{bottom}\"/>"));
    }
    svg.push_str("</g><g fill=\"var(--wood-ink,#4a3414)\">");
    let dots: &[(f32, f32)] =
        if of.dots { &[(3.0, 3.0), (6.0, 3.0), (3.0, 6.0), (6.0, 6.0)] } else { &[] };
    for (i, j) in dots {
        let (cx, cy) = (left + i * CELL_W, top + j * CELL_H);
        svg.push_str(&format!("<circle cx=\"{cx}\" cy=\"{cy}\" r=\"2.1\"/>"));
    }
    svg.push_str("</g>");
    let (sx, sy, w, h) = layout.stand;
    for (sx, sy) in [(sx, sy), (layout.width - sx - w, layout.height - sy - h)] {
        svg.push_str(&format!(
            "<rect x=\"{sx}\" y=\"{sy}\" width=\"{w}\" height=\"{h}\" rx=\"3\" \
             fill=\"var(--stand,#dbb46c)\" stroke=\"var(--wood-dark,#c79a4e)\"/>"
        ));
    }
    svg
}

/// A piece's size beside the king's, and its character.
fn look(kind: PieceKind) -> (f32, char) {
    match kind {
        PieceKind::King => (1.0, '玉'),
        PieceKind::Rook => (0.97, '飛'),
        PieceKind::Bishop => (0.97, '角'),
        PieceKind::Gold => (0.94, '金'),
        PieceKind::Silver => (0.94, '銀'),
        PieceKind::Knight => (0.9, '桂'),
        PieceKind::Lance => (0.87, '香'),
        PieceKind::Pawn => (0.84, '歩'),
        PieceKind::Dragon => (0.97, '龍'),
        PieceKind::Horse => (0.97, '馬'),
        PieceKind::PromotedSilver => (0.94, '全'),
        PieceKind::PromotedKnight => (0.9, '圭'),
        PieceKind::PromotedLance => (0.87, '杏'),
        PieceKind::PromotedPawn => (0.84, 'と'),
    }
}

fn face(id: &str, size: f32, ch: char, promoted: bool) -> String {
    let (w, h) = (33.0 * size, 36.0 * size);
    let at = |x: f32, y: f32| format!("{:.2} {:.2}", (x - 0.5) * w, (y - 0.5) * h);
    let corners =
        [at(0.5, 0.0), at(0.87, 0.17), at(0.97, 1.0), at(0.03, 1.0), at(0.13, 0.17)].join("L");
    let ink = if promoted { "#b5331f" } else { "#221d15" };
    let character = character(ch, 21.5 * size, ink);
    // The character sits low on the wedge, where it is wide.
    let down = 0.06 * h;
    format!(
        "<g id=\"f-{id}\"><path d=\"M{corners}z\" transform=\"translate(0.7 1)\" fill=\"#000\" \
         fill-opacity=\"0.22\"/><path d=\"M{corners}z\" fill=\"url(#shogi-piece)\" \
         stroke=\"#8a6731\" stroke-width=\"0.7\" stroke-linejoin=\"round\"/>\
         <g transform=\"translate(0 {down:.2})\">{character}</g></g>"
    )
}

fn defs() -> String {
    let mut defs = String::from(
        "<linearGradient id=\"shogi-piece\" x1=\"0\" y1=\"0\" x2=\"0\" y2=\"1\">\
         <stop offset=\"0\" stop-color=\"#fbeec6\"/><stop offset=\"0.2\" stop-color=\"#f3d99b\"/>\
         <stop offset=\"1\" stop-color=\"#e5bf78\"/></linearGradient>",
    );
    for kind in PieceKind::ALL {
        let (size, ch) = look(kind);
        let letter = kind.unpromoted().letter();
        let id = if kind.is_promoted() { format!("p{letter}") } else { letter.to_string() };
        defs.push_str(&face(&id, size, ch, kind.is_promoted()));
        if kind.is_promoted() {
            // What the question at a promotion shows: FACE-OPTION.
            defs.push_str(&format!(
                "<use id=\"f-{letter}-promote\" href=\"#f-p{letter}\"/>\
                 <use id=\"f-{letter}-keep\" href=\"#f-{letter}\"/>"
            ));
        }
    }
    // The stronger player holds 王; gote has it, as the giver of handicaps does.
    defs.push_str(&face("K2", 1.0, '王', false));
    // As many pawns as there are may lie in one hand.
    for count in 0..=18 {
        defs.push_str(&figures(count));
    }
    defs
}

/// A count on one plate, the last figure in the middle of its place.
fn figures(count: u32) -> String {
    const ADVANCE: f32 = 6.2;
    let digits = count.to_string();
    let more = ADVANCE * (digits.len() - 1) as f32;
    let figures: String = digits
        .chars()
        .zip(0_u8..)
        .map(|(digit, i)| {
            let x = ADVANCE * f32::from(i) - more;
            let figure = character(digit, 13.0, "var(--ink,#221d15)");
            format!("<g transform=\"translate({x} 0)\">{figure}</g>")
        })
        .collect();
    format!(
        "<g id=\"f-{count}\"><rect x=\"{}\" y=\"-5.5\" width=\"{}\" height=\"11\" rx=\"5.5\" \
         fill=\"var(--surface,#fffdf8)\" fill-opacity=\"0.85\"/>{figures}</g>",
        -5.5 - more,
        11.0 + more
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_count_of_two_figures_stands_on_one_plate() {
        let ten = figures(10);
        assert_eq!(ten.matches("<rect").count(), 1);
        assert_eq!(ten.matches("<path").count(), 2);
        assert!(defs().contains("id=\"f-18\""));
    }
}
