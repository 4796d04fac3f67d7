//! Problems from solved values: wins in so many plies, and the only move that keeps a value.
//!
//! They are found by [`write`] among all positions that can be reached from the set-ups, and kept
//! in a problem file that `kiban suite` reads too.

use crate::moves::Move;
use crate::position::Position;
use crate::setups::SETUPS;
use crate::solver::{Solution, Within};
use crate::{Shogi3, sfen};
use kiban_core::{Aim, Grade, Puzzle, SetupSpec, Value};
use kiban_search::Random;
use kiban_solve::Worth;
use std::collections::HashSet;

/// The problems that were found.
const FILE: &str = include_str!("../data/puzzles.epd");
/// Fewer legal moves are no choice.
const FEWEST_MOVES: usize = 5;
/// What a set-up may take to be solved for problems: an answer is to be there at once.
const BYTES: u64 = 1 << 27;
/// Tries for a problem of a set-up until another set-up is looked at.
const TRIES: usize = 20_000;

/// The listed problems, the easiest first.
pub(crate) fn listed() -> Vec<Puzzle> {
    let puzzle = |line: &str| {
        let (position, rest) = line.split_once(" bm ")?;
        let (aim, grade) = rest.split(';').find_map(|part| read_aim(part.trim()))?;
        let variant = String::new();
        Some(Puzzle { variant, position: position.to_string(), aim, grade })
    };
    let lines = FILE.lines().filter(|line| !line.starts_with('#'));
    lines.map(|line| puzzle(line).expect("the file was written by `write`")).collect()
}

/// Reads `aim win 5 easy`, `aim keep win hard` or `aim keep draw medium`.
fn read_aim(text: &str) -> Option<(Aim, Grade)> {
    let mut words = text.strip_prefix("aim ")?.split(' ');
    let aim = match (words.next()?, words.next()?) {
        ("win", plies) => Aim::Win(plies.parse().ok()?),
        ("keep", "win") => Aim::Hold(Value::Win),
        ("keep", "draw") => Aim::Hold(Value::Draw),
        _ => return None,
    };
    Some((aim, Grade::from_name(words.next()?)?))
}

fn write_aim(aim: Aim, grade: Grade) -> String {
    let aim = match aim {
        Aim::Win(plies) => format!("win {plies}"),
        Aim::Hold(Value::Win) => "keep win".to_string(),
        Aim::Hold(_) => "keep draw".to_string(),
    };
    format!("aim {aim} {}", grade.name())
}

/// What there is to be found in a position, how hard that is, and the right move; `None` where it
/// is no good problem.
fn problem(solution: &Solution, p: &Position) -> Option<(Aim, Grade, Move)> {
    let moves = solution.moves(p)?;
    let [(best, worth), (_, second), ..] = moves[..] else { return None };
    let last = moves.last()?.1;
    if moves.len() < FEWEST_MOVES || worth.rank() == second.rank() {
        return None;
    }
    match (worth.value, second.value) {
        (Value::Win, Value::Win) => {
            let plies = worth.distance.filter(|plies| (3..=15).contains(plies))?;
            Some((Aim::Win(u32::from(plies)), of_win(plies), best))
        }
        (Value::Win, _) => {
            let plies = worth.distance.filter(|plies| *plies >= 3)?;
            let aim = if plies <= 5 { Aim::Win(plies.into()) } else { Aim::Hold(Value::Win) };
            Some((aim, of_win(plies), best))
        }
        (Value::Draw, Value::Loss) => {
            let quiet = [true, false].map(|mover| solution.holds_quietly(p, mover));
            let grade = of_loss(longest(&moves, last)?);
            (quiet == [Some(true); 2]).then_some((Aim::Hold(Value::Draw), grade, best))
        }
        _ => None,
    }
}

/// How long the longest refutation of the wrong moves is.
fn longest(moves: &[(Move, Worth)], last: Worth) -> Option<u16> {
    let losses = moves.iter().skip(1).filter_map(|(_, worth)| worth.distance);
    losses.max().or(last.distance)
}

fn of_win(plies: u16) -> Grade {
    match plies {
        0..=3 => Grade::Beginner,
        4..=5 => Grade::Easy,
        6..=9 => Grade::Medium,
        _ => Grade::Hard,
    }
}

fn of_loss(plies: u16) -> Grade {
    match plies {
        0..=4 => Grade::Beginner,
        5..=6 => Grade::Easy,
        7..=10 => Grade::Medium,
        _ => Grade::Hard,
    }
}

/// The kinds of problems that are looked for in turn.
fn kind(aim: Aim) -> usize {
    match aim {
        Aim::Win(_) => 0,
        Aim::Hold(Value::Win) => 1,
        Aim::Hold(_) => 2,
    }
}

/// A problem file with so many problems of each kind and grade where there are so many, of a
/// set-up one each; the same for the same seed.
///
/// # Panics
/// If a set-up of the catalogue cannot be solved.
pub fn write(seed: u64, each: usize) -> String {
    let mut random = Random::new(seed);
    let mut found: Vec<(Grade, usize, String)> = Vec::new();
    let mut known = HashSet::new();
    for setup in shuffled(&mut random) {
        let p = sfen::read(setup.position).expect("the catalogue is read by its tests");
        let solution = Solution::of(Shogi3::default(), &p, &Within::bytes(BYTES))
            .expect("a set-up of king and two pieces a side fits");
        let mut here = [[false; 3]; 4];
        for _ in 0..TRIES {
            // Earlier positions look more like a game: they are tried more often.
            let early = random.unit() * random.unit();
            let early = early * early;
            let p = solution.position((early * solution.positions() as f32) as usize);
            let Some((aim, grade, best)) = problem(&solution, &p) else { continue };
            let (i, j) = (grade as usize, kind(aim));
            let all = found.iter().filter(|(g, k, _)| (*g, *k) == (grade, j)).count();
            let text = sfen::write(&p);
            if all < each && !here[i][j] && known.insert(text.clone()) {
                here[i][j] = true;
                found.push((grade, j, line(&text, best, aim, grade, setup)));
            }
        }
    }
    found.sort_by_key(|(grade, kind, _)| (*grade, *kind));
    let head =
        format!("# Found by `cargo run -p kiban-shogi3 --example puzzles -- {seed} {each}`.\n");
    let numbered = |(i, (.., line)): (usize, &(Grade, usize, String))| {
        line.replacen("id \"\"", &format!("id \"{}\"", i + 1), 1) + "\n"
    };
    head + &found.iter().enumerate().map(numbered).collect::<String>()
}

/// The catalogue in another order, so that problems come from all of it.
fn shuffled(random: &mut Random) -> Vec<&'static SetupSpec> {
    let mut setups: Vec<&SetupSpec> = SETUPS.iter().collect();
    for i in (1..setups.len()).rev() {
        setups.swap(i, random.below(i + 1));
    }
    setups
}

fn line(position: &str, best: Move, aim: Aim, grade: Grade, setup: &SetupSpec) -> String {
    format!("{position} bm {best}; id \"\"; {}; from {};", write_aim(aim, grade), setup.id)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashMap;

    /// Each is solved again, from the set-up it can be reached from.
    #[test]
    fn every_problem_is_one_and_can_be_reached() {
        let mut of_setup: HashMap<&str, Vec<&str>> = HashMap::new();
        for line in FILE.lines().filter(|line| !line.starts_with('#')) {
            let from = line.rsplit_once("; from ").unwrap().1.trim_end_matches(';');
            of_setup.entry(from).or_default().push(line);
        }
        for (setup, lines) in of_setup {
            let start = SETUPS.iter().find(|s| s.id == setup).unwrap().position;
            let start = sfen::read(start).unwrap();
            let solution = Solution::of(Shogi3::default(), &start, &Within::bytes(BYTES)).unwrap();
            for line in lines {
                let (position, rest) = line.split_once(" bm ").unwrap();
                let p = sfen::read(position).unwrap();
                let told = rest.split("; ").find_map(read_aim).unwrap();
                let (aim, grade, best) = problem(&solution, &p).unwrap_or_else(|| {
                    panic!("no problem: {line}");
                });
                assert_eq!((aim, grade), told, "{line}");
                assert_eq!(best.to_string(), rest.split_once(';').unwrap().0, "{line}");
            }
        }
    }

    #[test]
    fn there_are_many_of_each_grade_and_none_twice() {
        let puzzles = listed();
        for grade in Grade::ALL {
            let count = puzzles.iter().filter(|p| p.grade == grade).count();
            assert!(count >= 12, "{count} {}", grade.name());
        }
        let positions: HashSet<&str> = puzzles.iter().map(|p| p.position.as_str()).collect();
        assert_eq!(positions.len(), puzzles.len());
        assert!(puzzles.is_sorted_by_key(|p| p.grade));
    }
}
