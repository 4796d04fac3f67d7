//! `kiban play`: a game in the terminal, line by line.

use crate::engine::stopped_by_ctrl_c;
use crate::error::Failure;
use crate::output;
use crate::player::{Manners, Player, Working};
use crate::registry::{self, examples};
use crate::timing::Timing;
use kiban_core::{Conduct, Opening, Seat, Seats, Stop, to_move};
use std::collections::hash_map::RandomState;
use std::hash::{BuildHasher, Hasher};
use std::io::{BufRead, IsTerminal, Read};
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::time::Duration;

mod arranging;
mod session;

use session::{Next, People, Session};

/// Plays a game in the terminal
#[derive(clap::Args)]
#[command(after_help = examples(&[
    "play {game}",
    "play {game} --level 7 --side second",
    "play {game} --opponent time:2",
    "play {game} --opponent clock --clock 300+2",
    "play {game} --side both",
]))]
pub(crate) struct Args {
    /// The game's id, as "kiban games" lists it
    #[arg(value_name = "GAME")]
    game: String,
    /// How well the computer plays, from 1 (a child's first game) to 10
    #[arg(long, value_name = "N", default_value_t = 4)]
    #[arg(value_parser = clap::value_parser!(u8).range(1..=10), conflicts_with = "opponent")]
    level: u8,
    /// Another player: level:N, nodes:N, time:SECONDS, clock, random, or another program by its
    /// protocol, PROTOCOL:COMMAND
    #[arg(long, value_name = "PLAYER", value_parser = Player::read)]
    opponent: Option<Player>,
    /// Your side: first, second (third, fourth), or both for people at one board
    #[arg(long, value_name = "SIDE", default_value = "first")]
    #[arg(value_parser = ["first", "second", "third", "fourth", "both"])]
    side: String,
    /// Your secret layout, by its id or text; else the computer lays out your pieces too
    #[arg(long, value_name = "LAYOUT")]
    layout: Option<String>,
    /// A variant and its options: name,key=value,...
    #[arg(long, value_name = "V")]
    variant: Option<String>,
    /// A position's text, or the id of a set-up
    #[arg(long, value_name = "P", allow_hyphen_values = true)]
    position: Option<String>,
    /// Whether an illegal move is refused (guided) or loses (official)
    #[arg(long, value_name = "HOW", default_value = "guided")]
    #[arg(value_parser = ["guided", "official"])]
    conduct: String,
    #[command(flatten)]
    timing: Timing,
    /// For everything random
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
}

/// Runs the command.
pub(crate) fn run(args: &Args) -> Result<(), Failure> {
    let spec = registry::game(&args.game)?;
    let variant = spec.variant(args.variant.as_deref().unwrap_or(""))?;
    let facts = spec.variant_spec(&variant);
    // An unseeded game differs each time; the standard hasher's keys are the system's chance.
    let seed = args.seed.unwrap_or_else(|| RandomState::new().build_hasher().finish());
    let opening = Opening {
        variant: variant.clone(),
        start: args.position.clone(),
        conduct: Conduct::from_name(&args.conduct).expect("one of the two names"),
        seed: Some(seed),
    };
    let mut arbiter = (spec.open)(&opening)?;
    let seats = Seats::first_n(facts.seats);
    let humans = match Seat::from_name(&args.side) {
        Some(seat) if seats.has(seat) => Seats::from(seat),
        Some(seat) => {
            let message = format!("This variant has no {} seat.", seat.name());
            return Err(Failure::no_answer("no-such-seat", message));
        }
        None => seats,
    };
    arranging::arrange(arbiter.as_mut(), humans, args.layout.as_deref(), seed)?;
    let opponent = args.opponent.clone().unwrap_or(Player::Level(args.level));
    if opponent == Player::Clock && !args.timing.is_set() {
        let message = "The player \"clock\" needs one; add --clock 300+2 or --byoyomi 10.";
        return Err(Failure::usage("no-clock", message));
    }
    let (manners, stop) = (Manners::default(), stopped_by_ctrl_c());
    let mut opponent = Working::new(&opponent, spec, &variant, manners, &stop)?;
    if humans.len() < usize::from(facts.seats) {
        let told = |fault: kiban_wire::Fault| Failure::no_answer("engine", fault.to_string());
        opponent.begin(arbiter.as_ref()).map_err(told)?;
    }
    let people = People { humans, seats, hidden: facts.hidden };
    let clocks = args.timing.clocks(facts.seats, arbiter.log().len());
    for doubt in opponent.doubts(clocks.as_ref()) {
        output::note(&output::plain(&doubt));
    }
    let mut session = Session::new(arbiter, people, opponent, seed, clocks);
    session.greet()?;
    converse(&mut session, &stop)
}

/// Computer moves as they come; else a line is read and answered, until the lines end.
fn converse(session: &mut Session, stop: &Stop) -> Result<(), Failure> {
    let typed = std::io::stdin().is_terminal();
    let lines = lines();
    loop {
        if let Some(seat) = to_move(session.arbiter.as_ref())
            && !session.people.humans.has(seat)
            && !stop.stopped()
        {
            session.computer_moves(seat)?;
            continue;
        }
        session.show_if_new()?;
        if typed {
            output::prompt(&session.prompt())?;
        }
        let answer = match next(session, &lines, stop)? {
            Heard::Line(line) => line,
            Heard::Flag => {
                session.flag_falls(typed)?;
                continue;
            }
            Heard::End => return session.part(typed),
        };
        if session.time_left().is_some_and(|left| left.is_zero()) {
            session.flag_falls(false)?;
        }
        if session.answer(answer.trim())? == Next::Quit {
            return Ok(());
        }
    }
}

/// What comes while somebody is to type a line.
enum Heard {
    Line(String),
    /// The time of the seat to move is over.
    Flag,
    /// There are no more lines, or Ctrl-C was pressed: what was started is to be ended.
    End,
}

/// How often the clock and Ctrl-C are looked at.
const LOOK: Duration = Duration::from_millis(50);

fn next(session: &Session, lines: &Lines, stop: &Stop) -> Result<Heard, Failure> {
    while !stop.stopped() {
        let left = session.time_left().unwrap_or(LOOK);
        match lines.recv_timeout(left.min(LOOK)) {
            Ok(line) => return line.map(Heard::Line),
            Err(RecvTimeoutError::Disconnected) => return Ok(Heard::End),
            Err(RecvTimeoutError::Timeout) => {}
        }
        if session.time_left().is_some_and(|left| left.is_zero()) {
            return Ok(Heard::Flag);
        }
    }
    Ok(Heard::End)
}

/// Lines as they are read.
type Lines = Receiver<Result<String, Failure>>;

/// The longest line that is read, in bytes.
const LINE: u64 = 4096;

/// The lines of standard input. A thread of its own waits for them: a flag falls meanwhile.
fn lines() -> Lines {
    let (say, said) = sync_channel(1);
    std::thread::spawn(move || {
        while let Some(line) = read_line().transpose() {
            if say.send(line).is_err() {
                return;
            }
        }
    });
    said
}

fn read_line() -> Result<Option<String>, Failure> {
    let mut line = Vec::new();
    let mut input = std::io::stdin().lock().take(LINE);
    let told = |e| Failure::no_answer("input", format!("The input cannot be read: {e}."));
    let read = input.read_until(b'\n', &mut line).map_err(told)?;
    // What is left of a longer line is no line of its own, which could be a move.
    let mut rest = Vec::new();
    while read > 0 && !line.ends_with(b"\n") && !rest.ends_with(b"\n") {
        rest.clear();
        input.set_limit(LINE);
        if input.read_until(b'\n', &mut rest).map_err(told)? == 0 {
            break;
        }
    }
    Ok((read > 0).then(|| String::from_utf8_lossy(&line).into_owned()))
}
