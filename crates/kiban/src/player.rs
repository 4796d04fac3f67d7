//! Computer players: what a specification says, and the player at work.

use crate::engine::{self, seconds};
use crate::error::Failure;
use kiban_core::{
    Act, Arbiter, Clocks, Entry, GameSpec, Limits, Pace, Protocol, ReadError, Score, Seat, Stop,
    Variant, Workspace,
};
use kiban_wire::{Clock, Engine, Fault, plain_name};
use std::time::{Duration, Instant};

/// `level:N`, `nodes:N`, `time:S`, `clock`, `random`, or another program by its protocol:
/// `usi:COMMAND`.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Player {
    Level(u8),
    Nodes(u64),
    Time(Duration),
    /// As well as its clock allows.
    Clock,
    Random,
    Other {
        protocol: String,
        command: String,
    },
}

/// The longest a level thinks about a move; it is the nodes that limit all but the highest.
const LEVEL_TIME: Duration = Duration::from_secs(5);

impl Player {
    /// Reads a specification.
    pub(crate) fn read(text: &str) -> Result<Player, String> {
        let kinds = || {
            let own = "choose level:1 to level:10, nodes:N, time:SECONDS, clock, random";
            let spoken = pilots().map(|p| format!("{}:COMMAND", p.id)).collect::<Vec<_>>();
            format!("{own} or {}", spoken.join(", "))
        };
        match text.split_once(':') {
            None if text == "random" => Ok(Player::Random),
            None if text == "clock" => Ok(Player::Clock),
            Some(("level", n)) => {
                let level = n.parse().ok().filter(|n| (1..=10).contains(n));
                level.map(Player::Level).ok_or_else(kinds)
            }
            Some(("nodes", n)) => {
                n.parse().ok().filter(|n| *n > 0).map(Player::Nodes).ok_or_else(kinds)
            }
            Some(("time", s)) => seconds(s).map(Player::Time),
            Some((id, command)) if pilots().any(|p| p.id == id) && !command.trim().is_empty() => {
                Ok(Player::Other { protocol: id.to_string(), command: command.to_string() })
            }
            _ => Err(kinds()),
        }
    }

    /// The specification again.
    pub(crate) fn spec(&self) -> String {
        match self {
            Player::Level(level) => format!("level:{level}"),
            Player::Nodes(nodes) => format!("nodes:{nodes}"),
            Player::Time(time) => format!("time:{}", time.as_secs_f64()),
            Player::Clock => "clock".to_string(),
            Player::Random => "random".to_string(),
            Player::Other { protocol, command } => format!("{protocol}:{command}"),
        }
    }

    fn limits(&self, seed: u64) -> Limits {
        let limits = Limits { seed, ..Limits::default() };
        match *self {
            Player::Level(level) => Limits { level: Some(level), time: Some(LEVEL_TIME), ..limits },
            Player::Nodes(nodes) => Limits { nodes: Some(nodes), ..limits },
            Player::Time(time) => Limits { time: Some(time), ..limits },
            Player::Clock | Player::Random | Player::Other { .. } => limits,
        }
    }

    /// The protocol of another program, which its game must have.
    fn protocol(&self, spec: &'static GameSpec) -> Result<Option<&'static Protocol>, Failure> {
        let Player::Other { protocol, .. } = self else { return Ok(None) };
        let spoken = || spec.protocols.iter().filter(|p| p.pilot.is_some());
        if let Some(found) = spoken().find(|p| p.id == protocol) {
            return Ok(Some(found));
        }
        let known: Vec<&str> = spoken().map(|p| p.id).collect();
        let known = if known.is_empty() { "none".to_string() } else { known.join(", ") };
        let name = spec.names.en;
        let message = format!("{name} has no protocol \"{protocol}\"; it has {known}.");
        Err(Failure::NoAnswer(ReadError::new("unknown-protocol", message).found(protocol, known)))
    }
}

/// The protocols in which Kiban asks other programs.
fn pilots() -> impl Iterator<Item = &'static Protocol> {
    kiban_games::all().flat_map(|g| g.protocols).filter(|p| p.pilot.is_some())
}

impl std::fmt::Display for Player {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Player::Level(level) => write!(f, "level {level}"),
            Player::Nodes(nodes) => write!(f, "{nodes} nodes"),
            Player::Time(time) => write!(f, "{} s", time.as_secs_f64()),
            Player::Clock => f.write_str("by the clock"),
            Player::Random => f.write_str("random"),
            Player::Other { command, .. } => f.write_str(command),
        }
    }
}

/// How another program is treated.
#[derive(Clone, Debug)]
pub(crate) struct Manners {
    /// What it is allowed for a move.
    pub(crate) limits: Limits,
    /// How much later than its time its answer is still waited for, and how long without a time.
    pub(crate) patience: Duration,
    /// How long it may take to become ready.
    pub(crate) starting: Duration,
    /// Options to set.
    pub(crate) options: Vec<(String, String)>,
}

impl Manners {
    /// How long is waited for an answer where nothing else is said.
    const PATIENCE: Duration = Duration::from_secs(10);
    /// Engines load nets and tables before they are ready.
    const STARTING: Duration = Duration::from_secs(60);
    /// What a program is given for a move where nothing else limits it.
    const A_MOVE: Duration = Duration::from_secs(1);

    /// Manners that wait so long, also for a program to become ready, where it is said how long.
    pub(crate) fn new(
        limits: Limits,
        patience: Option<Duration>,
        options: &[(String, String)],
    ) -> Manners {
        Manners {
            limits,
            patience: patience.unwrap_or(Manners::PATIENCE),
            starting: patience.unwrap_or(Manners::STARTING),
            options: options.to_vec(),
        }
    }
}

impl Default for Manners {
    fn default() -> Manners {
        let limits = Limits { time: Some(Manners::A_MOVE), ..Limits::default() };
        Manners::new(limits, None, &[])
    }
}

/// Lost between an own player and its clock.
const DELAY: Duration = Duration::from_millis(20);

/// A player at work: its memory, or the program it is.
pub(crate) struct Working {
    player: Player,
    protocol: Option<&'static Protocol>,
    variant: Variant,
    manners: Manners,
    memory: Workspace,
    /// Whether it has searched in this game, so that its memory and weights are there.
    ready: bool,
    engine: Option<Engine>,
    /// What the program called itself; it keeps its name when it is ended.
    name: Option<String>,
    stop: Stop,
}

/// What a player decided.
pub(crate) struct Choice {
    pub(crate) entry: Entry,
    /// What it thinks of its game.
    pub(crate) opinion: Option<Score>,
    /// How long it took.
    pub(crate) spent: Duration,
}

impl Working {
    /// A player that is about to work in games of this kind. Nothing is started yet.
    pub(crate) fn new(
        player: &Player,
        spec: &'static GameSpec,
        variant: &Variant,
        manners: Manners,
        stop: &Stop,
    ) -> Result<Working, Failure> {
        Ok(Working {
            protocol: player.protocol(spec)?,
            player: player.clone(),
            variant: variant.clone(),
            manners,
            memory: Workspace::new(),
            ready: false,
            engine: None,
            name: None,
            stop: stop.clone(),
        })
    }

    /// Whether it is another program.
    pub(crate) fn is_program(&self) -> bool {
        self.protocol.is_some()
    }

    /// Makes ready for a new game: a program is started if it does not run.
    pub(crate) fn begin(&mut self, game: &dyn Arbiter) -> Result<(), Fault> {
        self.memory.clear();
        self.ready = false;
        if self.protocol.is_some() { self.running()?.begin(game) } else { Ok(()) }
    }

    /// What a running program will not do as it is told to, with or without these clocks.
    pub(crate) fn doubts(&self, clocks: Option<&Clocks>) -> Vec<String> {
        let limits = Limits { clocks: clocks.cloned(), ..self.manners.limits.clone() };
        self.engine.as_ref().map(|engine| engine.doubts(&limits)).unwrap_or_default()
    }

    /// Lets an own player fetch its weights and memory before its first move is timed, as another
    /// program does before it says that it is ready. It sees what its seat may, which is to move.
    fn make_ready(&mut self, arbiter: &dyn Arbiter) {
        let (nodes, time) = (Some(1), Some(Duration::from_millis(1)));
        let limits = Limits { nodes, time, ..self.player.limits(0) };
        engine::think(arbiter, &mut self.memory, &limits, &mut |_| {});
        self.ready = true;
    }

    fn running(&mut self) -> Result<&mut Engine, Fault> {
        let Player::Other { command, .. } = &self.player else {
            return Err(Fault::Wrong("This player is no other program.".to_string()));
        };
        if self.engine.is_none() {
            let pilot = self.protocol.and_then(|p| p.pilot).expect("a program has its protocol");
            let options = &self.manners.options;
            let pilot = pilot(&self.variant);
            let engine = Engine::start(command, pilot, options, self.manners.starting, &self.stop)?;
            self.name = engine.name().or(self.name.take());
            self.engine = Some(engine);
        }
        Ok(self.engine.as_mut().expect("just started"))
    }

    /// What this player does when it is the seat's turn, under the clocks if the game has some. A
    /// program that fails is ended.
    pub(crate) fn choose(
        &mut self,
        arbiter: &dyn Arbiter,
        seat: Seat,
        seed: u64,
        clocks: Option<&Clocks>,
    ) -> Result<Choice, Fault> {
        if self.protocol.is_some() {
            let asked = self.ask(arbiter, seat, clocks);
            if asked.is_err() {
                self.engine = None;
            }
            return asked;
        }
        if clocks.is_some() && !self.ready && self.player != Player::Random {
            self.make_ready(arbiter);
        }
        let begun = Instant::now();
        let choices = arbiter.choices(seat);
        let any = &choices[usize::try_from(scattered(seed)).unwrap_or(0) % choices.len()];
        if self.player == Player::Random {
            let entry = Entry::new_move(seat, &*any.text);
            return Ok(Choice { entry, opinion: None, spent: begun.elapsed() });
        }
        let pace = clocks.map_or(Pace::default(), |clocks| paced(clocks, arbiter, seat));
        let limits = self.player.limits(seed);
        let stop = self.stop.below();
        let time = limits.time.into_iter().chain(pace.hard).min();
        let limits = Limits { stop: stop.clone(), time, ..limits };
        let found = engine::think(arbiter, &mut self.memory, &limits, &mut |_| {
            if pace.soft.is_some_and(|soft| begun.elapsed() >= soft) {
                stop.stop();
            }
        });
        let found = found.expect("it is this seat's turn");
        let entry = match (found.call, &found.best) {
            (Some(call), _) => Entry::new_call(seat, call),
            (None, best) => Entry::new_move(seat, best.as_deref().unwrap_or(&any.text)),
        };
        Ok(Choice { entry, opinion: found.score(), spent: begun.elapsed() })
    }

    fn ask(
        &mut self,
        arbiter: &dyn Arbiter,
        seat: Seat,
        clocks: Option<&Clocks>,
    ) -> Result<Choice, Fault> {
        let limits = Limits { clocks: clocks.cloned(), ..self.manners.limits.clone() };
        let given = clocks.map(|clocks| clocks.given(seat)).or(limits.time);
        let patience = given.unwrap_or_default().saturating_add(self.manners.patience);
        let answer = self.running()?.ask(arbiter, seat, &limits, patience)?;
        let entry = match answer.act {
            Act::Call(call) => Entry::new_call(seat, call),
            act => Entry { by: seat.into(), act },
        };
        Ok(Choice { entry, opinion: None, spent: answer.spent })
    }

    /// The game is over; whether this player won, if anybody did.
    pub(crate) fn over(&mut self, won: Option<bool>) {
        if let Some(engine) = &mut self.engine {
            engine.over(won);
        }
    }

    /// Ends the program, if it is one: it has behaved badly, and may be in any state.
    pub(crate) fn end(&mut self) {
        self.engine = None;
    }

    /// The name of the program or of the own player.
    pub(crate) fn name(&self) -> String {
        match (&self.player, &self.name) {
            (Player::Other { .. }, Some(name)) => name.clone(),
            (Player::Other { command, .. }, None) => plain_name(command),
            (player, _) => format!("Kiban {player}"),
        }
    }
}

/// When an own player's search under these clocks ends.
fn paced(clocks: &Clocks, arbiter: &dyn Arbiter, seat: Seat) -> Pace {
    let left = clocks.left.get(seat.index()).copied().unwrap_or_default();
    let Clocks { increment, byoyomi, .. } = *clocks;
    let ply = u32::try_from(arbiter.log().len()).unwrap_or(u32::MAX);
    Clock { left, increment, byoyomi, moves: None }.pace(ply, DELAY)
}

/// A well-mixed number for each seed (the SplitMix64 finaliser), below 2^31.
pub(crate) fn scattered(seed: u64) -> u64 {
    let mut z = seed.wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    (z ^ (z >> 31)) >> 33
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn specifications_are_read_and_others_refused() {
        assert_eq!(Player::read("level:10"), Ok(Player::Level(10)));
        assert_eq!(Player::read("nodes:5000"), Ok(Player::Nodes(5000)));
        assert_eq!(Player::read("clock"), Ok(Player::Clock));
        assert_eq!(Player::read("time:0.5"), Ok(Player::Time(Duration::from_millis(500))));
        assert_eq!(Player::read("random"), Ok(Player::Random));
        let protocol = pilots().next().expect("some game has a protocol").id.to_string();
        let other = Player::read(&format!("{protocol}:./a b:c"));
        assert_eq!(other, Ok(Player::Other { protocol, command: "./a b:c".to_string() }));
        let wrong =
            ["", "level", "level:0", "level:11", "nodes:0", "time:-1", "time:NaN", "x:1", "usi:"];
        for wrong in wrong {
            assert!(Player::read(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn scattered_numbers_differ_for_neighbouring_seeds() {
        let firsts: std::collections::BTreeSet<_> = (0..100).map(|s| scattered(s) % 1000).collect();
        assert!(firsts.len() > 80);
    }
}
