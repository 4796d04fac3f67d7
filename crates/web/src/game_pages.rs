//! The pages of a game being played, and the forms that make one and take a seat.

use crate::api::read;
use crate::app::Shared;
use crate::create::{NewGame, new_game};
use crate::errors::{Failure, brief};
use crate::guard::{Visitor, with_cookie};
use crate::pages::{self, Site};
use crate::request::{Address, admit};
use crate::room::{Ask, Caller, Class, Live};
use crate::rooms;
use axum::Router;
use axum::body::Bytes;
use axum::extract::{Path, Request, State};
use axum::http::StatusCode;
use axum::http::header::{ALLOW, CONTENT_TYPE};
use axum::middleware::Next;
use axum::response::{Html, IntoResponse, Redirect, Response};
use axum::routing::{get, post};
use kiban_core::GameSpec;
use serde_json::Value;

/// `/g/...`, and the form of `/{game}`.
pub(crate) fn routes() -> Router<Shared> {
    Router::new()
        .route("/g/{id}", get(game))
        .route("/g/{id}/watch/{secret}", get(watch))
        .route("/g/{id}/join/{secret}", get(invitation).post(join))
        .route("/{game}", post(start))
}

/// A failure as a page.
pub(crate) struct PageFailure(Shared, Failure);

impl IntoResponse for PageFailure {
    fn into_response(self) -> Response {
        let PageFailure(app, failure) = self;
        let site = Site { words: app.common_words(), games: app.games, engines: &app.engines };
        let page = pages::error::page(&site, failure.status.as_u16(), &failure.message);
        (failure.status, Html(page.into_string())).into_response()
    }
}

type Page = Result<Response, PageFailure>;

async fn game(State(app): State<Shared>, visitor: Visitor, Path(id): Path<String>) -> Page {
    let caller = Caller { holder: visitor.holder, ..Caller::default() };
    show(&app, &id, caller).await.map_err(|failure| PageFailure(app, failure))
}

async fn watch(State(app): State<Shared>, Path((id, secret)): Path<(String, String)>) -> Page {
    // Without the cookie: a watcher's page shows what watchers see, whoever opens it.
    let caller = Caller { watch: Some(secret), ..Caller::default() };
    show(&app, &id, caller).await.map_err(|failure| PageFailure(app, failure))
}

async fn show(app: &Shared, id: &str, caller: Caller) -> Result<Response, Failure> {
    let secret = caller.watch.clone();
    let look = |live: &Live, class| Ok((live.spec(), live.view(class)));
    let (spec, view) = read(app, id, caller, look).await?;
    let site = Site { words: app.words(spec), games: app.games, engines: &app.engines };
    let page = pages::game::page(&site, spec, &view, secret.as_deref());
    Ok(Html(page.into_string()).into_response())
}

/// What the page behind a seat's link shows.
enum Invited {
    /// This browser has a seat already.
    Seated,
    /// Every seat is taken.
    Full,
    /// A seat is free.
    Open { spec: &'static GameSpec, view: Value, seat: &'static str },
}

async fn invitation(
    State(app): State<Shared>,
    visitor: Visitor,
    Path((id, secret)): Path<(String, String)>,
) -> Page {
    match invited(&app, &id, &secret, visitor.holder).await {
        Ok(Invited::Seated) => Ok(Redirect::to(&format!("/g/{id}")).into_response()),
        Ok(Invited::Full) => {
            let words = app.common_words();
            let failure = Failure::new(StatusCode::CONFLICT, "no-open-seat", words, &[]);
            Err(PageFailure(app, failure))
        }
        Ok(Invited::Open { spec, view, seat }) => {
            let site = Site { words: app.words(spec), games: app.games, engines: &app.engines };
            let action = format!("/g/{id}/join/{secret}");
            let page = pages::join::page(&site, spec, &view, seat, &action);
            Ok(Html(page.into_string()).into_response())
        }
        Err(failure) => Err(PageFailure(app, failure)),
    }
}

async fn invited(
    app: &Shared,
    id: &str,
    secret: &str,
    holder: Option<String>,
) -> Result<Invited, Failure> {
    rooms::ask(app, id, |reply| {
        let (holder, secret) = (holder.clone(), secret.to_string());
        let not_found = Failure::not_found(app.common_words());
        Ask::read(reply, move |live| {
            if !live.may_join(&secret) {
                return Err(not_found);
            }
            let seats = holder.as_deref().map(|holder| live.room().seats_of(holder));
            if seats.is_some_and(|seats| !seats.is_empty()) {
                return Ok(Invited::Seated);
            }
            Ok(match live.seat_for(holder.as_deref()) {
                Some(seat) => Invited::Open {
                    spec: live.spec(),
                    view: live.view(Class::WATCHER),
                    seat: seat.name(),
                },
                None => Invited::Full,
            })
        })
    })
    .await
}

async fn join(
    State(app): State<Shared>,
    visitor: Visitor,
    Path((id, secret)): Path<(String, String)>,
) -> Page {
    let (holder, cookie) = visitor.as_holder();
    let ask = |reply| Ask::Join { holder: holder.clone(), secret: secret.clone(), reply };
    match rooms::ask(&app, &id, ask).await {
        Ok(()) => {
            let to = Redirect::to(&format!("/g/{id}"));
            Ok(with_cookie(to.into_response(), cookie))
        }
        Err(failure) => Err(PageFailure(app, failure)),
    }
}

/// The form of the page that starts a game.
async fn start(
    State(app): State<Shared>,
    visitor: Visitor,
    address: Address,
    Path(game): Path<String>,
    body: Bytes,
) -> Page {
    let Some(spec) = app.spec(&game) else {
        let failure = Failure::not_found(app.common_words());
        return Err(PageFailure(app, failure));
    };
    let fields = pages::start::read_fields(&String::from_utf8_lossy(&body));
    let (holder, cookie) = visitor.as_holder();
    let made = match admit(&app, &visitor, &address) {
        Ok(()) => make(&app, spec, &fields, &holder).await,
        Err(failure) => return Err(PageFailure(app, failure)),
    };
    match made {
        Ok(url) => Ok(with_cookie(Redirect::to(&url).into_response(), cookie)),
        Err((status, message)) => {
            let site = Site { words: app.words(spec), games: app.games, engines: &app.engines };
            let page = pages::start::page(&site, spec, &fields, Some(&message));
            Ok((status, Html(page.into_string())).into_response())
        }
    }
}

async fn make(
    app: &Shared,
    spec: &'static GameSpec,
    fields: &[(String, String)],
    holder: &str,
) -> Result<String, (StatusCode, String)> {
    let bad = |message: String| (StatusCode::BAD_REQUEST, message);
    let request = pages::start::request(spec, fields).map_err(bad)?;
    let wish: NewGame = serde_json::from_value(request).map_err(|e| {
        bad(app.common_words().text("error-bad-json", &[("what", &brief(&e.to_string()))]))
    })?;
    let made = new_game(app, wish, holder).await;
    made.map(|made| made.url).map_err(|failure| (failure.status, failure.message))
}

/// What is answered where no route fits.
pub(crate) async fn nothing(State(app): State<Shared>, uri: axum::http::Uri) -> Response {
    refusal(&app, uri.path(), Failure::not_found(app.common_words()))
}

/// A failure as whoever asks for this path can read it: as JSON, or as a page.
pub(crate) fn refusal(app: &Shared, path: &str, failure: Failure) -> Response {
    if path.starts_with("/api/") {
        return failure.into_response();
    }
    PageFailure(app.clone(), failure).into_response()
}

/// The layer that says in our words what the router refused before a handler ran.
pub(crate) async fn in_our_words(
    State(app): State<Shared>,
    request: Request,
    next: Next,
) -> Response {
    let path = request.uri().path().to_string();
    let response = next.run(request).await;
    let status = response.status();
    let kind = response.headers().get(CONTENT_TYPE);
    if !status.is_client_error() || kind.is_some_and(|kind| kind != "text/plain; charset=utf-8") {
        return response;
    }
    let code = match status {
        StatusCode::NOT_FOUND => "not-found",
        StatusCode::METHOD_NOT_ALLOWED => "method",
        _ => "bad-request",
    };
    let failure = Failure::new(status, code, app.common_words(), &[]);
    let mut ours = refusal(&app, &path, failure);
    if let Some(methods) = response.headers().get(ALLOW) {
        ours.headers_mut().insert(ALLOW, methods.clone());
    }
    ours
}
