//! The game's exact answers: a probe of one position, and the atlas of set-ups.

use crate::moves::Square;
use crate::position::Position;
use crate::solver::{BYTES_A_POSITION, Solution, Unsolved, Within};
use crate::{GAME, Shogi3, sfen};
use kiban_core::{
    Atlas, Game, Limits, OpenError, Opening, ProbeError, Probed, ProbedMove, ReadError, Stop,
    Value, Variant,
};
use kiban_shogi::moves::{Color, Hand, PieceKind};
use std::cell::RefCell;
use std::time::Instant;

/// Memory for a solution where no limit is given, in bytes.
const BYTES: u64 = 1 << 30;
/// Larger solutions are not kept.
const MOST_KEPT: u64 = 700_000;
/// The message that says a draw is held by endless checks alone.
const CHECKS_ALONE: &str = "shogi3-note-checks-alone";

/// The exact value of a position.
pub(crate) fn probe(opening: &Opening, limits: &Limits) -> Result<Probed, ProbeError> {
    let text = opening.start.as_deref().unwrap_or("");
    let text = GAME.setup_position(text).unwrap_or(text);
    let rules = Shogi3::of(&opening.variant, Some(text));
    let text = if text.trim().is_empty() { crate::notation::START } else { text };
    let p = sfen::read(text).map_err(OpenError::Start)?;
    let faults = sfen::faults(&p);
    if !faults.is_empty() {
        return Err(OpenError::Faults(faults).into());
    }
    let within = Within {
        deadline: limits.time.and_then(|time| Instant::now().checked_add(time)),
        stop: limits.stop.clone(),
        ..Within::bytes(limits.hash.map_or(BYTES, |mib| u64::from(mib) << 20))
    };
    LAST.with_borrow_mut(|last| {
        let holds = |s: &Solution| {
            s.rules() == rules && s.positions() <= within.most && s.worth(&p).is_some()
        };
        if let Some(solution) = last.as_ref().filter(|solution| holds(solution)) {
            return Ok(told(solution, &p));
        }
        let solution = Solution::of(rules, &p, &within).map_err(unsolved)?;
        let told = told(&solution, &p);
        *last = Some(solution).filter(|solution| solution.positions() <= MOST_KEPT);
        Ok(told)
    })
}

thread_local! {
    /// What this thread solved last: who asks about a position asks about its neighbours next.
    static LAST: RefCell<Option<Solution>> = const { RefCell::new(None) };
}

fn unsolved(why: Unsolved) -> ProbeError {
    match why {
        Unsolved::Stopped => ProbeError::Stopped,
        Unsolved::TooMany(positions) => {
            ProbeError::TooLarge { positions, needed: positions.saturating_mul(BYTES_A_POSITION) }
        }
    }
}

fn told(solution: &Solution, p: &Position) -> Probed {
    let worth = solution.worth(p).expect("the position that was solved is among the solved");
    let moves = solution.moves(p).unwrap_or_default().into_iter();
    let told = |(m, worth): (crate::Move, kiban_solve::Worth)| ProbedMove {
        text: m.to_string(),
        value: worth.value,
        distance: worth.distance.map(u32::from),
    };
    let alone = !solution.rules().perpetual_draws
        && worth.value == Value::Draw
        && [true, false].iter().any(|mover| solution.holds_quietly(p, *mover) == Some(false));
    let moves: Vec<ProbedMove> = moves.map(told).collect();
    Probed {
        position: sfen::write(p),
        to_move: Some(p.turn().seat()),
        value: worth.value,
        distance: worth.distance.map(u32::from),
        source: "solver",
        moves,
        positions: Some(solution.positions()),
        peak_bytes: solution.peak_bytes(),
        notes: alone.then_some(CHECKS_ALONE).into_iter().collect(),
    }
}

/// The point-symmetric set-ups of king and at most two different other pieces a side, on the back
/// rank or in hand; of mirror images one.
pub(crate) const ATLAS: Atlas = Atlas {
    header: "position,value,distance,positions,wins,losses,draws,longest,best",
    setups: |_| setups(),
    row,
};

/// Sente's back rank and hand: what stands on files 3, 2 and 1, and what is held.
type Half = ([Option<PieceKind>; 3], Vec<PieceKind>);

/// Their texts, some of them not admitted.
pub(crate) fn setups() -> Vec<String> {
    let mut all: Vec<String> = Vec::new();
    for pieces in sets() {
        for half in halves(&pieces) {
            let mirrored = ([half.0[2], half.0[1], half.0[0]], half.1.clone());
            let (text, other) = (sfen::write(&setup(&half)), sfen::write(&setup(&mirrored)));
            if !all.contains(&other) && !all.contains(&text) {
                all.push(text);
            }
        }
    }
    all
}

/// The sets of at most two different kinds.
fn sets() -> Vec<Vec<PieceKind>> {
    let kinds = PieceKind::HAND;
    let mut sets = vec![Vec::new()];
    sets.extend(kinds.map(|kind| vec![kind]));
    for (i, a) in kinds.into_iter().enumerate() {
        sets.extend(kinds[i + 1..].iter().map(|b| vec![a, *b]));
    }
    sets
}

/// Every way to lay a king and these on the back rank or hold them.
fn halves(pieces: &[PieceKind]) -> Vec<Half> {
    let mut halves: Vec<Half> = (0..3)
        .map(|king| {
            let mut rank = [None; 3];
            rank[king] = Some(PieceKind::King);
            (rank, Vec::new())
        })
        .collect();
    for piece in pieces {
        let mut next = Vec::new();
        for (rank, hand) in halves {
            for i in (0..3).filter(|i| rank[*i].is_none()) {
                let mut rank = rank;
                rank[i] = Some(*piece);
                next.push((rank, hand.clone()));
            }
            let mut held = hand;
            held.push(*piece);
            next.push((rank, held));
        }
        halves = next;
    }
    halves
}

fn setup((rank, held): &Half) -> Position {
    let mut p = Position::empty();
    for (i, kind) in (0_u8..).zip(rank) {
        let own = Square::new(3 - i, 3).expect("on the board");
        let theirs = Square::new(1 + i, 1).expect("on the board");
        p.set(own, kind.map(|kind| (Color::Sente, kind)));
        p.set(theirs, kind.map(|kind| (Color::Gote, kind)));
    }
    let hand = held.iter().fold(Hand::EMPTY, |hand, kind| hand.with(*kind));
    Color::BOTH.iter().for_each(|side| p.set_hand(*side, hand));
    p
}

/// A set-up's row; an arrangement the rules do not admit is told as such.
fn row(variant: &Variant, text: &str, stop: &Stop) -> Result<String, ReadError> {
    let p = sfen::read(text)?;
    if !sfen::faults(&p).is_empty() {
        return Ok(format!("{text},illegal,,,,,,,"));
    }
    let within = Within { stop: stop.clone(), ..Within::bytes(BYTES) };
    let solution = Solution::of(Shogi3::of(variant, None), &p, &within)
        .map_err(|unsolved| ReadError::new("unsolved", format!("{text}: {unsolved}.")))?;
    let worth = solution.worth(&p).expect("the position that was solved is among the solved");
    let tally = solution.tally();
    let best = solution.moves(&p).unwrap_or_default();
    let best: Vec<String> =
        best.iter().take_while(|(_, other)| *other == worth).map(|(m, _)| m.to_string()).collect();
    let value = match worth.value {
        Value::Win => "win",
        Value::Draw => "draw",
        Value::Loss => "loss",
    };
    Ok(format!(
        "{text},{value},{},{},{},{},{},{},{}",
        worth.distance.map(|plies| plies.to_string()).unwrap_or_default(),
        solution.positions(),
        tally.wins,
        tally.losses,
        tally.draws,
        solution.deepest(),
        best.join(" ")
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// "Of the 268 point-symmetric set-ups 50 are illegal, 186 first-player wins, 15 losses, 17
    /// draws; the longest win 27 plies, the longest loss 24."
    #[test]
    fn there_are_as_many_set_ups_and_illegal_ones_as_the_rules_page_counts() {
        let all = setups();
        assert_eq!(all.len(), 268);
        let illegal = |text: &&String| !sfen::faults(&sfen::read(text).unwrap()).is_empty();
        assert_eq!(all.iter().filter(illegal).count(), 50);
    }

    #[test]
    fn the_quickly_solved_rows_agree_with_the_rules_page() {
        let variant = GAME.variant("").unwrap();
        let row = |text: &str| row(&variant, text, &Stop::default()).unwrap();
        assert_eq!(row("2k/3/K2 b Pp 1"), "2k/3/K2 b Pp 1,win,21,2978,1542,1297,139,24,P*2b");
        assert!(
            row("glk/3/KLG b - 1").starts_with("glk/3/KLG b - 1,win,9,119740,62519,56162,1059,")
        );
        let unsound = |text: &String| !sfen::faults(&sfen::read(text).unwrap()).is_empty();
        let unsound = setups().into_iter().find(unsound).unwrap();
        assert_eq!(row(&unsound), format!("{unsound},illegal,,,,,,,"));
    }

    #[test]
    fn a_probe_tells_value_moves_and_what_a_real_game_makes_of_it() {
        let opening = |start: &str| Opening {
            variant: GAME.variant("").unwrap(),
            start: Some(start.to_string()),
            conduct: kiban_core::Conduct::Guided,
            seed: None,
        };
        let probed = probe(&opening("lance-gold"), &Limits::default()).unwrap();
        assert_eq!((probed.value, probed.distance), (Value::Win, Some(9)));
        assert_eq!(probed.moves.len(), 4);
        assert!(probed.notes.is_empty());
        let probed = probe(&opening("2K/2G/+lk1 b lg 1"), &Limits::default()).unwrap();
        assert_eq!((probed.value, probed.notes), (Value::Draw, vec![CHECKS_ALONE]));
        let large = Limits { hash: Some(1), ..Limits::default() };
        let refused = probe(&opening("gsk/3/KSG b Pp 1"), &large).unwrap_err();
        assert!(refused.to_string().contains("may need up to"), "{refused}");
        assert!(probe(&opening("kk1/3/K2 b - 1"), &large).is_err());
    }
}
