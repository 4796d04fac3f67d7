//! What a game looks like to one class of viewers, as JSON. All of it comes from the arbiter's
//! functions of a viewer: nothing here sees more than they may.

use crate::room::{Class, Live};
use kiban_core::{Call, Choice, Outcome, Scene, Seat, Seats, Seen, Stage, Viewer};
use kiban_play::{Offer, Player, TimeControl, TimeLeft};
use serde::Serialize;

/// A game as a class of viewers sees it.
#[derive(Serialize)]
pub(crate) struct View<'a> {
    id: &'a str,
    n: u32,
    game: &'static str,
    variant: &'a str,
    start: &'a str,
    conduct: &'static str,
    mode: &'static str,
    viewer: &'static str,
    seats: Seats,
    stage: Stage,
    position: String,
    ply: usize,
    waiting_for: Seats,
    to_move: Option<Seat>,
    scene: Scene,
    choices: Vec<Choice>,
    free: bool,
    free_taps: usize,
    calls: Vec<Call>,
    may_offer: Vec<Offer>,
    offers: Vec<Offered>,
    may_claim: bool,
    seen: Vec<SeenPly>,
    in_check: Option<bool>,
    clock: Option<Clock>,
    players: Vec<PlayerView>,
    thinking: bool,
    outcome: Option<Outcome>,
    foul: Option<FoulView>,
    ending: Option<String>,
    score: Option<Score>,
    rematch: Option<Link>,
    links: Option<Links>,
    formats: Vec<FormatView>,
}

#[derive(Serialize)]
struct Offered {
    seat: Seat,
    what: Offer,
}

#[derive(Serialize)]
struct SeenPly {
    #[serde(flatten)]
    seen: Seen,
    spent_ms: Option<u64>,
}

#[derive(Serialize)]
struct Clock {
    control: TimeControl,
    running: Option<Seat>,
    left: Vec<TimeLeft>,
}

#[derive(Serialize)]
struct PlayerView {
    seat: Seat,
    kind: &'static str,
    level: Option<u8>,
    seated: bool,
    here: bool,
}

#[derive(Serialize)]
struct FoulView {
    ply: usize,
    seat: Seat,
    #[serde(rename = "move")]
    text: String,
    reason: &'static str,
}

#[derive(Serialize)]
struct Score {
    first: i64,
    second: i64,
}

#[derive(Serialize)]
struct Link {
    url: String,
}

#[derive(Serialize)]
struct Links {
    join: Option<String>,
    watch: String,
}

#[derive(Serialize)]
struct FormatView {
    id: &'static str,
    extension: &'static str,
}

impl<'a> View<'a> {
    /// The game as this class sees it now.
    pub(crate) fn of(live: &'a Live, class: Class, now_ms: u64) -> View<'a> {
        let (room, referee) = (live.room(), live.room().referee());
        let waiting_for = referee.waiting_for();
        let turn = waiting_for.iter().find(|s| class.seats.has(*s));
        let viewer = class.viewer(waiting_for);
        let guided = room.head().conduct == "guided";
        let begun = room.open_seats().is_empty();
        let choices = turn.filter(|_| guided && begun).map(|s| referee.choices(s));
        View {
            id: live.id(),
            n: live.n(),
            game: live.spec().id,
            variant: &room.head().variant,
            start: referee.start(),
            conduct: if guided { "guided" } else { "official" },
            mode: live.mode().name(),
            viewer: viewer.name(),
            seats: class.seats,
            stage: referee.stage(),
            position: referee.position(viewer),
            ply: referee.log().len(),
            waiting_for,
            to_move: if referee.stage() == Stage::Play { waiting_for.only() } else { None },
            scene: referee.scene(viewer),
            choices: choices.unwrap_or_default(),
            free: !guided && begun && turn.is_some() && referee.stage() == Stage::Play,
            free_taps: live.free_taps(),
            calls: of_seats(turn, class, |s| room.may_call(s)),
            may_offer: of_seats(turn, class, |s| room.may_offer(s)),
            offers: room.offers().iter().map(|&(seat, what)| Offered { seat, what }).collect(),
            may_claim: class.seats.iter().any(|s| room.may_claim(s, now_ms)),
            seen: seen(live, viewer),
            in_check: referee.in_check(viewer),
            clock: clock(live, now_ms),
            players: players(live),
            thinking: live.thinking(),
            outcome: referee.ending().and_then(|e| e.outcome),
            foul: foul(live),
            ending: ending(live),
            score: score(live),
            rematch: live.rematch_url(class).map(|url| Link { url }),
            links: links(live, class),
            formats: formats(live),
        }
    }
}

/// What the seat whose turn it is may do, else the first of the class that may do something.
fn of_seats<T>(turn: Option<Seat>, class: Class, may: impl Fn(Seat) -> Vec<T>) -> Vec<T> {
    let seats = turn.into_iter().chain(class.seats.iter());
    seats.map(may).find(|list| !list.is_empty()).unwrap_or_default()
}

fn seen(live: &Live, viewer: Viewer) -> Vec<SeenPly> {
    let (room, seen) = (live.room(), live.room().referee().seen(viewer));
    // What is seen are the moves; the log also holds calls, and layouts where there are any.
    let spent = room.referee().log().iter().zip(room.spent());
    let mut spent = spent.filter(|(e, _)| matches!(e.act, kiban_core::Act::Move(_)));
    seen.into_iter()
        .map(|seen| SeenPly { seen, spent_ms: spent.next().map(|(_, ms)| *ms) })
        .collect()
}

fn clock(live: &Live, now_ms: u64) -> Option<Clock> {
    let room = live.room();
    Some(Clock {
        control: room.head().clock?,
        running: room.running().map(|(seat, _)| seat),
        left: room.time_left(now_ms)?,
    })
}

fn players(live: &Live) -> Vec<PlayerView> {
    let room = live.room();
    let view = |(seat, player): (Seat, &Player)| match player {
        Player::Computer { level } => {
            PlayerView { seat, kind: "computer", level: Some(*level), seated: true, here: true }
        }
        Player::Person => PlayerView {
            seat,
            kind: "person",
            level: None,
            seated: room.holder(seat).is_some(),
            here: room.is_here(seat),
        },
    };
    Seat::ALL.into_iter().zip(&room.head().players).map(view).collect()
}

fn foul(live: &Live) -> Option<FoulView> {
    let referee = live.room().referee();
    let foul = referee.ending()?.foul.as_ref()?;
    Some(FoulView {
        ply: referee.log().len(),
        seat: foul.seat,
        text: foul.text.clone(),
        reason: foul.reason.0,
    })
}

/// The outcome in a sentence.
fn ending(live: &Live) -> Option<String> {
    let words = live.words();
    let end = live.room().referee().ending()?;
    let name = |seat: Seat| words.get(&format!("seat-{}", seat.name()));
    let winners =
        |outcome: Outcome| outcome.winners().iter().map(name).collect::<Vec<_>>().join(", ");
    if let Some(foul) = &end.foul {
        let (seat, reason) = (name(foul.seat), words.reason(foul.reason.0));
        let values = [("move", foul.text.as_str()), ("seat", &seat), ("reason", &reason)];
        let told = words.text("outcome-foul", &values);
        let winners = end.outcome.map(winners).filter(|names| !names.is_empty());
        let won =
            winners.map(|w| format!(" {}", words.text("outcome-foul-win", &[("winner", &w)])));
        return Some(told + won.as_deref().unwrap_or(""));
    }
    let outcome = end.outcome?;
    let reason = words.reason(outcome.reason().0);
    let key = match outcome {
        Outcome::Win { .. } => "outcome-win",
        Outcome::Draw { .. } => "outcome-draw",
        Outcome::Replay { .. } => "outcome-replay",
    };
    Some(words.text(key, &[("winner", &winners(outcome)), ("reason", &reason)]))
}

/// The score is told at the end: before it the arbiter's count may know more than a viewer.
fn score(live: &Live) -> Option<Score> {
    let referee = live.room().referee();
    referee.ending()?;
    referee.score().map(|(first, second)| Score { first, second })
}

fn links(live: &Live, class: Class) -> Option<Links> {
    let open = !live.room().open_seats().is_empty();
    class.creator.then(|| Links { join: open.then(|| live.join_url()), watch: live.watch_url() })
}

fn formats(live: &Live) -> Vec<FormatView> {
    live.formats()
        .iter()
        .filter_map(|f| Some(FormatView { id: f.id, extension: f.extensions.first()? }))
        .collect()
}
