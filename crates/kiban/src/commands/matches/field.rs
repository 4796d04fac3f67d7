//! Where the games of a match are played: several at a time, each worker with players of its own.

use super::game::{Bounds, Playing, Row, Side};
use super::plan::Plan;
use super::records::{Records, tagged};
use crate::error::Failure;
use crate::output;
use crate::player::{Manners, Player, Working};
use kiban_core::{Arbiter, Clocks, GameSpec, Stop, Variant, Viewer};
use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{Sender, channel};
use std::sync::{Mutex, PoisonError};

/// What all games have in common.
pub(super) struct Field<'a> {
    pub(super) spec: &'static GameSpec,
    pub(super) variant: &'a Variant,
    pub(super) plan: &'a Plan,
    pub(super) players: [(&'a Player, Manners); 2],
    pub(super) bounds: Bounds,
    pub(super) stop: &'a Stop,
    /// Where records of the games go.
    pub(super) records: Option<Records>,
}

impl Field<'_> {
    fn working(&self) -> Result<[Working; 2], Failure> {
        let working = |i: usize| {
            let (player, manners) = &self.players[i];
            Working::new(player, self.spec, self.variant, manners.clone(), self.stop)
        };
        Ok([working(0)?, working(1)?])
    }

    /// Starts both players once, so that a wrong command is told before the first game, and what
    /// else a program will not do; gives their names.
    pub(super) fn names(&self) -> Result<[String; 2], Failure> {
        let game = self.plan.open(0)?;
        let clocks = self.clocks(game.as_ref());
        let mut players = self.working()?;
        for (player, side) in players.iter_mut().zip(["a", "b"]) {
            let told = |fault: kiban_wire::Fault| Failure::no_answer("engine", fault.to_string());
            player.begin(game.as_ref()).map_err(told)?;
            for doubt in player.doubts(clocks.as_ref()) {
                output::note(&output::plain(&format!("Player {side}: {doubt}")));
            }
        }
        Ok(players.map(|player| player.name()))
    }

    fn clocks(&self, game: &dyn Arbiter) -> Option<Clocks> {
        let seats = self.spec.variant_spec(self.variant).seats;
        self.bounds.timing.clocks(seats, game.log().len())
    }

    /// Writes the records that are missing of games that were played before.
    pub(super) fn complete(&self, rows: &[Row], names: &[String; 2]) -> Result<(), Failure> {
        let Some(records) = &self.records else { return Ok(()) };
        let seats = self.spec.variant_spec(self.variant).seats;
        for row in rows.iter().filter(|row| !records.has(row.n)) {
            match row.again(self.spec, self.variant) {
                Ok(game) => {
                    let mut record = game.record(Viewer::Referee);
                    tagged(&mut record, seats, row.first, names.clone());
                    records.write(row.n, &record)?;
                }
                Err(why) => {
                    let n = row.n;
                    let told = format!("Game {n} of the log cannot be made a record of: {why}");
                    output::note(&output::plain(&told));
                }
            }
        }
        Ok(())
    }

    /// Plays these games (numbered from 0) with so many workers, and tells each when it is
    /// finished. What `told` fails with ends the match.
    pub(super) fn play(
        &self,
        games: VecDeque<usize>,
        workers: usize,
        told: &mut dyn FnMut(Row) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        let games = Mutex::new(games);
        std::thread::scope(|scope| {
            let (rows, finished) = channel();
            for _ in 0..workers {
                let (rows, games) = (rows.clone(), &games);
                scope.spawn(move || self.work(games, &rows));
            }
            drop(rows);
            let mut failed = None;
            for row in finished {
                if failed.is_none()
                    && let Err(failure) = row.and_then(&mut *told)
                {
                    self.stop.stop();
                    failed = Some(failure);
                }
            }
            failed.map_or(Ok(()), Err)
        })
    }

    fn work(&self, games: &Mutex<VecDeque<usize>>, rows: &Sender<Result<Row, Failure>>) {
        let Ok(mut players) = self.working() else { return };
        while !self.stop.stopped() {
            let next = games.lock().unwrap_or_else(PoisonError::into_inner).pop_front();
            let Some(index) = next else { return };
            let one = AssertUnwindSafe(|| self.one(index, &mut players));
            let row = catch_unwind(one).unwrap_or_else(|_| {
                let message = format!("Game {} fell over; it is not counted.", index + 1);
                Err(Failure::no_answer("internal-fault", message))
            });
            let Some(row) = row.transpose() else { return };
            if rows.send(row).is_err() {
                return;
            }
        }
    }

    fn one(&self, index: usize, players: &mut [Working; 2]) -> Result<Option<Row>, Failure> {
        let pair = index / 2;
        let [a, b] = players;
        let game = self.plan.open(pair)?;
        let clocks = self.clocks(game.as_ref());
        let playing = Playing {
            n: index + 1,
            pair: pair + 1,
            first: if index.is_multiple_of(2) { Side::A } else { Side::B },
            game,
            a,
            b,
            bounds: self.bounds,
            clocks,
            seed: self.plan.seed_of(pair, 2),
            stop: self.stop.clone(),
            records: self.records.as_ref(),
        };
        playing.played()
    }
}
