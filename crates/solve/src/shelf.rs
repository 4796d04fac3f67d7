//! What the engines of a process have solved.

use crate::{Game, Library, SolveError, Within};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// Libraries kept: whoever plays by many sets of rules makes no room for them all.
const MOST: usize = 12;

/// The libraries that all engines of a process share, one for each set of rules. While one of them
/// solves, the others search on without it.
pub struct Shelf<G: Game> {
    /// The rules, and the library unless it is being worked on; the last one used at the end.
    places: Mutex<Vec<(String, Option<Library<G>>)>>,
    returned: Condvar,
}

/// A library that is being worked on. It goes back whatever becomes of the work: a panic leaves
/// whole tables only.
struct Taken<'a, G: Game> {
    shelf: &'a Shelf<G>,
    rules: String,
    library: Option<Library<G>>,
}

impl<G: Game> Drop for Taken<'_, G> {
    fn drop(&mut self) {
        let mut places = self.shelf.lock();
        if let Some((_, place)) = places.iter_mut().find(|(rules, _)| *rules == self.rules) {
            *place = self.library.take();
        }
        drop(places);
        self.shelf.returned.notify_all();
    }
}

impl<G: Game> Shelf<G> {
    /// An empty shelf.
    pub const fn new() -> Shelf<G> {
        Shelf { places: Mutex::new(Vec::new()), returned: Condvar::new() }
    }

    fn lock(&self) -> MutexGuard<'_, Vec<(String, Option<Library<G>>)>> {
        self.places.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What `look` finds in the library of these rules, solving within the limits what it needs.
    /// `None` if that is not enough, this time: what was begun goes on with the next call. Where
    /// another engine is solving it is waited for only if time does not matter.
    pub fn ask<T>(
        &self,
        game: &G,
        within: &Within,
        look: impl Fn(&mut Library<G>, &Within) -> Result<T, SolveError>,
    ) -> Option<T> {
        let rules = game.rules();
        let mut places = self.lock();
        let mut taken = loop {
            match self.place(&mut places, game, &rules) {
                Some(library) => {
                    // Most often nothing is left to be solved.
                    let solved = Within { entries: 0, ..within.clone() };
                    if let Ok(found) = look(library, &solved) {
                        return Some(found);
                    }
                    let library = places.last_mut().and_then(|(_, library)| library.take());
                    break Taken { shelf: self, rules, library };
                }
                None if within.deadline.is_some() || within.stop.stopped() => return None,
                None => places = self.returned.wait(places).unwrap_or_else(PoisonError::into_inner),
            }
        };
        drop(places);
        look(taken.library.as_mut()?, within).ok()
    }

    /// Puts the place of these rules at the end; its library, unless another has taken it.
    fn place<'a>(
        &self,
        places: &'a mut Vec<(String, Option<Library<G>>)>,
        game: &G,
        rules: &str,
    ) -> Option<&'a mut Library<G>> {
        let place = match places.iter().position(|(known, _)| known == rules) {
            Some(at) => places.remove(at),
            None => {
                let unused = places.iter().position(|(_, library)| library.is_some());
                if let Some(oldest) = unused.filter(|_| places.len() >= MOST) {
                    places.remove(oldest);
                }
                (rules.to_string(), Some(Library::new(game.clone(), None)))
            }
        };
        places.push(place);
        places.last_mut()?.1.as_mut()
    }
}

impl<G: Game> Default for Shelf<G> {
    fn default() -> Shelf<G> {
        Shelf::new()
    }
}
