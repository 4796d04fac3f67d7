//! What a game looks like to one class of viewers, as JSON. All of it comes from the arbiter's
//! functions of a viewer: nothing here sees more than they may.

use crate::commitments::{self, Commitment};
use crate::room::{Class, Live};
use kiban_core::{
    Act, Call, Choice, Conduct, Outcome, Scene, Seat, Seats, Seen, Stage, Taps, Told, Viewer,
};
use kiban_play::{Offer, Player, TimeControl, TimeLeft};
use kiban_words::Words;
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
    before_play: usize,
    arranging: Option<Arranging>,
    laid: Seats,
    commitments: Vec<Commitment>,
    hidden: bool,
    curtain: bool,
    viewers: Vec<&'static str>,
    choices: Vec<Choice>,
    banned: Vec<Banned>,
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
    /// What befell a program that plays here, in one sentence.
    engine_failed: Option<String>,
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
struct Arranging {
    seat: Seat,
    laid: Option<String>,
    left_ms: Option<u64>,
}

/// A move that the position would allow and its history forbids.
#[derive(Serialize)]
struct Banned {
    text: String,
    taps: Taps,
    reason: &'static str,
    why: String,
}

#[derive(Serialize)]
struct SeenPly {
    #[serde(flatten)]
    seen: Seen,
    told: Vec<String>,
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
    /// Another program's name.
    engine: Option<String>,
    name: String,
    seated: bool,
    here: bool,
    out: bool,
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
        let (waiting_for, viewer) = (referee.waiting_for(), live.viewer(class));
        let guided = referee.conduct() == Conduct::Guided;
        let begun = room.open_seats().is_empty();
        let acting = acting(live, class);
        let turn = match viewer {
            Viewer::Seat(seat) => Some(seat).filter(|s| acting.has(*s) && waiting_for.has(*s)),
            _ => None,
        };
        let choices = turn.filter(|_| guided && begun).map(|s| referee.choices(s));
        let scene = referee.scene(viewer);
        View {
            id: live.id(),
            n: live.n(),
            game: live.spec().id,
            variant: &room.head().variant,
            start: referee.start(),
            conduct: referee.conduct().name(),
            mode: live.mode().name(),
            viewer: viewer.name(),
            seats: class.seats,
            stage: referee.stage(),
            position: referee.position(viewer),
            ply: referee.log().len(),
            waiting_for,
            to_move: if referee.stage() == Stage::Play { waiting_for.only() } else { None },
            before_play: room.before_play(),
            arranging: arranging(live, class, now_ms),
            laid: laid(live).map(|(seat, _)| seat).collect(),
            commitments: commitments::of(live),
            hidden: live.hides(),
            curtain: live.curtain(class),
            viewers: live.viewers(class).into_iter().map(Viewer::name).collect(),
            choices: choices.unwrap_or_default(),
            banned: turn.filter(|_| guided && begun).map(|s| banned(live, s)).unwrap_or_default(),
            free: !guided && begun && turn.is_some() && referee.stage() == Stage::Play,
            free_taps: live.free_taps(),
            calls: of_seats(turn, acting, |s| room.may_call(s)),
            may_offer: of_seats(turn, acting, |s| room.may_offer(s)),
            offers: room.offers().iter().map(|&(seat, what)| Offered { seat, what }).collect(),
            may_claim: class.seats.iter().any(|s| room.may_claim(s, now_ms)),
            seen: seen(live, viewer),
            in_check: referee.in_check(viewer),
            clock: clock(live, now_ms),
            players: players(live, &scene),
            thinking: live.thinking(),
            engine_failed: live.engine_failed().map(str::to_string),
            outcome: referee.ending().and_then(|e| e.outcome),
            foul: foul(live),
            ending: ending(live),
            score: score(live),
            rematch: live.rematch_url(class).map(|url| Link { url }),
            links: links(live, class),
            formats: formats(live),
            scene,
        }
    }
}

/// The own seats that may be acted for through this view: what is behind the curtain waits.
fn acting(live: &Live, class: Class) -> Seats {
    match class.eyes {
        Some(Viewer::Seat(seat)) if class.seats.has(seat) => seat.into(),
        Some(_) => Seats::NONE,
        None if live.curtain(class) => Seats::NONE,
        None => class.seats,
    }
}

/// What the seat whose turn it is may do, else the first of these that may do something.
fn of_seats<T>(turn: Option<Seat>, acting: Seats, may: impl Fn(Seat) -> Vec<T>) -> Vec<T> {
    let seats = turn.into_iter().chain(acting.iter());
    seats.map(may).find(|list| !list.is_empty()).unwrap_or_default()
}

fn banned(live: &Live, seat: Seat) -> Vec<Banned> {
    let (referee, words) = (live.room().referee(), live.words());
    let banned = referee.banned().into_iter();
    banned
        .filter_map(|(text, reason)| {
            let taps = referee.path_of(seat, &text).ok()?;
            let why = words.text("refusal-illegal", &[("reason", &words.reason(reason.0))]);
            Some(Banned { text, taps, reason: reason.0, why })
        })
        .collect()
}

/// The layouts that lie.
fn laid(live: &Live) -> impl Iterator<Item = (Seat, &str)> {
    live.room().referee().log().iter().filter_map(|entry| match &entry.act {
        Act::Layout(text) => Some((entry.by.only()?, text.as_str())),
        _ => None,
    })
}

fn arranging(live: &Live, class: Class, now_ms: u64) -> Option<Arranging> {
    let (room, referee) = (live.room(), live.room().referee());
    if referee.stage() != Stage::Layout {
        return None;
    }
    let acting = acting(live, class);
    let own = if acting.is_empty() { class.seats } else { acting };
    let owes = own.iter().find(|s| referee.waiting_for().has(*s));
    let seat = owes.or_else(|| own.iter().next())?;
    referee.arrangement(seat)?;
    let text = laid(live).find(|(s, _)| *s == seat && acting.has(*s));
    Some(Arranging {
        seat,
        laid: text.map(|(_, text)| text.to_string()),
        left_ms: room.deadline_ms().map(|end| end.saturating_sub(now_ms)),
    })
}

fn seen(live: &Live, viewer: Viewer) -> Vec<SeenPly> {
    let (room, words) = (live.room(), live.words());
    let mut spent = room.spent_on_plies().into_iter();
    let seen = room.referee().seen(viewer).into_iter();
    seen.map(|mut seen| {
        let told = std::mem::take(&mut seen.told);
        let told = told.iter().map(|told| sentence(told, words)).collect();
        SeenPly { seen, told, spent_ms: spent.next() }
    })
    .collect()
}

/// An announcement in the reader's language. A value that is itself a message's key is shown as
/// that message.
pub(crate) fn sentence(told: &Told, words: &Words) -> String {
    let values: Vec<(&str, String)> =
        told.values.iter().map(|(name, value)| (*name, words.get_or(value, value))).collect();
    let values: Vec<(&str, &str)> = values.iter().map(|(name, v)| (*name, v.as_str())).collect();
    words.text(told.key, &values)
}

fn clock(live: &Live, now_ms: u64) -> Option<Clock> {
    let room = live.room();
    Some(Clock {
        control: room.head().clock?,
        running: room.running().map(|(seat, _)| seat),
        left: room.time_left(now_ms)?,
    })
}

fn players(live: &Live, scene: &Scene) -> Vec<PlayerView> {
    let room = live.room();
    let view = |(seat, player): (Seat, &Player)| {
        let (kind, level, engine) = match player {
            Player::Computer { level } => ("computer", Some(*level), None),
            Player::Engine { name } => ("computer", None, Some(name.clone())),
            Player::Person => ("person", None, None),
        };
        let person = *player == Player::Person;
        PlayerView {
            seat,
            kind,
            level,
            engine,
            name: seat_name(live.words(), scene, seat),
            seated: !person || room.holder(seat).is_some(),
            here: !person || room.is_here(seat),
            out: scene.out.has(seat),
        }
    };
    Seat::ALL.into_iter().zip(&room.head().players).map(view).collect()
}

/// How a seat is called in this game now.
pub(crate) fn seat_name(words: &Words, scene: &Scene, seat: Seat) -> String {
    let side = scene.sides.get(seat.index());
    side.map_or_else(|| words.get(&format!("seat-{}", seat.name())), |key| words.get(key))
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
    let scene = live.room().referee().scene(Viewer::Watcher);
    let name = |seat: Seat| seat_name(words, &scene, seat);
    let winners = end.outcome.map(Outcome::winners).unwrap_or_default();
    let names: Vec<String> = winners.iter().map(name).collect();
    let (names, team) = match names.as_slice() {
        [one, other] => (words.text("outcome-team", &[("one", one), ("other", other)]), "-team"),
        names => (names.join(", "), ""),
    };
    if let Some(foul) = &end.foul {
        let (seat, reason) = (name(foul.seat), words.reason(foul.reason.0));
        let values = [("move", foul.text.as_str()), ("seat", &seat), ("reason", &reason)];
        let told = words.text("outcome-foul", &values);
        if winners.is_empty() {
            return Some(told);
        }
        let won = words.text(&format!("outcome-foul-win{team}"), &[("winner", &names)]);
        return Some(format!("{told} {won}"));
    }
    let outcome = end.outcome?;
    let reason = words.reason(outcome.reason().0);
    let key = match outcome {
        Outcome::Win { .. } => format!("outcome-win{team}"),
        Outcome::Draw { .. } => "outcome-draw".to_string(),
        Outcome::Replay { .. } => "outcome-replay".to_string(),
    };
    Some(words.text(&key, &[("winner", &names), ("reason", &reason)]))
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
