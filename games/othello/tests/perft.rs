//! Perft, the bitboards behind it, and the general board, each against something independent.

use kiban_core::Seat;
use kiban_othello::bitboard::{AnyIsa, Batch, Board8, Isa, Job, NotBoard8};
use kiban_othello::perft::{divide, perft, perft_on};
use kiban_othello::{Move, Options, Position};
use std::collections::BTreeMap;

const STANDARD: Options = Options { fewest: false, free_centre: false, size: 8, handicap: 0 };

/// Rows above this are counted by the suite.
const MOST_LEAVES: u64 = 30_000_000;

#[test]
fn tables() {
    let mut rows = 0;
    for line in include_str!("data/othello.perft").lines() {
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let mut fields = line.split(';');
        let text = fields.next().unwrap();
        let position = Position::read(text, STANDARD).unwrap();
        for row in fields {
            let (depth, count) = row.trim().strip_prefix('D').unwrap().split_once(' ').unwrap();
            let (depth, count): (u32, u64) =
                (depth.parse().unwrap(), count.trim().parse().unwrap());
            if count <= MOST_LEAVES {
                assert_eq!(perft(&position, depth), count, "{text} depth {depth}");
                rows += 1;
            }
        }
    }
    assert!(rows >= 20, "only {rows} rows were read");
}

#[test]
fn divide_adds_up() {
    for options in all_options() {
        let start = Position::start(options);
        let rows = divide(&start, 4);
        assert_eq!(rows.iter().map(|r| r.0).collect::<Vec<_>>(), start.moves());
        assert_eq!(rows.iter().map(|r| r.1).sum::<u64>(), perft(&start, 4), "{options:?}");
        assert_eq!((divide(&start, 0), perft(&start, 0)), (Vec::new(), 1));
    }
}

#[test]
fn a_finished_game_is_one_line_at_any_depth() {
    let only_black = Position::read(&format!("{}X X", "-".repeat(63)), STANDARD).unwrap();
    for depth in [0, 1, 2, 3, 1000, u32::MAX] {
        assert_eq!(perft(&only_black, depth), 1);
    }
    assert_eq!(divide(&only_black, 3), Vec::new());
    // Black passes, White takes the last square: three plies and more are one line too.
    let last = Position::read(&format!("-XO{} X", "O".repeat(61)), STANDARD).unwrap();
    assert_eq!(last.moves(), [Move::PASS]);
    for isa in AnyIsa::available() {
        for depth in [1, 2, 3, 4, u32::MAX] {
            assert_eq!(perft_on(isa, &last, depth), 1, "{} {depth}", isa.name());
        }
    }
}

#[test]
fn only_full_centres_of_size_8_are_bitboards() {
    let ten = Position::start(Options { size: 10, ..STANDARD });
    assert_eq!(Board8::try_from(&ten), Err(NotBoard8::Size(10)));
    let free = Position::start(Options { free_centre: true, ..STANDARD });
    assert_eq!(Board8::try_from(&free), Err(NotBoard8::PlacingFreely));
}

/// What an instruction set says of a position: its moves, the discs each square would turn, and
/// the boards and moves after each move, by itself and in a batch.
struct Ask(Board8);

#[derive(PartialEq, Debug)]
struct Answer {
    moves: u64,
    flips: Vec<u64>,
    after: Vec<(Board8, u64)>,
}

impl Job for Ask {
    type Output = Answer;

    #[inline(always)]
    fn run<I: Isa>(self, isa: I) -> Answer {
        let board = self.0;
        let moves = board.moves(isa);
        let empty = (0..64).filter(|s| board.empties() >> s & 1 == 1);
        let flips = empty.map(|s| board.flips(isa, s)).collect();
        let mut batch = Batch::default();
        batch.push(board, moves);
        isa.play_batch(&mut batch);
        let after = (0..batch.len()).map(|i| batch.get(i)).collect::<Vec<_>>();
        let count = |m: u64| u64::from(m.count_ones()).max(1);
        assert_eq!(batch.count_plies(), after.iter().map(|a| count(a.1)).sum::<u64>());
        Answer { moves, flips, after }
    }
}

/// The same through the general board.
fn expected(position: &Position) -> Answer {
    let seat = position.to_move();
    let squares = (0..64).filter(|s| position.empties() >> s & 1 == 1);
    let flips = squares.map(|s| position.flips(seat, s % 8, s / 8) as u64).collect();
    let placed: Vec<Move> = position.moves().into_iter().filter(|m| m.square().is_some()).collect();
    let plies = if placed.is_empty() { vec![Move::PASS] } else { placed };
    let after = |m: Move| {
        let mut next = *position;
        next.play(m);
        let board = Board8::try_from(&next).expect("a move keeps the size and the centre");
        (board, next.placements(next.to_move()) as u64)
    };
    let after = plies.into_iter().map(after).collect();
    Answer { moves: position.placements(seat) as u64, flips, after }
}

#[test]
fn instruction_sets_agree_with_the_general_board() {
    let mut random = Random(1);
    let mut checked = 0;
    let mut check = |position: &Position| {
        let board = Board8::try_from(position).unwrap();
        let expected = expected(position);
        for isa in AnyIsa::available() {
            assert_eq!(isa.run(Ask(board)), expected, "{} {}", isa.name(), position.write());
        }
        checked += 1;
    };
    for _ in 0..50_000 {
        check(&random.scatter());
    }
    for _ in 0..850 {
        let mut position = Position::start(STANDARD);
        while let Some(m) = random.choose(&position.moves()) {
            check(&position);
            position.play(m);
        }
        check(&position);
    }
    assert!(checked >= 100_000, "only {checked} positions");
}

#[test]
fn bitboard_perft_equals_general_perft() {
    let mut random = Random(2);
    let mut seen = Seen::default();
    for round in 0..600 {
        // Half of them near the end, where passes and ends are.
        let plies = if round % 2 == 0 { random.below(60) } else { 50 + random.below(10) };
        let position = random.play_from(Position::start(STANDARD), plies);
        let depth = if plies > 45 { 6 } else { 4 };
        let count = general_perft(&position, depth, &mut seen);
        for isa in AnyIsa::available() {
            let text = position.write();
            assert_eq!(perft_on(isa, &position, depth), count, "{} {text}", isa.name());
        }
    }
    assert!(seen.passes > 100 && seen.ends > 100, "{seen:?}");
}

#[derive(Default, Debug)]
struct Seen {
    passes: u32,
    ends: u32,
}

fn general_perft(position: &Position, depth: u32, seen: &mut Seen) -> u64 {
    if depth == 0 {
        return 1;
    }
    let moves = position.moves();
    seen.passes += u32::from(moves == [Move::PASS]);
    seen.ends += u32::from(moves.is_empty());
    if moves.is_empty() {
        return 1;
    }
    let mut count = 0;
    for m in moves {
        let mut next = *position;
        next.play(m);
        count += general_perft(&next, depth - 1, seen);
    }
    count
}

/// The smallest board is lost by 8 discs: 3 against 11, two squares left empty.
#[test]
fn four_by_four_is_lost_by_eight() {
    fn solve(position: &Position) -> i32 {
        let seat = position.to_move();
        let values = position.moves().into_iter().map(|m| {
            let mut next = *position;
            next.play(m);
            -solve(&next)
        });
        let lead = position.count(seat) as i32 - position.count(seat.other()) as i32;
        values.max().unwrap_or(lead)
    }
    assert_eq!(solve(&Position::start(Options { size: 4, ..STANDARD })), -8);
}

/// A board as a plain list of squares, in which every rule is written out anew.
#[derive(Clone, Debug)]
struct Mailbox {
    discs: BTreeMap<(i32, i32), char>,
    size: i32,
    free_centre: bool,
    to_move: char,
}

impl Mailbox {
    fn start(options: Options) -> Mailbox {
        let size = i32::from(options.size);
        let c = size / 2;
        let mut discs = BTreeMap::new();
        if !options.free_centre {
            discs.extend([((c - 1, c - 1), 'O'), ((c, c), 'O')]);
            discs.extend([((c, c - 1), 'X'), ((c - 1, c), 'X')]);
        }
        let corners = [(0, 0), (size - 1, size - 1), (size - 1, 0), (0, size - 1)];
        discs.extend(corners.iter().take(options.handicap.into()).map(|at| (*at, 'X')));
        let to_move = if options.handicap == 0 { 'X' } else { 'O' };
        Mailbox { discs, size, free_centre: options.free_centre, to_move }
    }

    fn centre(&self) -> Vec<(i32, i32)> {
        let c = self.size / 2;
        vec![(c - 1, c - 1), (c, c - 1), (c - 1, c), (c, c)]
    }

    fn placing(&self) -> bool {
        self.free_centre && self.centre().iter().any(|at| !self.discs.contains_key(at))
    }

    fn turned(&self, side: char, (file, rank): (i32, i32)) -> Vec<(i32, i32)> {
        let mut turned = Vec::new();
        for step in (0..9).filter(|s| *s != 4) {
            let ray: Vec<(i32, i32)> = (1..self.size)
                .map(|n| (file + n * (step % 3 - 1), rank + n * (step / 3 - 1)))
                .collect();
            let other = |at: &&(i32, i32)| self.discs.get(at).is_some_and(|d| *d != side);
            let run = ray.iter().take_while(other).count();
            if ray.get(run).and_then(|at| self.discs.get(at)) == Some(&side) {
                turned.extend(&ray[..run]);
            }
        }
        turned
    }

    fn squares(&self, side: char) -> Vec<(i32, i32)> {
        let all = (0..self.size * self.size).map(|i| (i % self.size, i / self.size));
        let empty = all.filter(|at| !self.discs.contains_key(at));
        if self.placing() {
            return empty.filter(|at| self.centre().contains(at)).collect();
        }
        empty.filter(|at| !self.turned(side, *at).is_empty()).collect()
    }

    fn moves(&self) -> Vec<Option<(i32, i32)>> {
        let own = self.squares(self.to_move);
        if own.is_empty() && !self.squares(other(self.to_move)).is_empty() {
            return vec![None];
        }
        own.into_iter().map(Some).collect()
    }

    fn play(&mut self, ply: Option<(i32, i32)>) {
        if let Some(at) = ply {
            let turned = if self.placing() { Vec::new() } else { self.turned(self.to_move, at) };
            let side = self.to_move;
            self.discs.insert(at, side);
            self.discs.extend(turned.into_iter().map(|t| (t, side)));
        }
        self.to_move = other(self.to_move);
    }

    fn text(&self) -> String {
        let all = (0..self.size * self.size).map(|i| (i % self.size, i / self.size));
        let squares: String = all.map(|at| self.discs.get(&at).copied().unwrap_or('-')).collect();
        format!("{squares} {}", self.to_move)
    }

    fn perft(&self, depth: u32) -> u64 {
        let moves = if depth == 0 { Vec::new() } else { self.moves() };
        let after = |ply: &Option<(i32, i32)>| {
            let mut next = self.clone();
            next.play(*ply);
            next.perft(depth - 1)
        };
        if moves.is_empty() { 1 } else { moves.iter().map(after).sum() }
    }
}

fn other(side: char) -> char {
    if side == 'X' { 'O' } else { 'X' }
}

fn all_options() -> Vec<Options> {
    let mut all = Vec::new();
    for size in [4, 6, 8, 10] {
        all.extend((0..=4).map(|handicap| Options { size, handicap, ..STANDARD }));
        all.push(Options { size, free_centre: true, ..STANDARD });
    }
    all
}

#[test]
fn a_mailbox_agrees_on_random_games() {
    let mut random = Random(3);
    let mut passes = 0;
    for options in all_options() {
        for _ in 0..12 {
            let (mut position, mut mailbox) = (Position::start(options), Mailbox::start(options));
            loop {
                assert_eq!(position.write(), mailbox.text(), "{options:?}");
                assert_eq!(position.placing_freely(), mailbox.placing());
                let moves = position.moves();
                let square = |m: &Move| m.square().map(|(f, r)| (i32::from(f), i32::from(r)));
                let squares: Vec<_> = moves.iter().map(square).collect();
                assert_eq!(squares, mailbox.moves(), "{options:?} {}", mailbox.text());
                assert_eq!(position.over(), moves.is_empty());
                let Some(m) = random.choose(&moves) else { break };
                passes += u32::from(m == Move::PASS);
                mailbox.play(square(&m));
                position.play(m);
            }
            let count = |side| mailbox.discs.values().filter(|d| **d == side).count() as u32;
            assert_eq!(position.count(Seat::FIRST), count('X'));
            assert_eq!(position.count(Seat::SECOND), count('O'));
        }
    }
    assert!(passes > 50, "only {passes} passes");
}

#[test]
fn a_mailbox_agrees_on_perft() {
    let mut random = Random(4);
    for options in all_options() {
        let (mut position, mut mailbox) = (Position::start(options), Mailbox::start(options));
        assert_eq!(perft(&position, 4), mailbox.perft(4), "{options:?}");
        while let Some(m) = random.choose(&position.moves()) {
            position.play(m);
            mailbox.play(m.square().map(|(f, r)| (i32::from(f), i32::from(r))));
            assert_eq!(perft(&position, 2), mailbox.perft(2), "{options:?} {}", mailbox.text());
        }
    }
}

/// Numbers that look random, the same in every run.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let x = (self.0 ^ self.0 >> 32).wrapping_mul(0xd6e8_feb8_6659_fd93);
        (x ^ x >> 32).wrapping_mul(0xd6e8_feb8_6659_fd93) >> 16
    }

    fn below(&mut self, n: usize) -> usize {
        (self.next() % n as u64) as usize
    }

    fn choose(&mut self, moves: &[Move]) -> Option<Move> {
        (!moves.is_empty()).then(|| moves[self.below(moves.len())])
    }

    fn play_from(&mut self, mut position: Position, plies: usize) -> Position {
        for _ in 0..plies {
            let Some(m) = self.choose(&position.moves()) else { break };
            position.play(m);
        }
        position
    }

    /// Discs scattered over the board: any share of empty squares, any share of either side.
    fn scatter(&mut self) -> Position {
        let (empty, black) = (self.below(101), self.below(101));
        let mut text = String::new();
        for _ in 0..64 {
            text.push(match (self.below(100) < empty, self.below(100) < black) {
                (true, _) => '-',
                (_, true) => 'X',
                _ => 'O',
            });
        }
        text.push(if self.below(2) == 0 { 'X' } else { 'O' });
        Position::read(&text, STANDARD).expect("64 squares and a side")
    }
}
