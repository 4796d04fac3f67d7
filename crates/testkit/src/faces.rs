//! All that a game shows, as labelled texts that can be compared byte by byte.

use kiban_core::{Arbiter, Seats, Viewer};
use std::fmt::Debug;

/// What is shown: a label (`first's view`) and a text each.
pub type Faces = Vec<(String, String)>;

/// The seats of a game.
pub fn seats(game: &dyn Arbiter) -> Seats {
    let spec = game.spec();
    let variant = spec.variant(&game.variant()).expect("a game's own variant is readable");
    Seats::first_n(spec.variant_spec(&variant).seats)
}

/// Every viewer of a game: its seats, a watcher, the referee.
pub fn viewers(game: &dyn Arbiter) -> Vec<Viewer> {
    let seats = seats(game);
    seats.iter().map(Viewer::Seat).chain([Viewer::Watcher, Viewer::Referee]).collect()
}

/// What a game shows this viewer; for the referee the log too.
pub fn faces_of(game: &dyn Arbiter, who: Viewer) -> Faces {
    let mut faces = Faces::new();
    let mut show = |what: &str, text: String| faces.push((format!("{} {what}", who.name()), text));
    show("stage", debug(&(game.stage(), game.waiting_for(), game.owes_deal())));
    show("ending", debug(&game.ending()));
    show("score", debug(&game.score()));
    show("opening", debug(&(game.variant(), game.start(), game.conduct())));
    show("view", game.view(who).to_string());
    show("scene", debug(&game.scene(who)));
    show("text", game.text(who));
    show("position", game.position(who));
    show("seen", debug(&game.seen(who)));
    show("in_check", debug(&game.in_check(who)));
    show("record", debug(&game.record(who)));
    match who {
        Viewer::Seat(seat) => {
            show("choices", debug(&game.choices(seat)));
            show("calls", debug(&game.calls(seat)));
            if game.waiting_for().has(seat) {
                show("banned", debug(&(game.banned(), game.forced())));
            }
        }
        Viewer::Referee => show("log", debug(&game.log())),
        Viewer::Watcher => {}
    }
    faces
}

/// What a game shows everybody.
pub fn faces(game: &dyn Arbiter) -> Faces {
    viewers(game).into_iter().flat_map(|who| faces_of(game, who)).collect()
}

/// What a refusal could spoil, cheap enough to look at often: the referee's faces and the choices
/// and calls of each seat.
pub fn core_faces(game: &dyn Arbiter) -> Faces {
    let mut faces = faces_of(game, Viewer::Referee);
    for seat in seats(game).iter() {
        faces.push((format!("{seat} choices"), debug(&game.choices(seat))));
        faces.push((format!("{seat} calls"), debug(&game.calls(seat))));
    }
    faces
}

/// The first difference, in words.
///
/// # Errors
/// Names the label and shows both texts from shortly before they part.
pub fn same(before: &Faces, after: &Faces) -> Result<(), String> {
    for ((label, was), (other, is)) in before.iter().zip(after) {
        if label != other {
            return Err(format!("\"{label}\" became \"{other}\""));
        }
        if was != is {
            let parting = was.chars().zip(is.chars()).take_while(|(a, b)| a == b).count();
            let clip = |text: &str| -> String {
                text.chars().skip(parting.saturating_sub(30)).take(100).collect()
            };
            return Err(format!("{label}: ..{} against ..{}", clip(was), clip(is)));
        }
    }
    if before.len() != after.len() {
        return Err(format!("{} faces against {}", before.len(), after.len()));
    }
    Ok(())
}

fn debug(value: &impl Debug) -> String {
    format!("{value:?}")
}
