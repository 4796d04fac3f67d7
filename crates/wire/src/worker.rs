//! The search thread: it owns the engine's memory and does one task after the other.

use kiban_core::{Found, Limits, Report, Task, Workspace};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{Receiver, Sender, channel};

/// What the search thread is to do.
pub(crate) enum Order {
    /// A search.
    Search { id: u64, task: Task, limits: Box<Limits> },
    /// Forget what was learnt.
    Forget,
}

/// What happens while a conversation is served.
pub(crate) enum Event {
    /// A line was read.
    Line(String),
    /// There will be no more lines.
    End,
    /// A search reports.
    Report(u64, Report),
    /// A search is done.
    Found(u64, Found),
}

/// Starts the thread. It ends when the orders do.
pub(crate) fn start(events: Sender<Event>) -> Sender<Order> {
    let (orders, list) = channel();
    std::thread::spawn(move || work(&list, &events));
    orders
}

fn work(orders: &Receiver<Order>, events: &Sender<Event>) {
    let mut memory = Workspace::new();
    for order in orders {
        match order {
            Order::Forget => memory.clear(),
            Order::Search { id, task, limits } => {
                let heard = &mut |report| {
                    // Nobody may be listening any more; then the search is stopped, too.
                    let _ = events.send(Event::Report(id, report));
                };
                let searched = AssertUnwindSafe(|| task(&mut memory, *limits, heard));
                let found = catch_unwind(searched).unwrap_or_else(|_| {
                    // A memory somebody fell over in the middle of may be in any state.
                    memory = Workspace::new();
                    Found::Fault
                });
                if events.send(Event::Found(id, found)).is_err() {
                    return;
                }
            }
        }
    }
}
