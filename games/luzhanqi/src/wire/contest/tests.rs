//! Transcripts of the contest's protocol, and lines no judge should say.

use super::{Contest, read_flag, read_move, seen, station};
use crate::board::Board;
use crate::{GAME, Layout, LayoutFault, Luzhanqi, Options};
use kiban_core::{
    Act, Arbiter, Conduct, Conversation, Entry, Notation, Opening, Rules, Seat, Table,
};
use kiban_search::Random;
use kiban_wire::Transcript;

fn conversation() -> Box<dyn Conversation> {
    Box::new(Contest::new(&GAME.variant("contest").expect("listed")))
}

#[test]
fn each_seat_sees_its_own_half_below() {
    let two = Board::of(false);
    let at = |name: &str| two.station(name).expect("a station");
    for (seat, text, name) in [
        (Seat::FIRST, "L0", "a1"),
        (Seat::FIRST, "A4", "e12"),
        (Seat::FIRST, "G2", "c6"),
        (Seat::SECOND, "L0", "e12"),
        (Seat::SECOND, "A1", "d1"),
        (Seat::SECOND, "G0", "e7"),
    ] {
        let [row, column] = text.as_bytes() else { panic!("{text}") };
        assert_eq!(station(seat, *row, *column), Some(at(name)), "{seat:?} {text}");
        assert_eq!(seen(seat, at(name)), text);
    }
    assert_eq!(read_move(Seat::SECOND, "G0F0"), Some((at("e7"), at("e6"))));
    for bad in ["", "G0", "G5F0", "M0F0", "g0f0", "G0F0G0", "G0F\u{e9}"] {
        assert_eq!(read_move(Seat::FIRST, bad), None, "{bad}");
    }
    assert_eq!(read_flag(Seat::FIRST, "A1"), Ok(Some(at("b12"))));
    assert!(read_flag(Seat::FIRST, "0").is_err());
}

#[test]
fn a_game_begins_as_the_protocol_says() {
    let script = "
> INFO 1.0
< NAME Kiban
> START 0 4 31
< ARRAY
> GO 0000 0 00
< BESTMOVE 
> END 1
.";
    Transcript::play(conversation(), script).expect("as written");
}

#[test]
fn what_no_judge_should_say_is_answered_and_changes_nothing() {
    let script = "
> GO 0000 0 00
< ERROR No game
> RESULT 3 00
< ERROR No game
> START
< ERROR START needs
> START 2 1800 31
< ERROR Say START 0
> START 1 many 31
< ERROR The time
> START 1 1800 0
< ERROR The steps
> START 1 4 31
< ARRAY
> RESULT 3 00
< ERROR No move waits
> GO 0000 0 00
< ERROR GO 0000
> GO F0
< ERROR GO needs
> GO Z9Z9 3 00
< ERROR \"Z9Z9\" is no move
> GO G0F0 3 00
< ERROR No piece of that side
> GO E1D1 3 00
< ERROR No piece of that side
> GO F0E0 3 00
< ERROR That result does not fit
> GO F0C1 3 00
< ERROR No way leads
> GO F0G0 3 00
< ERROR That result does not fit
> GO F0G0 7 00
< ERROR \"7\" is no result
> GO F0G0 0 X9
< ERROR \"X9\" is no flag
> Go F0G0 0 00
< ERROR \"Go\" is none of
# The same move, well said, is still to be made: nothing has changed.
> GO F0G0 0 00
< BESTMOVE
> GO F1E1 3 00
< ERROR The last move waits
> END 2
.";
    Transcript::play(conversation(), script).expect("as written");
}

#[test]
fn no_line_whatever_breaks_it() {
    let mut random = Random::new(11);
    let words =
        ["INFO", "START", "GO", "RESULT", "0", "1", "31", "F0G0", "0000", "00", "A1", "\u{1f4a3}"];
    let mut talk = Transcript::open(conversation());
    for _ in 0..400 {
        let n = random.below(6);
        let line: Vec<&str> = (0..n).map(|_| words[random.below(words.len())]).collect();
        talk.send(&line.join(" "));
    }
    talk.send(&"GO ".repeat(30_000));
    talk.send_bytes(b"\xff\xfe\x00\n");
    talk.send("INFO 1.0");
    talk.expect("NAME Kiban").expect("it still answers");
    talk.send("END 2");
    talk.close();
}

/// A whole game between two engines, with the rules' referee as the judge.
#[test]
fn two_engines_play_a_game_by_the_protocol() {
    let variant = GAME.variant("contest").expect("listed");
    let rules = Luzhanqi { options: Options::of(&variant), placed: false };
    let opening = Opening { variant, start: None, conduct: Conduct::Official, seed: None };
    let mut table = Table::<Luzhanqi>::open(&opening).expect("it opens");
    let mut engines = [Transcript::open(conversation()), Transcript::open(conversation())];
    for (seat, engine) in [Seat::FIRST, Seat::SECOND].into_iter().zip(&mut engines) {
        engine.send(&format!("START {} 1 31", seat.index()));
        let said = engine.expect("ARRAY ").expect("a layout");
        let layout =
            said.last().and_then(|l| l.strip_prefix("ARRAY ")).expect("a line").to_string();
        table.put(&Entry { by: seat.into(), act: Act::Layout(layout) }).expect("legal");
    }
    engines[0].send("GO 0000 0 00");
    while let Some(seat) = table.waiting_for().only() {
        let said = engines[seat.index()].expect("").expect("an answer");
        let text = said[0].strip_prefix("BESTMOVE ").unwrap_or_else(|| panic!("{said:?}"));
        let (from, to) = read_move(seat, text).expect("a move");
        let m = rules.write_move(crate::Move::Step(from, to));
        table.put(&Entry::new_move(seat, m)).expect("readable");
        assert!(table.ending().is_none_or(|e| e.foul.is_none()), "{:?}", table.ending());
        let p = table.line().position();
        let result = match p.contact {
            Some(crate::Contact::Lost) => "0",
            Some(crate::Contact::Won) => "1",
            Some(crate::Contact::Both) => "2",
            None => "3",
        };
        let flag = |viewer: Seat, of: Seat| {
            p.flags[of.index()].map_or("00".to_string(), |at| seen(viewer, at))
        };
        let other = seat.other();
        engines[seat.index()].send(&format!("RESULT {result} {}", flag(seat, other)));
        if table.ending().is_none() {
            let m = format!("{}{}", seen(other, from), seen(other, to));
            engines[other.index()].send(&format!("GO {m} {result} {}", flag(other, seat)));
        }
    }
    println!("{:?} after {} plies", table.ending(), table.line().steps().len());
    for engine in engines {
        let rest = engine.close();
        assert!(rest.is_empty(), "{rest:?}");
    }
    assert!(rules.ended(table.line().position()).is_some());
}

#[test]
fn the_other_order_of_letters_is_told() {
    let ours = "cehiakbcdikegfgjjdifhhglj";
    assert!(Layout::read(ours).is_ok());
    let turned: String = ours.chars().map(|c| char::from(b'a' + b'l' - c as u8)).collect();
    assert_eq!(Layout::read(&turned), Err(vec![LayoutFault::Reversed]));
    let error = Layout::read(&turned).expect_err("it is")[0].read_error().to_string();
    assert!(error.contains("l, the marshal"), "{error}");
}
