//! Kiban as a USI engine's user.

use super::{ENTERING_KING, MAX_MOVES, entering_king, info};
use crate::rules::Shogi;
use crate::sfen::START_SFEN;
use kiban_core::{
    Act, Arbiter, BestLine, Call, Clocks, Game, Heard, Limits, Pilot, ReadError, Report, Seat,
    Variant,
};
use kiban_wire::unknown_option;
use std::time::Duration;

/// What an engine is given where nothing limits it.
const A_MOVE: Duration = Duration::from_secs(1);
/// Options that the protocol gives every engine.
const UNDECLARED: [&str; 2] = ["USI_Hash", "USI_Ponder"];
/// As many of an engine's options are kept in mind.
const MOST_OPTIONS: usize = 1000;

/// The pilot.
pub(super) struct Usi {
    /// What the variant says, for engines that have an option for it.
    rules: [(&'static str, String); 2],
    /// Options to set once the engine has told which it has.
    options: Vec<(String, String)>,
    /// The names of those it has, and which the user set that it has not.
    known: Vec<String>,
    missing: Vec<String>,
    name: Option<String>,
    asked: bool,
    /// Whether the engine can tell several lines, and how many it was last asked for.
    several: bool,
    wanted: u8,
    /// What it thinks so far, best first, and the nodes that took.
    lines: Vec<BestLine>,
    nodes: u64,
}

impl Usi {
    pub(super) fn new(variant: &Variant) -> Usi {
        let rules = Shogi::of(variant, None);
        let max_moves = rules.max_moves.unwrap_or(0).to_string();
        Usi {
            rules: [(ENTERING_KING, entering_king(rules).to_string()), (MAX_MOVES, max_moves)],
            options: Vec::new(),
            known: Vec::new(),
            missing: Vec::new(),
            name: None,
            asked: false,
            several: false,
            wanted: 1,
            lines: Vec::new(),
            nodes: 0,
        }
    }

    /// The engine declares an option: one that the rules decide is set, unless the user did.
    fn declared(&mut self, option: &str) {
        if self.known.len() < MOST_OPTIONS {
            self.known.push(option.to_string());
        }
        self.several |= option == "MultiPV";
        let rule = self.rules.iter().find(|(name, _)| *name == option);
        let by_user = self.options.iter().any(|(name, _)| name == option);
        if let Some((name, value)) = rule.filter(|_| !by_user) {
            self.options.push(((*name).to_string(), value.clone()));
        }
    }

    /// Whether an option can be set: one that was declared, in whatever letters, or one of those
    /// that every engine has and none need declare.
    fn has(&self, option: &str) -> bool {
        let own = self.known.iter().map(String::as_str).chain(UNDECLARED);
        own.into_iter().any(|own| own.eq_ignore_ascii_case(option))
    }

    /// The engine has told all it has: what is to be set is set.
    fn set_options(&mut self, send: &mut dyn FnMut(String)) {
        for (name, value) in std::mem::take(&mut self.options) {
            if !self.has(&name) {
                self.missing.push(name.clone());
            }
            send(format!("setoption name {name} value {value}"));
        }
    }

    /// Takes what the engine thinks. A line follows those of better rank, or it is not known yet.
    fn thinks(&mut self, text: &str) -> Heard {
        let Some((line, nodes)) = info::read(text).filter(|_| self.asked) else {
            return Heard::Nothing;
        };
        let rank = usize::from(line.rank);
        if rank > self.lines.len() + 1 {
            return Heard::Nothing;
        }
        self.lines.truncate(rank - 1);
        let depth = line.depth;
        // Not every line says it.
        self.nodes = self.nodes.max(nodes);
        self.lines.push(line);
        Heard::Thinks(Report {
            depth,
            seldepth: None,
            nodes: self.nodes,
            lines: self.lines.clone(),
            call: None,
        })
    }

    fn best_move(&mut self, word: Option<&str>) -> Heard {
        if !std::mem::take(&mut self.asked) {
            return Heard::Nothing;
        }
        match word {
            Some("resign") => Heard::Says(Act::Call(Call::Resign)),
            Some("win") => Heard::Says(Act::Call(Call::Declare)),
            Some(text) => Heard::Says(Act::Move(text.to_string())),
            None => Heard::Wrong("The engine said \"bestmove\" without a move.".to_string()),
        }
    }
}

/// ` btime 60000 wtime 55000 byoyomi 1000`, or with increments.
fn clock_words(clocks: &Clocks) -> String {
    let left = |i: usize| clocks.left.get(i).map_or(0, Duration::as_millis);
    let (byoyomi, increment) = (clocks.byoyomi.as_millis(), clocks.increment.as_millis());
    let mut words = format!(" btime {} wtime {}", left(0), left(1));
    if increment > 0 {
        words.push_str(&format!(" binc {increment} winc {increment}"));
    }
    if byoyomi > 0 || increment == 0 {
        words.push_str(&format!(" byoyomi {byoyomi}"));
    }
    words
}

impl Pilot for Usi {
    fn greet(&mut self, options: &[(String, String)], send: &mut dyn FnMut(String)) {
        self.options = options.to_vec();
        send("usi".to_string());
    }

    fn begin(&mut self, _: &dyn Arbiter, send: &mut dyn FnMut(String)) -> Result<(), ReadError> {
        send("usinewgame".to_string());
        Ok(())
    }

    fn ask(&mut self, game: &dyn Arbiter, _: Seat, limits: &Limits, send: &mut dyn FnMut(String)) {
        let start = match game.start() {
            START_SFEN => "startpos".to_string(),
            sfen => format!("sfen {sfen}"),
        };
        let moves = game.log().iter().filter_map(|e| match &e.act {
            Act::Move(text) => Some(text.as_str()),
            _ => None,
        });
        let moves: Vec<&str> = moves.collect();
        let moves =
            if moves.is_empty() { String::new() } else { format!(" moves {}", moves.join(" ")) };
        let wanted = limits.lines.max(1);
        if self.several && wanted != self.wanted {
            send(format!("setoption name MultiPV value {wanted}"));
            self.wanted = wanted;
        }
        self.lines.clear();
        self.nodes = 0;
        send(format!("position {start}{moves}"));
        let mut go = "go".to_string();
        if let Some(nodes) = limits.nodes {
            go.push_str(&format!(" nodes {nodes}"));
        }
        if let Some(depth) = limits.depth {
            go.push_str(&format!(" depth {depth}"));
        }
        let unlimited = limits.nodes.is_none() && limits.depth.is_none();
        if let Some(clocks) = &limits.clocks {
            go.push_str(&clock_words(clocks));
        } else if let Some(time) = limits.time.or(unlimited.then_some(A_MOVE)) {
            go.push_str(&format!(" btime 0 wtime 0 byoyomi {}", time.as_millis().max(1)));
        }
        self.asked = true;
        send(go);
    }

    fn hurry(&mut self, send: &mut dyn FnMut(String)) {
        if self.asked {
            send("stop".to_string());
        }
    }

    fn hear(&mut self, line: &str, send: &mut dyn FnMut(String)) -> Heard {
        let mut words = line.split_whitespace();
        match words.next() {
            Some("id") if words.next() == Some("name") => {
                self.name = Some(words.collect::<Vec<_>>().join(" "));
            }
            Some("option") if words.next() == Some("name") => {
                // Those of UCI may have blanks in their names.
                let name: Vec<&str> = words.take_while(|word| *word != "type").collect();
                self.declared(&name.join(" "));
            }
            Some("usiok") => {
                self.set_options(send);
                send("isready".to_string());
            }
            Some("readyok") => return Heard::Ready,
            Some("info") => return self.thinks(line),
            Some("bestmove") => return self.best_move(words.next()),
            _ => {}
        }
        Heard::Nothing
    }

    fn over(&mut self, won: Option<bool>, send: &mut dyn FnMut(String)) {
        self.asked = false;
        let how = won.map_or("draw", |won| if won { "win" } else { "lose" });
        send(format!("gameover {how}"));
    }

    fn part(&mut self, send: &mut dyn FnMut(String)) {
        send("quit".to_string());
    }

    fn name(&self) -> Option<&str> {
        self.name.as_deref()
    }

    fn doubts(&self, _: &Limits) -> Vec<String> {
        self.missing.iter().map(|name| unknown_option(name, &self.known)).collect()
    }
}
