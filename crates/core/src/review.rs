//! A game judged ply by ply: what each move lost, and which of them were mistakes.

use crate::{Act, Arbiter, Bound, Entry, Score, Seat, Stage};
use serde::Serialize;

/// What the loss of a move is called.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Mark {
    /// At least a tenth of the chance to win.
    Inaccuracy,
    /// At least a fifth.
    Mistake,
    /// At least three tenths.
    Blunder,
}

impl Mark {
    /// The mark of a loss of the chance to win, 0 to 1.
    pub fn of(loss: f32) -> Option<Mark> {
        match loss {
            l if l >= 0.3 => Some(Mark::Blunder),
            l if l >= 0.2 => Some(Mark::Mistake),
            l if l >= 0.1 => Some(Mark::Inaccuracy),
            _ => None,
        }
    }

    /// The name in JSON.
    pub fn name(self) -> &'static str {
        match self {
            Mark::Inaccuracy => "inaccuracy",
            Mark::Mistake => "mistake",
            Mark::Blunder => "blunder",
        }
    }
}

/// One ply of a game, judged.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct JudgedPly {
    /// From 1, passes included.
    pub ply: usize,
    /// Who moved.
    pub seat: Seat,
    /// What was played, canonical text.
    pub r#move: String,
    /// What would have been best.
    pub best: Option<String>,
    /// What the position was worth for the mover.
    pub before: Option<Score>,
    /// What it was worth for the mover once the move was made.
    pub after: Option<Score>,
    /// Of the chance to win, 0 to 1.
    pub loss: Option<f32>,
    /// What that loss is called.
    pub mark: Option<Mark>,
}

/// What an engine thinks of a position.
#[derive(Clone, PartialEq, Debug)]
pub struct Opinion {
    /// Whose turn it is.
    pub seat: Seat,
    /// Its best move.
    pub best: Option<String>,
    /// What that is worth for it.
    pub score: Option<Score>,
}

/// The scores of one search, depth by depth. A number judged an odd number of plies on leans to who
/// has just moved, so a game whose positions are all searched to one depth seems to swing with every
/// ply. Of the last two depths this gives the one that ends with the same side to move all along the
/// game.
#[derive(Clone, Copy, Default, Debug)]
pub struct Depths {
    last: Option<Score>,
    /// Of finished depths: even ones, odd ones.
    finished: [Option<Score>; 2],
}

impl Depths {
    /// Takes the score of the best line of a depth.
    pub fn hear(&mut self, depth: u8, score: Score) {
        self.last = Some(score);
        let unsure = matches!(score, Score::Estimate { bound, .. } if bound != Bound::Exact);
        if !unsure {
            self.finished[usize::from(depth % 2)] = Some(score);
        }
    }

    /// What a position after so many plies is worth. What is proved needs no such care.
    pub fn score(&self, plies: usize) -> Option<Score> {
        let proved = self.last.filter(|score| matches!(score, Score::Exact { .. }));
        proved.or(self.finished[plies % 2]).or(self.last)
    }
}

/// Judges a game as it is replayed: it is shown each position in turn, with an engine's opinion of
/// it.
#[derive(Default, Debug)]
pub struct Review {
    moments: Vec<Opinion>,
    judged: usize,
}

impl Review {
    /// Whether this position has been looked at.
    pub fn knows(&self, arbiter: &dyn Arbiter) -> bool {
        plies(arbiter).len() < self.moments.len()
    }

    /// What was thought of each position, from the start.
    pub fn opinions(&self) -> &[Opinion] {
        &self.moments
    }

    /// Takes an opinion of the position; none where the game is over. Plies that were passed
    /// without asking on the way here are judged by it, too.
    pub fn look(&mut self, arbiter: &dyn Arbiter, opinion: Option<Opinion>) {
        let plies = plies(arbiter);
        let last = plies.last().map_or(Seat::FIRST, |(seat, _)| *seat);
        let outcome = arbiter.ending().and_then(|e| e.outcome);
        let now = opinion.unwrap_or_else(|| {
            let score = outcome.map(|o| Score::of_outcome(o, last, 0));
            Opinion { seat: last, score, best: None }
        });
        let forced = forced(arbiter).map_or(0, |(_, texts)| texts.len());
        let (mut seat, mut score) = (now.seat, now.score);
        let place = self.moments.len();
        self.moments.push(now);
        for (by, text) in plies.iter().rev().take(forced) {
            score = score.map(|s| s.seen_by(seat, *by).earlier());
            seat = *by;
            self.moments.insert(place, Opinion { seat, score, best: Some(text.to_string()) });
        }
    }

    /// The plies that can be judged since the last time this was asked: those with a position
    /// looked at before and after them.
    pub fn judged(&mut self, arbiter: &dyn Arbiter) -> Vec<JudgedPly> {
        let ply = |(i, (seat, text)): (usize, (Seat, &str))| {
            let (here, next) = (self.moments.get(i)?, self.moments.get(i + 1)?);
            let (before, best) = (here.score, here.best.clone());
            let after = next.score.map(|s| s.seen_by(next.seat, seat));
            let loss = match (before, after) {
                _ if best.as_deref() == Some(text) => Some(0.0),
                (Some(before), Some(after)) => Some((before.chance() - after.chance()).max(0.0)),
                _ => None,
            };
            let (r#move, mark) = (text.to_string(), loss.and_then(Mark::of));
            Some(JudgedPly { ply: i + 1, seat, r#move, best, before, after, loss, mark })
        };
        let plies = plies(arbiter).into_iter().enumerate().skip(self.judged);
        let judged: Vec<JudgedPly> = plies.map_while(ply).collect();
        self.judged += judged.len();
        judged
    }
}

/// The seat whose turn it is to move, if play is on.
pub fn to_move(arbiter: &dyn Arbiter) -> Option<Seat> {
    if arbiter.stage() == Stage::Play { arbiter.waiting_for().only() } else { None }
}

/// The plies so far with their seats, passes included; a foul or a call that ended the game is
/// none.
pub fn plies(arbiter: &dyn Arbiter) -> Vec<(Seat, &str)> {
    let said = |e: &Entry| matches!(e.act, Act::Call(_));
    let foul = arbiter.ending().is_some_and(|e| e.foul.is_some());
    let called = arbiter.ending().is_some() && arbiter.log().last().is_some_and(said);
    let played = arbiter.log().len() - usize::from(foul || called);
    let plies = arbiter.log()[..played].iter().filter_map(|e| match &e.act {
        Act::Move(text) => Some((e.by.only()?, text.as_str())),
        Act::Call(call) => Some((e.by.only()?, call.slug())),
        _ => None,
    });
    plies.collect()
}

/// The texts of the plies that were just played without asking, with their first seat.
pub fn forced(arbiter: &dyn Arbiter) -> Option<(Seat, Vec<String>)> {
    let before = arbiter.before_forced()?;
    let forced = &arbiter.log()[before.log().len()..];
    let texts = forced.iter().filter_map(|e| match &e.act {
        Act::Move(text) => Some(text.clone()),
        _ => None,
    });
    Some((to_move(before.as_ref())?, texts.collect()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Value;

    fn points(points: i32, bound: Bound) -> Score {
        Score::Estimate { points, unit: "centi", chance: 0.5, bound }
    }

    /// An engine that gives the side that moved last half a pawn too much, at any depth.
    fn leaning(plies: usize, deepest: u8) -> Option<Score> {
        let mut heard = Depths::default();
        for depth in 1..=deepest {
            let mover_ends = (usize::from(depth)).is_multiple_of(2);
            heard.hear(depth, points(if mover_ends { -50 } else { 50 }, Bound::Exact));
        }
        let for_first = |score: Score| if plies.is_multiple_of(2) { score } else { score.turned() };
        heard.score(plies).map(for_first)
    }

    #[test]
    fn a_game_does_not_swing_with_the_depth_its_positions_were_searched_to() {
        for (plies, depth) in [(0, 6), (1, 6), (2, 5), (3, 4), (4, 7), (5, 7)] {
            assert_eq!(leaning(plies, depth), Some(points(-50, Bound::Exact)), "{plies}");
        }
        assert_eq!(leaning(0, 1), Some(points(50, Bound::Exact)), "it knows no other");
        assert_eq!(leaning(0, 0), None);
    }

    #[test]
    fn what_is_proved_counts_whatever_its_depth_and_bounds_only_if_nothing_else_is_known() {
        let won = Score::Exact { value: Value::Win, distance: Some(3) };
        let mut heard = Depths::default();
        heard.hear(1, points(9, Bound::Lower));
        assert_eq!(heard.score(0), Some(points(9, Bound::Lower)));
        heard.hear(2, points(20, Bound::Exact));
        heard.hear(3, points(30, Bound::Upper));
        assert_eq!(heard.score(0), Some(points(20, Bound::Exact)));
        heard.hear(3, won);
        assert_eq!((heard.score(0), heard.score(1)), (Some(won), Some(won)));
    }

    #[test]
    fn marks_begin_at_a_tenth_a_fifth_and_three_tenths() {
        let marks = [0.0, 0.099, 0.1, 0.2, 0.3, 1.0].map(Mark::of);
        let (i, m, b) = (Some(Mark::Inaccuracy), Some(Mark::Mistake), Some(Mark::Blunder));
        assert_eq!(marks, [None, None, i, m, b, b]);
        for mark in [Mark::Inaccuracy, Mark::Mistake, Mark::Blunder] {
            assert_eq!(serde_json::json!(mark), mark.name());
        }
    }
}
