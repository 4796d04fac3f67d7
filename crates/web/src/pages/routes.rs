//! The routes of the pages that need no game being played.

use super::{Site, about, analysis, diagram, error, home, puzzles, rules, start};
use crate::app::Shared;
use crate::assets;
use axum::Router;
use axum::extract::{Path, RawQuery, State};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{Html, IntoResponse, Response};
use axum::routing::get;
use kiban_core::{GameSpec, Seat};

/// Home, start a game, rules, analysis, about, static files.
pub(crate) fn routes() -> Router<Shared> {
    Router::new()
        .route("/", get(home_page))
        .route("/about", get(about_page))
        .route("/{game}", get(start_page))
        .route("/{game}/rules", get(rules_page))
        .route("/{game}/puzzles", get(puzzles_page))
        .route("/analysis/{game}", get(analysis_page))
        .route("/static/{file}", get(static_file))
        .route("/api/example/{game}", get(example))
        .route("/favicon.ico", get(favicon))
}

async fn home_page(State(app): State<Shared>) -> Html<String> {
    let site = Site { words: app.common_words(), games: app.games, engines: &app.engines };
    Html(home::page(&site).into_string())
}

async fn about_page(State(app): State<Shared>) -> Html<String> {
    let site = Site { words: app.common_words(), games: app.games, engines: &app.engines };
    Html(about::page(&site).into_string())
}

async fn start_page(
    State(app): State<Shared>,
    Path(game): Path<String>,
    RawQuery(query): RawQuery,
) -> Response {
    of_game(&app, &game, |site, spec| {
        let fields = start::read_fields(query.as_deref().unwrap_or(""));
        start::page(site, spec, &fields, None).into_string()
    })
}

async fn rules_page(
    State(app): State<Shared>,
    Path(game): Path<String>,
    RawQuery(query): RawQuery,
) -> Response {
    let variant = variant_of(query.as_deref());
    of_game(&app, &game, |site, spec| rules::page(site, spec, &variant).into_string())
}

/// The variant that a query names, or nothing.
fn variant_of(query: Option<&str>) -> String {
    let fields = start::read_fields(query.unwrap_or(""));
    fields.into_iter().find(|(name, _)| name == "variant").map_or(String::new(), |(_, v)| v)
}

async fn puzzles_page(State(app): State<Shared>, Path(game): Path<String>) -> Response {
    let Some(spec) = app.spec(&game).filter(|spec| !(spec.puzzles)().is_empty()) else {
        return nothing(&app);
    };
    let site = Site { words: app.words(spec), games: app.games, engines: &app.engines };
    Html(puzzles::page(&site, spec).into_string()).into_response()
}

async fn analysis_page(State(app): State<Shared>, Path(game): Path<String>) -> Response {
    of_game(&app, &game, |site, spec| analysis::page(site, spec).into_string())
}

/// What a seat sees at the start of a variant's game, for the form that sets one up.
async fn example(
    State(app): State<Shared>,
    Path(game): Path<String>,
    RawQuery(query): RawQuery,
) -> Response {
    let fields = start::read_fields(query.as_deref().unwrap_or(""));
    let field = |name: &str| fields.iter().find(|(n, _)| n == name).map_or("", |(_, v)| v.as_str());
    let scene = app.spec(&game).and_then(|spec| {
        let variant = spec.variant(field("variant")).ok()?;
        let seat = Seat::from_name(field("seat")).unwrap_or(Seat::FIRST);
        diagram::example(spec, &variant, seat)
    });
    match scene {
        Some(scene) => axum::Json(scene).into_response(),
        None => StatusCode::NOT_FOUND.into_response(),
    }
}

/// A page of one game, or the page that says that there is no such game.
fn of_game(
    app: &Shared,
    game: &str,
    page: impl FnOnce(&Site<'_>, &'static GameSpec) -> String,
) -> Response {
    let Some(spec) = app.spec(game) else { return nothing(app) };
    let site = Site { words: app.words(spec), games: app.games, engines: &app.engines };
    Html(page(&site, spec)).into_response()
}

/// The page that says that there is none.
fn nothing(app: &Shared) -> Response {
    let site = Site { words: app.common_words(), games: app.games, engines: &app.engines };
    let page = error::page(&site, 404, &site.say("error-no-page"));
    (StatusCode::NOT_FOUND, Html(page.into_string())).into_response()
}

async fn static_file(Path(file): Path<String>, headers: HeaderMap) -> Response {
    answer_asset(&file, &headers)
}

async fn favicon(headers: HeaderMap) -> Response {
    answer_asset("icon.svg", &headers)
}

fn answer_asset(name: &str, headers: &HeaderMap) -> Response {
    let Some(asset) = assets::find(name) else { return StatusCode::NOT_FOUND.into_response() };
    let etag = HeaderValue::from_str(&asset.etag()).expect("a tag is plain ASCII");
    // Modules import each other by plain names, so each is asked for anew and mostly unchanged.
    let cache = (header::CACHE_CONTROL, HeaderValue::from_static("no-cache"));
    if headers.get(header::IF_NONE_MATCH) == Some(&etag) {
        return (StatusCode::NOT_MODIFIED, [cache, (header::ETAG, etag)]).into_response();
    }
    let kind = (header::CONTENT_TYPE, HeaderValue::from_static(asset.content_type));
    ([kind, cache, (header::ETAG, etag)], asset.bytes).into_response()
}
