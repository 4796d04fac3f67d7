//! The boards and pieces as SVG.

mod paper;
mod pieces;

use crate::Options;
use crate::board::{ARM, Board, FILES, Kind, RANKS, Station, file_letter};
use kiban_core::{Label, Picture, Place};
use std::sync::LazyLock;

pub(crate) use pieces::face;

/// Measures of a board, in the picture's units.
struct Measures {
    four: bool,
    width: f32,
    height: f32,
    /// A piece's width and height.
    block: (f32, f32),
}

/// From file to file and from rank to rank of the board for two.
const STEP: (f32, f32) = (74.0, 54.0);
/// Paper around the stations of the board for two.
const MARGIN: (f32, f32) = (74.0, 58.0);
/// More room where the mountains are.
const MOUNTAINS: f32 = 44.0;
/// From station to station of an arm of the board for four.
const ARM_STEP: f32 = 48.0;
/// From station to station of the centre: files a, c and e run on through it.
const CENTRE_STEP: f32 = 2.0 * ARM_STEP;
/// From the centre to the front of an arm: the radius of the curves.
const CURVE: f32 = 76.0;
/// Paper behind the arms.
const BEHIND: f32 = 54.0;

impl Measures {
    fn of(four: bool) -> Measures {
        if four {
            let half = CENTRE_STEP + CURVE + 5.0 * ARM_STEP + BEHIND;
            return Measures { four, width: 2.0 * half, height: 2.0 * half, block: (42.0, 31.0) };
        }
        let width = 4.0 * STEP.0 + 2.0 * MARGIN.0;
        let height = 11.0 * STEP.1 + MOUNTAINS + 2.0 * MARGIN.1;
        Measures { four, width, height, block: (60.0, 38.0) }
    }

    /// The middle of a station.
    fn at(&self, at: Station) -> (f32, f32) {
        let (file, rank) = (f32::from(at % FILES), f32::from(at / FILES));
        if !self.four {
            let gap = if at >= ARM { 0.0 } else { MOUNTAINS };
            let y = MARGIN.1 + (f32::from(2 * RANKS - 1) - rank) * STEP.1 + gap;
            return (MARGIN.0 + file * STEP.0, y);
        }
        if let Some(number) = at.checked_sub(4 * ARM) {
            let (x, y) = (f32::from(number % 3) - 1.0, f32::from(number / 3) - 1.0);
            return (self.width / 2.0 + x * CENTRE_STEP, self.height / 2.0 + y * CENTRE_STEP);
        }
        let (file, rank) = (f32::from(at % FILES), f32::from(at % ARM / FILES));
        self.in_arm(at / ARM, (file - 2.0) * ARM_STEP, (5.0 - rank) * ARM_STEP)
    }

    /// A point of an arm: to the right of its middle file and behind its front, as its owner sees
    /// it.
    fn in_arm(&self, arm: u8, right: f32, behind: f32) -> (f32, f32) {
        let (x, y) = (self.width / 2.0, self.height / 2.0);
        let out = CENTRE_STEP + CURVE + behind;
        match arm {
            0 => (x + right, y + out),
            1 => (x + out, y - right),
            2 => (x - right, y - out),
            _ => (x - out, y + right),
        }
    }
}

/// The empty board of a variant, the same on wide and tall screens: nothing lies beside it.
pub(crate) fn picture(options: Options) -> Picture {
    // Drawn once: outlines take their time.
    static TWO: LazyLock<Picture> = LazyLock::new(|| drawn(false, false));
    static FLIP: LazyLock<Picture> = LazyLock::new(|| drawn(false, true));
    static FOUR: LazyLock<Picture> = LazyLock::new(|| drawn(true, false));
    match (options.four, options.flips()) {
        (true, _) => FOUR.clone(),
        (false, true) => FLIP.clone(),
        (false, false) => TWO.clone(),
    }
}

fn drawn(four: bool, flips: bool) -> Picture {
    let measures = Measures::of(four);
    let board = Board::of(four);
    let (w, h) = (measures.block.0 + 8.0, measures.block.1 + 8.0);
    let mut labels = paper::words_on_board(&measures);
    labels.extend(if four { four_labels(&measures) } else { two_labels(&measures) });
    let place = |(at, name): (u8, &String)| {
        let (x, y) = measures.at(at);
        let kind = match board.kinds[usize::from(at)] {
            Kind::Post => None,
            Kind::Camp => Some("luzhanqi-place-camp"),
            Kind::Headquarters => Some("luzhanqi-place-headquarters"),
        };
        Place { id: name.clone(), tap: name.clone(), seat: None, x, y, w, h, kind }
    };
    Picture {
        width: measures.width,
        height: measures.height,
        places: (0u8..).zip(&board.names).map(place).collect(),
        defs: paper::defs(&measures) + &pieces::defs(&measures, flips),
        board: paper::board(&measures),
        labels,
    }
}

/// Words as one outline, as large as this box allows, around the origin.
fn words(text: &str, width: f32, height: f32, fill: &str) -> String {
    const UNIT: f32 = 20.0;
    let (w, h) = ((width * UNIT) as u32, (height * UNIT) as u32);
    let horizontal = kiban_glyphs::Direction::Horizontal;
    let path = kiban_glyphs::text_path(text, horizontal, w, h).expect("all words have outlines");
    let (x, y) = (-width / 2.0, -height / 2.0);
    let scale = 1.0 / UNIT;
    format!("<path transform=\"translate({x} {y}) scale({scale})\" fill=\"{fill}\" d=\"{path}\"/>")
}

const COORDINATE: &str = "var(--map-ink,#6d6456)";

fn label(text: &str, (x, y): (f32, f32)) -> Label {
    Label { x, y, svg: words(text, 17.0, 17.0, COORDINATE) }
}

fn two_labels(measures: &Measures) -> Vec<Label> {
    let mut labels = Vec::new();
    for file in 0..FILES {
        let (x, y) = measures.at(file);
        let text = file_letter(file).to_string();
        labels.push(label(&text, (x, y + 40.0)));
        labels.push(label(&text, (x, measures.height - y - 40.0)));
    }
    for rank in 0..2 * RANKS {
        let (x, y) = measures.at(rank * FILES);
        labels.push(label(&(rank + 1).to_string(), (x - 51.0, y)));
    }
    labels
}

fn four_labels(measures: &Measures) -> Vec<Label> {
    let mut labels = Vec::new();
    for arm in 0..4 {
        for file in 0..FILES {
            let right = (f32::from(file) - 2.0) * ARM_STEP;
            let at = measures.in_arm(arm, right, 5.0 * ARM_STEP + 35.0);
            labels.push(label(&file_letter(file).to_string(), at));
        }
        for rank in 0..RANKS {
            let behind = f32::from(RANKS - 1 - rank) * ARM_STEP;
            let at = measures.in_arm(arm, 2.0 * ARM_STEP + 38.0, behind);
            labels.push(label(&(rank + 1).to_string(), at));
        }
    }
    labels
}
