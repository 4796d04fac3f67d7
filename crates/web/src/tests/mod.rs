//! Tests of the whole server, without sockets wherever they do not matter.

mod client;
mod play;
mod safety;
mod toy;

use kiban_core::GameSpec;

/// The registry of these tests.
static GAMES: &[&GameSpec] = &[&toy::GAME];
