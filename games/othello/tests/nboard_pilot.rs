//! Kiban as the user of an NBoard engine, line by line.

use kiban_core::{
    Act, Arbiter, Conduct, Entry, Heard, Limits, Opening, Pilot, Report, Score, Seat,
};
use kiban_othello::GAME;

struct Talk {
    pilot: Box<dyn Pilot>,
    game: Box<dyn Arbiter>,
    said: Vec<String>,
}

impl Talk {
    /// A pilot that is ready, in a game in which White is to move.
    fn ready(options: &[(String, String)]) -> Talk {
        let variant = GAME.variant("").expect("the default");
        let protocol = GAME.protocols.iter().find(|p| p.id == "nboard").expect("nboard is spoken");
        let pilot = protocol.pilot.expect("to engines")(&variant);
        let opening = Opening { variant, start: None, conduct: Conduct::Guided, seed: None };
        let mut game = (GAME.open)(&opening).expect("the usual start");
        game.put(&Entry::new_move(Seat::FIRST, "f5")).expect("legal");
        let mut talk = Talk { pilot, game, said: Vec::new() };
        let said = &mut talk.said;
        talk.pilot.greet(options, &mut |line| said.push(line));
        assert_eq!(talk.hear("set myname Fake 1"), Heard::Nothing);
        assert_eq!(talk.hear("pong 1"), Heard::Ready);
        assert_eq!(talk.pilot.name(), Some("Fake 1"));
        talk
    }

    fn hear(&mut self, line: &str) -> Heard {
        let said = &mut self.said;
        self.pilot.hear(line, &mut |line| said.push(line))
    }

    fn report(&mut self, line: &str) -> Report {
        match self.hear(line) {
            Heard::Thinks(report) => report,
            other => panic!("{line}: {other:?}"),
        }
    }

    /// What is said when it is asked for so many lines.
    fn ask(&mut self, lines: u8, depth: Option<u8>) -> Vec<String> {
        self.said.clear();
        let limits = Limits { lines, depth, ..Limits::default() };
        let said = &mut self.said;
        let send = &mut |line| said.push(line);
        self.pilot.ask(self.game.as_ref(), Seat::SECOND, &limits, send);
        std::mem::take(&mut self.said)
    }

    fn hurry(&mut self) -> Vec<String> {
        let said = &mut self.said;
        self.pilot.hurry(&mut |line| said.push(line));
        std::mem::take(&mut self.said)
    }
}

fn says(text: &str) -> Heard {
    Heard::Says(Act::Move(text.to_string()))
}

/// First moves with their points.
fn told(report: &Report) -> Vec<(String, i32, u8)> {
    let points = |score| match score {
        Score::Estimate { points, .. } => points,
        Score::Exact { .. } => panic!("only estimates are told"),
    };
    let lines = report.lines.iter();
    lines.map(|line| (line.moves.join(" "), points(line.score), line.depth)).collect()
}

#[test]
fn a_move_is_asked_for_with_a_depth_and_its_thoughts_are_heard() {
    let mut talk = Talk::ready(&[]);
    let asked = talk.ask(1, None);
    assert!(asked[0].starts_with("set game (;GM[Othello]"), "{asked:?}");
    assert_eq!(asked[1..], ["set depth 12", "ping 2", "go"]);
    // What came before the pong is about another position.
    for old in ["search C4 9.00 0 9", "=== C4/9.00/1.0"] {
        assert_eq!(talk.hear(old), Heard::Nothing, "{old}");
    }
    assert_eq!(talk.hear("pong 2"), Heard::Nothing);
    assert_eq!(talk.hear("nodestats 1234 0.5"), Heard::Nothing);
    let report = talk.report("search F6E6D3 +1.25 0 7 some words");
    assert_eq!(told(&report), [("f6 e6 d3".to_string(), 125, 7)]);
    assert_eq!((report.depth, report.nodes), (7, 1234));
    let report = talk.report("book D6 -0.5,0.5 1200 24");
    assert_eq!(told(&report), [("d6".to_string(), -50, 24)], "one line was asked for");
    assert_eq!(talk.hear("=== D6/-0.50/0.1"), says("D6"));
    assert_eq!(talk.hear("=== D6/-0.50/0.1"), Heard::Nothing, "it is answered");
}

#[test]
fn an_evaluation_beside_the_move_is_a_thought_too() {
    let mut talk = Talk::ready(&[]);
    talk.ask(1, Some(3));
    talk.hear("pong 2");
    // As Edax writes it.
    let Heard::Concludes(report, act) = talk.hear("=== d6 -1.00 0.0") else { panic!("no thought") };
    assert_eq!((told(&report), act), (vec![("d6".to_string(), -100, 0)], Act::Move("d6".into())));
    talk.ask(1, Some(3));
    talk.hear("pong 3");
    assert_eq!(talk.hear("=== PA"), says("PA"));
    assert!(matches!(talk.ask(1, None).last().map(String::as_str), Some("go")));
    talk.hear("pong 4");
    assert!(matches!(talk.hear("==="), Heard::Wrong(_)));
}

#[test]
fn several_lines_are_asked_for_as_hints_until_there_is_enough() {
    let mut talk = Talk::ready(&[("depth".to_string(), "8".to_string())]);
    let asked = talk.ask(2, None);
    assert_eq!(asked[1..], ["set depth 8", "ping 2", "hint 2"]);
    talk.hear("pong 2");
    talk.report("search F6 1.00 0 4");
    talk.report("search D6 2.00 0 4");
    let report = talk.report("search F4 3.00 0 4");
    let first =
        |report: &Report| report.lines.iter().map(|l| l.moves[0].clone()).collect::<Vec<_>>();
    assert_eq!(first(&report), ["f4", "d6"], "the best two");
    let report = talk.report("search D6 0.50 0 5");
    assert_eq!(first(&report), ["d6", "f4"], "a deeper judgement goes before");
    let report = talk.report("search F4 -64.00 0 100%");
    assert_eq!(report.lines[0].score.chance(), 0.0, "it is proved");
    for other in ["search", "search F4", "search F4 x 0 5", "search zz 1 0 5", "status", ""] {
        assert_eq!(talk.hear(other), Heard::Nothing, "{other}");
    }
    assert_eq!(talk.hurry(), ["ping 3"]);
    assert_eq!(talk.hear("pong 3"), says("f4"));
}

#[test]
fn whoever_gives_no_hints_is_asked_for_a_move() {
    let mut talk = Talk::ready(&[]);
    talk.ask(3, None);
    talk.hear("pong 2");
    assert_eq!(talk.hurry(), ["ping 3"]);
    assert_eq!(talk.hear("pong 3"), Heard::Nothing);
    assert_eq!(talk.said, ["go"]);
    assert!(matches!(talk.hear("=== D6/1.0"), Heard::Concludes(..)));
    // A move that is asked for is waited for as long as no line is known.
    talk.ask(1, None);
    assert!(talk.hurry().is_empty());
    talk.hear("pong 4");
    talk.report("search F6 1.00 0 4");
    assert_eq!(talk.hurry(), ["ping 5"]);
    assert_eq!(talk.hear("=== F6"), says("F6"), "it had finished meanwhile");
    assert_eq!(talk.hear("pong 5"), Heard::Nothing);
}
