//! Making a game.

use crate::app::Shared;
use crate::errors::Failure;
use crate::guard::{random_bits, random_id};
use crate::room::{Mode, Stored, create};
use kiban_core::{Arbiter, Conduct, GameSpec, Opening, Seat, Seats, Stage, Viewer};
use kiban_play::{Head, Player, TimeControl};
use serde::{Deserialize, Serialize};

/// Times that may be set for layouts: 10 seconds to a day.
const LAYOUT_MS: std::ops::RangeInclusive<u64> = 10_000..=24 * 60 * 60 * 1000;

/// What a client wants to play.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, expecting = "a game to be made")]
pub(crate) struct NewGame {
    game: String,
    #[serde(default)]
    variant: String,
    /// A set-up's id or a position's text; `None` is the variant's own start.
    #[serde(default)]
    start: Option<String>,
    #[serde(default = "guided")]
    conduct: String,
    #[serde(default)]
    clock: Option<TimeControl>,
    /// How long all have for their layouts; `None` is as long as they like.
    #[serde(default)]
    layout_ms: Option<u64>,
    /// One for each seat; none at all means that all are persons.
    #[serde(default)]
    players: Vec<Player>,
    mode: Mode,
    /// The creator's seat, where each sits at a browser of their own.
    #[serde(default)]
    seat: Option<Seat>,
}

fn guided() -> String {
    Conduct::Guided.name().to_string()
}

/// A game that was made.
#[derive(Debug, Serialize)]
pub(crate) struct Created {
    pub(crate) id: String,
    pub(crate) url: String,
    pub(crate) join: Option<String>,
    pub(crate) watch: String,
    pub(crate) seats: Seats,
}

/// Makes a game for this holder, and stores it.
pub(crate) async fn new_game(
    app: &Shared,
    wish: NewGame,
    holder: &str,
) -> Result<Created, Failure> {
    let unknown = || Failure::bad("no-such-game-kind", app.common_words(), &[]);
    let spec = app.spec(&wish.game).ok_or_else(unknown)?;
    let (mode, seat) = (wish.mode, wish.seat);
    let head = head(app, spec, wish)?;
    let seats = seats_of_creator(app, spec, &head, mode, seat)?;
    let open = head.players.iter().zip(Seat::ALL);
    let open = open.filter(|(p, s)| **p == Player::Person && !seats.has(*s)).count() > 0;
    let stored =
        Stored { head, mode, creator: holder.to_string(), key: random_id(), kept: Vec::new() };
    let id = random_id();
    create(app, &id, &stored, seats).await?;
    Ok(Created {
        url: format!("/g/{id}"),
        join: open.then(|| format!("/g/{id}/join/{}", stored.join_secret())),
        watch: format!("/g/{id}/watch/{}", stored.watch_secret()),
        seats,
        id,
    })
}

fn head(app: &Shared, spec: &'static GameSpec, wish: NewGame) -> Result<Head, Failure> {
    let words = app.words(spec);
    let conduct = Conduct::from_name(&wish.conduct);
    let conduct = conduct.ok_or_else(|| Failure::bad("bad-conduct", words, &[]))?;
    if let Some(fault) = wish.clock.as_ref().and_then(TimeControl::fault) {
        return Err(Failure::clock(fault));
    }
    let variant = spec.variant(&wish.variant).map_err(Failure::unreadable)?;
    let count = spec.variant_spec(&variant).seats;
    let start = wish.start.filter(|s| !s.trim().is_empty());
    let opening = Opening { variant, start, conduct, seed: Some(random_bits()) };
    let referee = (spec.open)(&opening).map_err(Failure::open)?;
    let players = match wish.players.is_empty() {
        true => vec![Player::Person; usize::from(count)],
        false => wish.players,
    };
    if players.len() != usize::from(count) {
        return Err(Failure::bad("bad-players", words, &[("seats", &count.to_string())]));
    }
    let level = |p: &Player| !matches!(p, Player::Computer { level } if !(1..=10).contains(level));
    if !players.iter().all(level) {
        return Err(Failure::bad("bad-level", words, &[]));
    }
    let plays = |name: &String| app.engines.iter().any(|e| e.name == *name && e.plays(spec));
    if players.iter().any(|p| matches!(p, Player::Engine { name } if !plays(name))) {
        let known = app.engines_for(spec).join(", ");
        return Err(Failure::bad("no-such-engine", words, &[("known", &known)]));
    }
    if shows_what_is_hidden(spec, &*referee) {
        return Err(Failure::bad("start-shows", words, &[]));
    }
    if wish.layout_ms.is_some_and(|ms| !LAYOUT_MS.contains(&ms)) {
        return Err(Failure::bad("bad-layout-time", words, &[]));
    }
    Ok(Head {
        game: spec.id.to_string(),
        variant: referee.variant(),
        start: referee.start().to_string(),
        conduct: conduct.name().to_string(),
        clock: wish.clock,
        layout_ms: wish.layout_ms,
        players,
    })
}

/// Whether a start that stands for layouts or a deal tells everybody what these would hide.
fn shows_what_is_hidden(spec: &GameSpec, referee: &dyn Arbiter) -> bool {
    let variant = spec.variant(&referee.variant());
    let spec = variant.map(|variant| spec.variant_spec(&variant));
    spec.is_ok_and(|spec| spec.hidden && spec.start.is_none())
        && referee.stage() != Stage::Layout
        && referee.position(Viewer::Watcher) != referee.start()
}

fn seats_of_creator(
    app: &Shared,
    spec: &'static GameSpec,
    head: &Head,
    mode: Mode,
    seat: Option<Seat>,
) -> Result<Seats, Failure> {
    let bad = |code| Err(Failure::bad(code, app.words(spec), &[]));
    let persons = Seat::ALL.into_iter().zip(&head.players);
    let persons: Seats = persons.filter(|(_, p)| **p == Player::Person).map(|(s, _)| s).collect();
    let computers = head.players.len() - persons.len();
    match mode {
        _ if persons.is_empty() => bad("no-person"),
        Mode::Computer if computers == 0 => bad("no-computer"),
        Mode::Screen if persons.len() < 2 => bad("screen-persons"),
        Mode::Computer | Mode::Screen => Ok(persons),
        Mode::Online => match seat.or_else(|| persons.iter().next()) {
            Some(seat) if persons.has(seat) => Ok(seat.into()),
            _ => bad("seat-not-a-persons"),
        },
    }
}
