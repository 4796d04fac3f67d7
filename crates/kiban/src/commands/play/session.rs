//! One game between people and a computer, a line at a time.

use crate::commands::show::{move_text, outcome_text, seat_name};
use crate::engine;
use crate::error::Failure;
use crate::player::Working;
use crate::registry;
use crate::timing::{self, note_times};
use crate::{files, output, score};
use kiban_core::{
    Act, Arbiter, Call, Choice, Clocks, Entry, GameSpec, Limits, Refusal, Score, Seat, Seats,
    Viewer, Workspace, to_move,
};
use kiban_wire::Fault;
use kiban_words::Words;
use std::io::IsTerminal;
use std::path::Path;
use std::time::{Duration, Instant};

/// Whether the conversation goes on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Next {
    Go,
    Quit,
}

const HELP: &str = "\
Type a move in the game's notation, its number in the list of moves, or one of:
  moves      list the moves with their numbers
  hint       ask the computer for a move
  undo       take back your last move; the clocks go back too
  board      show the board again
  flip       turn the board round
  draw       offer a draw
  declare    claim the game by declaration, where the rules allow it
  resign     give up
  save FILE  write the game record; the extension says the format
  quit       leave
";

/// How late a computer may be before its flag falls: what is lost on the way is not its fault.
const MARGIN: Duration = Duration::from_millis(500);

/// Who sits at the board.
pub(super) struct People {
    /// The seats of people; the computer has the others.
    pub(super) humans: Seats,
    /// All seats.
    pub(super) seats: Seats,
    /// Whether something is hidden from a player.
    pub(super) hidden: bool,
}

pub(super) struct Session {
    spec: &'static GameSpec,
    words: Words,
    pub(super) arbiter: Box<dyn Arbiter>,
    pub(super) people: People,
    opponent: Working,
    /// What the computer last thought of its own game.
    opinion: Option<Score>,
    memory: Workspace,
    seed: u64,
    flipped: bool,
    colour: bool,
    /// The entries there were when the board was last shown.
    shown: Option<usize>,
    /// The clocks, if there are some, and what of them runs.
    clocks: Option<Clocks>,
    turn: Turn,
    /// What the clocks of all seats showed before an entry was put in, with the entries there were.
    before: Vec<(usize, Vec<Duration>)>,
}

/// Whose clock runs, and since when.
#[derive(Clone, Copy)]
struct Turn {
    seat: Option<Seat>,
    since: Instant,
}

impl Session {
    pub(super) fn new(
        arbiter: Box<dyn Arbiter>,
        people: People,
        opponent: Working,
        seed: u64,
        clocks: Option<Clocks>,
    ) -> Session {
        let wanted = std::env::var_os("NO_COLOR").is_none_or(|v| v.is_empty());
        let spec = arbiter.spec();
        Session {
            spec,
            words: registry::words(spec),
            turn: Turn { seat: to_move(arbiter.as_ref()), since: Instant::now() },
            clocks,
            before: Vec::new(),
            arbiter,
            people,
            opponent,
            opinion: None,
            memory: Workspace::new(),
            seed,
            flipped: false,
            colour: wanted && std::io::stdout().is_terminal(),
            shown: None,
        }
    }

    pub(super) fn greet(&self) -> Result<(), Failure> {
        let name = self.spec.names.en;
        let who = match self.people.humans.only() {
            Some(seat) => {
                let seat = seat_name(&self.words, seat);
                format!("you are {seat} against {}", self.opponent.name())
            }
            None => "two people at one board".to_string(),
        };
        let first = to_move(self.arbiter.as_ref()).map(|seat| self.arbiter.choices(seat));
        let example = first.and_then(|c| c.into_iter().next()).map(|c| c.text);
        let example = example.map_or(String::new(), |m| format!(" such as {m}"));
        output::text(&format!("{name}: {who}. Type a move{example}, or \"help\".\n"))
    }

    /// Whose eyes the board is shown through.
    fn viewer(&self) -> Viewer {
        let at_board = self.people.humans.only().or_else(|| {
            // Two people at one board: with secrets each sees the own side, else it stays put.
            if self.people.hidden { to_move(self.arbiter.as_ref()) } else { Some(Seat::FIRST) }
        });
        let seat = at_board.unwrap_or(Seat::FIRST);
        Viewer::Seat(if self.flipped { seat.other() } else { seat })
    }

    fn bold(&self, text: &str) -> String {
        if self.colour { format!("\x1b[1m{text}\x1b[0m") } else { text.to_string() }
    }

    pub(super) fn prompt(&self) -> String {
        match to_move(self.arbiter.as_ref()) {
            Some(seat) => {
                let clock = self.clock(seat).map_or(String::new(), |clock| format!(" {clock}"));
                let name = seat_name(&self.words, seat);
                format!("{} ", self.bold(&format!("{name}{clock}>")))
            }
            None => format!("{} ", self.bold("undo, save or quit>")),
        }
    }

    /// Shows the board if something happened since it was last shown.
    pub(super) fn show_if_new(&mut self) -> Result<(), Failure> {
        let now = self.arbiter.log().len();
        let before = self.shown.replace(now);
        if before == Some(now) { Ok(()) } else { self.show(now - before.unwrap_or(now)) }
    }

    /// Shows the board with the last `news` moves, at least one.
    fn show(&self, news: usize) -> Result<(), Failure> {
        let viewer = self.viewer();
        let mut text = self.arbiter.text(viewer).trim_end().to_string();
        let seen = self.arbiter.seen(viewer);
        for last in &seen[seen.len().saturating_sub(news.max(1))..] {
            let seats: Vec<_> = last.by.iter().map(|s| seat_name(&self.words, s)).collect();
            text.push_str(&format!("\n{}: {}", seats.join(", "), self.bold(&move_text(last))));
        }
        if self.arbiter.in_check(viewer) == Some(true) {
            text.push_str("\nCheck.");
        }
        let clocks = self.people.seats.iter().filter_map(|seat| {
            Some(format!("{} {}", seat_name(&self.words, seat), self.clock(seat)?))
        });
        let clocks: Vec<String> = clocks.collect();
        if !clocks.is_empty() {
            text.push_str(&format!("\nClocks: {}.", clocks.join(", ")));
        }
        text.push('\n');
        if let Some(ending) = self.arbiter.ending() {
            if let Some(foul) = &ending.foul {
                let seat = seat_name(&self.words, foul.seat);
                let reason = self.words.reason(foul.reason.0);
                let values = [("move", &*foul.text), ("seat", &*seat), ("reason", &*reason)];
                text.push_str(&format!("{}\n", self.words.text("outcome-foul", &values)));
            }
            if let Some(outcome) = ending.outcome {
                text.push_str(&self.bold(&outcome_text(&self.words, outcome)));
                text.push('\n');
            }
        }
        output::text(&text)
    }

    pub(super) fn computer_moves(&mut self, seat: Seat) -> Result<(), Failure> {
        let arbiter = self.arbiter.as_ref();
        let seed = self.seed.wrapping_add(arbiter.log().len() as u64);
        let choice = match self.opponent.choose(arbiter, seat, seed, self.clocks.as_ref()) {
            Ok(choice) => choice,
            Err(Fault::Stopped) => return Ok(()),
            Err(Fault::Stall(_)) if self.clocks.is_some() => return self.flag_falls(false),
            Err(fault) => return self.opponent_leaves(seat, &fault.to_string()),
        };
        self.opinion = choice.opinion;
        let late = |clocks: &Clocks| choice.spent > clocks.given(seat).saturating_add(MARGIN);
        if self.clocks.as_ref().is_some_and(late) {
            return self.flag_falls(false);
        }
        match self.arbiter.put(&choice.entry) {
            Ok(()) => {
                self.charge(seat, choice.spent);
                Ok(())
            }
            Err(refusal) => {
                let said = match &choice.entry.act {
                    Act::Move(text) => text.as_str(),
                    _ => "a call",
                };
                let why = format!("{} gave {said}: {refusal}", self.opponent.name());
                self.opponent.end();
                self.opponent_leaves(seat, &why)
            }
        }
    }

    /// Takes what an entry took off the seat's clock, and lets that of the next seat run.
    fn charge(&mut self, seat: Seat, spent: Duration) {
        if let Some(clocks) = &mut self.clocks {
            self.before.push((clocks.spent.len(), clocks.left.clone()));
            clocks.take(seat, spent, self.arbiter.log().len());
        }
        self.turn = Turn { seat: to_move(self.arbiter.as_ref()), since: Instant::now() };
    }

    /// What the seat to move may still take for its move; nothing where no clock runs.
    pub(super) fn time_left(&self) -> Option<Duration> {
        let seat = to_move(self.arbiter.as_ref())?;
        let given = self.clocks.as_ref()?.given(seat);
        Some(given.saturating_sub(self.turn.since.elapsed()))
    }

    /// The seat to move has no time left.
    pub(super) fn flag_falls(&mut self, newline: bool) -> Result<(), Failure> {
        let Some(seat) = to_move(self.arbiter.as_ref()) else { return Ok(()) };
        if newline {
            output::text("")?;
        }
        if let Some(clocks) = &mut self.clocks {
            self.before.push((clocks.spent.len(), clocks.left.clone()));
            clocks.left[seat.index()] = Duration::ZERO;
        }
        self.arbiter.put(&Entry::new_call(seat, Call::Timeout)).map_err(|refusal| {
            Failure::no_answer("clock", format!("The game cannot go on: {refusal}"))
        })
    }

    /// What a seat's clock shows: `4:32`, `0:00.0 and 10 s`.
    fn clock(&self, seat: Seat) -> Option<String> {
        let clocks = self.clocks.as_ref()?;
        let runs = self.turn.seat == Some(seat) && to_move(self.arbiter.as_ref()) == Some(seat);
        let (left, gone) = match runs {
            true => (clocks.given(seat).saturating_sub(clocks.byoyomi), self.turn.since.elapsed()),
            false => (clocks.left[seat.index()], Duration::ZERO),
        };
        let main = timing::shown(left.saturating_sub(gone));
        let byoyomi = clocks.byoyomi.saturating_sub(gone.saturating_sub(left));
        let none = clocks.byoyomi.is_zero();
        Some(if none { main } else { format!("{main} and {:.0} s", byoyomi.as_secs_f64()) })
    }

    /// The other player has failed and loses its game.
    fn opponent_leaves(&mut self, seat: Seat, why: &str) -> Result<(), Failure> {
        output::text(&output::plain(why))?;
        self.arbiter.put(&Entry::new_call(seat, Call::Left)).map_err(|refusal| {
            Failure::no_answer("engine-fault", format!("The game cannot go on: {refusal}"))
        })
    }

    /// Answers a line that was typed.
    pub(super) fn answer(&mut self, line: &str) -> Result<Next, Failure> {
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        match word {
            "" => {}
            "quit" | "exit" => return self.part(false).map(|()| Next::Quit),
            "help" | "?" => output::text(HELP)?,
            "moves" => self.list()?,
            "board" => self.show(1)?,
            "hint" => self.hint()?,
            "undo" => self.undo()?,
            "flip" => self.flip()?,
            "save" => self.save(rest.trim())?,
            "draw" => self.call(Call::AgreeDraw)?,
            "impasse" => self.call(Call::AgreeImpasse)?,
            "resign" => self.call(Call::Resign)?,
            "declare" => self.call(Call::Declare)?,
            _ => self.moves(line)?,
        }
        Ok(Next::Go)
    }

    /// The moves in the order in which they are numbered.
    fn choices(&self) -> Vec<Choice> {
        let seat = to_move(self.arbiter.as_ref());
        let mut choices = seat.map(|s| self.arbiter.choices(s)).unwrap_or_default();
        choices.sort_unstable_by(|a, b| a.text.cmp(&b.text));
        choices
    }

    fn list(&self) -> Result<(), Failure> {
        let choices = self.choices();
        if choices.is_empty() {
            return output::text("The game is over.");
        }
        let width = choices.iter().map(|c| c.text.len()).max().unwrap_or(0) + 6;
        let mut text = String::new();
        for (i, choice) in choices.iter().enumerate() {
            let end = if i % 6 == 5 { "\n" } else { "" };
            let cell = format!("{:>3} {}", i + 1, choice.text);
            text.push_str(&format!("{cell:<width$}{end}"));
        }
        output::text(&text)
    }

    fn moves(&mut self, line: &str) -> Result<(), Failure> {
        let Some(seat) = to_move(self.arbiter.as_ref()) else {
            return output::text("The game is over. Type undo, save FILE or quit.");
        };
        let choices = self.choices();
        let number = line.parse::<usize>().ok().and_then(|n| choices.get(n.checked_sub(1)?));
        let text = match number {
            Some(choice) if choices.iter().all(|c| c.text != line) => choice.text.clone(),
            _ => line.to_string(),
        };
        match self.arbiter.put(&Entry::new_move(seat, &*text)) {
            Ok(()) => {
                self.charge(seat, self.turn.since.elapsed());
                Ok(())
            }
            Err(refusal) => output::text(&output::plain(&self.refused(&refusal))),
        }
    }

    fn refused(&self, refusal: &Refusal) -> String {
        match refusal {
            Refusal::Illegal(reason) => format!("Not allowed: {}.", self.words.reason(reason.0)),
            Refusal::Unreadable(e) => format!("{e} Type \"moves\" for a list, or \"help\"."),
            other => other.to_string(),
        }
    }

    fn hint(&mut self) -> Result<(), Failure> {
        let limits = Limits { time: Some(Duration::from_secs(1)), ..Limits::default() };
        let arbiter = self.arbiter.as_ref();
        let found = engine::think(arbiter, &mut self.memory, &limits, &mut |_| {});
        let text = match found.as_ref().map(|f| (f.call, &f.best, f.lines.first())) {
            None => "The game is over.".to_string(),
            Some((Some(call), ..)) => self.words.get(&format!("call-{}", call.slug())),
            Some((None, _, Some(line))) => {
                format!("{}  ({})", line.moves.join(" "), score::text(line.score))
            }
            Some((None, best, None)) => best.clone().unwrap_or_default(),
        };
        output::text(&text)
    }

    /// Takes back until it is a person's turn again.
    fn undo(&mut self) -> Result<(), Failure> {
        if !self.is_on() {
            return output::text(&Refusal::NoTakeBack.to_string());
        }
        if let Err(refusal) = self.arbiter.take_back() {
            return output::text(&refusal.to_string());
        }
        let people_to_move =
            |s: &Session| to_move(s.arbiter.as_ref()).is_some_and(|seat| s.people.humans.has(seat));
        while !people_to_move(self) && self.is_on() && self.arbiter.take_back().is_ok() {}
        self.clocks_back();
        self.shown = None;
        Ok(())
    }

    /// Puts the clocks of all seats back to what they showed before what was taken back, as in a
    /// game on the site: neither what it took nor what it gained remains.
    fn clocks_back(&mut self) {
        let entries = self.arbiter.log().len();
        self.turn = Turn { seat: to_move(self.arbiter.as_ref()), since: Instant::now() };
        let Some(clocks) = &mut self.clocks else { return };
        clocks.spent.truncate(entries);
        while let Some((_, left)) = self.before.pop_if(|(before, _)| *before >= entries) {
            clocks.left = left;
        }
    }

    /// Whether anything was done since layouts and deal were put down.
    fn is_on(&self) -> bool {
        let done = |e: &Entry| matches!(e.act, Act::Move(_) | Act::Call(_));
        self.arbiter.log().last().is_some_and(done)
    }

    fn flip(&mut self) -> Result<(), Failure> {
        if self.people.hidden {
            return output::text("The other side of this board is secret.");
        }
        self.flipped = !self.flipped;
        self.show(1)
    }

    fn call(&mut self, call: Call) -> Result<(), Failure> {
        let Some(seat) = to_move(self.arbiter.as_ref()) else {
            return output::text("The game is over.");
        };
        let agreed = matches!(call, Call::AgreeDraw | Call::AgreeImpasse);
        // The computer takes a draw when it thinks its own game no better than even.
        let fair = self.opinion.is_some_and(|s| s.chance() <= 0.5);
        if agreed && self.people.humans.only().is_some() && !fair {
            return output::text("The computer would rather play on.");
        }
        let by = if agreed { self.people.seats } else { Seats::from(seat) };
        match self.arbiter.put(&Entry::new_call(by, call)) {
            Ok(()) => {
                self.charge(seat, self.turn.since.elapsed());
                Ok(())
            }
            Err(refusal) => output::text(&output::plain(&self.refused(&refusal))),
        }
    }

    fn save(&self, name: &str) -> Result<(), Failure> {
        let writable = || self.spec.formats.iter().filter(|f| f.write.is_some());
        let extension = Path::new(name).extension().and_then(|e| e.to_str()).unwrap_or("");
        let format = writable().find(|f| f.extensions.contains(&extension));
        let Some(format) = format.filter(|_| !name.is_empty()) else {
            let known: Vec<_> = writable().flat_map(|f| f.extensions).copied().collect();
            return output::text(&format!(
                "Say save FILE with one of these extensions: {}.",
                known.join(", ")
            ));
        };
        let viewer = if self.people.hidden { self.viewer() } else { Viewer::Referee };
        let mut record = self.arbiter.record(viewer);
        if let Some(clocks) = &self.clocks {
            note_times(&mut record, clocks);
        }
        for seat in self.people.seats.iter() {
            let who = if self.people.humans.has(seat) {
                "Player".to_string()
            } else {
                self.opponent.name()
            };
            record.tags.push((seat.name().to_string(), who));
        }
        let write = format.write.expect("only writable formats are offered");
        let saved = write(&[record])
            .map_err(Failure::from)
            .and_then(|bytes| files::write(Path::new(name), &bytes));
        match saved {
            Ok(()) => output::text(&format!("Saved to {name} as {}.", format.id)),
            Err(failure) => output::text(&output::plain(&failure.to_string())),
        }
    }

    /// The last words, after `quit` or the end of the input.
    pub(super) fn part(&self, newline: bool) -> Result<(), Failure> {
        let begin = if newline { "\n" } else { "" };
        let unfinished = self.arbiter.ending().is_none();
        let text = if unfinished { "The game stays unfinished. Goodbye." } else { "Goodbye." };
        output::text(&format!("{begin}{text}"))
    }
}
