//! Computer players: what a specification says, and the player at work.

use crate::engine::{self, seconds};
use crate::error::Failure;
use kiban_core::{
    Act, Arbiter, Entry, GameSpec, Limits, Protocol, ReadError, Score, Seat, Stop, Variant,
    Workspace,
};
use kiban_wire::{Engine, Fault};
use std::time::Duration;

/// `level:N`, `nodes:N`, `time:S`, `random`, or another program by its protocol: `usi:COMMAND`.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Player {
    Level(u8),
    Nodes(u64),
    Time(Duration),
    Random,
    Other { protocol: String, command: String },
}

/// The longest a level thinks about a move; it is the nodes that limit all but the highest.
const LEVEL_TIME: Duration = Duration::from_secs(5);

impl Player {
    /// Reads a specification.
    pub(crate) fn read(text: &str) -> Result<Player, String> {
        let kinds = || {
            let own = "choose level:1 to level:10, nodes:N, time:SECONDS, random";
            let spoken = pilots().map(|p| format!("{}:COMMAND", p.id)).collect::<Vec<_>>();
            format!("{own} or {}", spoken.join(", "))
        };
        match text.split_once(':') {
            None if text == "random" => Ok(Player::Random),
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
            Player::Random | Player::Other { .. } => limits,
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
    /// Options to set.
    pub(crate) options: Vec<(String, String)>,
}

/// How long an engine may take to become ready.
const STARTING: Duration = Duration::from_secs(60);

impl Default for Manners {
    fn default() -> Manners {
        let limits = Limits { time: Some(Duration::from_secs(1)), ..Limits::default() };
        Manners { limits, patience: Duration::from_secs(10), options: Vec::new() }
    }
}

/// A player at work: its memory, or the program it is.
pub(crate) struct Working {
    player: Player,
    protocol: Option<&'static Protocol>,
    variant: Variant,
    manners: Manners,
    memory: Workspace,
    engine: Option<Engine>,
    stop: Stop,
}

/// What a player decided.
pub(crate) struct Choice {
    pub(crate) entry: Entry,
    /// What it thinks of its game.
    pub(crate) opinion: Option<Score>,
    /// How long it took; only of other programs.
    pub(crate) spent: Option<Duration>,
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
            engine: None,
            stop: stop.clone(),
        })
    }

    /// Makes ready for a new game: a program is started if it does not run.
    pub(crate) fn begin(&mut self, game: &dyn Arbiter) -> Result<(), Fault> {
        self.memory.clear();
        if self.protocol.is_some() { self.running()?.begin(game) } else { Ok(()) }
    }

    fn running(&mut self) -> Result<&mut Engine, Fault> {
        let Player::Other { command, .. } = &self.player else {
            return Err(Fault::Wrong("This player is no other program.".to_string()));
        };
        if self.engine.is_none() {
            let pilot = self.protocol.and_then(|p| p.pilot).expect("a program has its protocol");
            let options = &self.manners.options;
            let pilot = pilot(&self.variant);
            self.engine = Some(Engine::start(command, pilot, options, STARTING, &self.stop)?);
        }
        Ok(self.engine.as_mut().expect("just started"))
    }

    /// What this player does when it is the seat's turn. A program that fails is ended.
    pub(crate) fn choose(
        &mut self,
        arbiter: &dyn Arbiter,
        seat: Seat,
        seed: u64,
    ) -> Result<Choice, Fault> {
        if self.protocol.is_some() {
            let asked = self.ask(arbiter, seat);
            if asked.is_err() {
                self.engine = None;
            }
            return asked;
        }
        let choices = arbiter.choices(seat);
        let any = &choices[usize::try_from(scattered(seed)).unwrap_or(0) % choices.len()];
        if self.player == Player::Random {
            let entry = Entry::new_move(seat, &*any.text);
            return Ok(Choice { entry, opinion: None, spent: None });
        }
        let limits = Limits { stop: self.stop.clone(), ..self.player.limits(seed) };
        let found = engine::think(arbiter, &mut self.memory, &limits, &mut |_| {});
        let found = found.expect("it is this seat's turn");
        let entry = match (found.call, &found.best) {
            (Some(call), _) => Entry::new_call(seat, call),
            (None, best) => Entry::new_move(seat, best.as_deref().unwrap_or(&any.text)),
        };
        Ok(Choice { entry, opinion: found.score(), spent: None })
    }

    fn ask(&mut self, arbiter: &dyn Arbiter, seat: Seat) -> Result<Choice, Fault> {
        let limits = self.manners.limits.clone();
        let patience = limits.time.unwrap_or_default() + self.manners.patience;
        let answer = self.running()?.ask(arbiter, seat, &limits, patience)?;
        let entry = match answer.act {
            Act::Call(call) => Entry::new_call(seat, call),
            act => Entry { by: seat.into(), act },
        };
        Ok(Choice { entry, opinion: None, spent: Some(answer.spent) })
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
        match (&self.player, &self.engine) {
            (Player::Other { command, .. }, engine) => {
                engine.as_ref().and_then(|e| e.name()).unwrap_or(command).to_string()
            }
            (player, _) => format!("Kiban {player}"),
        }
    }
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
