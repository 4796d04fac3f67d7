//! Games against itself, and games of others, ended by best play.

use crate::sample::Sample;
use crate::{Outcome, bytes, number, weights, write};
use kiban_core::Source;
use kiban_othello::bitboard::{Board8, Isa, Portable};
use kiban_othello::{Move, Study};
use kiban_search::Random;

/// From so many empties on the games are played without error.
const SOLVED: u32 = 13;
/// The fewest empties of a sample.
const LAST: u32 = 3;
/// Plies of an opening by chance: so many at least, and how many numbers of them there are.
const OPENING: (usize, usize) = (6, 18);
/// One in so many of the last moves is made by chance, so that not all ends are alike.
const STRAY: usize = 4;
/// Slots of the table, as a power of two.
const BITS: u32 = 16;

pub(crate) const START: Board8 =
    Board8 { own: 0x0000_0008_1000_0000, enemy: 0x0000_0010_0800_0000 };

/// Plays games: `[seed, count, depth, threads]`.
pub(crate) fn play(path: &str, games: &str, numbers: [&str; 4]) -> Outcome {
    let [seed, count, depth, threads] = numbers;
    let (seed, count): (u64, u64) = (number(seed)?, number(count)?);
    let (depth, threads): (u8, u64) = (number(depth)?, number(threads)?);
    let of_thread = |thread: u64| -> Result<Vec<Vec<u8>>, String> {
        let mut study = Study::new(weights(path)?, BITS);
        let game = |n: u64| {
            study.clear();
            let mut random = Random::new(seed << 32 | n);
            let mut bytes = Vec::new();
            let samples = of_game(&mut random, &mut study, depth);
            samples.iter().for_each(|sample| sample.write(&mut bytes));
            bytes
        };
        Ok((0..count).filter(|n| n % threads == thread).map(game).collect())
    };
    let parts = std::thread::scope(|scope| {
        let started: Vec<_> = (0..threads).map(|t| scope.spawn(move || of_thread(t))).collect();
        started
            .into_iter()
            .map(|s| s.join().expect("no game panics"))
            .collect::<Result<Vec<_>, _>>()
    })?;
    // In the order of their numbers, however many threads played them.
    let game = |n: u64| &parts[(n % threads) as usize][(n / threads) as usize];
    let all: Vec<u8> = (0..count).flat_map(|n| game(n).iter().copied()).collect();
    println!("{count} games, {} positions", all.len() / 19);
    write(games, &all)
}

/// A move by chance, the side that has none passed over; `None` at the end.
pub(crate) fn stray(board: Board8, random: &mut Random) -> Option<Board8> {
    let mut moves = Portable.moves(board);
    if moves == 0 {
        return None;
    }
    for _ in 0..random.below(moves.count_ones() as usize) {
        moves &= moves - 1;
    }
    Some(after(board, moves.trailing_zeros()))
}

/// The board after a move.
pub(crate) fn after(board: Board8, square: u32) -> Board8 {
    board.play(square, Portable.flips(board, square))
}

/// A game: by chance, by search, by best play.
fn of_game(random: &mut Random, study: &mut Study, depth: u8) -> Vec<Sample> {
    let (mut board, mut side) = (START, 1);
    let mut samples: Vec<(Board8, i16, i32)> = Vec::new();
    let chance = OPENING.0 + random.below(OPENING.1);
    let mut ply = 0;
    while board.empties().count_ones() > SOLVED {
        if Portable.moves(board) == 0 {
            (board, side) = (board.pass(), -side);
            if Portable.moves(board) == 0 {
                return Vec::new();
            }
        }
        board = if ply < chance {
            stray(board, random).expect("there is a move")
        } else {
            let found = study.search(board, depth, true);
            samples.push((board, found.points as i16, side));
            after(board, found.square.expect("there is a move"))
        };
        side = -side;
        ply += 1;
    }
    ended(board, side, samples, random, study)
}

/// Solves the rest, labels what came before by it, and adds what comes after.
fn ended(
    mut board: Board8,
    mut side: i32,
    samples: Vec<(Board8, i16, i32)>,
    random: &mut Random,
    study: &mut Study,
) -> Vec<Sample> {
    let result = side * study.solve(board).points / 100;
    let labelled = |(board, points, side): (Board8, i16, i32)| Sample {
        board,
        points,
        result: (side * result) as i8,
    };
    let mut samples: Vec<Sample> = samples.into_iter().map(labelled).collect();
    while board.empties().count_ones() >= LAST {
        if Portable.moves(board) == 0 {
            (board, side) = (board.pass(), -side);
            if Portable.moves(board) == 0 {
                break;
            }
        }
        let found = study.solve(board);
        let result = (found.points / 100) as i8;
        samples.push(Sample { board, points: found.points as i16, result });
        board = if random.below(STRAY) == 0 {
            stray(board, random).expect("there is a move")
        } else {
            after(board, found.square.expect("there is a move"))
        };
        side = -side;
    }
    samples
}

/// Games of WTHOR bases; where they end is solved.
pub(crate) fn wthor(path: &str, games: &str, bases: &[&str]) -> Outcome {
    let mut study = Study::new(weights(path)?, BITS);
    let format = kiban_othello::GAME.format("wthor").expect("the game reads WTHOR");
    let read = format.read.expect("the game reads WTHOR");
    let (mut all, mut random, mut count) = (Vec::new(), Random::new(0), 0);
    for base in bases {
        let bytes = bytes(base)?;
        let records = read(Source { bytes: &bytes, variant: None }).map_err(|e| e.to_string())?;
        for record in records {
            study.clear();
            let Some(samples) = of_record(record.moves(), &mut random, &mut study) else {
                continue;
            };
            samples.iter().for_each(|sample| sample.write(&mut all));
            count += 1;
        }
    }
    println!("{count} games, {} positions", all.len() / 19);
    write(games, &all)
}

/// A recorded game up to the last squares; none if it ends before.
fn of_record<'a>(
    moves: impl Iterator<Item = &'a str>,
    random: &mut Random,
    study: &mut Study,
) -> Option<Vec<Sample>> {
    let (mut board, mut side) = (START, 1);
    let mut samples = Vec::new();
    for text in moves {
        let Some((file, rank)) = Move::read(text).ok()?.square() else { continue };
        if Portable.moves(board) == 0 {
            (board, side) = (board.pass(), -side);
        }
        if board.empties().count_ones() <= SOLVED {
            let mut samples = ended(board, side, samples, random, study);
            // No search judged the positions: their results stand for that, too.
            samples.iter_mut().for_each(|sample| sample.points = i16::from(sample.result) * 100);
            return Some(samples);
        }
        samples.push((board, 0, side));
        (board, side) = (after(board, u32::from(rank) * 8 + u32::from(file)), -side);
    }
    None
}
