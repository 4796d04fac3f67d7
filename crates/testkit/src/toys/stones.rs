//! A game for tests of what runs games: take one, two or three stones from a pile; who takes the
//! last one wins. In the variant `veiled` nobody but the taker knows how many were taken until the
//! end. Reading the move `boom` panics, and the engine does what its level says.

use kiban_core::{
    Call, Decision, Format, Game, GameSpec, Label, Limits, Line, Names, Notation, OptionSpec,
    Outcome, PerftCount, Picture, Place, ReadError, Reason, Record, Refusal, Report, Rules, Ruling,
    Scene, Seat, Seats, Seen, Shape, Source, Taps, Thinks, Variant, VariantSpec, Viewer, Workspace,
    judge, open, perft,
};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

/// The game's entry.
pub static STONES: &GameSpec = &GAME;

static GAME: GameSpec = GameSpec {
    id: "stones",
    names: Names { en: "Stones", zh_hans: "石", zh_hant: "石", ja: "石" },
    variants: &[
        VariantSpec { id: "open", seats: 2, hidden: false, start: Some("12 first") },
        VariantSpec { id: "veiled", seats: 2, hidden: true, start: Some("12 first") },
    ],
    options: &[] as &[OptionSpec],
    setups: &[],
    layouts: &[],
    formats: &[Format {
        id: "list",
        extensions: &["stones"],
        sniff: |bytes| if bytes.starts_with(b"stones") { 100 } else { 0 },
        read: Some(read_list),
        write: Some(write_list),
        ..Format::NONE
    }],
    protocols: &[],
    openings: Vec::new,
    mate: None,
    proofs: None,
    probe: None,
    atlas: None,
    tables: None,
    puzzles: Vec::new,
    bench: None,
    reasons: &[LAST, TOO_MANY, DECLARED],
    messages: &[("en", "reason-last-stone = the last stone was taken\n")],
    perft_leaf: "path",
    open: open::<Stones>,
    perft: perft::<Stones>,
    judge: judge::<Stones>,
    picture,
    problems: &[],
};

const LAST: Reason = Reason("last-stone");
const TOO_MANY: Reason = Reason("too-many-stones");
const DECLARED: Reason = Reason("declared");

/// The engine's level that panics in every search.
pub const PANICS: u8 = 2;
/// The level that thinks until it is stopped or out of time.
pub const SLOW: u8 = 3;
/// The level that panics in a worker's first search.
pub const PANICS_ONCE: u8 = 4;
/// The level that plays illegal moves.
pub const CHEATS: u8 = 5;
/// Asked for this many lines, it thinks as slowly.
pub const SLOW_LINES: u8 = 5;

static PANICKED: AtomicUsize = AtomicUsize::new(0);

fn read_list(source: Source<'_>) -> Result<Vec<Record>, ReadError> {
    let text = String::from_utf8_lossy(source.bytes);
    let mut lines = text.lines().skip(1);
    let start = lines.next().unwrap_or("");
    let by = |i: usize| if i.is_multiple_of(2) { Seat::FIRST } else { Seat::SECOND };
    let log: Vec<_> =
        lines.enumerate().map(|(i, m)| kiban_core::Entry::new_move(by(i), m)).collect();
    Ok(vec![Record::of_line("stones", source.variant.unwrap_or("open"), start, &log)])
}

fn write_list(records: &[Record]) -> Result<Vec<u8>, ReadError> {
    let mut text = String::from("stones\n");
    for record in records {
        text.push_str(&record.start);
        record.moves().for_each(|m| text.push_str(&format!("\n{m}")));
    }
    Ok(text.into_bytes())
}

fn picture(_: &Variant, _: Shape) -> Picture {
    let place = |id: &str| Place {
        id: id.into(),
        tap: id.into(),
        seat: None,
        x: 1.0,
        y: 1.0,
        w: 1.0,
        h: 1.0,
        kind: None,
    };
    Picture {
        width: 2.0,
        height: 2.0,
        places: vec![place("pile")],
        defs: String::new(),
        board: "<circle r=\"1\"/>".into(),
        labels: Vec::<Label>::new(),
    }
}

/// The rules: whether amounts are hidden.
#[derive(Clone, Copy)]
pub struct Stones {
    veiled: bool,
}

/// The stones left and whose turn it is.
#[derive(Clone, PartialEq, Eq)]
pub struct Pile {
    left: u16,
    turn: Seat,
}

/// What a viewer knows of the takings.
#[derive(Clone)]
pub struct Known {
    taken: Vec<(Seat, Option<u16>)>,
    left: Option<u16>,
    turn: Option<Seat>,
}

impl Rules for Stones {
    type Position = Pile;
    type Move = u16;
    type Moves = Vec<u16>;
    type Undo = ();
    type Setup = Pile;
    type Layout = ();
    type Deal = ();
    type Known = Known;
    type View = Option<u16>;

    fn seats(self) -> u8 {
        2
    }
    fn start(self, setup: &Pile, _: &[Option<()>], _: Option<&()>) -> Pile {
        setup.clone()
    }
    fn to_move(self, p: &Pile) -> Seat {
        p.turn
    }
    fn moves(self, p: &Pile) -> Vec<u16> {
        (1..=p.left.min(3)).collect()
    }
    fn ended(self, p: &Pile) -> Option<Outcome> {
        (p.left == 0).then(|| Outcome::Win { seats: p.turn.other().into(), by: LAST })
    }
    fn play(self, p: &mut Pile, m: u16) {
        p.left -= m;
        p.turn = p.turn.other();
    }
    fn undo(self, p: &mut Pile, m: u16, (): ()) {
        p.left += m;
        p.turn = p.turn.other();
    }
    fn legal(self, line: &Line<Self>) -> Vec<u16> {
        self.moves(line.position())
    }
    fn verdict(self, line: &Line<Self>) -> Option<Outcome> {
        line.called().or_else(|| self.ended(line.position()))
    }
    fn foul(self, line: &Line<Self>, _: Seat, m: u16) -> Option<Reason> {
        (!self.legal(line).contains(&m)).then_some(TOO_MANY)
    }
    fn call(self, line: &Line<Self>, by: Seats, call: Call) -> Result<Ruling<u16>, Refusal> {
        let seat = by.iter().next().ok_or(Refusal::NotYourTurn)?;
        let wins = |seat: Seat, by| Ok(Ruling::End(Outcome::Win { seats: seat.into(), by }));
        match call {
            Call::Resign => wins(seat.other(), Reason::RESIGN),
            Call::Timeout => wins(seat.other(), Reason::TIMEOUT),
            Call::Left => wins(seat.other(), Reason::ABANDONED),
            Call::AgreeDraw => Ok(Ruling::End(Outcome::Draw { by: Reason::AGREEMENT })),
            Call::Declare if self.calls(line, seat).contains(&call) => wins(seat, DECLARED),
            Call::Declare | Call::AgreeImpasse => Err(Refusal::NoSuchCall(call)),
        }
    }
    fn calls(self, line: &Line<Self>, seat: Seat) -> Vec<Call> {
        let p = line.position();
        let declare = (p.turn == seat && p.left <= 3).then_some(Call::Declare);
        [Call::Resign, Call::AgreeDraw].into_iter().chain(declare).collect()
    }
    fn known(self, line: &Line<Self>, who: Viewer) -> Known {
        let p = line.position();
        let over = self.verdict(line).is_some();
        let all = !self.veiled || over || who == Viewer::Referee;
        let sees = |by: Seat| all || who == Viewer::Seat(by);
        let taken = line.steps().iter().map(|s| (s.by, sees(s.by).then_some(s.m))).collect();
        Known { taken, left: sees(p.turn).then_some(p.left), turn: (!over).then_some(p.turn) }
    }
    fn view(self, k: &Known) -> Option<u16> {
        k.left
    }
    fn choices(self, k: &Known) -> Vec<u16> {
        let left = k.turn.and(k.left).unwrap_or(0);
        (1..=left.min(3)).collect()
    }
    fn may_take_back(self, _: &Line<Self>) -> bool {
        !self.veiled
    }
}

fn bad(text: &str) -> ReadError {
    ReadError::new("bad-move", format!("\"{text}\" is no move; write take1, take2 or take3."))
}

impl Notation for Stones {
    fn read_setup(self, text: &str) -> Result<Pile, ReadError> {
        let text = if text.is_empty() { "12 first" } else { text };
        let parts = text.split_once(' ');
        let read = parts.and_then(|(n, s)| Some((n.parse().ok()?, Seat::from_name(s)?)));
        let (left, turn) = read.ok_or_else(|| {
            ReadError::new("bad-position", "Write a number and a seat: 12 first.").column(1)
        })?;
        Ok(Pile { left, turn })
    }
    fn faults(self, setup: &Pile) -> Vec<String> {
        if setup.left == 0 { vec!["The pile is empty.".into()] } else { vec![] }
    }
    fn write_setup(self, setup: &Pile) -> String {
        format!("{} {}", setup.left, setup.turn)
    }
    fn write_position(self, k: &Known) -> String {
        let left = k.left.map_or("?".into(), |n| n.to_string());
        format!("{left} {}", k.turn.map_or("nobody", Seat::name))
    }
    fn read_move(self, text: &str) -> Result<u16, ReadError> {
        assert_ne!(text, "boom", "the toy falls over, as it should");
        text.strip_prefix("take").and_then(|n| n.parse().ok()).ok_or_else(|| bad(text))
    }
    fn write_move(self, m: u16) -> String {
        format!("take{m}")
    }

    fn taps(self, _: &Known, m: u16) -> Taps {
        vec!["pile".into(), m.to_string()]
    }
    fn read_taps(self, _: &Known, taps: &[String]) -> Result<u16, ReadError> {
        match taps {
            [pile, n] if pile == "pile" => n.parse().map_err(|_| bad(n)),
            _ => Err(bad(&taps.join(" "))),
        }
    }
    fn seen(self, k: &Known) -> Vec<Seen> {
        let seen = |(by, m): &(Seat, Option<u16>)| {
            let text = m.map_or("hidden".to_string(), |m| self.write_move(m));
            let (native, western) = (text.clone(), text.clone());
            let taps = vec!["pile".into()];
            Seen { by: (*by).into(), text, native, western, taps, ..Seen::default() }
        };
        k.taken.iter().map(seen).collect()
    }
    fn scene(self, k: &Known) -> Scene {
        let facts = k.left.map(|n| ("left".to_string(), n.to_string()));
        Scene { facts: facts.into_iter().collect(), ..Scene::default() }
    }
    fn text(self, k: &Known) -> String {
        self.write_position(k)
    }
    fn score(self, line: &Line<Self>, _: Option<Outcome>) -> Option<(i64, i64)> {
        let of = |seat| line.steps().iter().filter(|s| s.by == seat).map(|s| i64::from(s.m)).sum();
        Some((of(Seat::FIRST), of(Seat::SECOND)))
    }
}

impl Thinks for Stones {
    fn think(
        self,
        known: &Known,
        _: &mut Workspace,
        limits: &Limits,
        report: &mut dyn FnMut(Report),
    ) -> Decision<u16> {
        match limits.level {
            Some(PANICS) => panic!("the toy's engine falls over"),
            Some(PANICS_ONCE) if PANICKED.fetch_add(1, Ordering::SeqCst) == 0 => {
                panic!("the toy's engine falls over once")
            }
            Some(SLOW) => wait(limits),
            Some(CHEATS) => return Decision::Move(9),
            _ if limits.lines == SLOW_LINES => wait(limits),
            _ => {}
        }
        report(Report { depth: 1, seldepth: None, nodes: 1, lines: Vec::new(), call: None });
        let left = known.left.expect("the mover knows the pile");
        Decision::Move((left % 4).max(1))
    }
}

fn wait(limits: &Limits) {
    let began = std::time::Instant::now();
    while limits.time.is_none_or(|most| began.elapsed() < most) {
        if limits.stop.stopped() {
            return;
        }
        std::thread::sleep(Duration::from_millis(2));
    }
}

impl Game for Stones {
    fn spec() -> &'static GameSpec {
        &GAME
    }
    fn of(variant: &Variant, _: Option<&str>) -> Stones {
        Stones { veiled: variant.id() == "veiled" }
    }
    fn start_text(self, _: Option<u64>) -> String {
        "12 first".into()
    }
    fn perft(self, p: &Pile, depth: u32, _: bool) -> PerftCount {
        let mut count = PerftCount { nodes: 0, divide: None };
        for m in self.moves(p).into_iter().filter(|_| depth > 0) {
            let mut next = p.clone();
            self.play(&mut next, m);
            count.nodes += self.perft(&next, depth - 1, false).nodes;
        }
        count.nodes += u64::from(depth == 0);
        count
    }
}
