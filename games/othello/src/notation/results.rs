//! Results as GGF (`+4.000`, `-64.000:r`) and SGF (`B+4`, `W+R`, `Draw`) write them, and the calls
//! they tell of.

use super::properties::Place;
use crate::{Othello, spec::GAME};
use kiban_core::{Act, Call, Claimed, Entry, Node, Reason, Record, Seat, Seats};

/// How a format writes results.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Style {
    Ggf,
    Sgf,
}

/// A result as a record says it.
#[derive(Clone, Copy, PartialEq, Debug)]
struct Said {
    /// Nobody won a draw.
    winner: Option<Seat>,
    /// By how many discs.
    margin: Option<f64>,
    /// What ended the game, if it was not played out.
    call: Option<Call>,
}

impl Said {
    fn read(style: Style, text: &str) -> Option<Said> {
        let text = text.trim().to_ascii_lowercase();
        match style {
            Style::Ggf => Said::read_ggf(&text),
            Style::Sgf => Said::read_sgf(&text),
        }
    }

    /// What a claim says, in whatever style its words are.
    fn of_claim(claim: &Claimed, squares: u32) -> Option<Said> {
        let winner = Seat::from_name(&claim.result);
        let by_name = || {
            let decided = winner.is_some() || claim.result == "draw";
            decided.then_some(Said { winner, margin: None, call: None })
        };
        [Style::Ggf, Style::Sgf]
            .into_iter()
            .find_map(|style| Said::read(style, &claim.text))
            .or_else(|| Said::read_score(&claim.text, squares))
            .or_else(by_name)
    }

    /// Reads the score of both, `33-31`, empty squares counted for the winner.
    fn read_score(text: &str, squares: u32) -> Option<Said> {
        let (first, second) = text.split_once('-')?;
        let (first, second): (u32, u32) = (first.parse().ok()?, second.parse().ok()?);
        let winner = match first.cmp(&second) {
            std::cmp::Ordering::Greater => Some(Seat::FIRST),
            std::cmp::Ordering::Equal => None,
            std::cmp::Ordering::Less => Some(Seat::SECOND),
        };
        let all = first.checked_add(second) == Some(squares);
        all.then(|| Said { winner, margin: Some(first.abs_diff(second).into()), call: None })
    }

    fn read_sgf(text: &str) -> Option<Said> {
        match text {
            "draw" => {
                return Some(Said { winner: None, margin: None, call: Some(Call::AgreeDraw) });
            }
            "0" => return Some(Said { winner: None, margin: Some(0.0), call: None }),
            _ => {}
        }
        let (side @ ("b" | "w"), how) = text.split_once('+')? else { return None };
        let winner = Some(if side == "b" { Seat::FIRST } else { Seat::SECOND });
        let (margin, call) = match how {
            "" => (None, None),
            "r" | "resign" => (None, Some(Call::Resign)),
            "t" | "time" => (None, Some(Call::Timeout)),
            "f" | "forfeit" => (None, Some(Call::Left)),
            number => (Some(points(number).filter(|n| *n > 0.0)?), None),
        };
        Some(Said { winner, margin, call })
    }

    fn read_ggf(text: &str) -> Option<Said> {
        let (number, how) = text.split_once(':').unwrap_or((text, ""));
        // An adjourned game has no result yet, whatever its number.
        let number = points(number).filter(|_| how != "l")?;
        let winner = (number != 0.0).then(|| side_of(number));
        let call = match how {
            "r" => Some(Call::Resign),
            "t" => Some(Call::Timeout),
            "s" => Some(Call::AgreeDraw),
            _ => None,
        };
        // Players may agree upon any score, but only a draw by agreement ends a game by itself.
        let call = call.filter(|c| (*c == Call::AgreeDraw) == winner.is_none());
        Some(Said { winner, margin: Some(number.abs()), call })
    }

    fn write(self, style: Style, squares: u32) -> Result<Option<String>, String> {
        let Some(winner) = self.winner else {
            return Ok(Some(
                match (style, self.call) {
                    (Style::Ggf, Some(_)) => "0.000:s",
                    (Style::Ggf, None) => "0.000",
                    (Style::Sgf, Some(_)) => "Draw",
                    (Style::Sgf, None) => "0",
                }
                .to_string(),
            ));
        };
        if style == Style::Sgf {
            let how = match self.call {
                Some(Call::Resign) => "R".to_string(),
                Some(Call::Timeout) => "T".to_string(),
                Some(Call::Left) => "F".to_string(),
                _ => self.margin.map(|m| m.to_string()).unwrap_or_default(),
            };
            return Ok(Some(format!("{}+{how}", if winner == Seat::FIRST { 'B' } else { 'W' })));
        }
        let how = match self.call {
            Some(Call::Resign) => ":r",
            Some(Call::Timeout) => ":t",
            Some(Call::Left) => {
                let message = "GGF has no word for a player who left; choose another format.";
                return Err(message.to_string());
            }
            _ => "",
        };
        let all = self.call.map(|_| f64::from(squares));
        let sign = if winner == Seat::FIRST { '+' } else { '-' };
        Ok(self.margin.or(all).map(|margin| format!("{sign}{margin:.3}{how}")))
    }
}

fn points(text: &str) -> Option<f64> {
    let plain = text.bytes().all(|b| b.is_ascii_digit() || matches!(b, b'+' | b'-' | b'.'));
    text.parse().ok().filter(|n: &f64| plain && n.is_finite())
}

fn side_of(points: f64) -> Seat {
    if points > 0.0 { Seat::FIRST } else { Seat::SECOND }
}

/// The points of a GGF result, positive for the first player.
pub(super) fn margin(text: &str) -> Option<f64> {
    let said = Said::read(Style::Ggf, text)?;
    let side = if said.winner == Some(Seat::SECOND) { -1.0 } else { 1.0 };
    said.margin.map(|margin| side * margin)
}

/// The first player's score that a claim tells of: `33-31`, `+2.000`, `B+2`.
pub(super) fn score_of(claim: &Claimed, squares: u8) -> Option<u8> {
    let said = Said::of_claim(claim, u32::from(squares)).filter(|said| said.call.is_none())?;
    let side = if said.winner == Some(Seat::SECOND) { -1.0 } else { 1.0 };
    let score = (f64::from(squares) + side * said.margin?) / 2.0;
    (0..=squares).find(|whole| f64::from(*whole) == score)
}

/// Whether a result tells of a call.
pub(super) fn tells_of_call(style: Style, text: &str) -> bool {
    Said::read(style, text).is_some_and(|said| said.call.is_some())
}

/// Adds what a result says: the claim, and the call that ended the game where the board did not.
/// The record's variant and start must be known by now.
pub(super) fn claim(record: &mut Record, style: Style, text: &str, at: Place) {
    let said = Said::read(style, text);
    let result = match said {
        None => "none",
        Some(Said { winner: None, .. }) => "draw",
        Some(Said { winner: Some(winner), .. }) => winner.name(),
    };
    let call = said.and_then(|said| said.call);
    let reason = call.map(|call| match call {
        Call::Timeout => Reason::TIMEOUT,
        Call::Left => Reason::ABANDONED,
        Call::AgreeDraw => Reason::AGREEMENT,
        _ => Reason::RESIGN,
    });
    record.claimed = Some(Claimed {
        result: result.to_string(),
        reason: reason.map(|r| r.to_string()),
        text: text.to_string(),
    });
    let Some(call) = call else { return };
    if (GAME.judge)(record).is_ok_and(|judged| judged.outcome.is_some()) {
        return;
    }
    let loser = said.and_then(|said| said.winner).map(|winner| Seats::from(winner.other()));
    let entry = Entry::new_call(loser.unwrap_or(Seats::first_n(2)), call);
    let mut last = 0;
    while let Some(next) = record.nodes[last].children.first() {
        last = *next;
    }
    record.add(last, Node { entry: Some(entry), at: Some(at), ..Node::default() });
}

/// The call that ends a record.
///
/// # Errors
/// If a call stands elsewhere, or its author is not told.
pub(super) fn call_of(record: &Record) -> Result<Option<(Seats, Call)>, String> {
    let last = record.main_line().last();
    let mut found = None;
    for node in &record.nodes {
        let Some(Entry { by, act: Act::Call(call) }) = &node.entry else { continue };
        if !node.children.is_empty() || !last.is_some_and(|last| std::ptr::eq(last, node)) {
            let message = "The game was given up before its last move; choose another format.";
            return Err(message.to_string());
        }
        found = Some((*by, *call));
    }
    Ok(found)
}

fn said_by(by: Seats, call: Call) -> Result<Said, String> {
    let winner = match call {
        Call::AgreeDraw => None,
        _ => Some(by.only().ok_or("It is not told who gave up; choose another format.")?.other()),
    };
    Ok(Said { winner, margin: None, call: Some(call) })
}

/// The result to write: the record's own words if they are of this style, else what the call, the
/// claim or the board says; none for an unfinished game.
///
/// # Errors
/// Says what the format does not hold.
pub(super) fn written(record: &Record, style: Style) -> Result<Option<String>, String> {
    let ended = call_of(record)?.map(|(by, call)| said_by(by, call)).transpose()?;
    let claim = record.claimed.as_ref();
    if let Some(claim) = claim {
        let said = Said::read(style, &claim.text);
        let same = |e: Said| said.is_some_and(|s| (s.winner, s.call) == (e.winner, e.call));
        // Words that say no result are of any style.
        if ended.is_none_or(same) && (said.is_some() || claim.result == "none") {
            return Ok(Some(claim.text.clone()));
        }
    }
    let variant = GAME.variant(&record.variant).map_err(|e| e.to_string())?;
    let size = u32::from(Othello::of_variant(&variant).options.size);
    let said = match (ended, claim) {
        (Some(ended), _) => Some(ended),
        (None, Some(claim)) => Said::of_claim(claim, size * size),
        (None, None) => board(record),
    };
    said.map_or(Ok(None), |said| said.write(style, size * size))
}

/// The result of a game that was played out.
fn board(record: &Record) -> Option<Said> {
    let judged = (GAME.judge)(record).ok()?;
    let (first, second) = judged.score?;
    let winner = judged.outcome?.winners().only();
    let margin = u32::try_from(first.abs_diff(second)).ok()?;
    Some(Said { winner, margin: Some(f64::from(margin)), call: None })
}
