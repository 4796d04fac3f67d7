//! The one adapter from a game's static traits to [`Arbiter`].

use crate::{
    Act, Arbiter, Arrangement, Call, Choice, Claimed, Conduct, Decision, Dice, Ending, Entry, Foul,
    Game, GameSpec, Job, Line, OpenError, Opening, Outcome, Reason, Record, Refusal, Ruling, Scene,
    Seat, Seats, Secret, Seen, Stage, Taps, Variant, Viewer,
};

/// What putting an entry did to the line, so that it can be taken back.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Effect {
    Deal,
    Layout(Seat),
    Played,
    /// Played without asking; taken back with the entry before it.
    Forced,
    /// A foul, or a call that ended the game: the positions are untouched.
    Ended,
}

/// A game being refereed: a line with its log.
pub struct Table<R: Game> {
    rules: R,
    variant: Variant,
    start: String,
    conduct: Conduct,
    line: Line<R>,
    /// Whether the log is kept; judging an archive does without, which is a good deal faster.
    keeps_log: bool,
    log: Vec<Entry>,
    effects: Vec<Effect>,
    ending: Option<Ending>,
}

impl<R: Game> Table<R> {
    /// Opens a game.
    ///
    /// # Errors
    /// If the variant cannot be, or its start is unreadable or not admitted.
    pub fn open(opening: &Opening) -> Result<Table<R>, OpenError> {
        Table::open_with(opening, true)
    }

    /// Opens a game to be judged only: it has no log, so nothing can be taken back.
    ///
    /// # Errors
    /// As [`Table::open`].
    pub(crate) fn open_to_judge(opening: &Opening) -> Result<Table<R>, OpenError> {
        Table::open_with(opening, false)
    }

    fn open_with(opening: &Opening, keeps_log: bool) -> Result<Table<R>, OpenError> {
        if let Some(conflict) = R::conflict(&opening.variant) {
            return Err(OpenError::Variant(conflict));
        }
        let named = opening.start.as_deref().map(|s| R::spec().setup_position(s).unwrap_or(s));
        let rules = R::of(&opening.variant, named);
        let text = named.map_or_else(|| rules.start_text(opening.seed), str::to_string);
        let setup = rules.read_setup(&text).map_err(OpenError::Start)?;
        let faults = rules.faults(&setup);
        if !faults.is_empty() {
            return Err(OpenError::Faults(faults));
        }
        let start = rules.write_setup(&setup);
        // The start decides some defaults (a handicap's impasse rule), so the rules see it canonical.
        let rules = R::of(&opening.variant, Some(&start));
        let mut table = Table {
            rules,
            variant: opening.variant.clone(),
            start,
            conduct: opening.conduct,
            line: Line::new(rules, setup),
            keeps_log,
            log: Vec::new(),
            effects: Vec::new(),
            ending: None,
        };
        table.settle();
        Ok(table)
    }

    /// The line refereed.
    pub fn line(&self) -> &Line<R> {
        &self.line
    }

    /// Looks for an ending, and plays what is forced.
    fn settle(&mut self) {
        while self.line.begun() && self.ending.is_none() {
            if let Some(outcome) = self.rules.verdict(&self.line) {
                self.ending = Some(Ending { outcome: Some(outcome), foul: None });
            } else if let Some(m) = self.rules.forced(&self.line) {
                let by = self.rules.to_move(self.line.position());
                self.line.push(m);
                self.note(|rules| Entry::new_move(by, rules.write_move(m)), Effect::Forced);
            } else {
                return;
            }
        }
    }

    fn note(&mut self, entry: impl FnOnce(R) -> Entry, effect: Effect) {
        if self.keeps_log {
            self.log.push(entry(self.rules));
        }
        self.effects.push(effect);
    }

    fn end(&mut self, outcome: Option<Outcome>, foul: Option<Foul>) {
        self.line.set_called(outcome);
        self.ending = Some(Ending { outcome, foul });
    }

    fn put_move(&mut self, entry: &Entry, text: &str) -> Result<(), Refusal> {
        let named = entry.by.only();
        if named.is_none() && self.conduct != Conduct::Archive {
            return Err(Refusal::NotYourTurn);
        }
        if !self.line.begun() {
            return Err(Refusal::WrongStage);
        }
        let m = self.rules.read_move(text).map_err(Refusal::Unreadable)?;
        // Of a record whose text names no side the move itself tells it.
        let turn = self.rules.to_move(self.line.position());
        let seat = named.unwrap_or_else(|| self.rules.author(&self.line, m, turn));
        let in_turn = self.rules.to_move(self.line.position()) == seat;
        let written = |rules: R| Entry::new_move(seat, rules.write_move(m));
        match self.rules.foul(&self.line, seat, m) {
            None if in_turn => {
                self.line.push(m);
                self.note(written, Effect::Played);
                Ok(())
            }
            _ if !in_turn && self.conduct == Conduct::Guided => Err(Refusal::NotYourTurn),
            None => Err(Refusal::NotYourTurn),
            Some(reason) if self.conduct == Conduct::Guided => Err(Refusal::Illegal(reason)),
            Some(reason) => {
                self.note(written, Effect::Ended);
                let decides =
                    self.conduct == Conduct::Official || self.rules.fouls_decide_records();
                let outcome = decides
                    .then(|| Outcome::Win { seats: seat.rivals(self.rules.seats()), by: reason });
                self.end(outcome, Some(Foul { seat, text: text.to_string(), reason }));
                Ok(())
            }
        }
    }

    fn put_call(&mut self, entry: &Entry, call: Call) -> Result<(), Refusal> {
        match self.rules.call(&self.line, entry.by, call)? {
            Ruling::End(outcome) => {
                self.note(|_| entry.clone(), Effect::Ended);
                self.end(Some(outcome), None);
            }
            Ruling::Goes(m) => {
                let turn = self.rules.to_move(self.line.position());
                self.line.push_by(entry.by.only().unwrap_or(turn), m);
                self.note(|_| entry.clone(), Effect::Played);
            }
        }
        Ok(())
    }

    fn put_layout(&mut self, entry: &Entry, text: &str) -> Result<(), Refusal> {
        let seat = entry.by.only().ok_or(Refusal::WrongStage)?;
        if self.line.begun() || !self.line.arranging().has(seat) {
            return Err(Refusal::WrongStage);
        }
        let layout = R::Layout::read(text).map_err(Refusal::Unreadable)?;
        self.line.put_layout(seat, layout);
        self.note(|_| entry.clone(), Effect::Layout(seat));
        Ok(())
    }

    fn put_deal(&mut self, entry: &Entry, text: &str) -> Result<(), Refusal> {
        if !entry.by.is_empty() || !self.line.owes_deal() {
            return Err(Refusal::WrongStage);
        }
        let deal = R::Deal::read(text).map_err(Refusal::Unreadable)?;
        self.line.put_deal(deal);
        self.note(|_| entry.clone(), Effect::Deal);
        Ok(())
    }

    fn known(&self, who: Viewer) -> R::Known {
        self.rules.known(&self.line, who)
    }

    /// A forced move is on the line already when a replay or a transcript brings it again; so are
    /// all of several in a row when the first of them comes.
    fn is_echo(&self, e: &Entry) -> bool {
        let Act::Move(text) = &e.act else { return false };
        let newest_first = self.effects.iter().rev().zip(self.line.steps().iter().rev());
        let mut forced = newest_first.take_while(|(f, _)| **f == Effect::Forced);
        forced.any(|(_, step)| e.by == step.by.into() && *text == self.rules.write_move(step.m))
    }
}

impl<R: Game> Arbiter for Table<R> {
    fn spec(&self) -> &'static GameSpec {
        R::spec()
    }

    fn variant(&self) -> String {
        self.variant.canonical(R::spec().options, Some(&self.start))
    }

    fn start(&self) -> &str {
        &self.start
    }

    fn conduct(&self) -> Conduct {
        self.conduct
    }

    fn put(&mut self, e: &Entry) -> Result<(), Refusal> {
        if self.is_echo(e) {
            return Ok(());
        }
        if self.ending.is_some() {
            return Err(Refusal::Over);
        }
        match &e.act {
            Act::Move(text) => self.put_move(e, text)?,
            Act::Call(call) => self.put_call(e, *call)?,
            Act::Layout(text) => self.put_layout(e, text)?,
            Act::Deal(text) => self.put_deal(e, text)?,
        }
        self.settle();
        Ok(())
    }

    fn stage(&self) -> Stage {
        match (&self.ending, self.line.begun()) {
            (Some(_), _) => Stage::Over,
            (None, true) => Stage::Play,
            (None, false) => Stage::Layout,
        }
    }

    fn waiting_for(&self) -> Seats {
        match self.stage() {
            Stage::Over => Seats::NONE,
            Stage::Play => self.rules.to_move(self.line.position()).into(),
            Stage::Layout => self.line.arranging(),
        }
    }

    fn owes_deal(&self) -> bool {
        self.ending.is_none() && self.line.owes_deal()
    }

    fn ending(&self) -> Option<&Ending> {
        self.ending.as_ref()
    }

    fn log(&self) -> &[Entry] {
        &self.log
    }

    fn choices(&self, s: Seat) -> Vec<Choice> {
        if self.stage() != Stage::Play || !self.waiting_for().has(s) {
            return Vec::new();
        }
        let known = self.known(Viewer::Seat(s));
        let moves = self.rules.choices(&known);
        let choice = |m: R::Move| Choice {
            text: self.rules.write_move(m),
            taps: self.rules.taps(&known, m),
        };
        moves.into_iter().map(choice).collect()
    }

    fn calls(&self, s: Seat) -> Vec<Call> {
        if self.ending.is_some() { Vec::new() } else { self.rules.calls(&self.line, s) }
    }

    fn banned(&self) -> Vec<(String, Reason)> {
        if self.stage() != Stage::Play {
            return Vec::new();
        }
        let position = self.line.position();
        let seat = self.rules.to_move(position);
        let banned = |m: R::Move| {
            self.rules.foul(&self.line, seat, m).map(|why| (self.rules.write_move(m), why))
        };
        self.rules.moves(position).into_iter().filter_map(banned).collect()
    }

    fn forced(&self) -> Option<String> {
        if self.stage() != Stage::Play {
            return None;
        }
        self.rules.forced(&self.line).map(|m| self.rules.write_move(m))
    }

    fn before_forced(&self) -> Option<Box<dyn Arbiter>> {
        let asked = self.effects.iter().rposition(|e| *e != Effect::Forced).map_or(0, |i| i + 1);
        if asked == self.effects.len() {
            return None;
        }
        let mut line = self.line.clone();
        for _ in asked..self.effects.len() {
            line.pop();
        }
        Some(Box::new(Table {
            rules: self.rules,
            variant: self.variant.clone(),
            start: self.start.clone(),
            conduct: self.conduct,
            line,
            keeps_log: true,
            log: self.log[..asked].to_vec(),
            effects: self.effects[..asked].to_vec(),
            ending: None,
        }))
    }

    fn read_taps(&self, s: Seat, taps: &[String]) -> Result<String, Refusal> {
        if !self.line.begun() {
            return Err(Refusal::WrongStage);
        }
        let known = self.known(Viewer::Seat(s));
        let m = self.rules.read_taps(&known, taps).map_err(Refusal::Unreadable)?;
        Ok(self.rules.write_move(m))
    }

    fn path_of(&self, s: Seat, text: &str) -> Result<Taps, Refusal> {
        if !self.line.begun() {
            return Err(Refusal::WrongStage);
        }
        let m = self.rules.read_move(text).map_err(Refusal::Unreadable)?;
        Ok(self.rules.taps(&self.known(Viewer::Seat(s)), m))
    }

    fn view(&self, who: Viewer) -> serde_json::Value {
        serde_json::to_value(self.rules.view(&self.known(who))).expect("a view is plain data")
    }

    fn scene(&self, who: Viewer) -> Scene {
        self.rules.scene(&self.known(who))
    }

    fn text(&self, who: Viewer) -> String {
        self.rules.text(&self.known(who))
    }

    fn position(&self, who: Viewer) -> String {
        self.rules.write_position(&self.known(who))
    }

    fn seen(&self, who: Viewer) -> Vec<Seen> {
        self.rules.seen(&self.known(who))
    }

    fn in_check(&self, who: Viewer) -> Option<bool> {
        self.rules.in_check(&self.known(who))
    }

    fn score(&self) -> Option<(i64, i64)> {
        self.rules.score(&self.line, self.ending.as_ref().and_then(|e| e.outcome))
    }

    fn ask(&self, s: Seat) -> Job {
        let (rules, known) = (self.rules, self.known(Viewer::Seat(s)));
        Box::new(move |memory, limits, report| match rules.think(&known, memory, &limits, report) {
            Decision::Move(m) => Entry::new_move(s, rules.write_move(m)),
            Decision::Call(call) => Entry::new_call(s, call),
        })
    }

    fn draw(&self, dice: Dice<'_>) -> Option<Entry> {
        let mut deal = || Act::Deal(R::Deal::draw(dice).write());
        self.owes_deal().then(|| Entry { by: Seats::NONE, act: deal() })
    }

    fn arrange(&self, s: Seat, dice: Dice<'_>) -> Option<Entry> {
        let owes = self.ending.is_none() && self.line.arranging().has(s);
        let mut layout = || Act::Layout(R::Layout::draw(dice).write());
        owes.then(|| Entry { by: s.into(), act: layout() })
    }

    fn arrangement(&self, s: Seat) -> Option<Arrangement> {
        self.rules.arrangement(s)
    }

    fn may_take_back(&self) -> bool {
        let asked = self.effects.iter().any(|e| *e != Effect::Forced);
        asked && self.rules.may_take_back(&self.line)
    }

    fn take_back(&mut self) -> Result<(), Refusal> {
        let asked = self.effects.iter().rposition(|e| *e != Effect::Forced);
        let first = asked.ok_or(Refusal::NoTakeBack)?;
        if !self.rules.may_take_back(&self.line) {
            return Err(Refusal::NoTakeBack);
        }
        for effect in self.effects.drain(first..).rev() {
            match effect {
                Effect::Played | Effect::Forced => {
                    self.line.pop();
                }
                Effect::Ended => self.line.set_called(None),
                Effect::Layout(seat) => self.line.lift(Some(seat)),
                Effect::Deal => self.line.lift(None),
            }
        }
        self.log.truncate(first);
        self.ending = None;
        Ok(())
    }

    fn record(&self, who: Viewer) -> Record {
        // Once a game is over, and for the referee, the log itself is known.
        let all = who == Viewer::Referee || self.ending.is_some();
        let log: Vec<Entry> = if all {
            self.log.clone()
        } else {
            let seen = self.seen(who).into_iter();
            seen.map(|s| Entry { by: s.by, act: Act::Move(s.text) }).collect()
        };
        let mut record = Record::of_line(R::spec().id, &self.variant(), &self.start, &log);
        // Whose foul it was is not always seen from a move: of the rival's piece it may be either's.
        if let Some(Ending { outcome: Some(outcome), foul: Some(_) }) = &self.ending {
            let (result, reason) = (outcome.result().to_string(), outcome.reason().0.to_string());
            record.claimed = Some(Claimed { result, reason: Some(reason), text: String::new() });
        }
        record
    }
}
