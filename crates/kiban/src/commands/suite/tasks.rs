//! Problem files: what is asked and what is right.

use crate::error::Failure;
use kiban_core::{GameSpec, Problem, ReadError};

/// One row of a file.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Task {
    /// Count move paths.
    Count { id: String, position: String, depth: u32, nodes: u64 },
    /// Find the best move.
    Find(Problem),
}

/// Reads a file: the game's own kinds by extension, else by what its lines look like.
pub(super) fn read(
    text: &str,
    extension: &str,
    spec: &'static GameSpec,
) -> Result<Vec<Task>, Failure> {
    let own = spec.problems.iter().find(|(name, _)| *name == extension);
    let any = |test: fn(&str) -> bool| lines(text).any(|(_, line)| test(line));
    let tasks: Vec<Task> = if extension == "perft" || own.is_none() && any(counts) {
        let rows = lines(text).map(|(i, line)| perft_line(line, i + 1));
        rows.collect::<Result<Vec<_>, _>>()?.into_iter().flatten().collect()
    } else if let Some((_, read)) = own {
        read(text)?.into_iter().map(Task::Find).collect()
    } else if any(|line| operand(line).is_some()) {
        lines(text).map(|(i, line)| best_move_line(line, i + 1)).collect::<Result<_, _>>()?
    } else if any(|line| line.starts_with("sfen ") || line.contains(" moves ")) {
        lines(text).map(|(i, line)| mate_line(line, i + 1)).collect::<Result<_, _>>()?
    } else {
        return Err(Failure::NoAnswer(unknown(spec, text.trim().is_empty())));
    };
    if tasks.is_empty() {
        return Err(Failure::no_answer("empty-input", "The file holds no problem."));
    }
    Ok(tasks)
}

/// The lines that say something, numbered from 0.
fn lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let said = |line: &str| !line.trim().is_empty() && !line.starts_with('#');
    text.lines().enumerate().filter(move |(_, line)| said(line))
}

fn unknown(spec: &GameSpec, empty: bool) -> ReadError {
    let own = spec.problems.iter().map(|(name, _)| format!(", or a .{name} file"));
    let message = format!(
        "{}; write lines such as \"POSITION ;D1 30 ;D2 900\" or \"POSITION bm MOVE;\"{}.",
        if empty { "The file is empty" } else { "These are no problems that Kiban knows" },
        own.collect::<String>()
    );
    let error = ReadError::new(if empty { "empty-input" } else { "unknown-format" }, message);
    if empty { error } else { error.line(1).column(1) }
}

/// Whether a line reads `POSITION ;D1 n`.
fn counts(line: &str) -> bool {
    line.split(';').skip(1).any(|part| depth_of(part).is_some())
}

fn depth_of(part: &str) -> Option<(u32, &str)> {
    let (depth, nodes) = part.trim().strip_prefix('D')?.split_once(char::is_whitespace)?;
    Some((depth.parse().ok()?, nodes.trim()))
}

fn perft_line(line: &str, number: usize) -> Result<Vec<Task>, ReadError> {
    let mut parts = line.split(';');
    let position = parts.next().unwrap_or("").trim().to_string();
    let mut column = line.split(';').next().map_or(0, |p| p.chars().count()) + 2;
    let mut tasks = Vec::new();
    for part in parts {
        // Grouped digits are read too: 19,861,490.
        let read = depth_of(part).and_then(|(d, n)| Some((d, n.replace(',', "").parse().ok()?)));
        let Some((depth, nodes)) = read else {
            if part.trim().is_empty() {
                continue;
            }
            let message = format!("\"{}\" is no count; write \"D3 25470\".", part.trim());
            let error = ReadError::new("bad-suite", message).line(number).column(column);
            return Err(error.found(part.trim(), "D and a depth, then a number"));
        };
        column += part.chars().count() + 1;
        let id = format!("{number}, D{depth}");
        tasks.push(Task::Count { id, position: position.clone(), depth, nodes });
    }
    Ok(tasks)
}

/// Where ` bm ` stands.
fn operand(line: &str) -> Option<usize> {
    line.find(" bm ")
}

/// `POSITION bm MOVE MOVE; id "name";`
fn best_move_line(line: &str, number: usize) -> Result<Task, ReadError> {
    let bad = |message: &str| ReadError::new("bad-suite", message).line(number).column(1);
    let at =
        operand(line).ok_or_else(|| bad("This line names no best move; write \" bm MOVE;\"."))?;
    let mut operations = line[at + 4..].split(';');
    let moves = operations.next().unwrap_or("").split_whitespace();
    let moves: Vec<String> = moves.map(str::to_string).collect();
    if moves.is_empty() {
        return Err(bad("This line names no best move after \"bm\"."));
    }
    let name = operations.find_map(|o| o.trim().strip_prefix("id "));
    let id = name.map_or(number.to_string(), |n| n.trim().trim_matches('"').to_string());
    // What stands between the position and bm (a semicolon, other operations) is not ours.
    let position = line[..at].split(';').next().unwrap_or("").trim().to_string();
    Ok(Task::Find(Problem { id, position, moves: Some(moves), ..Problem::default() }))
}

/// A mate: `sfen BOARD SIDE HANDS NUMBER PLIES`, or a position with ` moves ` and its solution.
fn mate_line(line: &str, number: usize) -> Result<Task, ReadError> {
    let text = line.trim();
    let text = text.strip_prefix("sfen ").unwrap_or(text);
    let (position, plies) = match text.split_once(" moves ") {
        Some((position, moves)) => (position, u32::try_from(moves.split_whitespace().count()).ok()),
        // A position has four parts; the fifth is the mate's length.
        None if text.split_whitespace().count() == 5 => {
            let (position, plies) = text.rsplit_once(char::is_whitespace).unwrap_or((text, ""));
            (position, plies.parse().ok())
        }
        None => (text, None),
    };
    let mate = plies.filter(|n| *n > 0).ok_or_else(|| {
        let message = "This line does not say in how many plies it is mate; write \
                       \"sfen BOARD SIDE HANDS 1 PLIES\".";
        ReadError::new("bad-suite", message).line(number).column(1)
    })?;
    let position = position.trim().to_string();
    let id = number.to_string();
    Ok(Task::Find(Problem { id, position, mate: Some(mate), ..Problem::default() }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_perft_line_gives_a_task_for_each_depth() {
        let tasks = perft_line("9/9 b - 1 ;D1 30 ;D3 25,470", 4).expect("a good line");
        let task = |depth, nodes| Task::Count {
            id: format!("4, D{depth}"),
            position: "9/9 b - 1".to_string(),
            depth,
            nodes,
        };
        assert_eq!(tasks, [task(1, 30), task(3, 25_470)]);
    }

    #[test]
    fn a_bad_count_is_told_with_its_place() {
        let error = perft_line("P ;D1 30 ;D2 many", 2).expect_err("no number");
        assert_eq!((error.at.line, error.at.column), (Some(2), Some(11)));
    }

    #[test]
    fn a_best_move_line_has_moves_and_a_name() {
        let task = best_move_line("P Q bm a1 b2; id \"third\";", 3).expect("a good line");
        let Task::Find(problem) = task else { panic!("a best move is to be found") };
        assert_eq!(problem.id, "third");
        assert_eq!(problem.position, "P Q");
        assert_eq!(problem.moves, Some(vec!["a1".to_string(), "b2".to_string()]));
    }

    #[test]
    fn a_mate_line_has_its_length_or_its_solution() {
        let mate = |line: &str| match mate_line(line, 1) {
            Ok(Task::Find(p)) => (p.position, p.mate),
            other => panic!("a mate: {other:?}"),
        };
        assert_eq!(mate("sfen 4k4 b G 1 3"), ("4k4 b G 1".to_string(), Some(3)));
        assert_eq!(mate("4k4 b G 1 moves G*5b 5a4a"), ("4k4 b G 1".to_string(), Some(2)));
        let error = mate_line("sfen 4k4 b G 1", 7).expect_err("no length");
        assert_eq!(error.at.line, Some(7));
    }
}
