//! A judged game as a table, with the counts of each seat and a graph of the chance to win.

use crate::commands::show::seat_name;
use crate::{output, score};
use kiban_core::{JudgedPly, Mark, Score, Seat};
use kiban_words::Words;

/// Rows of the graph, the middle one at even chances.
const ROWS: usize = 9;
/// The fewest columns of a terminal that a graph is drawn on.
const NARROWEST: usize = 40;
/// Columns left of the graph.
const MARGIN: usize = 7;

/// The parts of the table, in the words of a game.
pub(super) struct Table {
    words: Words,
}

/// The columns of a row, the mark last.
fn columns(cells: [&str; 8]) -> String {
    let [ply, side, played, best, before, after, loss, mark] = cells;
    let row = format!(
        "{ply:>4}  {side:<8} {played:<9} {best:<9} {before:>12} {after:>12} {loss:>6}  {mark}"
    );
    row.trim_end().to_string()
}

/// What a position is worth: the chance to win, `>= ` or `<= ` before a bound, or the exact value.
fn chance(known: Option<Score>) -> String {
    match known {
        None => "?".to_string(),
        Some(exact @ Score::Exact { .. }) => score::text(exact),
        Some(estimate) => {
            format!("{}{:.0} %", score::bound(estimate), estimate.chance() * 100.0)
        }
    }
}

impl Table {
    pub(super) fn new(words: Words) -> Table {
        Table { words }
    }

    pub(super) fn words(&self) -> &Words {
        &self.words
    }

    /// The headings.
    pub(super) fn head(&self) -> String {
        let heads = ["ply", "side", "move", "best", "chance", "after it", "loss", "mark"];
        columns(heads)
    }

    /// The row of a ply.
    pub(super) fn row(&self, ply: &JudgedPly) -> String {
        let best = ply.best.as_deref().unwrap_or("?");
        columns([
            &ply.ply.to_string(),
            &seat_name(&self.words, ply.seat),
            &ply.r#move,
            if best == ply.r#move { "=" } else { best },
            &chance(ply.before),
            &chance(ply.after),
            &ply.loss.map_or("?".to_string(), |loss| format!("{:.0} %", loss * 100.0)),
            ply.mark.map_or("", Mark::name),
        ])
    }

    /// What stands below the rows; the graph only on a terminal of so many columns.
    pub(super) fn foot(
        &self,
        plies: &[JudgedPly],
        outcome: Option<String>,
        width: Option<usize>,
    ) -> String {
        let mut text = String::new();
        for seat in Seat::ALL {
            if let Some(counts) = self.counts(plies, seat) {
                text.push_str(&format!("{counts}\n"));
            }
        }
        let chances = chances(plies);
        let graph = width.and_then(|width| graph(&chances, width));
        if let Some(graph) = graph {
            let first = seat_name(&self.words, Seat::FIRST);
            text.push_str(&format!("\nThe chance of {first} to win, in percent:\n{graph}"));
        }
        text.extend(outcome);
        text
    }

    /// `Black: accuracy 96 % in 30 plies, 2 inaccuracies, 1 mistake, 0 blunders.` The accuracy is
    /// what the mean loss of the chance to win leaves of 100 %.
    fn counts(&self, plies: &[JudgedPly], seat: Seat) -> Option<String> {
        let own = || plies.iter().filter(|ply| ply.seat == seat);
        let losses: Vec<f32> = own().filter_map(|ply| ply.loss).collect();
        if losses.is_empty() {
            return None;
        }
        let accuracy = 100.0 - 100.0 * losses.iter().sum::<f32>() / losses.len() as f32;
        let marks = [
            (Mark::Inaccuracy, "inaccuracy", "inaccuracies"),
            (Mark::Mistake, "mistake", "mistakes"),
            (Mark::Blunder, "blunder", "blunders"),
        ];
        let marks = marks.map(|(mark, one, more)| {
            let n = own().filter(|ply| ply.mark == Some(mark)).count();
            output::counted(n as u64, one, more)
        });
        Some(format!(
            "{}: accuracy {accuracy:.1} % in {}, {}.",
            seat_name(&self.words, seat),
            output::counted(losses.len() as u64, "ply", "plies"),
            marks.join(", ")
        ))
    }
}

/// The first seat's chance before each ply and after the last, as far as it is known.
fn chances(plies: &[JudgedPly]) -> Vec<f32> {
    let first = |score: Option<Score>, seat| Some(score?.seen_by(seat, Seat::FIRST).chance());
    let before = plies.iter().filter_map(|ply| first(ply.before, ply.seat));
    let last = plies.last().and_then(|ply| first(ply.after, ply.seat));
    before.chain(last).collect()
}

/// The graph of chances in plain characters; a column stands for several plies where there are
/// more of them than columns. `None` if there is no room, or nothing to draw.
fn graph(chances: &[f32], width: usize) -> Option<String> {
    if width < NARROWEST || chances.len() < 2 {
        return None;
    }
    let most = (width - MARGIN - 1).min(chances.len());
    let mean = |column: usize| {
        let (begin, end) = (column * chances.len() / most, (column + 1) * chances.len() / most);
        let part = &chances[begin..end.max(begin + 1)];
        part.iter().sum::<f32>() / part.len() as f32
    };
    // From the top, 0 is a win for sure.
    let row = |chance: f32| ((1.0 - chance.clamp(0.0, 1.0)) * (ROWS - 1) as f32).round() as usize;
    let places: Vec<usize> = (0..most).map(|column| row(mean(column))).collect();
    let mut text = String::new();
    for at in 0..ROWS {
        let label = 100 - at * 100 / (ROWS - 1);
        let label = if label.is_multiple_of(50) { label.to_string() } else { String::new() };
        let even = if at == ROWS / 2 { '-' } else { ' ' };
        let line: String = places.iter().map(|p| if *p == at { '*' } else { even }).collect();
        text.push_str(format!("{label:>5} |{line}").trim_end());
        text.push('\n');
    }
    let last = (chances.len() - 1).to_string();
    let room = most.saturating_sub(last.len());
    text.push_str(&format!("{:MARGIN$}{:<room$}{last}\n", "", if room > 1 { "1" } else { "" }));
    Some(text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use kiban_core::Bound;

    fn ply(n: usize, before: Score, after: Score, loss: f32) -> JudgedPly {
        let seat = Seat::ALL[(n + 1) % 2];
        let (before, after) = (Some(before), Some(after));
        let (r#move, best) = (format!("a{n}"), Some("b9".to_string()));
        JudgedPly {
            ply: n,
            seat,
            r#move,
            best,
            before,
            after,
            loss: Some(loss),
            mark: Mark::of(loss),
        }
    }

    fn score(chance: f32, bound: Bound) -> Score {
        Score::Estimate { points: 0, unit: "centi", chance, bound }
    }

    fn table() -> Table {
        Table::new(Words::english(&[kiban_games::GAMES[0]], &[]))
    }

    #[test]
    fn a_review_has_headings_and_tells_bounds_from_values() {
        let row = table().row(&ply(1, score(0.52, Bound::Exact), score(0.31, Bound::Lower), 0.21));
        let head = table().head();
        for (heading, cell) in [("ply", "1 "), ("move", "a1"), ("best", "b9"), ("mark", "mistake")]
        {
            let (heading, cell) = (head.find(heading), row.find(cell));
            assert!(heading.is_some() && cell.is_some(), "{head}\n{row}");
        }
        assert!(row.contains(" 52 %") && row.contains(">= 31 %") && row.contains(" 21 %"), "{row}");
        assert_eq!(head.find("mark"), row.find("mistake"));
        let row = table().row(&ply(1, score(0.5, Bound::Upper), score(0.5, Bound::Exact), 0.0));
        assert!(row.contains("<= 50 %"), "{row}");
    }

    #[test]
    fn a_review_counts_the_marks_of_each_seat() {
        let even = score(0.5, Bound::Exact);
        let losses = [0.0, 0.1, 0.2, 0.4, 0.1].into_iter().enumerate();
        let plies: Vec<_> = losses.map(|(i, loss)| ply(i + 1, even, even, loss)).collect();
        let foot = table().foot(&plies, Some("Over.".to_string()), None);
        let lines: Vec<&str> = foot.lines().collect();
        assert!(
            lines[0]
                .ends_with(": accuracy 90.0 % in 3 plies, 1 inaccuracy, 1 mistake, 0 blunders."),
            "{foot}"
        );
        assert!(
            lines[1]
                .ends_with(": accuracy 75.0 % in 2 plies, 1 inaccuracy, 0 mistakes, 1 blunder."),
            "{foot}"
        );
        assert_eq!(lines[2..], ["Over."], "no graph where there is no terminal");
        assert!(table().foot(&plies, None, Some(80)).contains(" 50 |******\n"));
    }

    #[test]
    fn a_graph_fits_its_terminal() {
        let rising: Vec<f32> = (0..200u8).map(|i| f32::from(i) / 199.0).collect();
        let wide = graph(&rising, 80).expect("there is room");
        assert!(wide.lines().all(|line| line.len() < 80 && line.is_ascii()), "{wide}");
        assert_eq!(wide.lines().count(), ROWS + 1);
        assert!(
            wide.starts_with("  100 |") && wide.lines().next().is_some_and(|l| l.ends_with('*'))
        );
        assert!(wide.lines().nth(ROWS - 1).is_some_and(|line| line.starts_with("    0 |*")));
        assert!(graph(&rising, 40).is_some_and(|g| g.lines().all(|line| line.len() < 40)));
        assert_eq!((graph(&rising, 39), graph(&rising[..1], 80)), (None, None));
    }
}
