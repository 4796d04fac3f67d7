//! How records say that a game is over: words of KIF, special moves of CSA.

use super::tracker::Tracker;
use crate::impasse::{self, Declaration};
use crate::moves::Color;
use crate::position::Position;
use crate::rules::Shogi;
use crate::sfen::Setup;
use crate::spec::GAME;
use kiban_core::{Call, Claimed, Entry, Game, Line, Outcome, ReadError, Seat, Seats};

/// What an ending word says. "The side" is the side to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Ending {
    /// The side gives up.
    Resign,
    /// The side's time ran out.
    Timeout,
    /// The side claims a win by declaration.
    Declare,
    /// The side left or did not come.
    Left,
    /// The other side left or did not come.
    OtherLeft,
    /// A draw was agreed.
    Draw,
    /// Impasse: an agreement where the rules allow one.
    Impasse,
    /// The position occurred for the fourth time.
    Repetition,
    /// The side wins by a foul of the other.
    WonByFoul,
    /// The side loses by a foul.
    LostByFoul,
    /// This colour made a foul (CSA).
    FoulOf(Color),
    /// The side wins; the record does not say how.
    Win,
    /// The other side's king has reached its goal (`impasse=try`).
    Try,
    /// The game reached its last ply.
    MaxMoves,
    /// The side is mated.
    Mate,
    /// No mate was found.
    NoMate,
    /// Play was broken off.
    Interrupted,
    /// The next move was sealed.
    Sealed,
    /// A move was taken back (CSA).
    TakenBack,
    /// Something went wrong (CSA).
    Broken,
}

/// Begins a summary: `まで12手で先手の勝ち`.
pub(super) const SUMMARY: &str = "まで";
/// What a summary says of a repetition that is a foul.
pub(super) const PERPETUAL: &str = "連続王手";

/// The words of KIF and its kin; the writer uses the first of an ending.
pub(super) const KIF: &[(&str, Ending)] = &[
    ("投了", Ending::Resign),
    ("切れ負け", Ending::Timeout),
    ("時間切れ負け", Ending::Timeout),
    ("時間切れ", Ending::Timeout),
    ("Time-up", Ending::Timeout),
    ("入玉勝ち", Ending::Declare),
    ("入玉宣言勝ち", Ending::Declare),
    ("宣言勝ち", Ending::Declare),
    ("入玉宣言", Ending::Declare),
    ("勝ち宣言", Ending::Declare),
    ("不戦敗", Ending::Left),
    ("不戦勝", Ending::OtherLeft),
    ("引き分け", Ending::Draw),
    ("引分け", Ending::Draw),
    ("引分", Ending::Draw),
    ("持将棋", Ending::Impasse),
    ("千日手", Ending::Repetition),
    ("反則勝ち", Ending::WonByFoul),
    ("反則負け", Ending::LostByFoul),
    ("反則手", Ending::LostByFoul),
    ("反則", Ending::LostByFoul),
    ("勝ち", Ending::Win),
    ("トライ", Ending::Try),
    ("最大手数", Ending::MaxMoves),
    ("詰み", Ending::Mate),
    ("詰", Ending::Mate),
    ("不詰み", Ending::NoMate),
    ("不詰", Ending::NoMate),
    ("中断", Ending::Interrupted),
    ("封じ手", Ending::Sealed),
];

/// The special moves of CSA.
pub(super) const CSA: &[(&str, Ending)] = &[
    ("%TORYO", Ending::Resign),
    ("%TIME_UP", Ending::Timeout),
    ("%KACHI", Ending::Declare),
    ("%HIKIWAKE", Ending::Draw),
    ("%JISHOGI", Ending::Impasse),
    ("%SENNICHITE", Ending::Repetition),
    ("%ILLEGAL_MOVE", Ending::LostByFoul),
    ("%+ILLEGAL_ACTION", Ending::FoulOf(Color::Sente)),
    ("%-ILLEGAL_ACTION", Ending::FoulOf(Color::Gote)),
    ("%MAX_MOVES", Ending::MaxMoves),
    ("%TSUMI", Ending::Mate),
    ("%FUZUMI", Ending::NoMate),
    ("%CHUDAN", Ending::Interrupted),
    ("%MATTA", Ending::TakenBack),
    ("%ERROR", Ending::Broken),
];

/// The special moves of JKF, which are CSA's, and words of KIF where CSA has none.
pub(super) const JKF: &[(&str, Ending)] = &[
    ("TORYO", Ending::Resign),
    ("TIME_UP", Ending::Timeout),
    ("KACHI", Ending::Declare),
    ("HIKIWAKE", Ending::Draw),
    ("JISHOGI", Ending::Impasse),
    ("SENNICHITE", Ending::Repetition),
    ("ILLEGAL_ACTION", Ending::WonByFoul),
    ("ILLEGAL_MOVE", Ending::LostByFoul),
    ("+ILLEGAL_ACTION", Ending::FoulOf(Color::Sente)),
    ("-ILLEGAL_ACTION", Ending::FoulOf(Color::Gote)),
    ("MAX_MOVES", Ending::MaxMoves),
    ("TSUMI", Ending::Mate),
    ("FUZUMI", Ending::NoMate),
    ("CHUDAN", Ending::Interrupted),
    ("MATTA", Ending::TakenBack),
    ("ERROR", Ending::Broken),
    ("不戦敗", Ending::Left),
    ("不戦勝", Ending::OtherLeft),
    ("勝ち", Ending::Win),
    ("トライ", Ending::Try),
    ("封じ手", Ending::Sealed),
];

/// What ends a line of USEN.
pub(super) const USEN: &[(&str, Ending)] = &[
    ("r", Ending::Resign),
    ("t", Ending::Timeout),
    ("j", Ending::Impasse),
    ("p", Ending::Interrupted),
    ("i", Ending::LostByFoul),
];

/// The same where the side to move wins by a declaration, which some programs mean by "j".
pub(super) const USEN_DECLARING: &[(&str, Ending)] = &[
    ("r", Ending::Resign),
    ("t", Ending::Timeout),
    ("j", Ending::Declare),
    ("p", Ending::Interrupted),
    ("i", Ending::LostByFoul),
];

/// What ends a USI line.
pub(super) const USI: &[(&str, Ending)] = &[
    ("resign", Ending::Resign),
    ("win", Ending::Declare),
    ("timeout", Ending::Timeout),
    ("left", Ending::Left),
    ("opponent-left", Ending::OtherLeft),
    ("agree-draw", Ending::Draw),
    ("draw", Ending::Draw),
    ("agree-impasse", Ending::Impasse),
    ("rep_draw", Ending::Repetition),
    ("break", Ending::Interrupted),
    ("chudan", Ending::Interrupted),
    ("foul", Ending::LostByFoul),
];

/// The words a claim may be told in.
const WORDS: [&[(&str, Ending)]; 4] = [KIF, CSA, JKF, USI];

/// The ending a word says.
pub(super) fn find(words: &[(&str, Ending)], word: &str) -> Option<Ending> {
    words.iter().find(|(w, _)| *w == word).map(|(_, ending)| *ending)
}

impl Ending {
    /// The ending a call of these seats says, `side` being to move.
    pub(super) fn of_call(call: Call, by: Seats, side: Color) -> Ending {
        match call {
            Call::Resign => Ending::Resign,
            Call::Declare => Ending::Declare,
            Call::AgreeDraw => Ending::Draw,
            Call::AgreeImpasse => Ending::Impasse,
            Call::Timeout => Ending::Timeout,
            Call::Left if by == Seats::from((!side).seat()) => Ending::OtherLeft,
            Call::Left => Ending::Left,
        }
    }

    /// The call that says it, where the rules do not find it themselves. An agreed impasse is a
    /// call only where the kings stand as the rules want it; elsewhere it remains a claim.
    pub(super) fn entry(self, rules: Shogi, start: &Setup, now: &Tracker) -> Option<Entry> {
        let side = now.turn().seat();
        let both = Seats::first_n(2);
        match self {
            Ending::Resign => Some(Entry::new_call(side, Call::Resign)),
            Ending::Timeout => Some(Entry::new_call(side, Call::Timeout)),
            Ending::Declare => Some(Entry::new_call(side, Call::Declare)),
            Ending::Left => Some(Entry::new_call(side, Call::Left)),
            Ending::OtherLeft => Some(Entry::new_call((!now.turn()).seat(), Call::Left)),
            Ending::Draw => Some(Entry::new_call(both, Call::AgreeDraw)),
            Ending::Impasse => {
                agreed(rules, start, now).map(|_| Entry::new_call(both, Call::AgreeImpasse))
            }
            _ => None,
        }
    }

    /// What a record that says it claims in its words `text`. An impasse that may be agreed is
    /// decided by points, whoever says it.
    pub(super) fn claim(self, rules: Shogi, start: &Setup, now: &Tracker, text: &str) -> Claimed {
        let side = now.turn();
        let won = |side: Color| side.seat().name();
        let foul = text.contains(PERPETUAL).then_some("perpetual-check");
        let (result, reason) = match self {
            Ending::Resign => (won(!side), Some("resign")),
            Ending::Timeout => (won(!side), Some("timeout")),
            Ending::Declare => (won(side), Some("impasse")),
            Ending::Left => (won(!side), Some("abandoned")),
            Ending::OtherLeft => (won(side), Some("abandoned")),
            Ending::Draw => ("draw", Some("agreement")),
            Ending::Impasse => {
                let points = agreed(rules, start, now).map(Outcome::result);
                (points.unwrap_or("replay"), Some("impasse"))
            }
            Ending::Repetition if rules.sennichite_draws => ("draw", Some("sennichite")),
            Ending::Repetition => ("replay", Some("sennichite")),
            Ending::MaxMoves => ("replay", Some("max-moves")),
            Ending::Win => (won(side), None),
            Ending::WonByFoul => (won(side), foul),
            Ending::LostByFoul => (won(!side), foul),
            Ending::FoulOf(color) => (won(!color), foul),
            Ending::Try => (won(!side), Some("try")),
            Ending::Mate => (won(!side), Some("checkmate")),
            Ending::NoMate
            | Ending::Interrupted
            | Ending::Sealed
            | Ending::TakenBack
            | Ending::Broken => ("none", None),
        };
        Claimed {
            result: result.to_string(),
            reason: reason.map(str::to_string),
            text: text.to_string(),
        }
    }

    /// Whether a record may say it behind a declaration, as what came of it.
    pub(super) fn answers_declaration(self) -> bool {
        matches!(self, Ending::LostByFoul | Ending::FoulOf(_) | Ending::Impasse)
    }

    /// The same ending in words relative to the side to move, which KIF has, or to colours.
    fn alike(self, side: Color) -> [Ending; 2] {
        match self {
            Ending::FoulOf(color) if color == side => [self, Ending::LostByFoul],
            Ending::FoulOf(_) => [self, Ending::WonByFoul],
            Ending::WonByFoul => [self, Ending::FoulOf(!side)],
            other => [other, other],
        }
    }

    /// A word for it in any format, for messages.
    pub(super) fn name(self, side: Color) -> &'static str {
        self.word(KIF, side).or_else(|| self.word(CSA, side)).expect("all endings have a word")
    }

    /// The format's word for it.
    pub(super) fn word(
        self,
        words: &'static [(&'static str, Ending)],
        side: Color,
    ) -> Option<&'static str> {
        let word = |ending| words.iter().find(|(_, e)| *e == ending).map(|(word, _)| *word);
        self.alike(side).into_iter().find_map(word)
    }
}

/// What each side's handicap counts; `None` if the position is not admitted.
fn admitted(rules: Shogi, start: &Setup, now: &Tracker) -> Option<(Position, [u32; 2])> {
    Position::from_setup(start).ok()?;
    let now = Position::from_setup(&now.setup).ok()?;
    Some((now, rules.missing(&Line::new(rules, start.clone()))))
}

/// What comes of both players agreeing to an impasse now; `None` if they may not.
fn agreed(rules: Shogi, start: &Setup, now: &Tracker) -> Option<Outcome> {
    if rules.declaration == Declaration::None {
        return None;
    }
    let (now, missing) = admitted(rules, start, now)?;
    impasse::agree(&now, rules.agreement, missing)
}

/// What comes of a declaration now; `None` where none can be made.
fn declared(rules: Shogi, start: &Setup, now: &Tracker) -> Option<Outcome> {
    if !matches!(rules.declaration, Declaration::Points27 | Declaration::Points24) {
        return None;
    }
    let (position, missing) = admitted(rules, start, now)?;
    Some(impasse::declare(&position, rules.declaration, missing))
}

/// Whether the side to move wins by a declaration now.
pub(super) fn may_declare(rules: Shogi, start: &Setup, now: &Tracker) -> bool {
    let side = now.turn().seat();
    matches!(declared(rules, start, now), Some(Outcome::Win { seats, .. }) if seats.has(side))
}

/// What a record says that came of a declaration, if it is not the win that was claimed.
pub(super) fn answer(rules: Shogi, start: &Setup, now: &Tracker) -> Option<Ending> {
    match declared(rules, start, now)? {
        Outcome::Win { seats, .. } if seats.has(now.turn().seat()) => None,
        Outcome::Win { .. } => Some(Ending::LostByFoul),
        Outcome::Draw { .. } | Outcome::Replay { .. } => Some(Ending::Impasse),
    }
}

/// The ending a claim says: its own word in any format or its summary, else by its reason and
/// result.
pub(super) fn of_claim(claimed: &Claimed, side: Color) -> Option<Ending> {
    if let Some(ending) = WORDS.iter().find_map(|words| find(words, &claimed.text)) {
        return Some(ending);
    }
    let summed = Some(&claimed.text).filter(|text| text.starts_with(SUMMARY));
    match summed.and_then(|text| summed_up(text, side)) {
        None => {}
        Some(Ending::FoulOf(color)) if color == side => return Some(Ending::LostByFoul),
        Some(Ending::FoulOf(_)) => return Some(Ending::WonByFoul),
        Some(ending) => return Some(ending),
    }
    let winner = Seat::from_name(&claimed.result).map(Color::of);
    let lost = winner == Some(!side);
    match claimed.reason.as_deref() {
        Some("sennichite") => Some(Ending::Repetition),
        Some("impasse") if winner.is_none() => Some(Ending::Impasse),
        Some("checkmate" | "stalemate") if lost => Some(Ending::Mate),
        Some("resign") if lost => Some(Ending::Resign),
        Some("timeout") if lost => Some(Ending::Timeout),
        Some("failed-declaration") if lost => Some(Ending::LostByFoul),
        Some("abandoned") if lost => Some(Ending::Left),
        Some("abandoned") if winner.is_some() => Some(Ending::OtherLeft),
        Some("max-moves") if winner.is_none() => Some(Ending::MaxMoves),
        Some("try") if lost => Some(Ending::Try),
        Some("agreement") if claimed.result == "draw" => Some(Ending::Draw),
        Some(slug)
            if (slug.starts_with("illegal-") || slug == "perpetual-check") && winner.is_some() =>
        {
            Some(if lost { Ending::LostByFoul } else { Ending::WonByFoul })
        }
        None if claimed.result == "none" => Some(Ending::Interrupted),
        None if winner.is_some() && claimed.text.contains("反則") => {
            Some(if lost { Ending::LostByFoul } else { Ending::WonByFoul })
        }
        None if winner == Some(side) => Some(Ending::Win),
        _ => None,
    }
}

/// The ending a summary says, `side` being to move.
pub(super) fn summed_up(text: &str, side: Color) -> Option<Ending> {
    const WORDS: &[(&str, Ending)] = &[
        ("最大手数", Ending::MaxMoves),
        ("千日手", Ending::Repetition),
        ("持将棋", Ending::Impasse),
        ("引き分け", Ending::Draw),
        ("引分", Ending::Draw),
        ("中断", Ending::Interrupted),
        ("封じ手", Ending::Sealed),
        ("不詰", Ending::NoMate),
        ("詰", Ending::Mate),
    ];
    let repeated = |ending| ending == Ending::Repetition && text.contains(PERPETUAL);
    let plain = WORDS.iter().find(|(word, ending)| text.contains(word) && !repeated(*ending));
    if let Some((_, ending)) = plain {
        return Some(*ending);
    }
    let sides = [
        ("先手", Color::Sente),
        ("下手", Color::Sente),
        ("後手", Color::Gote),
        ("上手", Color::Gote),
    ];
    let named = sides.into_iter().filter_map(|(word, c)| text.rfind(word).map(|at| (at, c))).max();
    let Some((_, named)) = named else {
        // The word alone, as KI2 tells what has no sentence.
        return find(KIF, text.split_once("手で")?.1);
    };
    let winner = match (text.contains('勝'), text.contains('負')) {
        (true, _) => named,
        (false, true) => !named,
        (false, false) => return None,
    };
    Some(if text.contains("反則") || text.contains(PERPETUAL) {
        Ending::FoulOf(!winner)
    } else if text.contains("不戦") {
        if winner == side { Ending::OtherLeft } else { Ending::Left }
    } else if winner != side {
        if text.contains("切れ") { Ending::Timeout } else { Ending::Resign }
    } else if text.contains("入玉") || text.contains("宣言") {
        Ending::Declare
    } else {
        Ending::Win
    })
}

/// Whether the rules can say the call at the end of a record, made by these seats.
pub(super) fn call_fits(call: Call, by: Seats, side: Color) -> bool {
    match call {
        Call::AgreeDraw | Call::AgreeImpasse => by == Seats::first_n(2) || by.is_empty(),
        Call::Left => by.only().is_some() || by.is_empty(),
        _ => by == Seats::from(side.seat()) || by.is_empty(),
    }
}

/// The rules of a record's variant.
///
/// # Errors
/// If the variant is unknown.
pub(super) fn rules_of(variant: &str, start: &Setup) -> Result<Shogi, ReadError> {
    let variant = GAME.variant(variant)?;
    Ok(Shogi::of(&variant, Some(&start.to_sfen())))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_unique() {
        for words in WORDS.into_iter().chain([USEN, USEN_DECLARING]) {
            for (i, (word, _)) in words.iter().enumerate() {
                assert_eq!(words.iter().position(|(w, _)| w == word), Some(i));
            }
        }
    }
}
