//! The commands there are, and how a run of the program begins and ends.

use crate::commands::{
    analyze, bench, convert, doctor, engine, games, judge, matches, mate, moves, openings, perft,
    play, probe, render, serve, show, solve, suite,
};
use crate::error::Failure;
use crate::{output, registry, usage};
use clap::error::ErrorKind;
use clap::{Parser, Subcommand};
use std::ffi::OsString;
use std::process::ExitCode;

/// What the exit statuses of all commands mean.
const STATUSES: &str = "0 answered, whatever the answer (a foul, a draw, no mate); 1 no answer (bad \
                        input, an unknown value, a limit reached); 2 wrong usage. The help of a \
                        command says where it differs.";

/// Classic board games: exact rules, honest judging, strong play.
#[derive(Parser)]
#[command(name = "kiban", version, disable_help_subcommand = true)]
#[command(after_help = registry::help(&[
    "serve",
    "play {game}",
    "show {game}",
    "judge game.txt",
], STATUSES))]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Serve(serve::Args),
    Games(games::Args),
    Show(show::Args),
    Render(render::Args),
    Moves(moves::Args),
    Perft(perft::Args),
    Judge(judge::Args),
    Convert(convert::Args),
    Play(play::Args),
    Analyze(analyze::Args),
    Mate(mate::Args),
    Solve(solve::Args),
    Probe(probe::Args),
    Engine(engine::Args),
    Match(Box<matches::Args>),
    Bench(bench::Args),
    #[command(hide = true)]
    Openings(openings::Args),
    Suite(suite::Args),
    Doctor(doctor::Args),
}

impl Command {
    fn run(&'static self) -> Result<(), Failure> {
        match self {
            Command::Serve(args) => serve::run(args),
            Command::Games(args) => games::run(args),
            Command::Show(args) => show::run(args),
            Command::Render(args) => render::run(args),
            Command::Moves(args) => moves::run(args),
            Command::Perft(args) => perft::run(args),
            Command::Judge(args) => judge::run(args),
            Command::Convert(args) => convert::run(args),
            Command::Play(args) => play::run(args),
            Command::Analyze(args) => analyze::run(args),
            Command::Mate(args) => mate::run(args),
            Command::Solve(args) => solve::run(args),
            Command::Probe(args) => probe::run(args),
            Command::Engine(args) => engine::run(args),
            Command::Match(args) => matches::run(args),
            Command::Bench(args) => bench::run(args),
            Command::Openings(args) => openings::run(args),
            Command::Suite(args) => suite::run(args),
            Command::Doctor(args) => doctor::run(args),
        }
    }
}

/// Whether errors are to be JSON. Asked of the bare arguments, for they may be wrong.
pub(crate) fn wants_json(arguments: impl IntoIterator<Item = OsString>) -> bool {
    let options = arguments.into_iter().take_while(|a| a != "--");
    options.into_iter().any(|a| a == "--json" || a == "--jsonl")
}

/// Runs one command line.
pub(crate) fn run(arguments: impl IntoIterator<Item = OsString>) -> ExitCode {
    let arguments: Vec<OsString> = arguments.into_iter().collect();
    let done = match Cli::try_parse_from(&arguments) {
        // A command's threads may have to be left alone when it ends, and hold on to it.
        Ok(cli) => Box::leak(Box::new(cli)).command.run(),
        Err(e) if matches!(e.kind(), ErrorKind::DisplayHelp | ErrorKind::DisplayVersion) => {
            output::text(&e.render().to_string())
        }
        Err(e) => Err(Failure::Usage(usage::error(&e, command_of(&arguments)))),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            if let Failure::Usage(error) | Failure::NoAnswer(error) = &failure {
                output::complain(error, wants_json(arguments));
            }
            ExitCode::from(failure.status())
        }
    }
}

/// The command that was meant, if there is one of that name.
fn command_of(arguments: &[OsString]) -> Option<&str> {
    let name = arguments.get(1)?.to_str()?;
    <Cli as clap::CommandFactory>::command().find_subcommand(name).map(|_| name)
}
