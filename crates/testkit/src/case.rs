//! One game to test: from which seed, how long, and what it needs from outside.

use crate::{Random, faces};
use kiban_core::{
    Act, Arbiter, Call, Choice, Conduct, Entry, GameSpec, Opening, Refusal, Seat, Seats, Stage,
    Viewer,
};
use std::cell::{Cell, RefCell};
use std::fmt;

/// What only a game with hidden information can supply.
pub struct Hidden {
    /// A layout this seat may put down now.
    pub layout: fn(&dyn Arbiter, Seat, &mut Random) -> String,
    /// A deal the referee may make now.
    pub deal: fn(&dyn Arbiter, &mut Random) -> String,
    /// Another log from the same opening that this viewer must not be able to tell from the true
    /// one; `None` where there is none. It must follow from the written rules, not from
    /// `Rules::known`, which is what is tested.
    pub another: fn(&World<'_>, &mut Random) -> Option<Vec<Entry>>,
}

/// A game so far, and who looks at it.
pub struct World<'a> {
    /// How it was opened.
    pub opening: &'a Opening,
    /// What has happened.
    pub log: &'a [Entry],
    /// A seat or a watcher.
    pub who: Viewer,
}

/// A game to play at random and to check at each ply. Equal cases play equal games.
pub struct Case<'a> {
    /// Which game.
    pub spec: &'static GameSpec,
    /// What a game with hidden information supplies.
    pub hidden: Option<&'a Hidden>,
    /// The variant's text.
    pub variant: String,
    /// Guided or official.
    pub conduct: Conduct,
    /// Decides everything random.
    pub seed: u64,
    /// Entries put at most.
    pub plies: usize,
    /// Where the game stands, for messages.
    pub(crate) ply: Cell<usize>,
    /// What is being checked, for messages.
    pub(crate) doing: RefCell<String>,
    /// Pairs of worlds compared so far.
    pub(crate) worlds: Cell<usize>,
}

impl fmt::Display for Case<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{}, variant \"{}\", {}, seed {}, {} plies, at ply {}",
            self.spec.id,
            self.variant,
            self.conduct.name(),
            self.seed,
            self.plies,
            self.ply.get()
        )
    }
}

impl<'a> Case<'a> {
    /// A guided game of 20 plies from seed 0.
    pub fn new(spec: &'static GameSpec, hidden: Option<&'a Hidden>, variant: &str) -> Case<'a> {
        Case {
            spec,
            hidden,
            variant: variant.to_string(),
            conduct: Conduct::Guided,
            seed: 0,
            plies: 20,
            ply: Cell::new(0),
            doing: RefCell::default(),
            worlds: Cell::new(0),
        }
    }

    /// Opens the game.
    ///
    /// # Errors
    /// If the variant or its start is refused.
    pub fn open(&self) -> Result<Playing<'_>, String> {
        let variant = self.spec.variant(&self.variant).map_err(|e| e.to_string())?;
        let seed = Some(self.seed);
        let opening = Opening { variant, start: None, conduct: self.conduct, seed };
        self.doing("opening");
        let game = (self.spec.open)(&opening).map_err(|e| format!("does not open: {e}"))?;
        let random = Random::new(self.seed);
        Ok(Playing { case: self, opening, game, random, texts: Vec::new() })
    }

    /// Runs a check, so that its message or its panic names this case.
    ///
    /// # Errors
    /// The check's own, with the case before it.
    pub fn run(&self, check: impl FnOnce(&Case<'a>) -> Result<(), String>) -> Result<(), String> {
        let run = std::panic::AssertUnwindSafe(|| check(self));
        let result = std::panic::catch_unwind(run).unwrap_or_else(|panic| {
            let text = panic.downcast_ref::<String>().map(String::as_str);
            let text = text.or_else(|| panic.downcast_ref::<&str>().copied());
            Err(format!("panicked while {}: {}", self.doing.borrow(), text.unwrap_or("no message")))
        });
        result.map_err(|fault| format!("{self}: {fault}"))
    }

    pub(crate) fn doing(&self, what: impl Into<String>) {
        *self.doing.borrow_mut() = what.into();
    }

    /// Whether the variant hides something.
    pub(crate) fn hides(&self) -> bool {
        let variant = self.spec.variant(&self.variant);
        variant.is_ok_and(|v| self.spec.variant_spec(&v).hidden)
    }
}

/// A case being played.
pub struct Playing<'a> {
    /// The case.
    pub case: &'a Case<'a>,
    /// How it was opened.
    pub opening: Opening,
    /// The game.
    pub game: Box<dyn Arbiter>,
    /// What is random in it.
    pub random: Random,
    /// Move texts met so far, for trying them where they do not belong.
    pub texts: Vec<String>,
}

/// More texts than these are forgotten.
const MAX_TEXTS: usize = 400;
/// One ply in so many is a call.
const CALL_EVERY: usize = 20;

impl Playing<'_> {
    /// The same opening with this log put into it.
    ///
    /// # Errors
    /// If an entry is refused.
    pub fn replayed(&self, log: &[Entry]) -> Result<Box<dyn Arbiter>, String> {
        let mut game = (self.case.spec.open)(&self.opening).map_err(|e| e.to_string())?;
        for (i, entry) in log.iter().enumerate() {
            game.put(entry).map_err(|e| format!("replay refuses entry {i}, {entry:?}: {e}"))?;
        }
        Ok(game)
    }

    /// Goes back to this log: by taking back where the game allows it, else by a replay.
    ///
    /// # Errors
    /// If an open game refuses, or the replay does.
    pub fn go_back(&mut self, log: &[Entry]) -> Result<(), String> {
        self.case.doing("taking back");
        match self.game.take_back() {
            Ok(()) if self.game.log() == log => Ok(()),
            Ok(()) => {
                Err(format!("taking back leaves the log {:?} instead of {log:?}", self.game.log()))
            }
            Err(_) if self.case.hides() => {
                self.game = self.replayed(log)?;
                Ok(())
            }
            Err(refusal) => Err(format!("an open game refuses to take back: {refusal}")),
        }
    }

    /// The seat whose turn it is, in the stage of play.
    pub fn mover(&self) -> Option<Seat> {
        let play = self.game.stage() == Stage::Play;
        if play { self.game.waiting_for().only() } else { None }
    }

    /// The legal moves of the seat to move, and remembers their texts.
    pub fn choices(&mut self) -> Vec<Choice> {
        let choices = self.mover().map_or_else(Vec::new, |s| self.game.choices(s));
        for choice in &choices {
            if self.texts.len() < MAX_TEXTS && !self.texts.contains(&choice.text) {
                self.texts.push(choice.text.clone());
            }
        }
        choices
    }

    /// Puts one random entry; false when there is nothing left to do.
    ///
    /// # Errors
    /// If an entry that is due is refused.
    pub fn step(&mut self) -> Result<bool, String> {
        self.case.ply.set(self.game.log().len());
        let entry = match self.game.stage() {
            Stage::Over => return Ok(false),
            Stage::Layout => self.arrangement()?,
            Stage::Play => match self.random_call() {
                Some(()) => return Ok(true),
                None => self.random_move()?,
            },
        };
        self.case.doing(format!("putting {entry:?}"));
        self.game.put(&entry).map_err(|e| format!("{entry:?} is due and refused: {e}"))?;
        self.case.ply.set(self.game.log().len());
        Ok(true)
    }

    fn arrangement(&mut self) -> Result<Entry, String> {
        let hidden = self.case.hidden.ok_or("a game with layouts or deals supplies no Hidden")?;
        let owing: Vec<Seat> = self.game.waiting_for().iter().collect();
        let deal = self.game.owes_deal() && self.random.below(owing.len() + 1) == 0;
        match self.random.pick(&owing).copied() {
            Some(seat) if !deal => {
                let text = (hidden.layout)(&*self.game, seat, &mut self.random);
                Ok(Entry { by: seat.into(), act: Act::Layout(text) })
            }
            _ if self.game.owes_deal() => {
                let text = (hidden.deal)(&*self.game, &mut self.random);
                Ok(Entry { by: Seats::NONE, act: Act::Deal(text) })
            }
            _ => Err("nobody owes anything and play has not begun".to_string()),
        }
    }

    /// Some if a call was due by chance and accepted.
    fn random_call(&mut self) -> Option<()> {
        if self.random.below(CALL_EVERY) != 0 {
            return None;
        }
        let seats: Vec<Seat> = faces::seats(&*self.game).iter().collect();
        let seat = *self.random.pick(&seats)?;
        let mut calls = self.game.calls(seat);
        calls.push(Call::Timeout);
        let call = *self.random.pick(&calls)?;
        let entry = self.call_entry(seat, call);
        self.case.doing(format!("putting {entry:?}"));
        self.game.put(&entry).ok()
    }

    fn random_move(&mut self) -> Result<Entry, String> {
        let seat = self.mover().ok_or("play waits for no seat or for several")?;
        let choices = self.choices();
        let choice = self.random.pick(&choices).ok_or("the seat to move has no choices")?;
        Ok(Entry::new_move(seat, choice.text.as_str()))
    }

    /// The entry of this call: of all seats that may make it where it is an agreement.
    pub(crate) fn call_entry(&self, seat: Seat, call: Call) -> Entry {
        if matches!(call, Call::AgreeDraw | Call::AgreeImpasse) {
            let may = |s: &Seat| self.game.calls(*s).contains(&call);
            let by: Seats = faces::seats(&*self.game).iter().filter(may).collect();
            return Entry::new_call(by, call);
        }
        Entry::new_call(seat, call)
    }
}

/// Whether this slug is one of the game's or of every game's.
pub(crate) fn listed(spec: &GameSpec, slug: &str) -> Result<(), String> {
    let known = spec.reasons.iter().chain(&kiban_core::Reason::COMMON).any(|r| r.0 == slug);
    if known { Ok(()) } else { Err(format!("reason \"{slug}\" is not in GameSpec::reasons")) }
}

/// Whether a refusal's reason is listed.
pub(crate) fn refusal_listed(spec: &GameSpec, refusal: &Refusal) -> Result<(), String> {
    if let Refusal::Illegal(reason) = refusal { listed(spec, reason.0) } else { Ok(()) }
}
