//! Every rule of the page: moves, contacts, ends, fouls, calls.

use kiban_core::{
    Act, Arbiter, Call, Conduct, Entry, OpenError, Opening, Outcome, Seat, Seats, Stage, Viewer,
};
use kiban_luzhanqi::GAME;

const PAGE: &str = "cehiakbcdikegfgjjdifhhglj";

type Game = Box<dyn Arbiter>;

fn open(variant: &str, start: Option<&str>, conduct: Conduct) -> Game {
    let variant = GAME.variant(variant).expect("listed");
    let opening = Opening { variant, start: start.map(str::to_string), conduct, seed: None };
    (GAME.open)(&opening).unwrap_or_else(|e| panic!("{start:?}: {e}"))
}

fn placed(variant: &str, start: &str) -> Game {
    open(variant, Some(start), Conduct::Guided)
}

fn mover(game: &Game) -> Seat {
    game.waiting_for().only().expect("play waits for one seat")
}

fn play(game: &mut Game, moves: &str) {
    for text in moves.split_whitespace() {
        let entry = Entry::new_move(mover(game), text);
        game.put(&entry).unwrap_or_else(|e| panic!("{text}: {e}"));
    }
}

fn refused(game: &mut Game, text: &str) -> &'static str {
    game.put(&Entry::new_move(mover(game), text)).expect_err(text).slug()
}

/// `first flag-taken`, `draw quiet`.
fn ending(game: &Game) -> String {
    let outcome = game.ending().and_then(|e| e.outcome).expect("it is over");
    format!("{} {}", outcome.result(), outcome.reason())
}

fn board(game: &Game) -> String {
    let text = game.position(Viewer::Referee);
    text.split(' ').next().expect("a board").to_string()
}

/// A board of two with flags in b1 and d12, and these pieces: `Ac6` is a marshal of Red.
fn two(pieces: &str, rest: &str) -> String {
    let mut cells = [[None; 5]; 12];
    for piece in pieces.split_whitespace().chain(["Lb1", "ld12"]) {
        let (letter, at) = piece.split_at(1);
        let (file, rank) = at.split_at(1);
        let file = file.as_bytes()[0] - b'a';
        let rank: usize = rank.parse().expect("a rank");
        cells[rank - 1][usize::from(file)] = letter.chars().next();
    }
    let rows = cells.iter().rev().map(|row| {
        let mut text = String::new();
        let mut empty = 0;
        for cell in row.iter().chain([&Some('/')]) {
            match cell {
                None => empty += 1,
                Some(c) => {
                    if empty > 0 {
                        text.push_str(&empty.to_string());
                        empty = 0;
                    }
                    text.push(*c);
                }
            }
        }
        text
    });
    let all: String = rows.collect();
    format!("{} {rest}", all.trim_end_matches('/'))
}

#[test]
fn layouts_come_in_any_order_and_make_the_position_of_the_page() {
    let mut game = open("open", None, Conduct::Guided);
    assert_eq!((game.stage(), game.start()), (Stage::Layout, "layouts"));
    for seat in [Seat::SECOND, Seat::FIRST] {
        assert!(game.waiting_for().has(seat));
        let bad = Entry { by: seat.into(), act: Act::Layout("abc".to_string()) };
        assert_eq!(game.put(&bad).expect_err("too short").slug(), "unreadable");
        let good = Entry { by: seat.into(), act: Act::Layout(PAGE.to_string()) };
        game.put(&good).expect("legal");
    }
    let page = "jlghh/fidjj/g1f1g/ek1id/c1b1k/aihec/CEHIA/K1B1C/DI1KE/G1F1G/JJDIF/HHGLJ r 0 0 -";
    assert_eq!(game.position(Viewer::Watcher), page);
    assert_eq!(game.choices(Seat::FIRST).len(), 33);
}

#[test]
fn pieces_run_straight_and_engineers_round_corners() {
    let mut game = placed("open", &two("Aa2 Ie2 aa9 hc7", "r 0 0 -"));
    assert_eq!(refused(&mut game, "a2b6"), "illegal-path");
    assert_eq!(refused(&mut game, "a2a10"), "illegal-path");
    // Along e, rank 6 and the link to c7.
    play(&mut game, "e2c7");
    assert_eq!(game.seen(Viewer::Referee)[0].text, "e2c7<");
    let mut game = placed("open", &two("Aa6 hd8", "r 0 0 -"));
    assert_eq!(refused(&mut game, "a6c7"), "illegal-path");
    play(&mut game, "a6a11 d8d9");
}

#[test]
fn fouls_are_named_in_the_order_of_the_page() {
    let mut game = placed("open", &two("Aa6 Gc6 Gd5 Ja1 Hd1 hb8 gc9 ba7", "r 0 0 -"));
    for (text, slug) in [
        ("b4b5", "illegal-no-piece"),
        ("b8b7", "illegal-no-piece"),
        ("a1a2", "illegal-immovable"),
        ("b1b2", "illegal-immovable"),
        ("d1d2", "illegal-immovable"),
        ("a6b7", "illegal-path"),
        ("c6c6", "illegal-path"),
        ("c6d5", "illegal-camp"),
        ("a6c6", "illegal-own-piece"),
        ("skip", "illegal-no-piece"),
        ("c3", "illegal-no-piece"),
    ] {
        assert_eq!(refused(&mut game, text), slug, "{text}");
    }
    assert_eq!(refused(&mut game, "c6c66"), "unreadable");
    let mut game = placed("open", &two("Ga7 Jc1 hb8", "r 0 0 -"));
    assert_eq!(refused(&mut game, "a7b8"), "illegal-camp");
    let hq = two("Ga7 hc8", "r 0 0 -");
    let mut official = open("open", Some(&hq), Conduct::Official);
    official.put(&Entry::new_move(Seat::FIRST, "b1b2")).expect("a foul is judged");
    assert_eq!(ending(&official), "second illegal-immovable");
}

#[test]
fn what_enters_a_headquarters_stays_unless_the_option_frees_it() {
    let start = two("Ga1 Gb11 hc8 Ha6", "r 0 0 -");
    let mut game = placed("open", &start);
    play(&mut game, "b11b12 c8c9");
    assert_eq!(refused(&mut game, "b12a12"), "illegal-immovable");
    let mut game = placed("open,hq=free", &start);
    play(&mut game, "b11b12 c8c9 b12b11");
}

#[test]
fn a_marshals_end_shows_its_flag() {
    let start = two("Aa6 Hc1 ha8 aa7 ke7", "r 0 0 -");
    let mut game = placed("dark", &start);
    play(&mut game, "a6a7");
    assert_eq!(game.seen(Viewer::Watcher)[0].text, "a6a7=!b1!d12");
    let watcher = game.position(Viewer::Watcher);
    assert!(watcher.ends_with("b 0 1 b1,d12"), "{watcher}");
    assert!(watcher.contains('L') && watcher.contains('l'), "{watcher}");
    let mut game = placed("dark,marshal-reveals-flag=no", &start);
    play(&mut game, "a6a7");
    assert_eq!(game.seen(Viewer::Watcher)[0].text, "a6a7=");
    // A marshal that goes for a bomb falls too.
    let mut game = placed("dark", &two("Aa6 Hc1 ka7 ha8 ae7", "r 0 0 -"));
    play(&mut game, "a6a7");
    assert_eq!(game.seen(Viewer::Seat(Seat::SECOND))[0].text, "a6a7=!b1");
}

#[test]
fn the_flag_is_taken_or_bombed() {
    for (piece, after) in [("H", "took"), ("K", "bombed")] {
        let mut game = placed("dark", &two(&format!("{piece}d11 Ha6 hc8"), "r 0 0 -"));
        play(&mut game, "d11d12");
        assert_eq!(ending(&game), "first flag-taken", "{after}");
        assert_eq!(game.seen(Viewer::Watcher)[0].text.chars().last(), Some('#'));
        // After the end everything is shown.
        assert_eq!(game.position(Viewer::Watcher), game.position(Viewer::Referee));
    }
    let start = two("Kd11 Ac12 Ie12 jc11 hc8", "r 0 0 -");
    let options = "open,flag-taker=engineer-after-mines,bomb-flag=forbidden";
    let mut game = placed(options, &start);
    for text in ["d11d12", "c12d12", "e12d12"] {
        assert_eq!(refused(&mut game, text), "illegal-path", "{text}");
    }
    let mut game = placed(options, &two("Kd11 Ac12 Ie12 hc8", "r 0 0 -"));
    assert_eq!(refused(&mut game, "c12d12"), "illegal-path");
    play(&mut game, "e12d12");
    assert_eq!(ending(&game), "first flag-taken");
    let mut game = placed("open,flag-taker=not-marshal", &start);
    assert_eq!(refused(&mut game, "c12d12"), "illegal-path");
}

#[test]
fn who_cannot_move_loses_and_two_such_draw() {
    let mut game = placed("dark", &two("Ga6 ga7", "r 0 0 -"));
    play(&mut game, "a6a7");
    assert_eq!(ending(&game), "draw no-move");
    let mut game = placed("dark", &two("Fa6 ga7", "r 0 0 -"));
    play(&mut game, "a6a7");
    assert_eq!(ending(&game), "first no-move");
}

#[test]
fn mines_stay_or_go() {
    let start = two("Ga10 He2 ja11 hc8", "r 0 0 -");
    for (variant, mark, left) in [("open", "<", 'j'), ("open,mine=both-go", "=", '1')] {
        let mut game = placed(variant, &start);
        play(&mut game, "a10a11");
        assert_eq!(game.seen(Viewer::Watcher)[0].text, format!("a10a11{mark}"));
        assert_eq!(board(&game).contains('j'), left == 'j');
    }
}

/// Moves two pieces to and fro until the game ends; gives the plies made.
fn shuffle(game: &mut Game) -> usize {
    let mut plies = 0;
    let round = ["c1c2", "c12c11", "c2c1", "c11c12"];
    while game.stage() == Stage::Play {
        play(game, round[plies % 4]);
        plies += 1;
    }
    plies
}

#[test]
fn quiet_play_ends_as_the_option_says() {
    let start = two("Gc1 gc12", "r 0 0 -");
    for (variant, plies, end) in [
        ("dark", 71, "draw quiet"),
        ("contest", 31, "second quiet"),
        ("dark,quiet=loses-31", 31, "second quiet"),
        ("dark,quiet=draw-60", 61, "draw quiet"),
        ("dark,quiet=draw-40", 41, "draw quiet"),
        ("dark,quiet=off", 1000, "draw cap"),
    ] {
        let mut game = placed(variant, &start);
        assert_eq!((shuffle(&mut game), ending(&game).as_str()), (plies, end), "{variant}");
    }
    // Having no move comes before the quiet count.
    let mut game = placed("dark", &two("Gc1 Gb12", "r 70 99 -"));
    play(&mut game, "c1c2");
    assert_eq!(ending(&game), "first no-move");
}

#[test]
fn skipped_turns_are_plies_that_leave_the_quiet_count() {
    let mut game = placed("dark,clock=move", &two("Gc1 gc12", "r 5 10 -"));
    let skip = |game: &mut Game| {
        let seat = mover(game);
        assert!(game.put(&Entry::new_call(seat.other(), Call::Timeout)).is_err());
        game.put(&Entry::new_call(seat, Call::Timeout)).expect("the turn is skipped");
    };
    skip(&mut game);
    assert!(game.position(Viewer::Referee).ends_with("b 5 11 -"));
    assert_eq!(game.seen(Viewer::Referee)[0].text, "skip");
    for there in [true, false, true, false] {
        play(&mut game, if there { "c12c11" } else { "c11c12" });
        skip(&mut game);
    }
    assert_eq!(ending(&game), "second skips");
    assert!(game.seen(Viewer::Referee).last().is_some_and(|seen| seen.text == "skip#"));
    let mut game = placed("dark", &two("Gc1 gc12", "r 5 10 -"));
    game.put(&Entry::new_call(Seat::FIRST, Call::Timeout)).expect("the game's time");
    assert_eq!(ending(&game), "second timeout");
}

#[test]
fn flip_gives_the_colour_of_the_first_piece_turned_up() {
    let mut game = open("flip", None, Conduct::Guided);
    assert!(game.owes_deal() && game.start() == "deal");
    let deal = format!("{0}{1}", PAGE.to_uppercase(), PAGE);
    let entry = Entry { by: Seats::NONE, act: Act::Deal(deal.clone()) };
    game.put(&entry).expect("a legal deal");
    assert_eq!(game.choices(Seat::FIRST).len(), 50);
    assert!(game.position(Viewer::Seat(Seat::FIRST)).ends_with("/????? - 0 0 - -"));
    assert!(game.position(Viewer::Referee).starts_with("~C~E~H~I~A/~K~B~C~D~I"));
    // Rank 1 is dealt last: hhglj of Black.
    play(&mut game, "a1");
    assert_eq!(game.seen(Viewer::Watcher)[0].text, "a1:h");
    assert!(game.position(Viewer::Watcher).ends_with("/h???? r 0 1 - b"));
    play(&mut game, "a12");
    assert_eq!(game.seen(Viewer::Watcher)[1].text, "a12:C");
    assert_eq!(refused(&mut game, "a12b12"), "illegal-no-piece");
    assert_eq!(refused(&mut game, "a1b1"), "illegal-path");
    assert_eq!(refused(&mut game, "a1"), "illegal-no-piece");
    assert!(!game.view(Viewer::Seat(Seat::FIRST)).to_string().contains(&deal));
    assert!(game.take_back().is_err());
}

#[test]
fn in_flip_the_flag_falls_to_an_engineer_after_its_mines() {
    let board = "5/5/5/5/5/5/5/5/5/1k3/jlI2/HK2L";
    let mut game = placed("flip", &format!("{board} r 0 9 - r"));
    assert_eq!(refused(&mut game, "c2b2"), "illegal-path");
    assert_eq!(refused(&mut game, "b1b2"), "illegal-path");
    let mut game = placed("flip", &format!("{} r 0 9 - r", board.replace("jl", "1l")));
    play(&mut game, "c2b2");
    assert_eq!(ending(&game), "first flag-taken");
    // A mine that lies face down is not gone.
    let hidden = board.replace("jl", "1l").replace("5/5/5/5/5/5/5/5", "~j4/5/5/5/5/5/5/5");
    let mut game = placed("flip", &format!("{hidden} r 0 9 - r"));
    assert_eq!(refused(&mut game, "c2b2"), "illegal-path");
}

/// Four arms, each with its flag in b1 and these pieces: `Sac6`.
fn four(pieces: &str, turn: &str) -> String {
    let mut rows = vec![vec![String::new(); 5]; 24];
    rows.extend(vec![vec![String::new(); 3]; 3]);
    let arms = ['S', 'E', 'N', 'W'];
    let flags = arms.map(|arm| format!("{arm}l{arm}b1")).join(" ");
    for piece in pieces.split_whitespace().chain(flags.split_whitespace()) {
        let (name, at) = piece.split_at(2);
        let at = at.as_bytes();
        let (row, file) = match at {
            [b'm', n] => (24 + usize::from(n - b'1') / 3, usize::from(n - b'1') % 3),
            [arm, file, rank] => {
                let arm = arms.iter().position(|a| *a == char::from(*arm)).expect("an arm");
                (arm * 6 + usize::from(b'6' - rank), usize::from(file - b'a'))
            }
            _ => panic!("{piece}"),
        };
        rows[row][file] = name.to_string();
    }
    let row = |row: &Vec<String>| {
        let mut text = String::new();
        let mut empty = 0;
        for cell in row {
            if cell.is_empty() {
                empty += 1;
                continue;
            }
            text.push_str(&if empty > 0 { format!("{empty}{cell}") } else { cell.clone() });
            empty = 0;
        }
        if empty > 0 { format!("{text}{empty}") } else { text }
    };
    let rows: Vec<String> = rows.iter().map(row).collect();
    format!("{} {turn} 0 0 - SENW", rows.join("/"))
}

const GUARDS: &str = "ShSc5 EhEc5 NhNc5 WhWc5";

#[test]
fn four_players_move_anticlockwise_along_curves_and_through_the_centre() {
    let pieces = format!("{GUARDS} SaSa2 EaEa2 NaNa2 WaWa2");
    let mut game = placed("four-dark", &four(&pieces, "S"));
    assert_eq!(refused(&mut game, "Sa2Wd6"), "illegal-path");
    let mut game = placed("four-dark", &four(&format!("{GUARDS} SaSa3 WbWe3"), "S"));
    play(&mut game, "Sa3We3 Ec5Ec4 Nc5Nc4 Wc5Wc4");
    assert_eq!(game.seen(Viewer::Watcher)[0].text, "Sa3We3>");
    let by: Vec<Seats> = game.seen(Viewer::Watcher).iter().map(|seen| seen.by).collect();
    assert_eq!(by, Seat::ALL.map(Seats::from));
    let mut game = placed("four-dark", &four(&format!("{GUARDS} SaSa6 NbNe6 NcNa6"), "S"));
    assert_eq!(refused(&mut game, "Sa6Ne6"), "illegal-own-piece");
    play(&mut game, "Sa6m1");
}

#[test]
fn a_seat_goes_out_with_its_pieces_and_a_team_with_its_seats() {
    let mut game = placed("four-dark", &four(&format!("{GUARDS} SgEb2 ShWb2"), "S"));
    play(&mut game, "Eb2Eb1");
    assert!(game.position(Viewer::Watcher).ends_with(" N 0 1 - SNW"));
    assert!(!board(&game).contains('E') && game.stage() == Stage::Play);
    play(&mut game, "Nc5Nc4 Wc5Wc4 Wb2Wb1");
    assert_eq!(ending(&game), "first team-out");
    assert_eq!(
        game.ending().and_then(|e| e.outcome).map(Outcome::winners),
        Some(Seats::NONE.with(Seat::FIRST).with(Seat::THIRD))
    );
}

#[test]
fn of_four_seats_one_that_cannot_move_goes_out_when_its_turn_comes() {
    let mut game = placed("four-open", &four("ShSc5 NhNc5 WhWc5 EhEd1 EjEa1 SgSc4", "S"));
    play(&mut game, "Sc5Sb5");
    assert_eq!(mover(&game), Seat::THIRD);
    assert!(game.position(Viewer::Watcher).ends_with(" N 1 1 - SNW"));
}

#[test]
fn who_resigns_out_of_turn_is_seen_to_have_done_it() {
    let mut game = placed("four-dark", &four(GUARDS, "S"));
    game.put(&Entry::new_call(Seat::THIRD, Call::Resign)).expect("a seat may give up");
    assert_eq!(mover(&game), Seat::FIRST);
    let seen = &game.seen(Viewer::Watcher)[0];
    assert_eq!((seen.by, seen.text.as_str()), (Seats::from(Seat::THIRD), "third-resign"));
    assert!(game.position(Viewer::Watcher).ends_with(" S 0 0 - SEW"));
    assert!(game.put(&Entry::new_call(Seat::THIRD, Call::Resign)).is_err());
    game.put(&Entry::new_call(Seat::FIRST, Call::Left)).expect("a seat may leave");
    assert_eq!(ending(&game), "second team-out");
}

#[test]
fn fifth_skip_of_four_players_puts_the_seat_out() {
    let mut game = placed("four-dark,clock=move", &four(GUARDS, "S"));
    for round in 0..5 {
        game.put(&Entry::new_call(Seat::FIRST, Call::Timeout)).expect("skipped");
        let back = round % 2 == 1;
        for arm in ["E", "N", "W"] {
            let (from, to) = if back { ("c4", "c5") } else { ("c5", "c4") };
            play(&mut game, &format!("{arm}{from}{arm}{to}"));
        }
    }
    assert!(game.position(Viewer::Watcher).ends_with(" E 15 20 - ENW"));
}

#[test]
fn allies_see_each_other_in_pairs_only() {
    let pair = placed("four-pair", &four(GUARDS, "S"));
    let dark = placed("four-dark", &four(GUARDS, "S"));
    let sees = |game: &Game, seat: Seat, arm: &str| {
        let text = game.position(Viewer::Seat(seat));
        (text.contains(&format!("{arm}h")), text.contains(&format!("{arm}x")))
    };
    assert_eq!(sees(&pair, Seat::FIRST, "N"), (true, false));
    assert_eq!(sees(&pair, Seat::FIRST, "E"), (false, true));
    assert_eq!(sees(&dark, Seat::FIRST, "N"), (false, true));
    assert_eq!(sees(&dark, Seat::FIRST, "S"), (true, false));
}

#[test]
fn announced_ranks_are_known_to_everybody() {
    let start = two("Aa6 Hc1 ba7 ha11", "r 0 0 -");
    let mut game = placed("dark,announce=ranks", &start);
    play(&mut game, "a6a7");
    assert!(game.position(Viewer::Watcher).contains('A'));
    let mut game = placed("dark", &start);
    play(&mut game, "a6a7");
    assert!(!game.position(Viewer::Watcher).contains('A'));
}

#[test]
fn nothing_told_is_taken_back() {
    let mut game = placed("dark", &two("Aa6 Hc1 ba9 hc8", "r 0 0 -"));
    play(&mut game, "a6a7");
    assert!(game.take_back().is_err());
    let mut game = placed("open", &two("Aa6 Hc1 ba9 hc8", "r 0 0 -"));
    play(&mut game, "a6a9");
    game.take_back().expect("nothing was hidden");
    assert!(game.log().is_empty());
}

#[test]
fn variants_that_would_tell_where_the_flag_is_are_refused() {
    let conflict = |text: &str| {
        let variant = GAME.variant(text).expect("its words are listed");
        let opening = Opening::new(variant, None);
        match (GAME.open)(&opening) {
            Err(OpenError::Variant(error)) => Some(error.message),
            _ => None,
        }
    };
    for text in [
        "dark,flag-taker=not-marshal",
        "contest,flag-taker=engineer-after-mines",
        "dark,bomb-flag=forbidden",
        "four-pair,bomb-flag=forbidden",
        "flip,hq=holds",
        "flip,marshal-reveals-flag=yes",
        "flip,flag-taker=anyone",
        "flip,bomb-flag=allowed",
    ] {
        let message = conflict(text).unwrap_or_else(|| panic!("{text} is taken"));
        assert!(message.ends_with('.'), "{message}");
    }
    for text in ["flip,hq=free", "four-open,bomb-flag=forbidden", "contest,quiet=off", ""] {
        assert_eq!(conflict(text), None, "{text}");
    }
    let canonical = |text: &str| GAME.variant(text).expect("listed").canonical(GAME.options, None);
    assert_eq!(canonical("contest,quiet=loses-31"), "contest");
    assert_eq!(canonical("dark,quiet=loses-31"), "dark,quiet=loses-31");
}
