//! Results of GGF games with komi: the difference of the discs less the komi.

use kiban_core::{Act, Call, Record, Source};
use kiban_othello::GAME;

fn read(id: &str, text: &str) -> Record {
    let read = GAME.format(id).and_then(|format| format.read).expect("it is read");
    read(Source { bytes: text.as_bytes(), variant: None }).expect("readable").remove(0)
}

fn write(id: &str, record: &Record) -> String {
    let write = GAME.format(id).and_then(|format| format.write).expect("it is written");
    String::from_utf8(write(std::slice::from_ref(record)).expect("held")).expect("text")
}

/// Ten discs to six; neither can move.
const OVER: &str = "BO[4 **** **OO **OO **OO *]";
/// A game that goes on.
const OPEN: &str = "BO[4 ---- -O*- -*O- ---- *]B[b1]";

fn result(record: &Record) -> Option<&str> {
    record.claimed.as_ref().map(|claimed| claimed.result.as_str())
}

fn header<'a>(record: &'a Record, key: &str) -> Option<&'a str> {
    record.unknown.iter().find(|(k, _)| k == key).map(|(_, value)| value.as_str())
}

fn calls(record: &Record) -> Vec<Call> {
    let call = |entry: &kiban_core::Entry| match entry.act {
        Act::Call(call) => Some(call),
        _ => None,
    };
    record.entries().filter_map(call).collect()
}

#[test]
fn a_result_with_komi_is_the_discs_less_the_komi() {
    // The discs say +4. Each: komi, result, whether it is odd.
    for (komi, said, odd) in [
        ("-3.133", "+7.13", false),
        ("-3.133", "+7.133", false),
        ("-3", "7.000", false),
        ("3", "+1.00", false),
        ("3.5", "+0.50", false),
        ("4", "+0.000", false),
        ("4", "0", false),
        ("4.5", "-0.50", false),
        ("+12", "-8.000", false),
        ("3", "+4.000", true),
        ("4", "+4.000", true),
        ("4", "-4.000", true),
        ("-3", "+1.000", true),
        ("4.5", "+8.50", true),
    ] {
        let text = format!("(;GM[Othello]TY[4k]KB[a1/1]KW[a1/1]KM[{komi}]RE[{said}]{OVER};)");
        let record = read("ggf", &text);
        assert_eq!(!record.warnings.is_empty(), odd, "{komi} {said}: {:?}", record.warnings);
        assert_eq!((result(&record), header(&record, "RE")), (None, Some(said)));
        let judged = (GAME.judge)(&record).expect("it is judged");
        assert_eq!((judged.score, judged.agrees), (Some((10, 6)), None));
        assert!(write("ggf", &record).contains(&format!("RE[{said}]")));
        assert_eq!(read("ggf", &write("ggf", &record)).unknown, record.unknown);
    }
}

#[test]
fn calls_end_games_with_komi_as_any_other() {
    for (said, want, call) in [
        ("-16.000:r", Some("second"), Some(Call::Resign)),
        ("+16.000:t", Some("first"), Some(Call::Timeout)),
        ("-12.867:t", Some("second"), Some(Call::Timeout)),
        ("0.000:s", Some("draw"), Some(Call::AgreeDraw)),
        // Agreed upon, but no draw; adjourned; not over.
        ("+2.500:s", None, None),
        ("-16.000:l", None, None),
        ("?", None, None),
    ] {
        for komi in ["3.5", "-3.133", "16"] {
            let record = read("ggf", &format!("(;GM[Othello]KM[{komi}]RE[{said}]{OPEN};)"));
            assert_eq!((result(&record), record.warnings.as_slice()), (want, &[][..]), "{said}");
            assert_eq!(calls(&record), Vec::from_iter(call), "{said}");
            assert_eq!(header(&record, "RE"), want.is_none().then_some(said));
            let again = read("ggf", &write("ggf", &record));
            assert_eq!((&again.unknown, &again.claimed), (&record.unknown, &record.claimed));
            assert_eq!(calls(&again), calls(&record));
            let judged = (GAME.judge)(&again).expect("it is judged");
            assert_eq!(judged.agrees, want.map(|_| true), "{said}");
        }
    }
    // The board has ended these: the words say nothing about the discs.
    for said in ["0.000:s", "+16.000:r", "-16.000:t"] {
        let record = read("ggf", &format!("(;GM[Othello]KM[4]RE[{said}]{OVER};)"));
        assert_eq!((result(&record), header(&record, "RE")), (None, Some(said)));
        assert_eq!((calls(&record), record.warnings.as_slice()), (vec![], &[][..]));
        assert_eq!(read("ggf", &write("ggf", &record)).unknown, record.unknown);
    }
}

#[test]
fn a_komi_of_nothing_is_none() {
    for komi in ["0", "0.000", "-0"] {
        let record = read("ggf", &format!("(;GM[Othello]KM[{komi}]RE[+4.000]{OVER};)"));
        assert_eq!((result(&record), header(&record, "RE")), (Some("first"), None));
        assert_eq!((GAME.judge)(&record).expect("it is judged").agrees, Some(true));
        assert!(write("ggf", &record).contains("RE[+4.000]"));
    }
}

#[test]
fn results_of_other_formats_are_written_less_the_komi() {
    let sgf = |said: &str, komi: &str| {
        read("sgf", &format!("(;GM[2]SZ[8]KM[{komi}]RE[{said}];B[fe];W[fd])"))
    };
    for (said, komi, want) in [
        ("B+4", "4", Some("+0.000")),
        ("B+4", "4.5", Some("-0.500")),
        ("W+26", "-3.133", Some("-22.867")),
        ("0", "3", Some("-3.000")),
        ("B+R", "3", Some("+64.000:r")),
        ("W+T", "3", Some("-64.000:t")),
        ("Draw", "3", Some("0.000:s")),
        ("B+4", "0", Some("+4.000")),
        ("B+", "3", None),
    ] {
        let text = write("ggf", &sgf(said, komi));
        let found = text.split_once("RE[").and_then(|(_, behind)| behind.split_once(']'));
        assert_eq!(found.map(|(result, _)| result), want, "{said} {komi}");
    }
    // A game of a server, there and back.
    let text = format!("(;GM[Othello]KM[-3.133]RE[+7.13]{OVER};)");
    let back = read("ggf", &write("ggf", &read("sgf", &write("sgf", &read("ggf", &text)))));
    assert_eq!((header(&back, "RE"), back.warnings.as_slice()), (Some("+7.133"), &[][..]));
}
