//! Puzzles: a try is judged by the game's probe, so no page needs to know the answer.

use crate::analysis::named;
use crate::app::Shared;
use crate::errors::Failure;
use crate::guard::Visitor;
use crate::request::{Address, Body, admit, admit_reading};
use crate::values::{failure, on_engine, owner};
use axum::Json;
use axum::extract::{Path, State};
use kiban_core::{
    Aim, Arbiter, Entry, GameSpec, Limits, OpenError, Opening, Probe, ProbeError, Probed, Puzzle,
    Scene, Seen, Stage, Viewer,
};
use kiban_words::Words;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// Plies of a refutation or an answer that are shown.
const MOST_SHOWN: usize = 31;
/// Longest line of a try.
const LONGEST_LINE: usize = 64;

/// A game's puzzle by its number, which counts from 1.
fn find(app: &Shared, game: &str, n: &str) -> Result<(&'static GameSpec, Puzzle), Failure> {
    let none = || Failure::not_found(app.common_words());
    let spec = app.game(game)?;
    let index = n.parse::<usize>().ok().and_then(|n| n.checked_sub(1)).ok_or_else(none)?;
    let puzzle = (spec.puzzles)().into_iter().nth(index).ok_or_else(none)?;
    Ok((spec, puzzle))
}

/// `win`, `keep-win` or `keep-draw`.
pub(crate) fn aim_name(aim: Aim) -> &'static str {
    match aim {
        Aim::Win(_) => "win",
        Aim::Hold(kiban_core::Value::Win) => "keep-win",
        Aim::Hold(_) => "keep-draw",
    }
}

/// `GET /api/puzzles/{game}/{n}`: the board, and the moves that may be tried.
pub(crate) async fn puzzle(
    State(app): State<Shared>,
    address: Address,
    Path((game, n)): Path<(String, String)>,
) -> Result<Json<Value>, Failure> {
    admit_reading(&app, &address)?;
    let (spec, puzzle) = find(&app, &game, &n)?;
    let table = open(spec, &puzzle).map_err(Failure::open)?;
    let plies = match puzzle.aim {
        Aim::Win(plies) => Some(plies),
        Aim::Hold(_) => None,
    };
    Ok(Json(json!({
        "aim": aim_name(puzzle.aim),
        "plies": plies,
        "grade": puzzle.grade.name(),
        "variant": table.variant(),
        "position": table.position(Viewer::Referee),
        "scene": table.scene(Viewer::Referee),
        "in_check": table.in_check(Viewer::Referee),
        "to_move": table.waiting_for().only(),
        "choices": choices(&*table),
    })))
}

fn choices(table: &dyn Arbiter) -> Vec<kiban_core::Choice> {
    table.waiting_for().only().map(|seat| table.choices(seat)).unwrap_or_default()
}

fn open(spec: &GameSpec, puzzle: &Puzzle) -> Result<Box<dyn Arbiter>, OpenError> {
    let variant = spec.variant(&puzzle.variant).map_err(OpenError::Variant)?;
    let start = Some(puzzle.position.clone());
    (spec.open)(&Opening::new(variant, start))
}

/// A line that was tried: the player's moves and the answers between them.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Tried {
    moves: Vec<String>,
    /// The rest is to be shown instead of judging the last move.
    #[serde(default)]
    show: bool,
}

/// `POST /api/puzzles/{game}/{n}`.
pub(crate) async fn attempt(
    State(app): State<Shared>,
    visitor: Visitor,
    address: Address,
    Path((game, n)): Path<(String, String)>,
    Body(tried): Body<Tried>,
) -> Result<Json<Value>, Failure> {
    admit(&app, &visitor, &address)?;
    let (spec, puzzle) = find(&app, &game, &n)?;
    let words = app.words(spec);
    let probe = spec.probe.ok_or_else(|| Failure::not_found(words))?;
    let judged = on_engine(&app, owner(&visitor, &address), words, move |limits| {
        Judge { spec, probe, puzzle: &puzzle, limits }.answer(&tried)
    });
    match judged.await? {
        Ok(answer) => Ok(Json(answer.json(words))),
        Err(Stumble::NoMove) => Err(Failure::bad("puzzle-move", words, &[])),
        Err(Stumble::Probe(error)) => Err(failure(error, words)),
    }
}

/// Why a try could not be judged.
enum Stumble {
    NoMove,
    Probe(ProbeError),
}

impl From<OpenError> for Stumble {
    fn from(error: OpenError) -> Stumble {
        Stumble::Probe(ProbeError::Open(error))
    }
}

/// What a try comes to.
#[derive(Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
enum Verdict {
    /// What was to be found; there may be more to do.
    Right,
    /// It keeps the win, but is not the quickest.
    Slower,
    /// It lets go what was to be kept.
    Fails,
    /// Nothing was tried: the answer was asked for.
    Shown,
}

/// A position of the line, and the move that led to it.
#[derive(Serialize)]
struct Ply {
    #[serde(flatten)]
    seen: Seen,
    scene: Scene,
    in_check: Option<bool>,
}

/// A message, and what stands in it.
type Told = (String, Vec<(&'static str, String)>);

struct Answer {
    verdict: Verdict,
    solved: bool,
    told: Told,
    plies: Vec<Ply>,
    choices: Vec<kiban_core::Choice>,
}

impl Answer {
    fn json(self, words: &Words) -> Value {
        let values: Vec<(&str, &str)> =
            self.told.1.iter().map(|(name, value)| (*name, value.as_str())).collect();
        json!({
            "verdict": self.verdict,
            "solved": self.solved,
            "message": words.text(&self.told.0, &values),
            "plies": self.plies,
            "choices": self.choices,
        })
    }
}

struct Judge<'a> {
    spec: &'static GameSpec,
    probe: Probe,
    puzzle: &'a Puzzle,
    limits: &'a Limits,
}

impl Judge<'_> {
    fn answer(&self, tried: &Tried) -> Result<Answer, Stumble> {
        let mut table = open(self.spec, self.puzzle)?;
        let Some((last, before)) = tried.moves.split_last().filter(|_| !tried.show) else {
            return self.show(table, &tried.moves);
        };
        if before.len() >= LONGEST_LINE {
            return Err(Stumble::NoMove);
        }
        for text in before {
            put(&mut *table, text)?;
        }
        let probed = self.probed(&*table)?;
        // It may be written in any notation of the game.
        let last = named(&mut *table, last).unwrap_or_else(|| last.clone());
        let mut plies = vec![put(&mut *table, &last)?];
        let text = &plies[0].seen.text;
        let tried = probed.moves.iter().find(|m| m.text == *text).ok_or(Stumble::NoMove)?;
        let verdict = match self.puzzle.aim {
            Aim::Win(_) if tried.value != kiban_core::Value::Win => Verdict::Fails,
            Aim::Win(_) if tried.distance != probed.distance => Verdict::Slower,
            Aim::Hold(kept) if tried.value != kept => Verdict::Fails,
            _ => Verdict::Right,
        };
        let name = aim_name(self.puzzle.aim);
        let (solved, told) = match (verdict, self.puzzle.aim) {
            (Verdict::Slower, _) => {
                let n = tried.distance.unwrap_or(0).to_string();
                (false, ("puzzle-slower".to_string(), vec![("n", n)]))
            }
            (Verdict::Right, Aim::Hold(_)) => (true, (format!("puzzle-solved-{name}"), vec![])),
            (Verdict::Right, _) if table.stage() == Stage::Over => {
                (true, ("puzzle-solved".to_string(), vec![]))
            }
            (Verdict::Right, _) => {
                self.play_on(&mut *table, &mut plies, 1)?;
                (false, ("puzzle-right".to_string(), vec![]))
            }
            _ => (false, self.refute(&mut *table, &mut plies, tried.value)?),
        };
        let go_on = verdict == Verdict::Right && !solved;
        let choices = if go_on { choices(&*table) } else { Vec::new() };
        Ok(Answer { verdict, solved, told, plies, choices })
    }

    /// Shows why a move fails: the answer to it, and where it loses, how.
    fn refute(
        &self,
        table: &mut dyn Arbiter,
        plies: &mut Vec<Ply>,
        value: kiban_core::Value,
    ) -> Result<Told, Stumble> {
        let loses = value == kiban_core::Value::Loss;
        if table.stage() == Stage::Over {
            let key = if loses { "puzzle-loses-at-once" } else { "puzzle-draws-at-once" };
            return Ok((key.to_string(), vec![]));
        }
        let first = self.probed(table)?;
        self.play_on(table, plies, if loses { MOST_SHOWN } else { 1 })?;
        let reply = plies.get(1).map(|ply| &ply.seen);
        let reply =
            reply.map(|seen| [&seen.western, &seen.text].into_iter().find(|t| !t.is_empty()));
        let reply = ("reply", reply.flatten().cloned().unwrap_or_default());
        let n = ("n", first.distance.unwrap_or(0).to_string());
        Ok(match loses {
            true => ("puzzle-loses".to_string(), vec![n, reply]),
            false => ("puzzle-lets-draw".to_string(), vec![reply]),
        })
    }

    /// The answer from where these moves lead.
    fn show(&self, mut table: Box<dyn Arbiter>, moves: &[String]) -> Result<Answer, Stumble> {
        for text in moves.iter().take(LONGEST_LINE) {
            put(&mut *table, text)?;
        }
        let mut plies = Vec::new();
        let most = if matches!(self.puzzle.aim, Aim::Win(_)) { MOST_SHOWN } else { 1 };
        self.play_on(&mut *table, &mut plies, most)?;
        let told = ("puzzle-shown".to_string(), vec![]);
        Ok(Answer { verdict: Verdict::Shown, solved: false, told, plies, choices: vec![] })
    }

    /// Plays the best moves of both sides.
    fn play_on(
        &self,
        table: &mut dyn Arbiter,
        plies: &mut Vec<Ply>,
        most: usize,
    ) -> Result<(), Stumble> {
        for _ in 0..most {
            if table.stage() == Stage::Over {
                break;
            }
            let probed = self.probed(table)?;
            let Some(best) = probed.moves.first() else { break };
            plies.push(put(table, &best.text)?);
        }
        Ok(())
    }

    fn probed(&self, table: &dyn Arbiter) -> Result<Probed, Stumble> {
        let variant = self.spec.variant(&self.puzzle.variant).map_err(OpenError::Variant)?;
        let start = Some(table.position(Viewer::Referee));
        let opening = Opening::new(variant, start);
        (self.probe)(&opening, self.limits).map_err(Stumble::Probe)
    }
}

/// Makes a move, and tells what the board looks like then.
fn put(table: &mut dyn Arbiter, text: &str) -> Result<Ply, Stumble> {
    let seat = table.waiting_for().only().ok_or(Stumble::NoMove)?;
    table.put(&Entry::new_move(seat, text)).map_err(|_| Stumble::NoMove)?;
    let seen = table.seen(Viewer::Referee).pop().ok_or(Stumble::NoMove)?;
    Ok(Ply {
        seen: Seen { by: seat.into(), ..seen },
        scene: table.scene(Viewer::Referee),
        in_check: table.in_check(Viewer::Referee),
    })
}
