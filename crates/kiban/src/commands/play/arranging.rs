//! What comes before play: layouts and a deal.

use crate::error::Failure;
use kiban_core::{Act, Arbiter, Entry, Refusal, Seat, Seats, Stage};
use kiban_search::Random;

/// Puts down what is owed before play. People get the layout they asked for, by its id or its text;
/// else, and for the computer's seats, it is one of the computer's.
pub(super) fn arrange(
    game: &mut dyn Arbiter,
    people: Seats,
    layout: Option<&str>,
    seed: u64,
) -> Result<(), Failure> {
    let asked = game.stage() == Stage::Layout && !game.waiting_for().is_empty();
    if layout.is_some() && !asked {
        let message = "Nobody lays pieces out in this variant or position; leave out --layout.";
        return Err(Failure::no_answer("wrong-stage", message));
    }
    let mut random = Random::new(seed);
    let dice = &mut || random.next_u64();
    while game.stage() == Stage::Layout {
        let seat = game.waiting_for().iter().next();
        let own = |seat: &Seat| people.has(*seat);
        let entry = match (seat, seat.filter(own).and(layout)) {
            (Some(seat), Some(layout)) => Some(chosen(game, seat, layout)),
            (Some(seat), None) => game.arrange(seat, dice),
            (None, _) => game.draw(dice),
        };
        let entry = entry.ok_or_else(|| refused("The computer cannot arrange this game."))?;
        game.put(&entry).map_err(|refusal| match refusal {
            Refusal::Unreadable(mut error) => {
                let listed: Vec<&str> = game.spec().layouts.iter().map(|spec| spec.id).collect();
                error.message.push_str(&format!(" Listed layouts: {}.", listed.join(", ")));
                Failure::from(error)
            }
            other => refused(&other.to_string()),
        })?;
    }
    Ok(())
}

/// A person's layout, by its id or its text.
fn chosen(game: &dyn Arbiter, seat: Seat, layout: &str) -> Entry {
    let listed = game.spec().layouts.iter().find(|spec| spec.id == layout);
    let text = listed.map_or(layout, |spec| spec.text);
    Entry { by: seat.into(), act: Act::Layout(text.to_string()) }
}

fn refused(message: &str) -> Failure {
    Failure::no_answer("wrong-stage", message)
}
