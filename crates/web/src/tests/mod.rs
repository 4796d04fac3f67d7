//! Tests of the whole server, without sockets wherever they do not matter.

mod client;
mod computer;
mod failing;
#[cfg(unix)]
mod foreign;
mod hidden;
#[cfg(unix)]
mod kill;
mod layouts;
mod leak;
mod looking;
mod making;
mod play;
mod registry;
mod running;
mod safety;
mod solved;
mod streams;
mod study;
#[cfg(unix)]
mod wire;

use kiban_core::GameSpec;
use kiban_testkit::toys::stones::STONES;

/// The registry of these tests.
static GAMES: &[&GameSpec] = &[STONES];
