//! A game so far, as the rules see it.

use crate::{Outcome, Rules, Seat, Seats};
use std::sync::Arc;

/// One ply of a line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Step<M> {
    /// Whose ply it was.
    pub by: Seat,
    /// What was played.
    pub m: M,
}

/// A set-up, layouts and a deal, then every position and move from the start on. A position is
/// kept for each ply: a repetition is confirmed by equality, never by a hash.
#[derive(Clone)]
pub struct Line<R: Rules> {
    rules: R,
    setup: R::Setup,
    layouts: Vec<Option<R::Layout>>,
    deal: Option<R::Deal>,
    // Shared with the copies viewers are shown; copied only if one is still held at the next ply.
    positions: Arc<Vec<R::Position>>,
    steps: Arc<Vec<Step<R::Move>>>,
    called: Option<Outcome>,
}

impl<R: Rules> Line<R> {
    /// A line from a set-up. If nobody owes a layout or deal, play has begun.
    pub fn new(rules: R, setup: R::Setup) -> Line<R> {
        let mut line = Line {
            rules,
            setup,
            layouts: vec![None; usize::from(rules.seats())],
            deal: None,
            positions: Arc::default(),
            steps: Arc::default(),
            called: None,
        };
        line.begin_if_ready();
        line
    }

    /// The rules of this line.
    pub fn rules(&self) -> R {
        self.rules
    }

    /// The arrangement it started from.
    pub fn setup(&self) -> &R::Setup {
        &self.setup
    }

    /// The layouts put down so far, by seat.
    pub fn layouts(&self) -> &[Option<R::Layout>] {
        &self.layouts
    }

    /// The deal, once made.
    pub fn deal(&self) -> Option<&R::Deal> {
        self.deal.as_ref()
    }

    /// Seats that still owe a layout.
    pub fn arranging(&self) -> Seats {
        let owe = self.rules.arranging();
        owe.iter().filter(|s| self.layouts[s.index()].is_none()).collect()
    }

    /// Whether the referee still owes a deal.
    pub fn owes_deal(&self) -> bool {
        self.rules.deals() && self.deal.is_none()
    }

    /// Whether play has begun.
    pub fn begun(&self) -> bool {
        !self.positions.is_empty()
    }

    /// The current position.
    ///
    /// # Panics
    /// Before play has begun; see [`Line::begun`].
    pub fn position(&self) -> &R::Position {
        self.positions.last().expect("play has begun")
    }

    /// Every position from the start on, the current one last; one more than there are steps.
    pub fn positions(&self) -> &[R::Position] {
        &self.positions
    }

    /// Every ply so far.
    pub fn steps(&self) -> &[Step<R::Move>] {
        &self.steps
    }

    /// The outcome a call gave.
    pub fn called(&self) -> Option<Outcome> {
        self.called
    }

    /// How it came out, by a call or by moves.
    pub fn outcome(&self) -> Option<Outcome> {
        let verdict = || if self.begun() { self.rules.verdict(self) } else { None };
        self.called.or_else(verdict)
    }

    /// Sets the outcome a call gave.
    pub(crate) fn set_called(&mut self, outcome: Option<Outcome>) {
        self.called = outcome;
    }

    /// Puts a seat's layout down.
    pub fn put_layout(&mut self, seat: Seat, layout: R::Layout) {
        self.layouts[seat.index()] = Some(layout);
        self.begin_if_ready();
    }

    /// Puts the deal down.
    pub fn put_deal(&mut self, deal: R::Deal) {
        self.deal = Some(deal);
        self.begin_if_ready();
    }

    /// Takes a layout or the deal (`None`) back up; play has not begun then.
    pub(crate) fn lift(&mut self, seat: Option<Seat>) {
        match seat {
            Some(seat) => self.layouts[seat.index()] = None,
            None => self.deal = None,
        }
        self.positions = Arc::default();
    }

    /// Plays a legal move of the seat to move.
    pub fn push(&mut self, m: R::Move) {
        self.push_by(self.rules.to_move(self.position()), m);
    }

    /// Plays what a call led to: it may come from a seat that is not to move.
    pub(crate) fn push_by(&mut self, by: Seat, m: R::Move) {
        let mut next = self.position().clone();
        self.rules.play(&mut next, m);
        Arc::make_mut(&mut self.positions).push(next);
        Arc::make_mut(&mut self.steps).push(Step { by, m });
    }

    /// Takes the last ply back.
    pub fn pop(&mut self) -> Option<Step<R::Move>> {
        let step = Arc::make_mut(&mut self.steps).pop()?;
        Arc::make_mut(&mut self.positions).pop();
        Some(step)
    }

    fn begin_if_ready(&mut self) {
        if self.arranging().is_empty() && !self.owes_deal() {
            let start = self.rules.start(&self.setup, &self.layouts, self.deal.as_ref());
            Arc::make_mut(&mut self.positions).push(start);
        }
    }
}
