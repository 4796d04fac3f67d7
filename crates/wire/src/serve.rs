//! Serving a conversation: lines in, lines out, a search in the background.

use crate::desk::Post;
use crate::lines;
use crate::worker::{self, Event};
use kiban_core::{Conversation, Desk, Flow};
use std::io::{Read, Write};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::{Duration, Instant};

/// How long a search may take to end after its user has gone.
const LAST_WORD: Duration = Duration::from_secs(10);

/// Talks until the other side says goodbye, its lines have ended and no search is on, or nobody
/// reads the output. What is done at the end of the lines the conversation decides.
pub fn serve(
    conversation: &mut dyn Conversation,
    input: impl Read + Send + 'static,
    output: impl Write,
) {
    let (events, list) = channel();
    let orders = worker::start(events.clone());
    // It may wait for a line when all is over; it ends with its input or with the program.
    std::thread::spawn(move || {
        lines::each(input, |line| events.send(Event::Line(line)).is_ok());
        let _ = events.send(Event::End);
    });
    let mut desk = Post::new(output, orders);
    let mut last_word = None;
    while !desk.closed {
        let deadline = desk.deadline().into_iter().chain(last_word).min();
        let wait = deadline.map(|at: Instant| at.saturating_duration_since(Instant::now()));
        // A day is as good as forever.
        let event = match list.recv_timeout(wait.unwrap_or(Duration::from_secs(86_400))) {
            Ok(event) => event,
            Err(RecvTimeoutError::Disconnected) => break,
            Err(RecvTimeoutError::Timeout) => {
                if last_word.is_some_and(|at| Instant::now() >= at) {
                    break;
                }
                if wait.is_some() {
                    desk.time_is_up();
                    last_word = last_word.or(desk.left.then(|| Instant::now() + LAST_WORD));
                }
                continue;
            }
        };
        desk.left |= tell(conversation, &mut desk, event) == Flow::Quit;
        while let Some(found) = desk.due() {
            conversation.found(found, &mut desk);
        }
        if desk.left && !desk.busy() {
            break;
        }
        if desk.left && last_word.is_none() && desk.is_stopping() {
            last_word = Some(Instant::now() + LAST_WORD);
        }
    }
    desk.abandon();
}

/// Tells the conversation what happened. `Quit` also when the lines have ended.
fn tell<W: Write>(conversation: &mut dyn Conversation, desk: &mut Post<W>, event: Event) -> Flow {
    match event {
        Event::Line(text) => {
            let flow = conversation.line(&text, desk);
            if flow == Flow::Quit {
                desk.abandon();
            }
            return flow;
        }
        Event::End => {
            conversation.ended(desk);
            return Flow::Quit;
        }
        Event::Report(id, report) if desk.is_on(id) => {
            conversation.heard(&report, desk);
            desk.reported();
        }
        Event::Report(..) => {}
        Event::Found(id, found) => {
            if let Some(found) = desk.done(id, found) {
                conversation.found(found, desk);
            }
        }
    }
    Flow::Go
}

#[cfg(test)]
mod tests {
    use crate::Transcript;
    use kiban_core::{Conversation, Desk, Entry, Flow, Found, Limits, Pace, Report, Seat, Task};
    use std::time::Duration;

    /// `think`, `ponder`, `fall`, `soft`, `hard`, `hit`, `stop`, `quit`; echoes anything else.
    struct Toy;

    /// Reports every few milliseconds until it is stopped.
    fn endless() -> Task {
        Box::new(|_, limits, report| {
            for depth in 1u8.. {
                report(Report {
                    depth: depth.min(99),
                    seldepth: None,
                    nodes: 1,
                    lines: Vec::new(),
                    call: None,
                });
                std::thread::sleep(Duration::from_millis(5));
                if limits.stop.stopped() {
                    break;
                }
            }
            Found::Entry(Entry::new_move(Seat::FIRST, "m"))
        })
    }

    impl Conversation for Toy {
        fn line(&mut self, text: &str, desk: &mut dyn Desk) -> Flow {
            let time = Some(Duration::from_millis(60));
            let none = Limits::default();
            match text {
                "think" => desk.start(endless(), none, Pace::default()),
                "ponder" => {
                    desk.start(endless(), none, Pace { hard: time, held: true, soft: None })
                }
                "soft" => desk.start(endless(), none, Pace { soft: time, ..Pace::default() }),
                "hard" => desk.start(endless(), none, Pace { hard: time, ..Pace::default() }),
                "fall" => desk.start(Box::new(|_, _, _| panic!("as asked")), none, Pace::default()),
                "hit" => desk.release(),
                "stop" => desk.stop(),
                "quit" => return Flow::Quit,
                other => desk.say(other),
            }
            Flow::Go
        }

        fn heard(&mut self, report: &Report, desk: &mut dyn Desk) {
            if report.depth == 1 {
                desk.say("begun");
            }
        }

        fn found(&mut self, found: Found, desk: &mut dyn Desk) {
            let said = if found == Found::Fault { "fault" } else { "done" };
            desk.say(said);
        }
    }

    fn played(script: &str) {
        Transcript::play(Box::new(Toy), script).unwrap_or_else(|fault| panic!("{fault}"));
    }

    #[test]
    fn lines_are_answered_while_a_search_is_on_and_it_can_be_stopped() {
        played("> think\n< begun\n> x\n< x\n> stop\n< done\n> stop\n> y\n< y\n> quit\n.\n");
    }

    #[test]
    fn a_search_ends_by_its_soft_or_its_hard_time() {
        played("> soft\n< begun\n< done\n> hard\n< begun\n< done\n> quit\n.\n");
    }

    #[test]
    fn what_is_pondered_waits_for_the_release_or_a_stop() {
        played(
            "> ponder\n< begun\n> x\n< x\n> hit\n< done\n> ponder\n< begun\n> stop\n< done\n.\n",
        );
    }

    #[test]
    fn a_search_that_is_replaced_says_nothing_more() {
        played("> think\n< begun\n> think\n< begun\n> stop\n< done\n> x\n< x\n.\n");
    }

    #[test]
    fn a_search_that_falls_over_is_told_and_the_next_one_works() {
        played("> fall\n< fault\n> think\n< begun\n> stop\n< done\n.\n");
    }

    #[test]
    fn the_end_of_the_lines_ends_the_search_with_its_word() {
        let mut talk = Transcript::open(Box::new(Toy));
        talk.send("think");
        talk.expect("begun").expect("it begins");
        assert_eq!(talk.close(), ["done"]);
    }

    #[test]
    fn goodbye_ends_it_without_a_word() {
        let mut talk = Transcript::open(Box::new(Toy));
        talk.send("think");
        talk.expect("begun").expect("it begins");
        talk.send("quit");
        assert!(talk.close().is_empty());
    }
}
