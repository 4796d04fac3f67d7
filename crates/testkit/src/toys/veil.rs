//! Veil: four seats in two teams around a ring of twelve cells. Each seat lays out a flag and two
//! soldiers in secret, the referee deals who begins; an attack tells who falls and no rank. A
//! seat without a step skips by force; one that loses its flag, resigns or leaves goes out.

use super::{JSON, names, number, seat};
use crate::{Hidden, Random, World};
use kiban_core::{
    Act, Arbiter, ArrangedKind, Arrangement, BestLine, Bound, Call, Decision, Dice, Entry, Game,
    GameSpec, Limits, Line, Notation, OptionSpec, Outcome, PerftCount, Picture, Place, ReadError,
    Reason, Refusal, Report, Rules, Ruling, Scene, ScenePiece, Score, Seat, Seats, Secret, Seen,
    Table, Taps, Thinks, Variant, VariantSpec, Viewer, Workspace,
};
use serde::Serialize;

const TEAM_OUT: Reason = Reason("team-out");
const QUIET: Reason = Reason("quiet");
const ILLEGAL_TURN: Reason = Reason("illegal-turn");
const ILLEGAL_PIECE: Reason = Reason("illegal-piece");
const ILLEGAL_FLAG: Reason = Reason("illegal-flag");
const ILLEGAL_STEP: Reason = Reason("illegal-step");
const ILLEGAL_SKIP: Reason = Reason("illegal-skip");
const ILLEGAL_OUT: Reason = Reason("illegal-out");

/// Cells of the ring; each seat begins on three of them.
const RING: u8 = 12;
/// The set-up that waits for layouts and the deal.
const LAYOUTS: &str = "layouts";

/// The toy.
pub static VEIL: GameSpec = GameSpec {
    id: "veil",
    names: names("Veil"),
    variants: &[VariantSpec { id: "ring", seats: 4, hidden: true, start: Some(LAYOUTS) }],
    options: &[OptionSpec {
        key: "quiet",
        values: &["10", "30"],
        default: "30",
        default_for: None,
    }],
    setups: &[kiban_core::SetupSpec::new(
        "flags",
        "Two flags and two soldiers",
        "0F,-,01,-,-,-,1F,12,-,-,-,- first 23 0",
    )],
    layouts: &[],
    formats: &[JSON],
    protocols: &[],
    openings: Vec::new,
    mate: None,
    proofs: None,
    probe: None,
    atlas: None,
    tables: None,
    puzzles: Vec::new,
    bench: None,
    reasons: &[
        TEAM_OUT,
        QUIET,
        ILLEGAL_TURN,
        ILLEGAL_PIECE,
        ILLEGAL_FLAG,
        ILLEGAL_STEP,
        ILLEGAL_SKIP,
        ILLEGAL_OUT,
    ],
    messages: &[],
    perft_leaf: "finished",
    open: kiban_core::open::<Veil>,
    perft: kiban_core::perft::<Veil>,
    judge: kiban_core::judge::<Veil>,
    picture: |_, _| picture(),
    problems: &[],
};

/// What the toy supplies to the harness.
pub static HIDDEN: Hidden = Hidden {
    layout: |_, _, random| random.some(vec!['F', '1', '2'], 3).into_iter().collect(),
    deal: |_, random| Seat::ALL[random.below(4)].to_string(),
    another,
};

/// The rules.
#[derive(Clone, Copy, Debug)]
pub struct Veil {
    limit: u8,
    /// Whether the start is a position, so that nobody owes a layout.
    placed: bool,
}

/// A piece's rank: the flag does not move, a higher soldier beats a lower one.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Rank {
    /// Its loss puts the seat out.
    Flag,
    /// The lower soldier.
    One,
    /// The higher soldier.
    Two,
}

impl Rank {
    fn letter(self) -> char {
        ['F', '1', '2'][self as usize]
    }

    fn from_letter(letter: char) -> Option<Rank> {
        [Rank::Flag, Rank::One, Rank::Two].into_iter().find(|r| r.letter() == letter)
    }
}

/// A seat's secret layout: the ranks on its three cells.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Layout([Rank; 3]);

impl Secret for Layout {
    fn read(text: &str) -> Result<Layout, ReadError> {
        let ranks: Option<Vec<Rank>> = text.chars().map(Rank::from_letter).collect();
        let layout = ranks.and_then(|ranks| <[Rank; 3]>::try_from(ranks).ok());
        layout
            .filter(|r| r[0] != r[1] && r[1] != r[2] && r[0] != r[2])
            .map(Layout)
            .ok_or_else(|| ReadError::new("bad-layout", "Write F, 1 and 2 once each."))
    }

    fn write(&self) -> String {
        self.0.map(Rank::letter).iter().collect()
    }

    fn draw(dice: Dice<'_>) -> Layout {
        let mut ranks = [Rank::Flag, Rank::One, Rank::Two];
        Random::new(dice()).shuffle(&mut ranks);
        Layout(ranks)
    }
}

/// The referee's deal: who begins.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Deal(Seat);

impl Secret for Deal {
    fn read(text: &str) -> Result<Deal, ReadError> {
        seat(Some(text)).map(Deal)
    }

    fn write(&self) -> String {
        self.0.to_string()
    }

    fn draw(dice: Dice<'_>) -> Deal {
        Deal(Seat::ALL[(dice() % 4) as usize])
    }
}

/// What stands where, who is out and whose turn it is.
#[derive(Clone, Copy, Debug)]
pub struct Position {
    cells: [Option<(Seat, Rank)>; RING as usize],
    turn: Seat,
    out: Seats,
    /// Plies since something fell: a counter, outside equality.
    quiet: u8,
}

impl PartialEq for Position {
    fn eq(&self, other: &Position) -> bool {
        (self.cells, self.turn, self.out) == (other.cells, other.turn, other.out)
    }
}

impl Eq for Position {}

/// A move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Move {
    /// From a cell to a neighbour, which may be attacked by it.
    Step(u8, u8),
    /// Nothing: by force, or when the time is up.
    Skip,
    /// This seat leaves the game with its pieces.
    Out(Seat),
}

/// A start.
#[derive(Clone, Debug)]
pub enum Setup {
    /// Layouts and a deal are owed.
    Layouts,
    /// A position.
    Placed(Position),
}

fn team(seat: Seat) -> Seats {
    Seat::ALL.into_iter().filter(|s| s.plays_with(seat)).collect()
}

fn name(cell: u8) -> String {
    char::from(b'a' + cell).to_string()
}

fn cell(name: &str) -> Option<u8> {
    let &[letter] = name.as_bytes() else { return None };
    Some(letter.wrapping_sub(b'a')).filter(|cell| *cell < RING)
}

impl Position {
    fn steps(&self) -> Vec<Move> {
        let cells = self.cells.map(|piece| piece.map(|(seat, rank)| (seat, Some(rank))));
        steps(&cells, self.turn)
    }

    fn remove(&mut self, seat: Seat) {
        self.out = self.out.with(seat);
        for piece in &mut self.cells {
            if piece.is_some_and(|(owner, _)| owner == seat) {
                *piece = None;
            }
        }
    }

    fn pass_turn(&mut self) {
        let after = (1..=4).filter_map(|n| Seat::new((self.turn.index() + n) % 4));
        self.turn = after.into_iter().find(|s| !self.out.has(*s)).unwrap_or(self.turn);
    }

    fn attack(&mut self, from: u8, to: u8) {
        let (from, to) = (usize::from(from), usize::from(to));
        let mine = self.cells[from].take().expect("a step begins on a piece");
        self.quiet = if self.cells[to].is_some() { 0 } else { self.quiet.saturating_add(1) };
        match self.cells[to] {
            Some((owner, Rank::Flag)) => {
                self.remove(owner);
                self.cells[to] = Some(mine);
            }
            Some((_, rank)) if rank == mine.1 => self.cells[to] = None,
            Some((_, rank)) if rank > mine.1 => {}
            _ => self.cells[to] = Some(mine),
        }
    }

    fn count(&self) -> usize {
        self.cells.iter().flatten().count()
    }

    fn over(&self) -> bool {
        [Seat::FIRST, Seat::SECOND].into_iter().any(|s| team(s).iter().all(|t| self.out.has(t)))
    }
}

type KnownCells = [Option<(Seat, Option<Rank>)>; RING as usize];

/// The steps of a seat that knows its own ranks.
fn steps(cells: &KnownCells, seat: Seat) -> Vec<Move> {
    let mut steps = Vec::new();
    for from in 0..RING {
        let Some((owner, rank)) = cells[usize::from(from)] else { continue };
        if owner != seat || rank == Some(Rank::Flag) {
            continue;
        }
        for to in [(from + 1) % RING, (from + RING - 1) % RING] {
            if cells[usize::from(to)].is_none_or(|(other, _)| !team(seat).has(other)) {
                steps.push(Move::Step(from, to));
            }
        }
    }
    steps
}

/// What a viewer knows.
#[derive(Clone)]
pub struct Known {
    who: Viewer,
    mine: Option<Layout>,
    placed: Seats,
    deal: Option<Seat>,
    play: Option<KnownPlay>,
}

#[derive(Clone)]
struct KnownPlay {
    cells: KnownCells,
    turn: Seat,
    out: Seats,
    quiet: u8,
    over: bool,
    steps: Vec<(Seat, Move)>,
}

/// What a viewer sees.
#[derive(Serialize)]
pub struct View {
    position: String,
    mine: Option<String>,
    placed: Seats,
    deal: Option<Seat>,
}

impl Rules for Veil {
    type Position = Position;
    type Move = Move;
    type Moves = Vec<Move>;
    type Undo = Position;
    type Setup = Setup;
    type Layout = Layout;
    type Deal = Deal;
    type Known = Known;
    type View = View;

    fn seats(self) -> u8 {
        4
    }

    fn arranging(self) -> Seats {
        if self.placed { Seats::NONE } else { Seats::first_n(4) }
    }

    fn deals(self) -> bool {
        !self.placed
    }

    fn start(self, setup: &Setup, layouts: &[Option<Layout>], deal: Option<&Deal>) -> Position {
        if let Setup::Placed(position) = setup {
            return *position;
        }
        let mut cells = [None; RING as usize];
        for (seat, layout) in Seat::ALL.into_iter().zip(layouts) {
            for (i, rank) in layout.expect("every seat has arranged").0.into_iter().enumerate() {
                cells[seat.index() * 3 + i] = Some((seat, rank));
            }
        }
        Position { cells, turn: deal.expect("the deal is made").0, out: Seats::NONE, quiet: 0 }
    }

    fn to_move(self, p: &Position) -> Seat {
        p.turn
    }

    fn moves(self, p: &Position) -> Vec<Move> {
        if p.over() {
            return Vec::new();
        }
        let steps = p.steps();
        if steps.is_empty() { vec![Move::Skip] } else { steps }
    }

    fn ended(self, p: &Position) -> Option<Outcome> {
        let losers = Seat::ALL.into_iter().find(|s| team(*s).iter().all(|t| p.out.has(t)))?;
        Some(Outcome::Win { seats: losers.rivals(4), by: TEAM_OUT })
    }

    fn play(self, p: &mut Position, m: Move) -> Position {
        let before = *p;
        match m {
            Move::Step(from, to) => {
                p.attack(from, to);
                p.pass_turn();
            }
            Move::Skip => {
                p.quiet = p.quiet.saturating_add(1);
                p.pass_turn();
            }
            Move::Out(seat) => {
                p.quiet = 0;
                p.remove(seat);
                if p.turn == seat {
                    p.pass_turn();
                }
            }
        }
        before
    }

    fn undo(self, p: &mut Position, _: Move, before: Position) {
        *p = before;
    }

    fn legal(self, line: &Line<Self>) -> Vec<Move> {
        if line.outcome().is_some() { Vec::new() } else { self.moves(line.position()) }
    }

    fn verdict(self, line: &Line<Self>) -> Option<Outcome> {
        let p = line.position();
        let quiet = (p.quiet >= self.limit).then_some(Outcome::Draw { by: QUIET });
        self.ended(p).or(quiet)
    }

    fn forced(self, line: &Line<Self>) -> Option<Move> {
        self.moves(line.position()).into_iter().find(|m| *m == Move::Skip)
    }

    fn foul(self, line: &Line<Self>, seat: Seat, m: Move) -> Option<Reason> {
        let p = line.position();
        let (from, to) = match m {
            Move::Out(_) => return Some(ILLEGAL_OUT),
            _ if seat != p.turn => return Some(ILLEGAL_TURN),
            Move::Skip => return (!p.steps().is_empty()).then_some(ILLEGAL_SKIP),
            Move::Step(from, to) => (from, to),
        };
        match p.cells[usize::from(from)] {
            Some((owner, Rank::Flag)) if owner == seat => Some(ILLEGAL_FLAG),
            Some((owner, _)) if owner == seat => {
                let step = p.steps().contains(&Move::Step(from, to));
                (!step).then_some(ILLEGAL_STEP)
            }
            _ => Some(ILLEGAL_PIECE),
        }
    }

    fn call(self, line: &Line<Self>, by: Seats, call: Call) -> Result<Ruling<Move>, Refusal> {
        let refusal = Refusal::NoSuchCall(call);
        if !line.begun() {
            return Err(Refusal::WrongStage);
        }
        let p = line.position();
        let inside: Seats = Seat::ALL.into_iter().filter(|s| !p.out.has(*s)).collect();
        if call == Call::AgreeDraw && by == inside {
            return Ok(Ruling::End(Outcome::Draw { by: Reason::AGREEMENT }));
        }
        let seat = by.only().filter(|s| inside.has(*s)).ok_or(refusal.clone())?;
        match call {
            Call::Resign | Call::Left => Ok(Ruling::Goes(Move::Out(seat))),
            Call::Timeout if seat == p.turn => Ok(Ruling::Goes(Move::Skip)),
            _ => Err(refusal),
        }
    }

    fn calls(self, line: &Line<Self>, seat: Seat) -> Vec<Call> {
        let inside = line.begun() && !line.position().out.has(seat);
        if inside { vec![Call::Resign, Call::AgreeDraw] } else { Vec::new() }
    }

    fn known(self, line: &Line<Self>, who: Viewer) -> Known {
        let own = |seat: Seat| who == Viewer::Seat(seat);
        let mine = Seat::ALL.into_iter().find(|s| own(*s));
        let mine = mine.and_then(|s| line.layouts()[s.index()]);
        let placed = Seat::ALL.into_iter().filter(|s| line.layouts()[s.index()].is_some());
        let (placed, deal) = (placed.collect(), line.deal().map(|deal| deal.0));
        let play = line.begun().then(|| {
            let p = line.position();
            let over = line.outcome().is_some();
            let all = over || who == Viewer::Referee;
            let shown = |(seat, rank)| (seat, (all || own(seat)).then_some(rank));
            let cells = p.cells.map(|piece| piece.map(shown));
            let steps = line.steps().iter().map(|s| (s.by, s.m)).collect();
            KnownPlay { cells, turn: p.turn, out: p.out, quiet: p.quiet, over, steps }
        });
        Known { who, mine, placed, deal, play }
    }

    fn view(self, k: &Known) -> View {
        let mine = k.mine.map(|layout| layout.write());
        View { position: self.write_position(k), mine, placed: k.placed, deal: k.deal }
    }

    fn choices(self, k: &Known) -> Vec<Move> {
        match &k.play {
            Some(play) if !play.over && k.who == Viewer::Seat(play.turn) => {
                let steps = steps(&play.cells, play.turn);
                if steps.is_empty() { vec![Move::Skip] } else { steps }
            }
            _ => Vec::new(),
        }
    }

    fn may_take_back(self, line: &Line<Self>) -> bool {
        // A fall tells of ranks, the end tells everything.
        let fallen = || line.positions()[0].count() != line.position().count();
        !line.begun() || !(fallen() || line.outcome().is_some())
    }
}

fn write(play: &KnownPlay) -> String {
    let piece = |piece: &Option<(Seat, Option<Rank>)>| match piece {
        None => "-".to_string(),
        Some((seat, rank)) => format!("{}{}", seat.index(), rank.map_or('?', Rank::letter)),
    };
    let cells: Vec<String> = play.cells.iter().map(piece).collect();
    let out: String = play.out.iter().map(|s| s.index().to_string()).collect();
    let out = if out.is_empty() { "-" } else { &out };
    format!("{} {} {out} {}", cells.join(","), play.turn, play.quiet)
}

/// Reads seat digits, each once, in order; `-` for none.
fn read_out(text: &str) -> Option<Seats> {
    let digits = if text == "-" { "" } else { text };
    let seat = |c: char| c.to_digit(10).and_then(|d| Seat::new(d as usize));
    let list: Vec<Seat> = digits.chars().map(seat).collect::<Option<_>>()?;
    let sorted = list.windows(2).all(|pair| pair[0] < pair[1]);
    (sorted && !(text.is_empty())).then(|| list.into_iter().collect())
}

fn read_cell(text: &str) -> Option<Option<(Seat, Rank)>> {
    if text == "-" {
        return Some(None);
    }
    let mut chars = text.chars();
    let owner = Seat::new(chars.next()?.to_digit(10)? as usize)?;
    let rank = Rank::from_letter(chars.next()?)?;
    chars.next().is_none().then_some(Some((owner, rank)))
}

impl Notation for Veil {
    fn read_setup(self, text: &str) -> Result<Setup, ReadError> {
        if text == LAYOUTS {
            return Ok(Setup::Layouts);
        }
        let bad = |what: &str| ReadError::new("bad-position", what.to_string());
        let mut fields = text.split(' ');
        let cells: Option<Vec<_>> = fields.next().unwrap_or("").split(',').map(read_cell).collect();
        let cells = cells.and_then(|cells| cells.try_into().ok());
        let cells =
            cells.ok_or_else(|| bad("Write twelve cells such as 0F or -.").field("cells"))?;
        let turn = seat(fields.next())?;
        let out = fields.next().and_then(read_out);
        let out = out.ok_or_else(|| bad("Write the seats out as digits, or -.").field("out"))?;
        let quiet = number(fields.next(), "quiet", u8::MAX)?;
        match fields.next() {
            None => Ok(Setup::Placed(Position { cells, turn, out, quiet })),
            Some(_) => Err(bad("Four fields are enough.")),
        }
    }

    fn faults(self, setup: &Setup) -> Vec<String> {
        let Setup::Placed(p) = setup else { return Vec::new() };
        let mut faults = Vec::new();
        for seat in Seat::ALL {
            let mine = p.cells.iter().flatten().filter(|(owner, _)| *owner == seat);
            let flags = mine.filter(|(_, rank)| *rank == Rank::Flag).count();
            let pieces = p.cells.iter().flatten().any(|(owner, _)| *owner == seat);
            if p.out.has(seat) && pieces {
                faults.push(format!("The {seat} seat is out and has pieces."));
            }
            if !p.out.has(seat) && flags != 1 {
                faults.push(format!("The {seat} seat has {flags} flags; it needs one."));
            }
        }
        if p.out.has(p.turn) {
            faults.push("The seat to move is out.".to_string());
        }
        faults
    }

    fn write_setup(self, setup: &Setup) -> String {
        match setup {
            Setup::Layouts => LAYOUTS.to_string(),
            Setup::Placed(p) => write(&KnownPlay {
                cells: p.cells.map(|piece| piece.map(|(seat, rank)| (seat, Some(rank)))),
                turn: p.turn,
                out: p.out,
                quiet: p.quiet,
                over: false,
                steps: Vec::new(),
            }),
        }
    }

    fn write_position(self, k: &Known) -> String {
        k.play.as_ref().map_or_else(|| LAYOUTS.to_string(), write)
    }

    fn read_move(self, text: &str) -> Result<Move, ReadError> {
        if text == "skip" {
            return Ok(Move::Skip);
        }
        if let Some(seat) = text.strip_prefix("out-").and_then(Seat::from_name) {
            return Ok(Move::Out(seat));
        }
        let step = text.split_once('-').and_then(|(a, b)| Some(Move::Step(cell(a)?, cell(b)?)));
        step.ok_or_else(|| ReadError::new("bad-move", "Write a move as two cells: a-b, or skip."))
    }

    fn write_move(self, m: Move) -> String {
        match m {
            Move::Step(from, to) => format!("{}-{}", name(from), name(to)),
            Move::Skip => "skip".to_string(),
            Move::Out(seat) => format!("out-{seat}"),
        }
    }

    fn arrangement(self, seat: Seat) -> Option<Arrangement> {
        let first = seat.index() as u8 * RING / 4;
        let kind = |(letter, face): (char, &str)| ArrangedKind {
            letter,
            face: face.to_string(),
            name: face.to_string(),
            count: 1,
            places: vec![0, 1, 2],
            why: None,
        };
        Some(Arrangement {
            places: (first..first + 3).map(name).collect(),
            mirror: vec![2, 1, 0],
            kinds: [('F', "flag"), ('1', "one"), ('2', "two")].map(kind).to_vec(),
        })
    }

    fn taps(self, _: &Known, m: Move) -> Taps {
        match m {
            Move::Step(from, to) => vec![name(from), name(to)],
            other => vec![self.write_move(other)],
        }
    }

    fn read_taps(self, _: &Known, taps: &[String]) -> Result<Move, ReadError> {
        self.read_move(&taps.join("-"))
    }

    fn seen(self, k: &Known) -> Vec<Seen> {
        let steps = k.play.iter().flat_map(|play| &play.steps);
        let seen = |(by, m): &(Seat, Move)| {
            let text = self.write_move(*m);
            let (native, western) = (text.clone(), text.clone());
            let taps = self.taps(k, *m);
            Seen { by: (*by).into(), text, native, western, taps, ..Seen::default() }
        };
        steps.map(seen).collect()
    }

    fn scene(self, k: &Known) -> Scene {
        let Some(play) = &k.play else { return Scene::default() };
        let pieces = (0..RING).filter_map(|at| {
            let (seat, rank) = play.cells[usize::from(at)]?;
            let face = match rank {
                None => "hidden",
                Some(Rank::Flag) => "flag",
                Some(Rank::One) => "one",
                Some(Rank::Two) => "two",
            };
            let (at, face, name) = (name(at), face.to_string(), face.to_string());
            let (seat, turned, upright) = (Some(seat), false, false);
            Some(ScenePiece { at, face, seat, turned, upright, count: 1, name })
        });
        let last = match play.steps.last() {
            Some((_, m @ Move::Step(..))) => self.taps(k, *m),
            _ => Vec::new(),
        };
        Scene { pieces: pieces.collect(), last, ..Scene::default() }
    }

    fn text(self, k: &Known) -> String {
        self.write_position(k)
    }
}

impl Thinks for Veil {
    /// One ply deep: attacks first, else by the seed.
    fn think(
        self,
        known: &Known,
        _: &mut Workspace,
        limits: &Limits,
        report: &mut dyn FnMut(Report),
    ) -> Decision<Move> {
        let play = known.play.as_ref().expect("a seat with a choice is playing");
        let mut moves = self.choices(known);
        Random::new(limits.seed).shuffle(&mut moves);
        let attack = |m: &Move| match m {
            Move::Step(_, to) => play.cells[usize::from(*to)].is_some(),
            _ => false,
        };
        moves.sort_by_key(|m| !attack(m));
        let line = |(rank, m): (usize, &Move)| BestLine {
            rank: rank as u8 + 1,
            score: Score::Estimate {
                points: i32::from(attack(m)),
                unit: "centi",
                chance: 0.5,
                bound: Bound::Exact,
            },
            depth: 1,
            moves: vec![self.write_move(*m)],
        };
        let lines = moves.iter().take(limits.lines.into()).enumerate().map(line).collect();
        report(Report { depth: 1, seldepth: None, nodes: moves.len() as u64, lines, call: None });
        Decision::Move(moves[0])
    }
}

impl Game for Veil {
    fn spec() -> &'static GameSpec {
        &VEIL
    }

    fn of(variant: &Variant, start: Option<&str>) -> Self {
        let limit = variant.option("quiet", VEIL.options, start);
        let limit = limit.parse().expect("limits are numbers");
        Veil { limit, placed: start.is_some_and(|text| text != LAYOUTS) }
    }

    fn start_text(self, _: Option<u64>) -> String {
        LAYOUTS.to_string()
    }

    fn perft(self, p: &Position, depth: u32, divide: bool) -> PerftCount {
        let moves = self.moves(p);
        if depth == 0 || moves.is_empty() {
            return PerftCount { nodes: 1, divide: divide.then(Vec::new) };
        }
        let below = |m: &Move| {
            let mut next = *p;
            self.play(&mut next, *m);
            (self.write_move(*m), self.perft(&next, depth - 1, false).nodes)
        };
        let rows: Vec<(String, u64)> = moves.iter().map(below).collect();
        PerftCount { nodes: rows.iter().map(|(_, n)| n).sum(), divide: divide.then_some(rows) }
    }
}

/// Other layouts of the other seats under which all happens that has been seen to happen: the
/// same entries are taken, and after each ply the same cells hold pieces of the same seats.
fn another(world: &World<'_>, random: &mut Random) -> Option<Vec<Entry>> {
    const LAYOUT: [&str; 6] = ["F12", "F21", "1F2", "2F1", "12F", "21F"];
    let truth = seen_from_outside(world, world.log)?;
    let mut choices: Vec<usize> = (0..6usize.pow(4)).collect();
    random.shuffle(&mut choices);
    let others = choices.into_iter().map(|choice| {
        let change = |entry: &Entry| match (&entry.act, entry.by.only()) {
            (Act::Layout(_), Some(seat)) if world.who != Viewer::Seat(seat) => {
                let layout = LAYOUT[choice / 6usize.pow(seat.index() as u32) % 6];
                Entry { by: entry.by, act: Act::Layout(layout.to_string()) }
            }
            _ => entry.clone(),
        };
        world.log.iter().map(change).collect::<Vec<Entry>>()
    });
    let mut others = others.filter(|log| log != world.log);
    others.find(|log| seen_from_outside(world, log).as_ref() == Some(&truth))
}

/// Who stands where after each ply; `None` if an entry is refused or all is revealed.
fn seen_from_outside(world: &World<'_>, log: &[Entry]) -> Option<Vec<[Option<Seat>; 12]>> {
    let mut table = Table::<Veil>::open(world.opening).ok()?;
    for entry in log {
        table.put(entry).ok()?;
    }
    let stands = |p: &Position| p.cells.map(|piece| piece.map(|(seat, _)| seat));
    let playing = table.log() == log && table.ending().is_none();
    playing.then(|| table.line().positions().iter().map(stands).collect())
}

fn picture() -> Picture {
    let place = |cell: u8| {
        let angle = f32::from(cell) * std::f32::consts::TAU / f32::from(RING);
        let (x, y) = (5.0 + 4.0 * angle.cos(), 5.0 + 4.0 * angle.sin());
        Place { id: name(cell), tap: name(cell), seat: None, x, y, w: 1.0, h: 1.0, kind: None }
    };
    let symbol = |face: &str| format!("<g id=\"f-{face}\"/>");
    Picture {
        width: 10.0,
        height: 10.0,
        places: (0..RING).map(place).collect(),
        defs: ["hidden", "flag", "one", "two"].map(symbol).concat(),
        board: String::new(),
        labels: Vec::new(),
    }
}
