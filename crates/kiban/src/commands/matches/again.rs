//! A game of a match made again from what its log holds of it.

use super::game::{Ended, Row};
use kiban_core::{
    Act, Arbiter, Call, Conduct, Entry, GameSpec, Opening, Seats, Stage, Variant, to_move,
};

impl Row {
    /// Whether its numbers can be those of a game.
    pub(super) fn is_sound(&self) -> bool {
        self.n > 0 && self.pair == self.n.div_ceil(2)
    }

    /// The game as it ended.
    ///
    /// # Errors
    /// A sentence that says what the row lacks, or what of it cannot be put.
    pub(super) fn again(
        &self,
        spec: &'static GameSpec,
        variant: &Variant,
    ) -> Result<Box<dyn Arbiter>, String> {
        let (Some(start), Some(layouts), Some(moves)) = (&self.start, &self.layouts, &self.moves)
        else {
            return Err("an older version wrote it without its moves.".to_string());
        };
        let start = Some(start.clone()).filter(|start| !start.is_empty());
        let (variant, conduct) = (variant.clone(), Conduct::Official);
        let opening = Opening { variant, start, conduct, seed: None };
        let mut game = (spec.open)(&opening).map_err(|e| e.into_read_error().to_string())?;
        for text in layouts {
            arrange(game.as_mut(), text)?;
        }
        for (i, text) in moves.iter().enumerate() {
            // What is forced was played by itself.
            if moves_of(game.as_ref()) > i {
                continue;
            }
            let seat = to_move(game.as_ref()).ok_or("it has moves behind its end.")?;
            game.put(&Entry::new_move(seat, &**text)).map_err(|e| format!("{text}: {e}"))?;
        }
        if let Some(outcome) = self.outcome.as_ref().filter(|_| game.stage() != Stage::Over) {
            let seats = Seats::first_n(spec.variant_spec(&opening.variant).seats);
            end_as(game.as_mut(), seats, outcome)?;
        }
        Ok(game)
    }
}

/// Puts down the next thing that is owed before play: a layout, or else the deal.
fn arrange(game: &mut dyn Arbiter, text: &str) -> Result<(), String> {
    let entry = match game.waiting_for().iter().next() {
        _ if game.stage() != Stage::Layout => return Err("it has too many layouts.".to_string()),
        Some(seat) => Entry { by: seat.into(), act: Act::Layout(text.to_string()) },
        None => Entry { by: Seats::NONE, act: Act::Deal(text.to_string()) },
    };
    game.put(&entry).map_err(|e| e.to_string())
}

fn moves_of(game: &dyn Arbiter) -> usize {
    game.log().iter().filter(|e| matches!(e.act, Act::Move(_))).count()
}

/// Ends a game by the call that has this outcome: the log keeps no calls, but there is only one way
/// to have lost by resignation, and so on.
fn end_as(game: &mut dyn Arbiter, seats: Seats, outcome: &Ended) -> Result<(), String> {
    for call in Call::ALL {
        for seat in seats.iter() {
            if game.put(&Entry::new_call(seat, call)).is_err() {
                continue;
            }
            let ending = game.ending().and_then(|ending| ending.outcome);
            if ending.map(Ended::from).as_ref() == Some(outcome) {
                return Ok(());
            }
            game.take_back().map_err(|e| e.to_string())?;
        }
    }
    Err(format!("no call ends it by {}.", outcome.reason))
}
