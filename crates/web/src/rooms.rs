//! The games in memory: who asks for a game finds its task here, or has it opened.

use crate::app::Shared;
use crate::errors::Failure;
use crate::guard::is_id;
use crate::room::{Ask, Live, Stored};
use axum::http::StatusCode;
use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use tokio::sync::{mpsc, oneshot};

/// Questions that may wait at one game.
const MOST_WAITING: usize = 256;
/// How often a task that fell over is opened again before it waits to be asked for.
const REOPENINGS: usize = 5;

/// Where a game's task takes questions.
pub(crate) type Inbox = mpsc::Receiver<Ask>;

/// The tasks of the games in memory.
#[derive(Default)]
pub(crate) struct Rooms(Mutex<State>);

#[derive(Default)]
struct State {
    closed: bool,
    inboxes: HashMap<String, mpsc::Sender<Ask>>,
}

impl Rooms {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// How many games are in memory.
    #[cfg(test)]
    pub(crate) fn count(&self) -> usize {
        self.lock().inboxes.len()
    }

    /// Ends every task once it has done what it is at; nothing is opened any more.
    pub(crate) fn close(&self) {
        let mut state = self.lock();
        state.closed = true;
        state.inboxes.clear();
    }

    /// Lets an idle game go, unless somebody has just asked for it.
    pub(crate) fn leave(&self, id: &str, inbox: &Inbox) -> bool {
        let mut state = self.lock();
        let may = inbox.is_empty();
        if may {
            state.inboxes.remove(id);
        }
        may
    }

    fn find(&self, id: &str) -> Option<mpsc::Sender<Ask>> {
        self.lock().find(id)
    }

    /// A new way into a game whose task has ended, to be run by the caller. Nothing if another
    /// was quicker, or if the server is closing.
    fn register(&self, id: &str) -> Registered {
        let mut state = self.lock();
        if state.closed {
            return Registered::Closed;
        }
        if let Some(other) = state.find(id) {
            return Registered::Other(other);
        }
        let (sender, inbox) = mpsc::channel(MOST_WAITING);
        state.inboxes.insert(id.to_string(), sender.clone());
        Registered::New(sender, inbox)
    }

    /// Takes the way into a game whose task has ended off the list.
    pub(crate) fn forget(&self, id: &str) {
        let mut state = self.lock();
        if state.find(id).is_none() {
            state.inboxes.remove(id);
        }
    }
}

impl State {
    fn find(&self, id: &str) -> Option<mpsc::Sender<Ask>> {
        self.inboxes.get(id).filter(|inbox| !inbox.is_closed()).cloned()
    }
}

/// Each game has one task at a time: who registers runs it.
enum Registered {
    New(mpsc::Sender<Ask>, Inbox),
    Other(mpsc::Sender<Ask>),
    Closed,
}

/// Asks a game's task. The game is opened if it is not in memory; if its task falls over before
/// it answers, it is asked once more: every question may be asked twice.
pub(crate) async fn ask<T>(
    app: &Shared,
    id: &str,
    question: impl Fn(oneshot::Sender<Result<T, Failure>>) -> Ask,
) -> Result<T, Failure> {
    let words = app.common_words();
    for _ in 0..2 {
        let inbox = inbox(app, id).await?;
        let (reply, answer) = oneshot::channel();
        match inbox.try_send(question(reply)) {
            Ok(()) => {}
            Err(mpsc::error::TrySendError::Full(_)) => return Err(Failure::busy(words)),
            Err(mpsc::error::TrySendError::Closed(_)) => continue,
        }
        if let Ok(answer) = answer.await {
            return answer;
        }
    }
    Err(stumbled(app))
}

fn stumbled(app: &Shared) -> Failure {
    Failure::new(StatusCode::INTERNAL_SERVER_ERROR, "stumbled", app.common_words(), &[])
}

async fn inbox(app: &Shared, id: &str) -> Result<mpsc::Sender<Ask>, Failure> {
    if !is_id(id) {
        return Err(Failure::not_found(app.common_words()));
    }
    if let Some(inbox) = app.rooms.find(id) {
        return Ok(inbox);
    }
    // In a task of its own: a game whose log makes its rules panic must not end its caller.
    let load = tokio::spawn(Live::load(app.clone(), id.to_string()));
    let live = load.await.map_err(|_| stumbled(app))??;
    match app.rooms.register(id) {
        Registered::New(sender, inbox) => {
            tokio::spawn(supervise(app.clone(), id.to_string(), live, inbox));
            Ok(sender)
        }
        Registered::Other(sender) => Ok(sender),
        Registered::Closed => Err(Failure::busy(app.common_words())),
    }
}

/// Runs a game's task; opens it again from its log if it panics.
async fn supervise(app: Shared, id: String, mut live: Live, mut inbox: Inbox) {
    for _ in 0..REOPENINGS {
        let Err(panic) = tokio::spawn(live.run(inbox)).await else { return };
        (app.log)(&format!("A game's task fell over ({panic}); it is opened again from its log."));
        let Ok(Ok(again)) = tokio::spawn(Live::load(app.clone(), id.clone())).await else { break };
        let Registered::New(_, next) = app.rooms.register(&id) else { return };
        (live, inbox) = (again, next);
    }
    app.rooms.forget(&id);
}

/// Opens the unfinished games whose time runs, so that they are decided even if nobody looks.
/// The time the server was down is charged to nobody.
pub(crate) async fn take_up(app: &Shared) {
    let games = match app.store.unfinished().await {
        Ok(games) => games,
        Err(error) => {
            (app.log)(&format!("The unfinished games could not be listed: {error}."));
            return;
        }
    };
    for game in games {
        let timed = serde_json::from_str::<Stored>(&game.head)
            .is_ok_and(|Stored { head, .. }| head.clock.is_some() || head.layout_ms.is_some());
        if timed {
            // One that cannot be opened says so to whoever asks for it.
            let _ = ask(app, &game.id, |reply| Ask::read(reply, |live| Ok(live.stage()))).await;
        }
        tokio::task::yield_now().await;
    }
}
