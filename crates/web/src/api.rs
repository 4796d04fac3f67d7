//! The JSON routes.

use crate::analysis;
use crate::app::Shared;
use crate::commitments;
use crate::create::{NewGame, new_game};
use crate::errors::Failure;
use crate::guard::{Visitor, with_cookie};
use crate::puzzles;
use crate::request::{Address, Body, admit};
use crate::room::{Ask, Caller, Class, Follower, Live, Order, Pushed};
use crate::rooms;
use crate::values;
use axum::extract::{Path, Query, State};
use axum::http::header::{CACHE_CONTROL, CONTENT_DISPOSITION, CONTENT_TYPE};
use axum::http::{HeaderMap, StatusCode};
use axum::response::sse::{Event as Message, Sse};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Json, Router};
use futures_util::{Stream, stream};
use kiban_core::{
    Act, ArrangedKind, Drawing, GameSpec, Node, Opening, Picture, Record, Seat, Shape, Stage,
    Viewer,
};
use kiban_words::Words;
use serde::Deserialize;
use serde_json::{Value, json};
use std::convert::Infallible;
use std::time::Duration;
use tokio::time::MissedTickBehavior;

/// A page takes a stream that says nothing for longer than some of these as dead.
const PING_EVERY: Duration = Duration::from_secs(3);

/// The routes below `/api`.
pub(crate) fn routes() -> Router<Shared> {
    Router::new()
        .route("/api/games", post(create))
        .route("/api/games/{id}", get(look))
        .route("/api/games/{id}/entries", post(act))
        .route("/api/games/{id}/events", get(follow))
        .route("/api/games/{id}/at/{ply}", get(look_back))
        .route("/api/games/{id}/record", get(record))
        .route("/api/games/{id}/board.svg", get(board))
        .route("/api/games/{id}/rematch", post(rematch))
        .route("/api/picture/{game}", get(picture))
        .route("/api/arrangement/{game}", get(arrangement))
        .route("/api/analysis/{game}", post(analysis::analyse))
        .route("/api/analysis/{game}/lines", post(analysis::watch))
        .route("/api/analysis/{game}/review", post(analysis::review))
        .route("/api/values/{game}", get(values::values))
        .route("/api/puzzles/{game}/{n}", get(puzzles::puzzle).post(puzzles::attempt))
}

async fn create(
    State(app): State<Shared>,
    visitor: Visitor,
    address: Address,
    Body(wish): Body<NewGame>,
) -> Result<Response, Failure> {
    admit(&app, &visitor, &address)?;
    let (holder, cookie) = visitor.as_holder();
    let created = new_game(&app, wish, &holder).await?;
    Ok(with_cookie((StatusCode::CREATED, Json(created)).into_response(), cookie))
}

/// What the GET routes of a game may be given.
#[derive(Deserialize, Default)]
pub(crate) struct Asked {
    watch: Option<String>,
    #[serde(rename = "as")]
    eyes: Option<String>,
    after: Option<String>,
    format: Option<String>,
}

impl Asked {
    fn caller(self, visitor: Visitor) -> Caller {
        Caller { holder: visitor.holder, watch: self.watch, eyes: self.eyes }
    }
}

/// Looks at a game as this caller may.
pub(crate) async fn read<T: Send + 'static>(
    app: &Shared,
    id: &str,
    caller: Caller,
    look: impl Fn(&Live, Class) -> Result<T, Failure> + Clone + Send + 'static,
) -> Result<T, Failure> {
    rooms::ask(app, id, |reply| {
        let (caller, look) = (caller.clone(), look.clone());
        Ask::read(reply, move |live| look(live, live.class(&caller)?))
    })
    .await
}

pub(crate) fn json_text(text: String) -> Response {
    ([(CONTENT_TYPE, "application/json")], text).into_response()
}

async fn look(
    State(app): State<Shared>,
    visitor: Visitor,
    Path(id): Path<String>,
    Query(asked): Query<Asked>,
) -> Result<Response, Failure> {
    let view = |live: &Live, class| Ok(live.view_text(class));
    let view = read(&app, &id, asked.caller(visitor), view).await?;
    Ok(json_text(view.to_string()))
}

async fn act(
    State(app): State<Shared>,
    visitor: Visitor,
    Path(id): Path<String>,
    Body(order): Body<Order>,
) -> Result<Response, Failure> {
    let caller = Asked::default().caller(visitor);
    let ask = |reply| Ask::Act(caller.clone(), order.clone(), reply);
    let done = rooms::ask(&app, &id, ask).await?;
    Ok(json_text(format!("{{\"n\":{},\"view\":{}}}", done.n, done.view)))
}

async fn rematch(
    State(app): State<Shared>,
    visitor: Visitor,
    address: Address,
    Path(id): Path<String>,
) -> Result<Response, Failure> {
    admit(&app, &visitor, &address)?;
    let caller = Asked::default().caller(visitor);
    let url = rooms::ask(&app, &id, |reply| Ask::Rematch(caller.clone(), reply)).await?;
    Ok(Json(json!({ "url": url })).into_response())
}

async fn follow(
    State(app): State<Shared>,
    visitor: Visitor,
    Path(id): Path<String>,
    Query(asked): Query<Asked>,
    headers: HeaderMap,
) -> Result<Response, Failure> {
    // A browser that reconnects by itself says what it has.
    let last = headers.get("last-event-id").and_then(|id| id.to_str().ok()?.parse().ok());
    let after = last.or(asked.after.as_ref().and_then(|n| n.parse().ok()));
    let caller = asked.caller(visitor);
    let follower = rooms::ask(&app, &id, |reply| Ask::Follow(caller.clone(), after, reply)).await?;
    Ok(Sse::new(messages(follower)).into_response())
}

/// What a stream sends: views as they come, and pings so that a dead line is noticed.
fn messages(follower: Follower) -> impl Stream<Item = Result<Message, Infallible>> {
    let mut ping = tokio::time::interval(PING_EVERY);
    // Who did not read for a while need not read every ping of that time.
    ping.set_missed_tick_behavior(MissedTickBehavior::Delay);
    stream::unfold((follower, ping), |(mut follower, mut ping)| async move {
        let message = match follower.first.take() {
            Some(pushed) => view_message(&pushed),
            None => tokio::select! {
                changed = follower.feed.changed() => {
                    changed.ok()?;
                    let pushed = follower.feed.borrow_and_update().clone();
                    view_message(&pushed)
                }
                _ = ping.tick() => Message::default().event("ping").data("{}"),
            },
        };
        Some((Ok(message), (follower, ping)))
    })
}

fn view_message(pushed: &Pushed) -> Message {
    Message::default().id(pushed.n.to_string()).event("view").data(&*pushed.view)
}

async fn look_back(
    State(app): State<Shared>,
    visitor: Visitor,
    Path((id, asked_ply)): Path<(String, String)>,
    Query(asked): Query<Asked>,
) -> Result<Json<Value>, Failure> {
    let look = move |live: &Live, class: Class| {
        let viewer = live.viewer(class);
        let short = |_| {
            let words = live.words();
            Failure::new(StatusCode::NOT_FOUND, "ply", words, &[("ply", &*asked_ply)])
        };
        // A text that is no number is a ply that no game has.
        let ply = asked_ply.parse().unwrap_or(usize::MAX);
        let referee = live.room().referee_at(ply).map_err(short)?;
        Ok(json!({
            "ply": ply,
            "scene": referee.scene(viewer),
            "position": referee.position(viewer),
            "in_check": referee.in_check(viewer),
        }))
    };
    read(&app, &id, asked.caller(visitor), look).await.map(Json)
}

async fn record(
    State(app): State<Shared>,
    visitor: Visitor,
    Path(id): Path<String>,
    Query(asked): Query<Asked>,
) -> Result<Response, Failure> {
    let wanted = asked.format.clone();
    let write =
        move |live: &Live, class: Class| export(live, live.viewer(class), wanted.as_deref());
    let (name, bytes) = read(&app, &id, asked.caller(visitor), write).await?;
    let headers = [
        (CONTENT_TYPE, "application/octet-stream".to_string()),
        (CONTENT_DISPOSITION, format!("attachment; filename=\"{name}\"")),
    ];
    Ok((headers, bytes).into_response())
}

/// A file name and the game as this viewer knows it in a format; the first one, if none is named.
fn export(live: &Live, viewer: Viewer, wanted: Option<&str>) -> Result<(String, Vec<u8>), Failure> {
    let words = live.words();
    let writers = || live.formats().iter();
    let format = writers().find(|f| wanted.is_none_or(|id| f.id == id));
    let unknown = || {
        let known: Vec<_> = writers().map(|f| f.id).collect();
        let values = [("format", wanted.unwrap_or("")), ("known", &known.join(", "))];
        Failure::bad("format-unknown", words, &values)
    };
    let format = format.ok_or_else(unknown)?;
    let write = format.write.ok_or_else(unknown)?;
    let mut plain = live.room().referee().record(viewer);
    if live.stage() == Stage::Over {
        commitments::open(live, &mut plain);
    }
    let mut timed = plain.clone();
    // Before the end a record holds what was seen: the plies.
    let times = [live.room().spent().to_vec(), live.room().spent_on_plies()];
    if let Some(times) = times.into_iter().find(|times| times.len() + 1 == timed.nodes.len()) {
        for (node, spent) in timed.nodes.iter_mut().skip(1).zip(times) {
            node.spent_ms = Some(spent);
        }
    }
    // A format that has no place for times, or for how a game was given up, still holds its moves.
    let bytes = write(std::slice::from_ref(&timed))
        .or_else(|fault| write(&[moves_alone(timed)]).map_err(|_| fault))
        .or_else(|fault| write(std::slice::from_ref(&plain)).map_err(|_| fault))
        .or_else(|fault| write(&[moves_alone(plain)]).map_err(|_| fault))
        .map_err(|e| Failure::bad("export", words, &[("what", &e.to_string())]))?;
    let extension = format.extensions.first().copied().unwrap_or(format.id);
    Ok((format!("{}.{extension}", live.spec().id), bytes))
}

/// A played game without the calls at its end.
fn moves_alone(mut record: Record) -> Record {
    let is_call = |n: &Node| matches!(&n.entry, Some(e) if matches!(e.act, Act::Call(_)));
    while record.nodes.last().is_some_and(is_call) {
        record.nodes.pop();
        let index = record.nodes.len();
        record.nodes.iter_mut().for_each(|node| node.children.retain(|&child| child != index));
    }
    record
}

async fn board(
    State(app): State<Shared>,
    visitor: Visitor,
    Path(id): Path<String>,
    Query(asked): Query<Asked>,
) -> Result<Response, Failure> {
    let draw = |live: &Live, class: Class| {
        let referee = live.room().referee();
        let viewer = live.viewer(class);
        let picture = picture_of(live.spec(), &live.room().head().variant, Shape::Wide)?;
        let turns = match viewer {
            Viewer::Seat(seat) if class.seats.len() == 1 || class.eyes.is_some() => {
                seat.turns(live.room().head().players.len() as u8)
            }
            _ => 0,
        };
        let scene = referee.scene(viewer);
        Ok(Drawing { picture: &picture, scene: &scene, turns }.standalone_svg())
    };
    let svg = read(&app, &id, asked.caller(visitor), draw).await?;
    Ok(([(CONTENT_TYPE, "image/svg+xml")], svg).into_response())
}

fn picture_of(spec: &'static GameSpec, variant: &str, shape: Shape) -> Result<Picture, Failure> {
    let variant = spec.variant(variant).map_err(Failure::unreadable)?;
    Ok((spec.picture)(&variant, shape))
}

#[derive(Deserialize)]
struct PictureAsked {
    #[serde(default)]
    variant: String,
    #[serde(default)]
    shape: String,
}

async fn picture(
    State(app): State<Shared>,
    Path(game): Path<String>,
    Query(asked): Query<PictureAsked>,
) -> Result<Response, Failure> {
    let spec = app.game(&game)?;
    let shape = match asked.shape.as_str() {
        "" | "wide" => Shape::Wide,
        "tall" => Shape::Tall,
        _ => return Err(Failure::bad("shape", app.common_words(), &[])),
    };
    let picture = picture_of(spec, &asked.variant, shape)?;
    let cache = [(CACHE_CONTROL, "public, max-age=3600")];
    Ok((cache, Json(picture)).into_response())
}

#[derive(Deserialize)]
struct ArrangementAsked {
    #[serde(default)]
    variant: String,
    #[serde(default)]
    seat: Option<String>,
}

async fn arrangement(
    State(app): State<Shared>,
    Path(game): Path<String>,
    Query(asked): Query<ArrangementAsked>,
) -> Result<Response, Failure> {
    let none = || Failure::not_found(app.common_words());
    let spec = app.game(&game)?;
    let seat = asked.seat.as_deref().map_or(Some(Seat::FIRST), Seat::from_name).ok_or_else(none)?;
    let variant = spec.variant(&asked.variant).map_err(Failure::unreadable)?;
    if seat.index() >= usize::from(spec.variant_spec(&variant).seats) {
        return Err(none());
    }
    let opening = Opening::new(variant, None);
    let referee = (spec.open)(&opening).map_err(Failure::open)?;
    let arrangement = referee.arrangement(seat).ok_or_else(none)?;
    let words = app.words(spec);
    let kinds: Vec<Value> = arrangement.kinds.iter().map(|kind| kind_json(kind, words)).collect();
    let answer = json!({
        "places": arrangement.places,
        "mirror": arrangement.mirror,
        "kinds": kinds,
        "presets": presets(spec, words),
    });
    let cache = [(CACHE_CONTROL, "public, max-age=3600")];
    Ok((cache, Json(answer)).into_response())
}

fn kind_json(kind: &ArrangedKind, words: &Words) -> Value {
    json!({
        "letter": kind.letter,
        "face": kind.face,
        "name": words.get(&kind.name),
        "count": kind.count,
        "places": kind.places,
        "why": kind.why.map(|key| words.get(key)),
    })
}

/// The layouts to begin with, by their names in the reader's language.
fn presets(spec: &GameSpec, words: &Words) -> Vec<Value> {
    let preset = |layout: &kiban_core::LayoutSpec| {
        let key = format!("{}-layout-{}", spec.id, layout.id);
        json!({ "id": layout.id, "name": words.get_or(&key, layout.name), "text": layout.text })
    };
    spec.layouts.iter().map(preset).collect()
}
