//! Writing CSA.

use super::{ENCODING, NAME, NUMBER_KEY, PIECES, VARIANT_KEY};
use crate::moves::{Color, Move, Piece, PieceKind, Square};
use crate::notation::endings::{self, Ending};
use crate::notation::headers;
use crate::notation::text::cannot_hold;
use crate::notation::tracker::Tracker;
use crate::notation::tree::{Told, ending_words, start_of, told};
use crate::sfen::Setup;
use crate::spec::GAME;
use kiban_core::{Node, ReadError, Record, Source, gather};
use std::fmt::Write as _;

const FITS: &str = "a string takes everything";
/// The keywords of the players' names.
const NAMES: [&str; 2] = ["N+", "N-"];

/// Writes records in UTF-8.
pub(super) fn write(records: &[Record]) -> Result<Vec<u8>, ReadError> {
    let fine = |node: &Node| node.spent_ms.is_some_and(|ms| ms % 1000 > 0);
    let version = if records.iter().flat_map(|r| &r.nodes).any(fine) { "V3.0" } else { "V2.2" };
    let mut out = format!("{ENCODING}UTF-8\n{version}\n");
    for (i, record) in records.iter().enumerate() {
        if i > 0 {
            out.push_str("/\n");
        }
        let start = start_of(record)?;
        let head = head(record, &start);
        check_head(&head, record, &start)?;
        out.push_str(&head);
        body(&mut out, record, start)?;
    }
    Ok(out.into_bytes())
}

fn sign(color: Color) -> char {
    if color == Color::Sente { '+' } else { '-' }
}

fn code(kind: PieceKind) -> &'static str {
    let code = PIECES.iter().find(|(_, k)| *k == kind).map(|(code, _)| *code);
    code.expect("every kind has a code")
}

fn head(record: &Record, start: &Setup) -> String {
    let mut out = String::new();
    let tags = record.tags.iter().map(|(k, v)| (headers::csa_key(k), v.trim()));
    let unknown = record.unknown.iter().map(|(k, v)| (k.as_str(), v.trim()));
    let headers = tags.chain(unknown).filter(|(_, value)| !value.is_empty());
    // The format wants the names first.
    let (names, others): (Vec<_>, Vec<_>) = headers.partition(|(key, _)| NAMES.contains(key));
    for (key, value) in names {
        writeln!(out, "{key}{value}").expect(FITS);
    }
    for (key, value) in others {
        writeln!(out, "${key}:{value}").expect(FITS);
    }
    if !["", GAME.id].contains(&record.variant.as_str()) {
        writeln!(out, "${VARIANT_KEY}:{}", record.variant).expect(FITS);
    }
    if start.number != 1 {
        writeln!(out, "${NUMBER_KEY}:{}", start.number).expect(FITS);
    }
    position(&mut out, start);
    out
}

fn position(out: &mut String, start: &Setup) {
    let even = Setup::start();
    if (&even.board, &even.hands) == (&start.board, &start.hands) {
        out.push_str("PI\n");
    } else {
        for rank in 1..=9 {
            write!(out, "P{rank}").expect(FITS);
            for file in (1..=9).rev() {
                let square = Square::new(file, rank).expect("on the board");
                match start.board[square.index()] {
                    None => out.push_str(" * "),
                    Some(p) => write!(out, "{}{}", sign(p.color()), code(p.kind())).expect(FITS),
                }
            }
            out.push('\n');
        }
        for color in Color::BOTH {
            let hand = &start.hands[color.index()];
            let held = PieceKind::HAND.into_iter().rev().filter(|kind| hand[kind.index()] > 0);
            let mut held = held.peekable();
            if held.peek().is_some() {
                write!(out, "P{}", sign(color)).expect(FITS);
                for kind in held {
                    let one = format!("00{}", code(kind));
                    out.push_str(&one.repeat(usize::from(hand[kind.index()])));
                }
                out.push('\n');
            }
        }
    }
    writeln!(out, "{}", sign(start.turn)).expect(FITS);
}

/// Reads the head again: what comes out otherwise cannot be held.
fn check_head(head: &str, record: &Record, start: &Setup) -> Result<(), ReadError> {
    // A line with the encoding keeps a first line that looks like one from being taken for it.
    let text = format!("{ENCODING}UTF-8\n{head}");
    let read = gather(super::read::stream, Source { bytes: text.as_bytes(), variant: None });
    let cannot = |what: &str| Err(cannot_hold(NAME, what));
    let Ok([read]) = read.as_deref() else { return cannot("these headers") };
    if let Some(what) = headers::difference(record, read) {
        return cannot(&what);
    }
    if read.start != start.to_sfen() || !read.nodes[0].comment.is_empty() {
        return cannot("this start position or these headers");
    }
    if ![record.variant.as_str(), GAME.id].contains(&read.variant.as_str()) {
        return cannot("this variant");
    }
    Ok(())
}

fn body(out: &mut String, record: &Record, start: Setup) -> Result<(), ReadError> {
    if let Some(ply) = branches(record) {
        let what = format!("branches (there is one at ply {ply})");
        return Err(cannot_hold(NAME, &what));
    }
    let root = &record.nodes[0];
    if root.entry.is_some() || root.spent_ms.is_some() {
        return Err(cannot_hold(NAME, "a move before the first"));
    }
    comment(out, &root.comment)?;
    let (mut board, mut claimed) = (Tracker::new(start.clone()), false);
    for node in record.main_line() {
        match told(NAME, node, &board)? {
            Told::Move(by, m) => {
                writeln!(out, "{}", move_text(&board, by, m)?).expect(FITS);
                board.play(by, m, PieceKind::Pawn);
            }
            Told::Ending(ending) if !claimed => {
                claimed = true;
                end(out, record, Some(ending), (&start, &board))?;
            }
            Told::Nothing if record.claimed.is_some() && !claimed && node.children.is_empty() => {
                claimed = true;
                end(out, record, None, (&start, &board))?;
            }
            Told::Ending(_) => return Err(cannot_hold(NAME, "a second ending")),
            Told::Nothing => return Err(cannot_hold(NAME, "a node without a move")),
        }
        if let Some(ms) = node.spent_ms {
            write!(out, "T{}", ms / 1000).expect(FITS);
            if ms % 1000 > 0 {
                write!(out, ".{:03}", ms % 1000).expect(FITS);
            }
            out.push('\n');
        }
        comment(out, &node.comment)?;
    }
    if record.claimed.is_some() && !claimed {
        end(out, record, None, (&start, &board))?;
    }
    Ok(())
}

/// The ply at which the first branch begins.
fn branches(record: &Record) -> Option<usize> {
    let root = &record.nodes[0];
    let line = std::iter::once(root).chain(record.main_line());
    line.enumerate().find(|(_, node)| node.children.len() > 1).map(|(i, _)| i + 1)
}

fn end(
    out: &mut String,
    record: &Record,
    call: Option<Ending>,
    boards: (&Setup, &Tracker),
) -> Result<(), ReadError> {
    let words = ending_words(NAME, endings::CSA, record, call, boards)?;
    words.iter().for_each(|word| writeln!(out, "{word}").expect(FITS));
    Ok(())
}

/// `+7776FU`: the piece is named as it stands afterwards.
fn move_text(board: &Tracker, by: Color, m: Move) -> Result<String, ReadError> {
    let to = format!("{}{}", m.to().file(), m.to().rank());
    if let Some(kind) = m.dropped() {
        return Ok(format!("{}00{to}{}", sign(by), code(kind)));
    }
    let from = m.from().expect("a move that is no drop has an origin");
    // A foul may start from an empty square; then the name says nothing.
    let kind = board.piece_at(from).map_or(PieceKind::Pawn, Piece::kind);
    let kind = match (m.promotes(), kind.promoted()) {
        (true, Some(promoted)) => promoted,
        (true, None) => return Err(cannot_hold(NAME, "a promotion of a piece that has none")),
        (false, _) => kind,
    };
    Ok(format!("{}{}{}{to}{}", sign(by), from.file(), from.rank(), code(kind)))
}

fn comment(out: &mut String, comment: &str) -> Result<(), ReadError> {
    if comment.contains(['\r', '\0']) {
        return Err(cannot_hold(NAME, "a comment with carriage returns or zero characters"));
    }
    if !comment.is_empty() {
        comment.split('\n').for_each(|line| writeln!(out, "'*{line}").expect(FITS));
    }
    Ok(())
}
