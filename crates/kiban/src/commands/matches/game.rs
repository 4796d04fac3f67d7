//! One game of a match, from its opening to its end.

use super::records::{Records, tagged};
use crate::error::Failure;
use crate::player::{Choice, Working};
use crate::timing::{Timing, note_times};
use kiban_core::{Act, Arbiter, Call, Clocks, Entry, Outcome, Seat, Stop, Viewer, plies, to_move};
use kiban_wire::Fault;
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// One of the two sides of a match.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Side {
    A,
    B,
}

/// What a side did wrong.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Kind {
    /// The program ended, could not be started or fell over.
    Crash,
    /// It gave what is no legal move.
    Illegal,
    /// It answered too late.
    Timeout,
    /// It did not answer.
    Stall,
}

/// Who did something wrong.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(super) struct Blame {
    pub(super) by: Side,
    pub(super) kind: Kind,
    /// What it was, in a sentence. Unknown of games that an older version played.
    #[serde(default)]
    pub(super) why: String,
}

/// As much of a sentence about a fault is kept: a program may have said very much.
const LONGEST_WHY: usize = 300;

/// How a game came out, as its log keeps it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(super) struct Ended {
    pub(super) result: String,
    winners: Vec<String>,
    pub(super) reason: String,
}

impl From<Outcome> for Ended {
    fn from(outcome: Outcome) -> Ended {
        Ended {
            result: outcome.result().to_string(),
            winners: outcome.winners().iter().map(|s| s.name().to_string()).collect(),
            reason: outcome.reason().0.to_string(),
        }
    }
}

/// A finished game.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(super) struct Row {
    /// From 1.
    pub(super) n: usize,
    /// From 1.
    pub(super) pair: usize,
    /// The position after the opening.
    opening: String,
    /// Who has the seat `first`, and `third` where there is one.
    pub(super) first: Side,
    pub(super) outcome: Option<Ended>,
    plies: usize,
    pub(super) fault: Option<Blame>,
    /// The position the game began from, before its opening. This and what follows is unknown of
    /// games that an older version played.
    #[serde(default)]
    pub(super) start: Option<String>,
    /// Layouts and the deal, in the order in which they were put down.
    #[serde(default)]
    pub(super) layouts: Option<Vec<String>>,
    /// All moves from the start, those of the opening first.
    #[serde(default)]
    pub(super) moves: Option<Vec<String>>,
}

impl Row {
    /// Twice the points of `a`; a game without decision is half a point for each.
    pub(super) fn points(&self) -> u64 {
        let winner = match self.outcome.as_ref().map(|o| o.result.as_str()) {
            Some("first") => Some(self.first),
            Some("second") if self.first == Side::A => Some(Side::B),
            Some("second") => Some(Side::A),
            _ => None,
        };
        winner.map_or(1, |side| if side == Side::A { 2 } else { 0 })
    }
}

/// What limits a game.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bounds {
    /// A game of so many plies is left undecided.
    pub(super) plies: usize,
    /// The clocks of both sides.
    pub(super) timing: Timing,
    /// The time a move of another program may take, if it has one and no clock.
    pub(super) time: Option<Duration>,
    /// How much later an answer still counts.
    pub(super) margin: Duration,
}

/// A game being played.
pub(super) struct Playing<'a> {
    pub(super) n: usize,
    pub(super) pair: usize,
    pub(super) first: Side,
    pub(super) game: Box<dyn Arbiter>,
    pub(super) a: &'a mut Working,
    pub(super) b: &'a mut Working,
    pub(super) bounds: Bounds,
    pub(super) clocks: Option<Clocks>,
    pub(super) seed: u64,
    pub(super) stop: Stop,
    /// Where its record goes.
    pub(super) records: Option<&'a Records>,
}

impl Playing<'_> {
    fn side(&self, seat: Seat) -> Side {
        // Teams are first with third and second with fourth.
        match (seat.index() % 2, self.first) {
            (0, first) => first,
            (_, Side::A) => Side::B,
            (_, Side::B) => Side::A,
        }
    }

    fn is_program(&self, seat: Seat) -> bool {
        if self.side(seat) == Side::A { self.a.is_program() } else { self.b.is_program() }
    }

    fn player(&mut self, side: Side) -> &mut Working {
        if side == Side::A { self.a } else { self.b }
    }

    /// Plays to the end. Nothing where it was stopped from outside.
    pub(super) fn played(mut self) -> Result<Option<Row>, Failure> {
        let opening = self.game.position(Viewer::Referee);
        let Some(fault) = self.finish() else { return Ok(None) };
        let outcome = self.game.ending().and_then(|e| e.outcome);
        let winner = outcome.and_then(|o| o.winners().iter().next()).map(|seat| self.side(seat));
        for side in [Side::A, Side::B] {
            let won = winner.map(|w| w == side);
            self.player(side).over(won);
        }
        self.write_record()?;
        if let Some(blame) = &fault {
            self.player(blame.by).end();
        }
        let texts = |of: fn(&Act) -> Option<&String>| {
            self.game.log().iter().filter_map(|e| of(&e.act).cloned()).collect()
        };
        Ok(Some(Row {
            n: self.n,
            pair: self.pair,
            opening,
            first: self.first,
            outcome: outcome.map(Ended::from),
            plies: plies(self.game.as_ref()).len(),
            fault,
            start: Some(self.game.start().to_string()),
            layouts: Some(texts(|act| match act {
                Act::Layout(text) | Act::Deal(text) => Some(text),
                _ => None,
            })),
            moves: Some(texts(|act| if let Act::Move(text) = act { Some(text) } else { None })),
        }))
    }

    /// Plays until the game is over, a player fails or it is long enough; who did something wrong.
    /// Nothing where it was stopped from outside.
    fn finish(&mut self) -> Option<Option<Blame>> {
        for seat in [Seat::FIRST, Seat::SECOND] {
            let side = self.side(seat);
            let player = if side == Side::A { &mut *self.a } else { &mut *self.b };
            if let Err(why) = player.begin(self.game.as_ref()) {
                let kind = kind_of(&why)?;
                return Some(Some(self.blame(seat, kind, &why.to_string())));
            }
        }
        while let Some(seat) = to_move(self.game.as_ref())
            && plies(self.game.as_ref()).len() < self.bounds.plies
        {
            if let Some(blame) = self.one_ply(seat)? {
                return Some(Some(blame));
            }
        }
        Some(None)
    }

    fn write_record(&self) -> Result<(), Failure> {
        let Some(records) = self.records else { return Ok(()) };
        let mut record = self.game.record(Viewer::Referee);
        let spec = self.game.spec();
        let variant = spec.variant(&self.game.variant())?;
        let names = [self.a.name(), self.b.name()];
        tagged(&mut record, spec.variant_spec(&variant).seats, self.first, names);
        if let Some(clocks) = &self.clocks {
            note_times(&mut record, clocks);
        }
        records.write(self.n, &record)
    }

    /// One ply of this seat: what it did wrong, if it did. Nothing where it was stopped.
    fn one_ply(&mut self, seat: Seat) -> Option<Option<Blame>> {
        let seed = self.seed.wrapping_add(self.game.log().len() as u64);
        let side = self.side(seat);
        let player = if side == Side::A { &mut *self.a } else { &mut *self.b };
        let choice = match player.choose(self.game.as_ref(), seat, seed, self.clocks.as_ref()) {
            Ok(choice) => choice,
            Err(fault) => {
                let kind = kind_of(&fault)?;
                return Some(Some(self.blame(seat, kind, &fault.to_string())));
            }
        };
        // A search that was broken off gives a move nobody should be judged by.
        if self.stop.stopped() {
            return None;
        }
        let fault = self.put(seat, &choice);
        if let Some(clocks) = &mut self.clocks {
            clocks.take(seat, choice.spent, self.game.log().len());
        }
        Some(fault)
    }

    fn put(&mut self, seat: Seat, choice: &Choice) -> Option<Blame> {
        let time = match &self.clocks {
            Some(clocks) => Some(clocks.given(seat)),
            // Our own players are not held to the time of other programs.
            None if self.is_program(seat) => self.bounds.time,
            None => None,
        };
        let allowed = time.map(|time| time.saturating_add(self.bounds.margin));
        if let Some(allowed) = allowed.filter(|allowed| choice.spent > *allowed) {
            let (spent, allowed) = (choice.spent.as_secs_f64(), allowed.as_secs_f64());
            let why = format!("It took {spent:.2} s, and {allowed:.2} s were allowed.");
            return Some(self.blame(seat, Kind::Timeout, &why));
        }
        let said = match &choice.entry.act {
            Act::Move(text) => text.clone(),
            Act::Call(call) => call.slug().to_string(),
            act => format!("{act:?}"),
        };
        if let Err(refusal) = self.game.put(&choice.entry) {
            let why = format!("It answered with {said}: {refusal}");
            return Some(self.blame(seat, Kind::Illegal, &why));
        }
        // The referee has ended the game by a foul.
        let foul = self.game.ending().is_some_and(|ending| ending.foul.is_some());
        let why = || format!("It answered with {said}, which is a foul.");
        foul.then(|| self.blame(seat, Kind::Illegal, &why()))
    }

    /// A seat loses, unless it has already; where the rules do not take the call the game stays
    /// undecided.
    fn blame(&mut self, seat: Seat, kind: Kind, why: &str) -> Blame {
        let late = matches!(kind, Kind::Stall | Kind::Timeout);
        let call = if late { Call::Timeout } else { Call::Left };
        let _ = self.game.put(&Entry::new_call(seat, call));
        let mut kept: String = why.chars().take(LONGEST_WHY).collect();
        if kept.len() < why.len() {
            kept.push('…');
        }
        Blame { by: self.side(seat), kind, why: kept }
    }
}

/// What a fault counts as; nothing where it is none of the player's.
fn kind_of(fault: &Fault) -> Option<Kind> {
    match fault {
        Fault::Stopped => None,
        Fault::Stall(_) => Some(Kind::Stall),
        Fault::Wrong(_) | Fault::Illegal(_) => Some(Kind::Illegal),
        Fault::Absent(_) | Fault::Unready(_) | Fault::Ended(_) | Fault::Untold(_) => {
            Some(Kind::Crash)
        }
    }
}
