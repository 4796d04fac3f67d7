//! Moves: `c6c7`, `Sc6m8`, `c3` (a flip), and what came of them in a record: `c6c7>!d12#`.

use crate::board::{ARM_LETTERS, Board, Station};
use crate::known::Event;
use crate::layout::piece_letter;
use crate::position::Move;
use crate::{Contact, Luzhanqi, Rank};
use kiban_core::{Call, ReadError, Seat, Taps};

/// How a skipped turn is written.
pub(crate) const SKIP: &str = "skip";

pub(super) fn name(rules: Luzhanqi, at: Station) -> &'static str {
    Board::of(rules.options.four).names.get(usize::from(at)).map_or("", String::as_str)
}

pub(crate) fn write(rules: Luzhanqi, m: Move) -> String {
    match m {
        Move::Step(from, to) => format!("{}{}", name(rules, from), name(rules, to)),
        Move::Flip(at) => name(rules, at).to_string(),
        Move::Skip => SKIP.to_string(),
        Move::Out(seat, call) => call_text(seat, call),
    }
}

/// A call in a record: `third-resign`.
pub(crate) fn call_text(seat: Seat, call: Call) -> String {
    format!("{seat}-{}", call.slug())
}

/// The call of such a text.
pub(crate) fn read_call(text: &str) -> Option<(Seat, Call)> {
    let (seat, call) = text.split_once('-')?;
    let call =
        Call::from_slug(call).filter(|c| matches!(c, Call::Resign | Call::Left | Call::Timeout))?;
    Some((Seat::from_name(seat)?, call))
}

/// Reads a move, with or without the marks of a record: they say nothing the rules do not know.
pub(crate) fn read(rules: Luzhanqi, text: &str) -> Result<Move, ReadError> {
    if let Some(seat) = read_call(text) {
        return Ok(Move::Out(seat.0, seat.1));
    }
    let bare = text.strip_suffix('#').unwrap_or(text);
    if bare == SKIP {
        return Ok(Move::Skip);
    }
    let bad = || {
        let example = if rules.options.four { "Sc6m8" } else { "c6c7" };
        let found: String = text.chars().take(24).collect();
        let found = found.escape_debug();
        let message = format!("\"{found}\" is not a move; write two stations such as {example}.");
        ReadError::new("bad-move", message)
    };
    let (from, rest) = station(rules, bare).ok_or_else(bad)?;
    if let Some((to, marks)) = station(rules, rest) {
        return if step_marks(rules, marks) { Ok(Move::Step(from, to)) } else { Err(bad()) };
    }
    let flipped = |marks: &str| {
        let letter = marks.strip_prefix(':').filter(|l| l.len() == 1)?;
        let rank = Rank::from_letter(char::from(letter.as_bytes()[0]).to_ascii_lowercase())?;
        (rank != Rank::Unknown).then_some(())
    };
    if rest.is_empty() || flipped(rest).is_some() { Ok(Move::Flip(from)) } else { Err(bad()) }
}

/// A station at the beginning of a text, and what follows.
fn station(rules: Luzhanqi, text: &str) -> Option<(Station, &str)> {
    let letters = text.bytes().take_while(u8::is_ascii_alphabetic).count();
    let digits = text[letters..].bytes().take_while(u8::is_ascii_digit).count();
    let (name, rest) = text.split_at(letters + digits);
    Some((Board::of(rules.options.four).station(name)?, rest))
}

fn step_marks(rules: Luzhanqi, marks: &str) -> bool {
    let mut rest = marks.strip_prefix(['>', '<', '=']).unwrap_or(marks);
    while let Some(flag) = rest.strip_prefix('!') {
        match station(rules, flag) {
            Some((_, more)) => rest = more,
            None => return false,
        }
    }
    rest.is_empty()
}

/// The places a move touches.
pub(crate) fn taps(rules: Luzhanqi, m: Move) -> Taps {
    match m {
        Move::Step(from, to) => vec![name(rules, from).to_string(), name(rules, to).to_string()],
        Move::Flip(at) => vec![name(rules, at).to_string()],
        Move::Skip | Move::Out(..) => Vec::new(),
    }
}

/// The places whose piece left the board.
pub(crate) fn fell(rules: Luzhanqi, event: &Event) -> Taps {
    let taps = taps(rules, event.m);
    let falls = |(i, _): &(usize, String)| match event.contact {
        None => false,
        Some(Contact::Won) => *i == 1,
        Some(Contact::Lost) => *i == 0,
        Some(Contact::Both) => true,
    };
    taps.into_iter().enumerate().filter(falls).map(|(_, tap)| tap).collect()
}

/// A ply with what came of it, as records write it.
pub(crate) fn event_text(rules: Luzhanqi, event: &Event) -> String {
    let mut text = write(rules, event.m);
    if let Some((side, rank)) = event.flipped {
        text.extend([':', piece_letter(side, rank)]);
    }
    text.push_str(match event.contact {
        None => "",
        Some(Contact::Won) => ">",
        Some(Contact::Lost) => "<",
        Some(Contact::Both) => "=",
    });
    for (_, at) in &event.flags {
        text.push('!');
        text.push_str(name(rules, *at));
    }
    if event.ends {
        text.push('#');
    }
    text
}

/// As Chinese players say it.
pub(crate) fn native(rules: Luzhanqi, event: &Event) -> String {
    let mut text = match event.m {
        Move::Step(from, to) => {
            let piece = event.ranks.0.characters();
            format!("{piece}{}→{}", name(rules, from), name(rules, to))
        }
        Move::Flip(at) => {
            let piece = event.flipped.map_or("", |(_, rank)| rank.characters());
            format!("翻{}{piece}", name(rules, at))
        }
        Move::Skip => "超时".to_string(),
        Move::Out(seat, _) => format!("{}退出", seat.index() + 1),
    };
    text.push_str(match event.contact {
        None => "",
        Some(Contact::Won) => " 胜",
        Some(Contact::Lost) => " 负",
        Some(Contact::Both) => " 同归于尽",
    });
    text.push_str(if event.contact.is_some() { event.ranks.1.characters() } else { "" });
    for (_, at) in &event.flags {
        text.push_str(&format!(" 军旗{}", name(rules, *at)));
    }
    text
}

/// As it is read elsewhere: stations with a dash, a cross for an attack.
pub(crate) fn western(rules: Luzhanqi, event: &Event) -> String {
    let marks = event_text(rules, event);
    match event.m {
        Move::Step(from, to) => {
            let (from, to) = (name(rules, from), name(rules, to));
            let between = if event.contact.is_some() { 'x' } else { '-' };
            format!("{from}{between}{to}{}", &marks[from.len() + to.len()..])
        }
        Move::Out(seat, call) => {
            let how = match call {
                Call::Resign => "resigns",
                Call::Timeout => "is out of time",
                _ => "has left",
            };
            format!("{} {how}", ARM_LETTERS[seat.index()])
        }
        _ => marks,
    }
}
