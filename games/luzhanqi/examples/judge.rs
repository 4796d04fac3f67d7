//! Games by the line protocol of the Chinese computer games contest, between the computer player
//! and other programs. This is the judge: it knows both layouts and tells each side its share.

// A match is told on the terminal.
#![allow(clippy::print_stdout, clippy::print_stderr)]

use kiban_core::{
    Act, Arbiter, Conduct, Decision, Entry, Limits, Notation, Opening, Outcome, Rules, Seat,
    Secret, Table, Thinks, Viewer, Workspace,
};
use kiban_luzhanqi::{Contact, GAME, Layout, Luzhanqi, Move};
use kiban_search::Random;
use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

const USAGE: &str = "\
Usage: judge NODES GAMES COMMAND...
Plays games of the computer player, at so many nodes a move, against a program that speaks the
contest's protocol; sides alternate.

Example: judge 20000 40 ./engine";

/// A program that is silent so long has lost.
const PATIENCE: Duration = Duration::from_secs(20);

/// A program that speaks the protocol.
struct Program {
    child: Child,
    input: ChildStdin,
    lines: Receiver<String>,
}

impl Program {
    fn start(command: &[String]) -> std::io::Result<Program> {
        let mut command = {
            let mut all = Command::new(&command[0]);
            all.args(&command[1..]);
            all
        };
        let mut child =
            command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn()?;
        let input = child.stdin.take().expect("it is piped");
        let output = BufReader::new(child.stdout.take().expect("it is piped"));
        let (sender, lines) = channel();
        std::thread::spawn(move || {
            for line in output.lines().map_while(Result::ok) {
                if sender.send(line).is_err() {
                    break;
                }
            }
        });
        Ok(Program { child, input, lines })
    }

    fn say(&mut self, line: &str) {
        // Whether it still listens shows when it is asked.
        let _ = writeln!(self.input, "{line}").and_then(|()| self.input.flush());
    }

    /// What it says after this word.
    fn answer(&mut self, word: &str) -> Option<String> {
        loop {
            let line = self.lines.recv_timeout(PATIENCE).ok()?;
            if let Some(rest) = line.trim().strip_prefix(word) {
                return Some(rest.trim().to_owned());
            }
        }
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        self.say("END 2");
        // It may have gone by itself.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A station as a seat sees it, and back: rows from the top, half a turn for the second seat.
fn turned(seat: Seat, at: u8) -> u8 {
    if seat == Seat::FIRST { at } else { 59 - at }
}

fn text(seat: Seat, at: u8) -> String {
    let at = turned(seat, at);
    format!("{}{}", char::from(b'L' - at / 5), at % 5)
}

fn station(seat: Seat, row: u8, column: u8) -> Option<u8> {
    let row = b'L'.checked_sub(row).filter(|row| *row < 12)?;
    let column = column.checked_sub(b'0').filter(|column| *column < 5)?;
    Some(turned(seat, row * 5 + column))
}

/// One game of the computer player against a program.
struct Match {
    table: Table<Luzhanqi>,
    program: Program,
    computer: Seat,
    nodes: u64,
    memory: Workspace,
    random: Random,
}

impl Match {
    /// The computer's move.
    fn thought(&mut self) -> Option<Move> {
        let rules = self.table.line().rules();
        let known = rules.known(self.table.line(), Viewer::Seat(self.computer));
        let (nodes, seed) = (Some(self.nodes), self.random.next_u64());
        let limits = Limits { nodes, seed, ..Limits::default() };
        match rules.think(&known, &mut self.memory, &limits, &mut |_| {}) {
            Decision::Move(m) => Some(m),
            Decision::Call(_) => None,
        }
    }

    /// The program's move.
    fn said(&mut self) -> Option<Move> {
        let said = self.program.answer("BESTMOVE")?;
        let [a, b, c, d] = *said.as_bytes() else { return None };
        let seat = self.computer.other();
        Some(Move::Step(station(seat, a, b)?, station(seat, c, d)?))
    }

    /// Tells the program of the last move.
    fn tell(&mut self, by: Seat, from: u8, to: u8) {
        let (p, other) = (self.table.line().position(), self.computer.other());
        let result = match p.contact {
            Some(Contact::Lost) => 0,
            Some(Contact::Won) => 1,
            Some(Contact::Both) => 2,
            None => 3,
        };
        let flag = p.flags[self.computer.index()].map_or("00".to_string(), |at| text(other, at));
        if by == other {
            self.program.say(&format!("RESULT {result} {flag}"));
        } else if self.table.ending().is_none() {
            let (from, to) = (text(other, from), text(other, to));
            self.program.say(&format!("GO {from}{to} {result} {flag}"));
        }
    }

    /// Plays to the end: points of the computer, and why.
    fn play(&mut self) -> (f64, String) {
        let rules = self.table.line().rules();
        while let Some(seat) = self.table.waiting_for().only() {
            let own = seat == self.computer;
            let m = if own { self.thought() } else { self.said() };
            let Some(m @ Move::Step(from, to)) = m else {
                let points = if own { 0.0 } else { 1.0 };
                return (points, "no readable move, silence or crash".into());
            };
            self.table.put(&Entry::new_move(seat, rules.write_move(m))).expect("it is readable");
            self.tell(seat, from, to);
        }
        let ending = self.table.ending().expect("nobody is to move");
        let foul = if ending.foul.is_some() { " (foul)" } else { "" };
        match ending.outcome {
            Some(Outcome::Win { seats, by }) if seats.has(self.computer) => {
                (1.0, format!("won by {by}{foul}"))
            }
            Some(Outcome::Win { by, .. }) => (0.0, format!("lost by {by}{foul}")),
            _ => (0.5, "drawn".into()),
        }
    }
}

/// How a game came out for the computer: points and why.
fn play(
    nodes: u64,
    command: &[String],
    computer: Seat,
    seed: u64,
) -> std::io::Result<(f64, String)> {
    let variant = GAME.variant("contest").expect("listed");
    let opening = Opening { variant, start: None, conduct: Conduct::Official, seed: None };
    let mut table = Table::<Luzhanqi>::open(&opening).expect("it opens");
    let mut random = Random::new(seed);
    let own = Layout::draw(&mut || random.next_u64()).letters();
    table.put(&Entry { by: computer.into(), act: Act::Layout(own) }).expect("legal");
    let other = computer.other();
    let mut program = Program::start(command)?;
    program.say("INFO 1.0");
    program.answer("NAME");
    program.say(&format!("START {} 1800 31", other.index()));
    let layout = program.answer("ARRAY").unwrap_or_default();
    if table.put(&Entry { by: other.into(), act: Act::Layout(layout) }).is_err() {
        return Ok((1.0, "no readable layout".into()));
    }
    if other == Seat::FIRST {
        program.say("GO 0000 0 00");
    }
    let memory = Workspace::new();
    Ok(Match { table, program, computer, nodes, memory, random }.play())
}

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let numbers = (args.first().map(|n| n.parse()), args.get(1).map(|n| n.parse::<u64>()));
    let (Some(Ok(nodes)), Some(Ok(games)), true) = (numbers.0, numbers.1, args.len() > 2) else {
        eprintln!("{USAGE}");
        std::process::exit(2);
    };
    let (mut points, mut reasons) = (0.0, BTreeMap::<String, u32>::new());
    for game in 0..games {
        let seat = if game % 2 == 0 { Seat::FIRST } else { Seat::SECOND };
        match play(nodes, &args[2..], seat, 1 + game) {
            Ok((gained, why)) => {
                points += gained;
                *reasons.entry(why).or_default() += 1;
            }
            Err(error) => {
                eprintln!("The program cannot be run: {error}.");
                std::process::exit(2);
            }
        }
    }
    println!("{points} of {games}: {reasons:?}");
}
