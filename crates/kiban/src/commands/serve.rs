//! `kiban serve`: the web server.

use crate::error::Failure;
use crate::machine;
use crate::output;
use crate::registry::examples;
use kiban_games::GAMES;
use kiban_web::{EngineOption, Line, ServeError, ServeOptions};
use std::net::SocketAddr;

/// Serves the web site: play the computer, a friend at this screen, or people online
#[derive(clap::Args)]
#[command(after_help = examples(&[
    "serve",
    "serve --listen 0.0.0.0:8080 --host club.example",
    "serve --database sqlite:games.db",
    "serve --engine \"Strong=usi:/opt/strong/engine --quiet\"",
]))]
pub(crate) struct Args {
    /// Where to listen
    #[arg(long, value_name = "ADDRESS:PORT", default_value = "127.0.0.1:8080")]
    listen: SocketAddr,
    /// Where games are kept; by default in the user's data folder
    #[arg(long, value_name = "sqlite:PATH")]
    database: Option<String>,
    /// A name the site is reached by, beside the loopback ones; may be given several times
    #[arg(long = "host", value_name = "NAME")]
    hosts: Vec<String>,
    /// Another program that people may play and analyse with, in the games that have its protocol;
    /// may be given several times. It runs as you, without a shell; a move takes a second at most
    #[arg(long = "engine", value_name = "NAME=PROTOCOL:COMMAND", value_parser = engine)]
    engines: Vec<EngineOption>,
}

fn engine(text: &str) -> Result<EngineOption, String> {
    let engine = EngineOption::read(text, GAMES)?;
    // Better told now than to whoever plays against it.
    if !kiban_wire::is_program(&engine.command) {
        return Err(format!("there is no program to run as \"{}\"", engine.command));
    }
    Ok(engine)
}

/// Runs the command until Ctrl-C.
pub(crate) fn run(args: &Args) -> Result<(), Failure> {
    let options = ServeOptions {
        games: GAMES,
        listen: args.listen,
        database: args.database.clone(),
        hosts: args.hosts.clone(),
        engines: args.engines.clone(),
        tables: machine::tables_folder(),
        threads: None,
    };
    // Nobody may be reading: a server does not end with its terminal's pipe.
    let say = |line: Line<'_>| match line {
        Line::Ready(text) => drop(output::text(text)),
        Line::Warning(text) => output::note(text),
    };
    kiban_web::serve(options, say).map_err(|e| Failure::no_answer(code(&e), e.to_string()))
}

fn code(e: &ServeError) -> &'static str {
    match e {
        ServeError::PortInUse(_) => "port-in-use",
        ServeError::Listen { .. } => "cannot-listen",
        ServeError::NoDataFolder | ServeError::UnknownDatabase(_) | ServeError::Database(_) => {
            "bad-database"
        }
        _ => "cannot-serve",
    }
}
