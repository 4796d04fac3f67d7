//! `kiban match`: games between two computer players.

use crate::engine::{seconds, stopped_by_ctrl_c};
use crate::error::Failure;
use crate::output::{self, Head};
use crate::player::{Manners, Player};
use crate::registry::{self, help};
use crate::timing::Timing;
use game::{Bounds, Row, Side};
use kiban_core::{Limits, Stop};
use log::{Header, Log};
use records::Records;
use serde::Serialize;
use stats::State;
use std::collections::hash_map::RandomState;
use std::collections::{BTreeMap, HashSet, VecDeque};
use std::hash::{BuildHasher, Hasher};
use std::io::IsTerminal;
use std::path::PathBuf;
use std::time::Duration;
use tally::Tally;

mod again;
mod field;
mod game;
mod log;
mod plan;
mod records;
mod stats;
mod tally;

/// What the exit statuses mean.
const STATUSES: &str = "0 if the games were played, whoever won, and even if a player broke down or \
                        cheated (that is counted); 1 if they could not be played; 2 for wrong usage.";

/// Plays games between two computer players
#[derive(clap::Args)]
#[command(after_help = help(&[
    "match level:4 level:5 --game {game} --games 100",
    "match nodes:2000 nodes:1000 --game {game} --games 400 --concurrency 2 --resume games.jsonl",
    "match level:4 level:3 --game {game} --games 10 --records games",
    "match time:1 \"{engine}\" --game {game} --games 20 --time 1",
    "match clock \"{engine}\" --game {game} --games 20 --clock 60+0.5",
    "match nodes:2000 level:7 --game {game} --games 1000 --sprt 0 5 --json",
], STATUSES))]
pub(crate) struct Args {
    /// A player: level:N, nodes:N, time:SECONDS, clock, random, or another program,
    /// PROTOCOL:COMMAND
    #[arg(value_name = "A", value_parser = Player::read)]
    a: Player,
    /// The other player
    #[arg(value_name = "B", value_parser = Player::read)]
    b: Player,
    /// The game
    #[arg(long, value_name = "GAME")]
    game: String,
    /// How many games; they come in pairs, the same opening with sides swapped
    #[arg(long, value_name = "N", default_value_t = 2)]
    #[arg(value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    games: u32,
    /// A variant and its options: name,key=value,...
    #[arg(long, value_name = "V")]
    variant: Option<String>,
    /// The position all games begin from, or the id of a set-up
    #[arg(long, value_name = "P", allow_hyphen_values = true)]
    position: Option<String>,
    /// For everything random
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
    /// Openings, one a line: moves from the start, or a position, or both with "moves" between
    #[arg(long, value_name = "FILE")]
    openings: Option<PathBuf>,
    /// Plies at random before each pair of games; 6 where there are no openings
    #[arg(long, value_name = "K", value_parser = clap::value_parser!(u32).range(..=100))]
    random_plies: Option<u32>,
    /// Seconds another program has for a move; 1 if nothing limits it. It may keep some back for
    /// the way: a USI program is told of them as byoyomi, and most have an option NetworkDelay
    #[arg(long, value_name = "S", value_parser = seconds, conflicts_with_all = ["clock", "byoyomi"])]
    time: Option<Duration>,
    #[command(flatten)]
    timing: Timing,
    /// Nodes another program has for a move
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// Depth another program has for a move
    #[arg(long, value_name = "D", value_parser = clap::value_parser!(u8).range(1..))]
    depth: Option<u8>,
    /// Seconds by which a player may be late before it loses on time
    #[arg(long, value_name = "S", default_value = "0.5", value_parser = seconds)]
    margin: Duration,
    /// Seconds beyond its time, or in all where it has none, after which a program has stalled,
    /// and for a program to become ready [default: 10, and 60 to become ready]
    #[arg(long, value_name = "S", value_parser = seconds)]
    patience: Option<Duration>,
    /// An option of the first player's program; may be given several times
    #[arg(long, value_name = "NAME=VALUE", value_parser = option)]
    option_a: Vec<(String, String)>,
    /// An option of the second player's program
    #[arg(long, value_name = "NAME=VALUE", value_parser = option)]
    option_b: Vec<(String, String)>,
    /// A game of so many plies is left undecided and counts as a draw
    #[arg(long, value_name = "N", default_value_t = 1000)]
    #[arg(value_parser = clap::value_parser!(u32).range(1..=5000))]
    max_plies: u32,
    /// Games at a time
    #[arg(long, value_name = "N", default_value_t = 1)]
    #[arg(value_parser = clap::value_parser!(u16).range(1..=256))]
    concurrency: u16,
    /// Ends when it is decided whether the first player is better by ELO0 or by ELO1
    #[arg(long, num_args = 2, value_names = ["ELO0", "ELO1"], allow_negative_numbers = true)]
    #[arg(value_parser = elo)]
    sprt: Option<Vec<f64>>,
    /// Keeps finished games with their moves in this file and goes on from what it holds; of more
    /// than --games the first count
    #[arg(long, value_name = "FILE")]
    resume: Option<PathBuf>,
    /// Writes the record of each game into this folder, by its number; those missing of games that
    /// --resume took from its file are made of what it holds
    #[arg(long, value_name = "FOLDER")]
    records: Option<PathBuf>,
    /// Print one JSON document
    #[arg(long)]
    json: bool,
}

fn option(text: &str) -> Result<(String, String), String> {
    let (name, value) = text.split_once('=').ok_or("write NAME=VALUE")?;
    Ok((name.trim().to_string(), value.trim().to_string()))
}

fn elo(text: &str) -> Result<f64, String> {
    let wrong = || "give a difference in Elo from -1000 to 1000".to_string();
    let number: f64 = text.parse().map_err(|_| wrong())?;
    if (-1000.0..=1000.0).contains(&number) { Ok(number) } else { Err(wrong()) }
}

#[derive(Serialize)]
struct Document {
    #[serde(flatten)]
    head: Head,
    a: Named,
    b: Named,
    seed: u64,
    total: tally::Total,
    by_reason: BTreeMap<String, usize>,
    faults: tally::AllFaults,
    pentanomial: stats::Pentanomial,
    score: f64,
    elo: stats::Elo,
    sprt: Option<stats::Sprt>,
    games: Vec<Row>,
}

#[derive(Serialize)]
struct Named {
    spec: String,
    name: String,
}

impl Args {
    fn hypotheses(&self) -> Result<Option<(f64, f64)>, Failure> {
        match self.sprt.as_deref() {
            Some([elo0, elo1]) if elo0 < elo1 => Ok(Some((*elo0, *elo1))),
            Some(_) => {
                let message = "The first number of --sprt must be the smaller one.";
                Err(Failure::usage("bad-value", message))
            }
            None => Ok(None),
        }
    }

    fn manners(&self, options: &[(String, String)]) -> Manners {
        let unlimited = self.nodes.is_none() && self.depth.is_none() && !self.timing.is_set();
        let time = self.time.or(unlimited.then_some(Duration::from_secs(1)));
        let limits = Limits { time, nodes: self.nodes, depth: self.depth, ..Limits::default() };
        Manners::new(limits, self.patience, options)
    }

    fn check_players(&self) -> Result<(), Failure> {
        let sides = [(&self.a, "a", &self.option_a), (&self.b, "b", &self.option_b)];
        let own = |player: &Player| !matches!(player, Player::Other { .. });
        if let Some((player, side, _)) =
            sides.into_iter().find(|(player, _, options)| own(player) && !options.is_empty())
        {
            let spec = player.spec();
            let message = format!("--option-{side} is for another program, and {spec} is none.");
            return Err(Failure::usage("bad-value", message));
        }
        let needed = self.a == Player::Clock || self.b == Player::Clock;
        if needed && !self.timing.is_set() {
            let message = "The player \"clock\" needs one; add --clock 60+1 or --byoyomi 1.";
            return Err(Failure::usage("no-clock", message));
        }
        Ok(())
    }

    /// What decides how games go, besides players and seed.
    fn how(&self) -> Vec<String> {
        let path = |p: &PathBuf| format!("openings {}", p.display());
        let seconds = |name: &str, t: Duration| format!("{name} {}", t.as_secs_f64());
        let options = |side: &str, list: &[(String, String)]| {
            list.iter().map(|(k, v)| format!("{side} {k}={v}")).collect::<Vec<_>>()
        };
        let mut how = vec![format!("max-plies {}", self.max_plies)];
        how.extend(self.position.as_ref().map(|p| format!("position {p}")));
        how.extend(self.openings.as_ref().map(path));
        how.extend(self.random_plies.map(|k| format!("random-plies {k}")));
        how.extend(self.time.map(|t| seconds("time", t)));
        how.extend(self.timing.clock.map(|(main, _)| seconds("clock", main)));
        how.extend(self.timing.clock.map(|(_, increment)| seconds("increment", increment)));
        how.extend(self.timing.byoyomi.map(|t| seconds("byoyomi", t)));
        how.extend(self.nodes.map(|n| format!("nodes {n}")));
        how.extend(self.depth.map(|d| format!("depth {d}")));
        how.extend(options("a", &self.option_a));
        how.extend(options("b", &self.option_b));
        how
    }
}

/// Runs the command.
pub(crate) fn run(args: &Args) -> Result<(), Failure> {
    let spec = registry::game(&args.game)?;
    let variant = spec.variant(args.variant.as_deref().unwrap_or(""))?;
    let hypotheses = args.hypotheses()?;
    args.check_players()?;
    let mut header = Header {
        game: spec.id.to_string(),
        variant: variant.canonical(spec.options, None),
        a: args.a.spec(),
        b: args.b.spec(),
        // An unseeded match differs each time; the hasher's keys are the system's chance. JSON
        // readers hold whole numbers below 2^53.
        seed: args.seed.unwrap_or_else(|| RandomState::new().build_hasher().finish() >> 11),
        how: args.how(),
    };
    let opened = args.resume.as_ref().map(|path| Log::open(path, &mut header, args.seed.is_none()));
    let (mut log, mut rows) = match opened.transpose()? {
        Some((log, rows)) => (Some(log), rows),
        None => (None, Vec::new()),
    };
    let plan = plan::Plan::new(args, spec, &variant, header.seed)?;
    let stop = stopped_by_ctrl_c();
    let field = field::Field {
        spec,
        variant: &variant,
        plan: &plan,
        players: [(&args.a, args.manners(&args.option_a)), (&args.b, args.manners(&args.option_b))],
        bounds: Bounds {
            plies: args.max_plies as usize,
            timing: args.timing,
            time: args.manners(&[]).limits.time,
            margin: args.margin,
        },
        stop: &stop,
        records: args.records.as_ref().map(|path| Records::open(path, spec, &rows)).transpose()?,
    };
    let names = field.names()?;
    rows = first_games(rows, args.games);
    field.complete(&rows, &names)?;
    let progress =
        Progress { shown: !args.json || std::io::stderr().is_terminal(), hypotheses, stop: &stop };
    progress.tell(&rows, args.games);
    let done: HashSet<usize> = rows.iter().map(|row| row.n).collect();
    let left: VecDeque<usize> =
        (0..args.games as usize).filter(|i| !done.contains(&(i + 1))).collect();
    field.play(left, usize::from(args.concurrency), &mut |row| {
        if let Some(log) = &mut log {
            log.add(&row)?;
        }
        progress.tell_fault(&row);
        rows.push(row);
        progress.tell(&rows, args.games);
        Ok(())
    })?;
    rows.sort_by_key(|row| row.n);
    answer(args, header, names, rows, hypotheses)
}

/// Of a log with more games than are wanted the first count.
fn first_games(rows: Vec<Row>, games: u32) -> Vec<Row> {
    let all = rows.len();
    let rows: Vec<Row> = rows.into_iter().filter(|row| row.n <= games as usize).collect();
    if rows.len() < all {
        let more = output::counted((all - rows.len()) as u64, "game", "games");
        output::note(&format!("The log holds {more} beyond --games {games}; not counted."));
    }
    rows
}

/// What is told while games are played.
struct Progress<'a> {
    shown: bool,
    hypotheses: Option<(f64, f64)>,
    stop: &'a Stop,
}

impl Progress<'_> {
    /// Tells what a player did wrong.
    fn tell_fault(&self, row: &Row) {
        if let Some(blame) = row.fault.as_ref().filter(|_| self.shown) {
            let side = if blame.by == Side::A { "a" } else { "b" };
            let told = format!("Game {}, fault of {side}: {}", row.n, blame.why);
            output::note(&output::plain(&told));
        }
    }

    /// Tells how it stands, and ends the match once a test is decided.
    fn tell(&self, rows: &[Row], of: u32) {
        let tally = Tally::of(rows, self.hypotheses);
        if self.shown && !rows.is_empty() {
            output::note(&format!("{:>5}/{of}  {}", rows.len(), tally.text()));
        }
        if tally.sprt.is_some_and(|sprt| sprt.state != State::Running) {
            self.stop.stop();
        }
    }
}

fn answer(
    args: &Args,
    header: Header,
    [a, b]: [String; 2],
    games: Vec<Row>,
    hypotheses: Option<(f64, f64)>,
) -> Result<(), Failure> {
    let tally = Tally::of(&games, hypotheses);
    if !args.json {
        return output::text(&text(&header, [&a, &b], &tally));
    }
    let spec = registry::game(&header.game)?;
    output::json(&Document {
        head: Head::new("match", Some(spec.id), Some(header.variant)),
        a: Named { spec: header.a, name: a },
        b: Named { spec: header.b, name: b },
        seed: header.seed,
        total: tally.total,
        by_reason: tally.by_reason,
        faults: tally.faults,
        pentanomial: tally.pentanomial,
        score: tally.score,
        elo: tally.elo,
        sprt: tally.sprt,
        games,
    })
}

fn text(header: &Header, names: [&str; 2], tally: &Tally) -> String {
    let mut text = output::plain(&format!(
        "{} (a) against {} (b): {} of {} games ({:.1} %). Seed {}.",
        names[0],
        names[1],
        tally.text(),
        tally.total.games,
        tally.score * 100.0,
        header.seed
    ));
    let pairs: Vec<String> = tally.pentanomial.iter().map(u64::to_string).collect();
    text.push_str(&format!("\nPairs by the points of a, 0 to 2: {}.", pairs.join(" ")));
    if !tally.by_reason.is_empty() {
        let ends: Vec<String> = tally.by_reason.iter().map(|(r, n)| format!("{r} {n}")).collect();
        // A log may give any reasons.
        text.push('\n');
        text.push_str(&output::plain(&format!("Ended by: {}.", ends.join(", "))));
    }
    for (side, faults) in [("a", tally.faults.a), ("b", tally.faults.b)] {
        if let Some(faults) = faults.text() {
            text.push_str(&format!("\nFaults of {side}: {faults}."));
        }
    }
    if let Some(sprt) = tally.sprt {
        let state = match sprt.state {
            State::Running => "not decided",
            State::H0 => "a is not better by the larger one",
            State::H1 => "a is better by more than the smaller one",
        };
        text.push_str(&format!("\nTest of Elo {} against {}: {state}.", sprt.elo0, sprt.elo1));
    }
    text
}
