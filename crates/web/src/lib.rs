//! The web server: pages, game rooms, push channel, static modules.
//!
//! [`serve`] runs it; [`router`] is the same without sockets. A game is a task that alone holds
//! the game's state machine ([`kiban_play::Room`]); an action is acknowledged and pushed only once
//! the store has it. What leaves for a viewer is computed by the arbiter's functions of a viewer.

mod analysis;
mod api;
mod app;
mod assets;
mod body;
mod commitments;
mod create;
mod engines;
mod errors;
mod game_pages;
mod guard;
mod limits;
mod pages;
mod pool;
mod puzzles;
mod request;
mod room;
mod rooms;
mod serve;
#[cfg(test)]
mod tests;
mod values;
mod view;

pub use app::{App, Log, Parts};
pub use engines::EngineOption;
pub use serve::{Line, ServeError, ServeOptions, data_folder, serve};

use axum::Router;
use axum::middleware::from_fn_with_state;
use std::sync::Arc;

/// Every route behind its guard, without sockets.
pub fn router(app: Arc<App>) -> Router {
    Router::new()
        .merge(api::routes())
        .merge(game_pages::routes())
        .merge(pages::routes())
        .fallback(game_pages::nothing)
        .layer(from_fn_with_state(Arc::clone(&app), body::read))
        .layer(from_fn_with_state(Arc::clone(&app), game_pages::in_our_words))
        .layer(from_fn_with_state(Arc::clone(&app), guard::guard))
        .with_state(app)
}
