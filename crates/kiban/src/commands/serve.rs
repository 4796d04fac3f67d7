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
    "serve --engine \"Strong=usi:/opt/strong/engine --quiet\" --engine-option Strong:USI_Hash=64",
]))]
pub(crate) struct Args {
    /// Where to listen
    #[arg(long, value_name = "ADDRESS:PORT", default_value = "127.0.0.1:8080")]
    #[arg(value_parser = address)]
    listen: SocketAddr,
    /// Where games are kept; by default in the user's data folder
    #[arg(long, value_name = "sqlite:PATH")]
    database: Option<String>,
    /// A name the site is reached by, beside the loopback ones; may be given several times
    #[arg(long = "host", value_name = "NAME")]
    hosts: Vec<String>,
    /// Another program that people may play and analyse with, in the games that have its protocol;
    /// may be given several times. It runs as you, without a shell
    #[arg(long = "engine", value_name = "NAME=PROTOCOL:COMMAND", value_parser = engine)]
    engines: Vec<EngineOption>,
    /// An option to set in the program of this name when it is started; may be given several times
    #[arg(long = "engine-option", value_name = "NAME:OPTION=VALUE", requires = "engines")]
    engine_options: Vec<String>,
    /// What the program of this name is given for a move of a game, in seconds, 1 where nothing is
    /// said; with a clock it may be less
    #[arg(long = "engine-time", value_name = "NAME=SECONDS", requires = "engines")]
    engine_times: Vec<String>,
}

fn address(text: &str) -> Result<SocketAddr, String> {
    text.parse().map_err(|_| "give an address and a port, such as 127.0.0.1:8080".to_string())
}

fn engine(text: &str) -> Result<EngineOption, String> {
    let engine = EngineOption::read(text, GAMES)?;
    // Better told now than to whoever plays against it.
    if !kiban_wire::is_program(&engine.command) {
        return Err(format!("there is no program to run as \"{}\"", engine.command));
    }
    Ok(engine)
}

/// The programs with what is said of each.
fn engines(args: &Args) -> Result<Vec<EngineOption>, Failure> {
    let mut engines = args.engines.clone();
    let wrong = |flag: &str, why: String| Failure::usage("bad-value", format!("{flag}: {why}."));
    for (i, engine) in engines.iter().enumerate() {
        if engines[..i].iter().any(|other| other.name == engine.name) {
            let why = format!("two programs are named \"{}\"; choose another name", engine.name);
            return Err(wrong("--engine", why));
        }
    }
    for text in &args.engine_options {
        EngineOption::set_option(&mut engines, text).map_err(|e| wrong("--engine-option", e))?;
    }
    for text in &args.engine_times {
        EngineOption::set_time(&mut engines, text).map_err(|e| wrong("--engine-time", e))?;
    }
    Ok(engines)
}

/// Runs the command until Ctrl-C.
pub(crate) fn run(args: &Args) -> Result<(), Failure> {
    let engines = engines(args)?;
    let options = ServeOptions {
        games: GAMES,
        listen: args.listen,
        database: args.database.clone(),
        hosts: args.hosts.clone(),
        engines,
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
        ServeError::NoDataFolder
        | ServeError::UnknownDatabase(_)
        | ServeError::NoFolder(..)
        | ServeError::Database(_) => "bad-database",
        _ => "cannot-serve",
    }
}
