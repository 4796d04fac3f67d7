//! Which games a match consists of: a pair from each opening, with sides swapped.

use super::Args;
use crate::error::Failure;
use crate::files;
use crate::player::scattered;
use kiban_core::{Arbiter, Conduct, Entry, GameSpec, Opening, ReadError, Stage, Variant};
use kiban_search::Random;

/// Plies at random before a game, where there is no list of openings.
const RANDOM_PLIES: u32 = 6;
/// How often another random opening is tried when a game was over in it.
const TRIES: u64 = 20;

/// The pairs of a match.
pub(super) struct Plan {
    spec: &'static GameSpec,
    variant: Variant,
    seed: u64,
    start: Option<String>,
    openings: Vec<String>,
    random: u32,
}

impl Plan {
    pub(super) fn new(
        args: &Args,
        spec: &'static GameSpec,
        variant: &Variant,
        seed: u64,
    ) -> Result<Plan, Failure> {
        let facts = spec.variant_spec(variant);
        let usual = spec.variants[0].id;
        let plain = variant.canonical(spec.options, None) == usual && args.position.is_none();
        let openings = match &args.openings {
            Some(path) => listed(&files::text(path)?),
            None if plain => (spec.openings)(),
            None => Vec::new(),
        };
        if args.openings.is_some() && openings.is_empty() {
            return Err(Failure::no_answer("empty-input", "The file holds no opening."));
        }
        // A start that is drawn, or layouts and a deal, make games differ by themselves.
        let drawn = facts.hidden || facts.start.is_none();
        let random = if drawn || !openings.is_empty() { 0 } else { RANDOM_PLIES };
        let plan = Plan {
            spec,
            variant: variant.clone(),
            seed,
            start: args.position.clone(),
            openings,
            random: args.random_plies.unwrap_or(random),
        };
        if args.openings.is_some() {
            for i in 0..plan.openings.len() {
                plan.listed(i).map_err(|mut e| {
                    e.message = format!("Opening {}: {}", i + 1, e.message);
                    Failure::NoAnswer(e)
                })?;
            }
        }
        Ok(plan)
    }

    /// A number of this match, pair and purpose.
    pub(super) fn seed_of(&self, pair: usize, purpose: u64) -> u64 {
        let mixed = scattered(self.seed ^ scattered(pair as u64 + 1) << 20);
        mixed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ purpose
    }

    /// The game of a pair (from 0) after its opening. Both games of the pair get the same.
    pub(super) fn open(&self, pair: usize) -> Result<Box<dyn Arbiter>, ReadError> {
        if !self.openings.is_empty() {
            return self.listed(self.drawn(pair));
        }
        let mut found = self.begun(pair, self.start.clone())?;
        for attempt in 0..TRIES {
            let mut random = Random::new(self.seed_of(pair, attempt));
            if at_random(found.as_mut(), self.random, &mut random) {
                break;
            }
            found = self.begun(pair, self.start.clone())?;
        }
        Ok(found)
    }

    /// Which opening of the list a pair has: each is used once before any is used again.
    fn drawn(&self, pair: usize) -> usize {
        let (count, round) = (self.openings.len(), pair / self.openings.len());
        let mut order: Vec<usize> = (0..count).collect();
        let mut random = Random::new(self.seed_of(round, u64::MAX));
        for i in (1..count).rev() {
            order.swap(i, random.below(i + 1));
        }
        order[pair % count]
    }

    /// The game of an opening of the list: moves from the start, or a position with or without
    /// moves, as `startpos moves ...` and `sfen ... moves ...` have it.
    fn listed(&self, index: usize) -> Result<Box<dyn Arbiter>, ReadError> {
        let text = self.openings[index].trim();
        let text = text.strip_prefix("position ").unwrap_or(text).trim();
        let (start, moves) = match text.split_once("moves ") {
            Some((start, moves)) => (start.trim(), moves),
            None => (text, ""),
        };
        let start = match start.strip_prefix("sfen ").unwrap_or(start).trim() {
            "startpos" | "" => None,
            text => Some(text.to_string()),
        };
        if moves.is_empty()
            && let Some(text) = &start
        {
            let played = self.played(self.start.clone(), text);
            // What begins with a move is a list of moves, right or wrong.
            let first = text.split_whitespace().next().unwrap_or_default();
            if played.is_ok() || self.played(self.start.clone(), first).is_ok() {
                return played;
            }
        }
        self.played(start.or_else(|| self.start.clone()), moves)
    }

    fn played(&self, start: Option<String>, moves: &str) -> Result<Box<dyn Arbiter>, ReadError> {
        let mut game = self.begun(0, start)?;
        for text in moves.split_whitespace() {
            let refused = |why: String| {
                ReadError::new("bad-opening", format!("The move {text} cannot be played: {why}"))
            };
            let seat = game.waiting_for().only();
            let seat = seat.ok_or_else(|| refused("nobody is to move.".to_string()))?;
            let entry = Entry::new_move(seat, text);
            game.put(&entry).map_err(|refusal| refused(refusal.to_string()))?;
            if game.stage() == Stage::Over {
                return Err(refused("the game is over by it.".to_string()));
            }
        }
        Ok(game)
    }

    fn begun(&self, pair: usize, start: Option<String>) -> Result<Box<dyn Arbiter>, ReadError> {
        let opening = Opening {
            variant: self.variant.clone(),
            start,
            conduct: Conduct::Official,
            seed: Some(self.seed_of(pair, 0)),
        };
        let mut game = (self.spec.open)(&opening).map_err(|e| e.into_read_error())?;
        arranged(game.as_mut(), &mut Random::new(self.seed_of(pair, 1)))?;
        Ok(game)
    }
}

/// Puts down what is owed before play: the deal, and the computer's layouts.
fn arranged(game: &mut dyn Arbiter, random: &mut Random) -> Result<(), ReadError> {
    let dice = &mut || random.next_u64();
    while game.stage() == Stage::Layout {
        let next = match game.waiting_for().iter().next() {
            Some(seat) => game.arrange(seat, dice),
            None => game.draw(dice),
        };
        let put = next.map(|entry| game.put(&entry));
        if !matches!(put, Some(Ok(()))) {
            let message = "The computer cannot arrange this game; give a --position in play.";
            return Err(ReadError::new("wrong-stage", message));
        }
    }
    Ok(())
}

/// Plays so many plies at random; whether the game is still on.
fn at_random(game: &mut dyn Arbiter, plies: u32, random: &mut Random) -> bool {
    for _ in 0..plies {
        let Some(seat) = game.waiting_for().only() else { return false };
        let choices = game.choices(seat);
        let choice = &choices[random.below(choices.len())];
        if game.put(&Entry::new_move(seat, &*choice.text)).is_err() {
            return false;
        }
    }
    game.stage() == Stage::Play
}

/// The openings of a file, one a line.
fn listed(text: &str) -> Vec<String> {
    let lines = text.lines().map(str::trim);
    lines.filter(|line| !line.is_empty() && !line.starts_with('#')).map(str::to_string).collect()
}
