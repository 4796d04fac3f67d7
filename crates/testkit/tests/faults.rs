//! The harness finds faults: each test plants one in a toy game and expects it to be reported.

use kiban_core::{
    Act, Arbiter, Arrangement, Call, Choice, Conduct, Dice, Ending, Entry, GameSpec, Job,
    OpenError, Opening, Reason, Record, Refusal, Scene, Seat, Seats, Seen, Stage, Taps, Viewer,
};
use kiban_testkit::toys::trail::{self, TRAIL, Trail};
use kiban_testkit::toys::veil::{HIDDEN, VEIL};
use kiban_testkit::{Hidden, check, check_rules};
use std::sync::atomic::{AtomicUsize, Ordering};

const VIEW_LEAKS: u8 = 0;
const CHOICES_LEAK: u8 = 1;
const REFUSAL_LEAKS: u8 = 2;
const RECORD_LEAKS: u8 = 3;
const ENGINE_LEAKS: u8 = 4;
const TAPS_LEAK: u8 = 5;
const CALLS_LEAK: u8 = 6;
const TOLD_IS_TAKEN_BACK: u8 = 7;
const REFUSAL_CHANGES: u8 = 8;
const TAKE_BACK_FORGETS: u8 = 9;
const TAKE_BACK_TWICE: u8 = 10;
const TAPS_PREFIX: u8 = 11;
const TAPS_SAY_ANOTHER: u8 = 12;
const WAITS_AFTER_THE_END: u8 = 13;
const VIEW_COUNTS: u8 = 14;
const PIECE_NOWHERE: u8 = 15;
const FACE_UNDRAWN: u8 = 16;
const CHOICE_MISSING: u8 = 17;
const CHOICE_REFUSED: u8 = 18;
const FOUL_REFUSED: u8 = 19;
const ENGINE_CHEATS: u8 = 20;
const ENGINE_DEAF: u8 = 21;
const POSITION_STALE: u8 = 22;
const OPEN_PANICS: u8 = 23;
const LOG_FORGETS: u8 = 24;
const CALL_REFUSED: u8 = 25;
const LAST_NOWHERE: u8 = 26;
const TAP_NOWHERE: u8 = 27;
const FELL_ELSEWHERE: u8 = 28;
// From here on of the toy with layouts.
const LAYOUT_REFUSED: u8 = 29;
const LAYOUT_WAVERS: u8 = 30;
const DEAL_REFUSED: u8 = 31;
const DEAL_NOT_MADE: u8 = 32;
const MIRROR_TURNS: u8 = 33;
const EDITOR_MISCOUNTS: u8 = 34;
const EDITOR_NOWHERE: u8 = 35;
const EDITOR_MISSING: u8 = 36;
const LAYOUT_TOO_OFTEN: u8 = 37;
const PATH_TURNS: u8 = 38;

/// How often a wavering layout was asked for.
static CALLS: AtomicUsize = AtomicUsize::new(0);

/// A toy game with one fault in what it shows or does.
struct Faulty<const F: u8> {
    game: Box<dyn Arbiter>,
    opening: Opening,
    puts: usize,
}

fn open<const F: u8>(opening: &Opening) -> Result<Box<dyn Arbiter>, OpenError> {
    if F == OPEN_PANICS {
        let text = opening.start.as_deref().unwrap_or_default();
        assert!(text.is_ascii(), "only ASCII is expected");
    }
    let toy = if F <= TOLD_IS_TAKEN_BACK || F >= LAYOUT_REFUSED { &VEIL } else { TRAIL };
    let (game, opening) = ((toy.open)(opening)?, opening.clone());
    Ok(Box::new(Faulty::<F> { game, opening, puts: 0 }))
}

impl<const F: u8> Faulty<F> {
    /// One bit of what only the referee knows.
    fn secret(&self) -> bool {
        let text = format!("{:?}", self.game.log());
        text.bytes().fold(0u32, |sum, b| sum.wrapping_mul(31).wrapping_add(b.into())) & 64 != 0
    }

    fn back_to(&mut self, length: usize) {
        let log = self.game.log()[..length].to_vec();
        self.game = (self.game.spec().open)(&self.opening).expect("it opened before");
        log.iter().for_each(|e| self.game.put(e).expect("it was taken before"));
    }
}

impl<const F: u8> Arbiter for Faulty<F> {
    fn spec(&self) -> &'static GameSpec {
        self.game.spec()
    }
    fn variant(&self) -> String {
        self.game.variant()
    }
    fn start(&self) -> &str {
        self.game.start()
    }
    fn conduct(&self) -> Conduct {
        self.game.conduct()
    }
    fn put(&mut self, e: &Entry) -> Result<(), Refusal> {
        self.puts += 1;
        if F == CALL_REFUSED && e.act == Act::Call(Call::Resign) {
            return Err(Refusal::WrongStage);
        }
        let length = self.game.log().len();
        let answer = self.game.put(e);
        match (F, answer) {
            (REFUSAL_LEAKS, Err(_)) if self.secret() => Err(Refusal::WrongStage),
            (REFUSAL_CHANGES, Err(refusal)) => {
                let seat = self.game.waiting_for().only();
                let choice = seat.and_then(|s| Some((s, self.game.choices(s).pop()?)));
                if let Some((seat, choice)) = choice {
                    self.game.put(&Entry::new_move(seat, choice.text)).expect("it is a choice");
                }
                Err(refusal)
            }
            (FOUL_REFUSED, Ok(())) => match self.game.ending().and_then(|e| e.foul.clone()) {
                Some(foul) => {
                    self.back_to(length);
                    Err(Refusal::Illegal(foul.reason))
                }
                None => Ok(()),
            },
            (_, answer) => answer,
        }
    }
    fn stage(&self) -> Stage {
        self.game.stage()
    }
    fn waiting_for(&self) -> Seats {
        let over = F == WAITS_AFTER_THE_END && self.game.ending().is_some();
        if over { Seat::FIRST.into() } else { self.game.waiting_for() }
    }
    fn owes_deal(&self) -> bool {
        self.game.owes_deal()
    }
    fn ending(&self) -> Option<&Ending> {
        self.game.ending()
    }
    fn log(&self) -> &[Entry] {
        let log = self.game.log();
        // The fourth ply drops the first: what is replayed is another game.
        if F == LOG_FORGETS && log.len() == 4 { &log[..3] } else { log }
    }
    fn choices(&self, s: Seat) -> Vec<Choice> {
        let mut choices = self.game.choices(s);
        match F {
            CHOICES_LEAK if self.secret() => choices.reverse(),
            TAPS_PREFIX if choices.len() > 1 => choices[0].taps.truncate(1),
            TAPS_SAY_ANOTHER if choices.len() > 1 => {
                let taps = choices[0].taps.clone();
                choices[0].taps = std::mem::replace(&mut choices[1].taps, taps);
            }
            TAP_NOWHERE if !choices.is_empty() => choices[0].taps.push("z9".to_string()),
            CHOICE_MISSING if choices.len() > 1 => drop(choices.pop()),
            CHOICE_REFUSED if !choices.is_empty() => {
                let (text, taps) = ("a1a1".to_string(), vec!["a1".to_string(), "a1".to_string()]);
                choices.push(Choice { text, taps });
            }
            _ => {}
        }
        choices
    }
    fn calls(&self, s: Seat) -> Vec<Call> {
        let leaks = F == CALLS_LEAK && self.secret();
        if leaks { Vec::new() } else { self.game.calls(s) }
    }
    fn banned(&self) -> Vec<(String, Reason)> {
        self.game.banned()
    }
    fn forced(&self) -> Option<String> {
        self.game.forced()
    }
    fn before_forced(&self) -> Option<Box<dyn Arbiter>> {
        self.game.before_forced()
    }
    fn read_taps(&self, s: Seat, taps: &[String]) -> Result<String, Refusal> {
        if F == TAP_NOWHERE {
            return self.game.read_taps(s, &taps[..taps.len().min(2)]);
        }
        let leaks = F == TAPS_LEAK && self.secret();
        let refusal = |_| if leaks { Refusal::Over } else { Refusal::NotYourTurn };
        self.game.read_taps(s, taps).map_err(refusal)
    }
    fn path_of(&self, s: Seat, text: &str) -> Result<Taps, Refusal> {
        let nowhere = |choice: &Choice| F == TAP_NOWHERE && choice.text == text;
        if let Some(choice) = self.choices(s).into_iter().find(nowhere) {
            return Ok(choice.taps);
        }
        let mut path = self.game.path_of(s, text)?;
        if F == PATH_TURNS {
            path.reverse();
        }
        Ok(path)
    }
    fn view(&self, who: Viewer) -> serde_json::Value {
        match F {
            VIEW_LEAKS => self.game.view(Viewer::Referee),
            VIEW_COUNTS => self.puts.into(),
            _ => self.game.view(who),
        }
    }
    fn scene(&self, who: Viewer) -> Scene {
        let mut scene = self.game.scene(who);
        match F {
            PIECE_NOWHERE => scene.pieces[0].at = "z9".to_string(),
            FACE_UNDRAWN => scene.pieces[0].face = "none".to_string(),
            LAST_NOWHERE if !scene.last.is_empty() => scene.last[0] = "z9".to_string(),
            _ => {}
        }
        scene
    }
    fn text(&self, who: Viewer) -> String {
        self.game.text(who)
    }
    fn position(&self, who: Viewer) -> String {
        let stale = F == POSITION_STALE;
        if stale { self.game.start().to_string() } else { self.game.position(who) }
    }
    fn seen(&self, who: Viewer) -> Vec<Seen> {
        let mut seen = self.game.seen(who);
        if let Some(last) = seen.last_mut().filter(|_| F == FELL_ELSEWHERE) {
            last.fell.push("z9".to_string());
        }
        seen
    }
    fn in_check(&self, who: Viewer) -> Option<bool> {
        self.game.in_check(who)
    }
    fn score(&self) -> Option<(i64, i64)> {
        self.game.score()
    }
    fn ask(&self, s: Seat) -> Job {
        let (job, secret, choices) = (self.game.ask(s), self.secret(), self.game.choices(s));
        Box::new(move |memory, limits, report| match F {
            ENGINE_LEAKS => {
                let choice = if secret { choices.first() } else { choices.last() };
                Entry::new_move(s, choice.expect("it has a choice").text.as_str())
            }
            ENGINE_CHEATS => Entry::new_move(s, "a1a1"),
            ENGINE_DEAF => loop {
                std::thread::park();
            },
            _ => job(memory, limits, report),
        })
    }
    fn draw(&self, dice: Dice<'_>) -> Option<Entry> {
        let mut deal = self.game.draw(dice)?;
        match F {
            DEAL_NOT_MADE => return None,
            DEAL_REFUSED => deal.act = Act::Deal("nobody".to_string()),
            _ => {}
        }
        Some(deal)
    }
    fn arrange(&self, s: Seat, dice: Dice<'_>) -> Option<Entry> {
        let layout = |text: &str| Entry { by: s.into(), act: Act::Layout(text.to_string()) };
        match F {
            LAYOUT_REFUSED => Some(layout("FFF")),
            LAYOUT_WAVERS => {
                let odd = CALLS.fetch_add(1, Ordering::Relaxed) % 2 == 1;
                Some(layout(if odd { "F12" } else { "F21" }))
            }
            LAYOUT_TOO_OFTEN if self.game.arrange(s, dice).is_none() => Some(layout("F12")),
            _ => self.game.arrange(s, dice),
        }
    }
    fn arrangement(&self, s: Seat) -> Option<Arrangement> {
        let mut arrangement = self.game.arrangement(s)?;
        match F {
            EDITOR_MISSING => return None,
            EDITOR_NOWHERE => arrangement.places[0] = "z9".to_string(),
            MIRROR_TURNS => arrangement.mirror = vec![1, 2, 0],
            EDITOR_MISCOUNTS => {
                arrangement.kinds[0].count += 1;
                arrangement.kinds[1].count -= 1;
            }
            _ => {}
        }
        Some(arrangement)
    }
    fn may_take_back(&self) -> bool {
        self.game.may_take_back()
    }
    fn take_back(&mut self) -> Result<(), Refusal> {
        let length = self.game.log().len();
        match F {
            TOLD_IS_TAKEN_BACK if length > 0 => {
                self.back_to(length - 1);
                Ok(())
            }
            TAKE_BACK_FORGETS => Ok(()),
            TAKE_BACK_TWICE if length > 1 => {
                self.back_to(length - 2);
                Ok(())
            }
            _ => self.game.take_back(),
        }
    }
    fn record(&self, who: Viewer) -> Record {
        self.game.record(if F == RECORD_LEAKS { Viewer::Referee } else { who })
    }
}

/// A copy of a spec, with a change.
fn spec(base: &'static GameSpec, change: impl FnOnce(&mut GameSpec)) -> &'static GameSpec {
    let mut spec = GameSpec { ..*base };
    change(&mut spec);
    Box::leak(Box::new(spec))
}

fn reported(fault: Result<(), String>, words: &str) {
    let fault = fault.expect_err("the fault is not found");
    assert!(fault.contains(words), "another fault is reported: {fault}");
}

fn trail<const F: u8>(words: &str) {
    reported(check(spec(TRAIL, |s| s.open = open::<F>), None), words);
}

fn veil<const F: u8>(words: &str) {
    reported(check(spec(&VEIL, |s| s.open = open::<F>), Some(&HIDDEN)), words);
}

#[test]
fn leaks_are_found() {
    veil::<VIEW_LEAKS>("view");
    veil::<CHOICES_LEAK>("choices");
    veil::<REFUSAL_LEAKS>("gives Err");
    veil::<RECORD_LEAKS>("record");
    veil::<ENGINE_LEAKS>("the engine answers");
    veil::<TAPS_LEAK>("read differently");
    veil::<CALLS_LEAK>("calls");
    veil::<TOLD_IS_TAKEN_BACK>("told something hidden");
}

#[test]
fn a_game_that_hides_must_supply_worlds() {
    let Hidden { layout, deal, .. } = HIDDEN;
    let none = Hidden { layout, deal, another: |_, _| None };
    reported(check(&VEIL, Some(&none)), "no pair of worlds");
    let same = Hidden { layout, deal, another: |world, _| Some(world.log.to_vec()) };
    reported(check(&VEIL, Some(&same)), "the same world");
    reported(check(&VEIL, None), "supplies no Hidden");
}

#[test]
fn changes_by_refused_entries_and_by_taking_back_are_found() {
    trail::<REFUSAL_CHANGES>("and changed");
    trail::<TAKE_BACK_FORGETS>("taking back leaves the log");
    trail::<TAKE_BACK_TWICE>("taking back leaves the log");
    trail::<VIEW_COUNTS>("putting and taking back changed");
    trail::<LOG_FORGETS>("the log goes on with");
}

#[test]
fn wrong_choices_and_taps_are_found() {
    trail::<TAPS_PREFIX>("is a prefix of");
    trail::<TAPS_SAY_ANOTHER>("is read as");
    veil::<PATH_TURNS>("is tapped as");
    trail::<CHOICE_MISSING>("playing gives");
    trail::<CHOICE_REFUSED>("refused");
    trail::<TAP_NOWHERE>("no place and no option");
}

#[test]
fn wrong_ends_and_conduct_are_found() {
    trail::<WAITS_AFTER_THE_END>("after the end");
    trail::<FOUL_REFUSED>("refused in official conduct");
    trail::<CALL_REFUSED>("offered and refused");
    reported(check(spec(TRAIL, |s| s.reasons = &[]), None), "not in GameSpec::reasons");
}

#[test]
fn what_is_not_drawn_is_found() {
    trail::<PIECE_NOWHERE>("stands on \"z9\"");
    trail::<FACE_UNDRAWN>("has no symbol");
    trail::<LAST_NOWHERE>("touched \"z9\"");
    trail::<FELL_ELSEWHERE>("\"z9\" fell by");
}

#[test]
fn wrong_layouts_and_deals_are_found() {
    veil::<LAYOUT_REFUSED>("is refused");
    veil::<LAYOUT_WAVERS>("equal dice give");
    veil::<LAYOUT_TOO_OFTEN>("owes no layout");
    veil::<DEAL_REFUSED>("the deal");
    veil::<DEAL_NOT_MADE>("owed and not made");
    veil::<MIRROR_TURNS>("mirrored twice");
    veil::<EDITOR_MISCOUNTS>("laid as it says, is refused");
    veil::<EDITOR_NOWHERE>("no place of the picture");
    veil::<EDITOR_MISSING>("it owes a layout: true");
}

#[test]
fn wrong_texts_are_found() {
    trail::<POSITION_STALE>("the moves");
    trail::<OPEN_PANICS>("panicked while opening the position");
    const BAD: &[kiban_core::SetupSpec] =
        &[kiban_core::SetupSpec::new("bad", "Bad", "a1 a1 first 0")];
    let bad = |s: &mut GameSpec| s.setups = BAD;
    reported(check(spec(TRAIL, bad), None), "set-up bad opens in no variant");
}

#[test]
fn wrong_engines_are_found() {
    trail::<ENGINE_CHEATS>("answers");
    trail::<ENGINE_DEAF>("does not stop");
    let faulty = |open| spec(TRAIL, |s| s.open = open);
    let nodes = kiban_core::open::<Trail<{ trail::NODES_FORGOTTEN }>>;
    reported(check(faulty(nodes), None), "of slack");
    let wavers = kiban_core::open::<Trail<{ trail::ENGINE_WAVERS }>>;
    reported(check(faulty(wavers), None), "another answer");
}

#[test]
fn wrong_counts_are_found() {
    let perft = kiban_core::perft::<Trail<{ trail::PERFT_MISCOUNTS }>>;
    reported(check(spec(TRAIL, |s| s.perft = perft), None), "perft 2");
}

#[test]
fn wrong_formats_are_found() {
    use kiban_core::Format;
    let loses = |s: &mut GameSpec| {
        s.formats = &[Format {
            write: Some(|records| {
                let mut records = records.to_vec();
                records[0].nodes.truncate(2);
                records[0].nodes.last_mut().expect("there is a root").children.clear();
                (kiban_testkit::toys::JSON.write.expect("it writes"))(&records)
            }),
            ..kiban_testkit::toys::JSON
        }];
    };
    reported(check(spec(TRAIL, loses), None), "format json: reads");
    let panics = |s: &mut GameSpec| {
        s.formats = &[Format {
            read: Some(|source| match std::str::from_utf8(source.bytes) {
                Ok(_) => (kiban_testkit::toys::JSON.read.expect("it reads"))(source),
                Err(_) => panic!("only UTF-8 is expected"),
            }),
            ..kiban_testkit::toys::JSON
        }];
    };
    reported(check(spec(TRAIL, panics), None), "panicked while reading a record as json");
}

#[test]
fn wrong_rules_are_found() {
    reported(check_rules::<Trail<{ trail::UNDO_FORGETS }>>(None), "playing and undoing");
    reported(check_rules::<Trail<{ trail::FOUL_FORGETS }>>(None), "legal false");
    reported(check_rules::<Trail<{ trail::CHOICES_FORGET }>>(None), "choices");
    reported(check_rules::<Trail<{ trail::GOAL_FORGOTTEN }>>(None), "0 moves of");
}
