//! Trail: two tokens walk on a small square board and want the opposite corner; a position must
//! not come back (or a third occurrence is a draw). History bans, official conduct, quiet limit.

use super::{JSON, names, number, seat};
use kiban_core::{
    BestLine, Bound, Decision, Format, Game, GameSpec, Limits, Line, Notation, OptionSpec, Outcome,
    PerftCount, Picture, Place, ReadError, Reason, Record, Report, Rules, Scene, ScenePiece, Score,
    Seat, Seen, SetupSpec, Shape, Source, Stop, Taps, Thinks, Variant, VariantSpec, Viewer,
    Workspace,
};
use serde_json::json;
use std::sync::atomic::{AtomicUsize, Ordering};

const GOAL: Reason = Reason("goal");
const NO_MOVE: Reason = Reason("no-move");
const REPETITION: Reason = Reason("repetition");
const QUIET: Reason = Reason("quiet");
const ILLEGAL_TURN: Reason = Reason("illegal-turn");
const ILLEGAL_STEP: Reason = Reason("illegal-step");
const ILLEGAL_REPEAT: Reason = Reason("illegal-repeat");

/// The toy as it should be.
pub static TRAIL: &GameSpec = Trail::<SOUND>::SPEC;

/// A [`Trail`] without fault.
pub const SOUND: u8 = 0;
/// A [`Trail`] whose undo does not give the turn back.
pub const UNDO_FORGETS: u8 = 1;
/// A [`Trail`] whose fouls know nothing of history.
pub const FOUL_FORGETS: u8 = 2;
/// A [`Trail`] whose choices know nothing of history.
pub const CHOICES_FORGET: u8 = 3;
/// A [`Trail`] whose positions have no moves at the goal and are not ended.
pub const GOAL_FORGOTTEN: u8 = 4;
/// A [`Trail`] that counts a path too many.
pub const PERFT_MISCOUNTS: u8 = 5;
/// A [`Trail`] whose search does not count its nodes.
pub const NODES_FORGOTTEN: u8 = 6;
/// A [`Trail`] whose engine keeps something between equal questions.
pub const ENGINE_WAVERS: u8 = 7;

/// The rules; `FAULT` plants a fault for the harness to find.
#[derive(Clone, Copy, Debug)]
pub struct Trail<const FAULT: u8 = SOUND> {
    size: u8,
    bans: bool,
    limit: u8,
}

/// Where the tokens stand and whose turn it is. Cells are `row * size + column`.
#[derive(Clone, Copy, Debug)]
pub struct Position {
    at: [u8; 2],
    turn: Seat,
    /// Plies so far: a counter, outside equality.
    plies: u8,
}

impl PartialEq for Position {
    fn eq(&self, other: &Position) -> bool {
        (self.at, self.turn) == (other.at, other.turn)
    }
}

impl Eq for Position {}

/// A token goes from one cell to another.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Step {
    from: u8,
    to: u8,
}

impl<const FAULT: u8> Trail<FAULT> {
    const SPEC: &'static GameSpec = &GameSpec {
        id: "trail",
        names: names("Trail"),
        variants: &[
            VariantSpec { id: "four", seats: 2, hidden: false, start: Some("a1 d4 first 0") },
            VariantSpec { id: "three", seats: 2, hidden: false, start: Some("a1 c3 first 0") },
        ],
        options: &[
            OptionSpec {
                key: "repeat",
                values: &["ban", "draw"],
                default: "ban",
                default_for: None,
            },
            OptionSpec { key: "limit", values: &["24", "40"], default: "40", default_for: None },
        ],
        setups: &[SetupSpec::new("close", "Close", "b2 c2 second 3")],
        layouts: &[],
        formats: &[JSON, WALK],
        protocols: &[],
        openings: Vec::new,
        mate: None,
        proofs: None,
        probe: None,
        atlas: None,
        tables: None,
        puzzles: Vec::new,
        bench: None,
        reasons: &[GOAL, NO_MOVE, REPETITION, QUIET, ILLEGAL_TURN, ILLEGAL_STEP, ILLEGAL_REPEAT],
        messages: &[],
        perft_leaf: "finished",
        open: kiban_core::open::<Self>,
        perft: kiban_core::perft::<Self>,
        judge: kiban_core::judge::<Self>,
        picture: |variant, shape| picture(Self::of(variant, None).size, shape),
        problems: &[],
    };

    /// The cell a seat wants to reach: the corner the other one starts from.
    fn goal(self, seat: Seat) -> u8 {
        if seat == Seat::FIRST { self.size * self.size - 1 } else { 0 }
    }

    fn steps(self, p: &Position) -> Vec<Step> {
        if self.arrived(p).is_some() {
            return Vec::new();
        }
        let (from, other) = (p.at[p.turn.index()], p.at[p.turn.other().index()]);
        let cells = 0..self.size * self.size;
        let open = cells.filter(|to| *to != other && self.adjacent(from, *to));
        open.map(|to| Step { from, to }).collect()
    }

    fn adjacent(self, a: u8, b: u8) -> bool {
        let (n, apart) = (self.size, |x: u8, y: u8| x.abs_diff(y));
        apart(a / n, b / n) + apart(a % n, b % n) == 1
    }

    fn arrived(self, p: &Position) -> Option<Seat> {
        [Seat::FIRST, Seat::SECOND].into_iter().find(|s| p.at[s.index()] == self.goal(*s))
    }

    /// How often the line has been here.
    fn occurrences(self, line: &Line<Self>, p: &Position) -> usize {
        line.positions().iter().filter(|q| *q == p).count()
    }

    fn repeats(self, line: &Line<Self>, m: Step) -> bool {
        let mut next = *line.position();
        self.play(&mut next, m);
        self.bans && self.occurrences(line, &next) > 0
    }

    fn cell(self, name: &str) -> Option<u8> {
        let &[column, row] = name.as_bytes() else { return None };
        let (column, row) = (column.wrapping_sub(b'a'), row.wrapping_sub(b'1'));
        (column < self.size && row < self.size).then(|| row * self.size + column)
    }

    fn name(self, cell: u8) -> String {
        let letters = [b'a' + cell % self.size, b'1' + cell / self.size];
        letters.into_iter().map(char::from).collect()
    }

    fn write(self, p: &Position) -> String {
        let [first, second] = p.at.map(|cell| self.name(cell));
        format!("{first} {second} {} {}", p.turn, p.plies)
    }
}

impl<const FAULT: u8> Rules for Trail<FAULT> {
    type Position = Position;
    type Move = Step;
    type Moves = Vec<Step>;
    type Undo = u8;
    type Setup = Position;
    type Layout = ();
    type Deal = ();
    type Known = Line<Self>;
    type View = serde_json::Value;

    fn seats(self) -> u8 {
        2
    }

    fn start(self, setup: &Position, _: &[Option<()>], _: Option<&()>) -> Position {
        *setup
    }

    fn to_move(self, p: &Position) -> Seat {
        p.turn
    }

    fn moves(self, p: &Position) -> Vec<Step> {
        self.steps(p)
    }

    fn ended(self, p: &Position) -> Option<Outcome> {
        if FAULT == GOAL_FORGOTTEN {
            return None;
        }
        self.arrived(p).map(|seat| Outcome::Win { seats: seat.into(), by: GOAL })
    }

    fn play(self, p: &mut Position, m: Step) -> u8 {
        p.at[p.turn.index()] = m.to;
        p.turn = p.turn.other();
        let before = p.plies;
        p.plies = p.plies.saturating_add(1);
        before
    }

    fn undo(self, p: &mut Position, m: Step, plies: u8) {
        if FAULT != UNDO_FORGETS {
            p.turn = p.turn.other();
        }
        p.at[p.turn.index()] = m.from;
        p.plies = plies;
    }

    fn legal(self, line: &Line<Self>) -> Vec<Step> {
        if line.called().is_some() {
            return Vec::new();
        }
        let moves = self.steps(line.position());
        moves.into_iter().filter(|m| !self.repeats(line, *m)).collect()
    }

    fn verdict(self, line: &Line<Self>) -> Option<Outcome> {
        let p = line.position();
        if let Some(outcome) = self.ended(p) {
            return Some(outcome);
        }
        if self.legal(line).is_empty() {
            return Some(Outcome::Win { seats: p.turn.other().into(), by: NO_MOVE });
        }
        if !self.bans && self.occurrences(line, p) >= 3 {
            return Some(Outcome::Draw { by: REPETITION });
        }
        (p.plies >= self.limit).then_some(Outcome::Draw { by: QUIET })
    }

    fn foul(self, line: &Line<Self>, seat: Seat, m: Step) -> Option<Reason> {
        let p = line.position();
        if seat != p.turn || m.from != p.at[seat.index()] {
            Some(ILLEGAL_TURN)
        } else if !self.steps(p).contains(&m) {
            Some(ILLEGAL_STEP)
        } else {
            (FAULT != FOUL_FORGETS && self.repeats(line, m)).then_some(ILLEGAL_REPEAT)
        }
    }

    fn known(self, line: &Line<Self>, _: Viewer) -> Line<Self> {
        line.clone()
    }

    fn view(self, k: &Line<Self>) -> serde_json::Value {
        json!({ "position": self.write(k.position()), "plies": k.steps().len() })
    }

    fn choices(self, k: &Line<Self>) -> Vec<Step> {
        if FAULT == CHOICES_FORGET {
            return self.steps(k.position());
        }
        self.legal(k)
    }

    fn may_take_back(self, _: &Line<Self>) -> bool {
        true
    }
}

impl<const FAULT: u8> Notation for Trail<FAULT> {
    fn read_setup(self, text: &str) -> Result<Position, ReadError> {
        let mut fields = text.split(' ');
        let mut cell = |field: &str| {
            let name = fields.next().unwrap_or("");
            self.cell(name).ok_or_else(|| {
                ReadError::new("bad-position", format!("The {field} token needs a cell like a1."))
                    .field(field)
                    .found(name, "a cell")
            })
        };
        let at = [cell("first")?, cell("second")?];
        let turn = seat(fields.next())?;
        let plies = number(fields.next(), "plies", u8::MAX)?;
        match fields.next() {
            None => Ok(Position { at, turn, plies }),
            Some(_) => Err(ReadError::new("bad-position", "Four fields are enough.")),
        }
    }

    fn faults(self, setup: &Position) -> Vec<String> {
        let mut faults = Vec::new();
        if setup.at[0] == setup.at[1] {
            faults.push("Both tokens stand on one cell.".to_string());
        }
        if setup.turn.index() > 1 {
            faults.push("Only first and second play.".to_string());
        }
        faults
    }

    fn write_setup(self, setup: &Position) -> String {
        self.write(setup)
    }

    fn write_position(self, k: &Line<Self>) -> String {
        self.write(k.position())
    }

    fn read_move(self, text: &str) -> Result<Step, ReadError> {
        let halves = text.split_at_checked(2);
        halves.and_then(|(a, b)| Some(Step { from: self.cell(a)?, to: self.cell(b)? })).ok_or_else(
            || ReadError::new("bad-move", "Write a move as two cells: a1a2.").found(text, "a1a2"),
        )
    }

    fn write_move(self, m: Step) -> String {
        self.name(m.from) + &self.name(m.to)
    }

    fn taps(self, _: &Line<Self>, m: Step) -> Taps {
        vec![self.name(m.from), self.name(m.to)]
    }

    fn read_taps(self, _: &Line<Self>, taps: &[String]) -> Result<Step, ReadError> {
        self.read_move(&taps.concat())
    }

    fn seen(self, k: &Line<Self>) -> Vec<Seen> {
        let seen = |step: &kiban_core::Step<Step>| {
            let text = self.write_move(step.m);
            let (native, western) = (text.clone(), text.clone());
            let taps = self.taps(k, step.m);
            Seen { by: step.by.into(), text, native, western, taps, ..Seen::default() }
        };
        k.steps().iter().map(seen).collect()
    }

    fn scene(self, k: &Line<Self>) -> Scene {
        let piece = |seat: Seat| ScenePiece {
            at: self.name(k.position().at[seat.index()]),
            face: seat.name().to_string(),
            seat: Some(seat),
            turned: false,
            upright: false,
            count: 1,
            name: "token".to_string(),
        };
        let last = k.steps().last().map_or_else(Vec::new, |step| self.taps(k, step.m));
        let pieces = [Seat::FIRST, Seat::SECOND].map(piece).to_vec();
        Scene { pieces, last, ..Scene::default() }
    }

    fn text(self, k: &Line<Self>) -> String {
        self.write(k.position())
    }
}

/// A search by plain negamax.
struct Search<'a, const FAULT: u8> {
    rules: Trail<FAULT>,
    nodes: u64,
    most: u64,
    stop: &'a Stop,
}

impl<const FAULT: u8> Search<'_, FAULT> {
    /// `None` when it has to end.
    fn value(&mut self, p: &mut Position, depth: u8) -> Option<i32> {
        if self.stop.stopped() || (FAULT != NODES_FORGOTTEN && self.nodes >= self.most) {
            return None;
        }
        self.nodes += 1;
        let rules = self.rules;
        if let Some(seat) = rules.arrived(p) {
            return Some(if seat == p.turn { 1000 } else { -1000 });
        }
        if depth == 0 {
            let way = |s: Seat| i32::from(p.at[s.index()].abs_diff(rules.goal(s)));
            return Some(way(p.turn.other()) - way(p.turn));
        }
        let mut best = i32::MIN;
        for m in rules.steps(p) {
            let plies = rules.play(p, m);
            let value = self.value(p, depth - 1);
            rules.undo(p, m, plies);
            best = best.max(-value?);
        }
        Some(best)
    }
}

impl<const FAULT: u8> Thinks for Trail<FAULT> {
    fn think(
        self,
        line: &Line<Self>,
        _: &mut Workspace,
        limits: &Limits,
        report: &mut dyn FnMut(Report),
    ) -> Decision<Step> {
        /// Deeper than any game goes.
        const DEEPEST: u8 = 60;
        let mut moves = self.legal(line);
        let length = moves.len();
        moves.rotate_left(limits.seed as usize % length);
        let most = limits.nodes.unwrap_or(u64::MAX);
        let mut search = Search { rules: self, nodes: 0, most, stop: &limits.stop };
        'deepen: for depth in 1..=limits.depth.unwrap_or(DEEPEST).min(DEEPEST) {
            if FAULT == NODES_FORGOTTEN && depth > 12 {
                break;
            }
            let mut p = *line.position();
            let mut valued = Vec::new();
            for m in &moves {
                let plies = self.play(&mut p, *m);
                let value = search.value(&mut p, depth - 1);
                self.undo(&mut p, *m, plies);
                let Some(value) = value else { break 'deepen };
                valued.push((value, *m));
            }
            valued.sort_by_key(|(value, _)| *value);
            moves = valued.iter().map(|(_, m)| *m).collect();
            let line = |(rank, (value, m)): (usize, &(i32, Step))| BestLine {
                rank: rank as u8 + 1,
                score: Score::Estimate {
                    points: -value,
                    unit: "centi",
                    chance: 0.5,
                    bound: Bound::Exact,
                },
                depth,
                moves: vec![self.write_move(*m)],
            };
            let lines = valued.iter().take(limits.lines.into()).enumerate().map(line).collect();
            report(Report { depth, seldepth: None, nodes: search.nodes, lines, call: None });
        }
        if FAULT == ENGINE_WAVERS {
            static ASKED: AtomicUsize = AtomicUsize::new(0);
            moves.rotate_left(ASKED.fetch_add(1, Ordering::Relaxed) % length);
        }
        Decision::Move(moves[0])
    }
}

impl<const FAULT: u8> Game for Trail<FAULT> {
    fn spec() -> &'static GameSpec {
        Self::SPEC
    }

    fn of(variant: &Variant, start: Option<&str>) -> Self {
        let option = |key| variant.option(key, Self::SPEC.options, start);
        let limit = option("limit").parse().expect("limits are numbers");
        let size = if variant.id() == "four" { 4 } else { 3 };
        Trail { size, bans: option("repeat") == "ban", limit }
    }

    fn start_text(self, _: Option<u64>) -> String {
        let size = char::from(b'0' + self.size);
        format!("a1 {}{size} first 0", char::from(b'a' + self.size - 1))
    }

    fn perft(self, p: &Position, depth: u32, divide: bool) -> PerftCount {
        let moves = self.steps(p);
        if depth == 0 || moves.is_empty() {
            return PerftCount { nodes: 1, divide: divide.then(Vec::new) };
        }
        let below = |m: &Step| {
            let mut next = *p;
            self.play(&mut next, *m);
            let extra = u64::from(FAULT == PERFT_MISCOUNTS && depth == 2);
            (self.write_move(*m), self.perft(&next, depth - 1, false).nodes + extra)
        };
        let rows: Vec<(String, u64)> = moves.iter().map(below).collect();
        PerftCount { nodes: rows.iter().map(|(_, n)| n).sum(), divide: divide.then_some(rows) }
    }
}

/// A format that holds only moves of the default variant from its start: `a1a2 d4d3`.
const WALK: Format = Format {
    id: "walk",
    extensions: &["walk"],
    sniff: |bytes| if bytes.starts_with(b"trail") { 80 } else { 0 },
    read: Some(read_walk),
    write: Some(write_walk),
    ..Format::NONE
};

fn read_walk(source: Source<'_>) -> Result<Vec<Record>, ReadError> {
    let text = std::str::from_utf8(source.bytes)
        .map_err(|_| ReadError::new("bad-record", "This file is not text."))?;
    let moves = text.strip_prefix("trail").ok_or_else(|| {
        ReadError::new("bad-record", "A walk begins with the word trail.").line(1).column(1)
    })?;
    let turns = Seat::ALL.into_iter().take(2).cycle();
    let log: Vec<_> = moves
        .split_whitespace()
        .zip(turns)
        .map(|(text, by)| kiban_core::Entry::new_move(by, text))
        .collect();
    Ok(vec![Record::of_line("trail", "four", "a1 d4 first 0", &log)])
}

fn write_walk(records: &[Record]) -> Result<Vec<u8>, ReadError> {
    let cannot = || ReadError::new("cannot-write", "A walk holds one plain game of moves only.");
    let [record] = records else { return Err(cannot()) };
    let moves: Vec<&str> = record.moves().collect();
    let turns = record.entries().zip(Seat::ALL.into_iter().take(2).cycle());
    let plain = record.variant == "four"
        && record.start == "a1 d4 first 0"
        && moves.len() == record.entries().count()
        && turns.into_iter().all(|(entry, seat)| entry.by.only() == Some(seat));
    if plain { Ok(format!("trail {}\n", moves.join(" ")).into_bytes()) } else { Err(cannot()) }
}

fn picture(size: u8, _: Shape) -> Picture {
    let side = f32::from(size);
    let place = |cell: u8| {
        let (column, row) = (cell % size, cell / size);
        let id: String = [b'a' + column, b'1' + row].into_iter().map(char::from).collect();
        let (x, y) = (f32::from(column) + 0.5, side - f32::from(row) - 0.5);
        Place { tap: id.clone(), id, seat: None, x, y, w: 1.0, h: 1.0, kind: None }
    };
    Picture {
        width: side,
        height: side,
        places: (0..size * size).map(place).collect(),
        defs: "<g id=\"f-first\"/><g id=\"f-second\"/>".to_string(),
        board: String::new(),
        labels: Vec::new(),
    }
}
