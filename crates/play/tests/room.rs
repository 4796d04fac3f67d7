//! Games with clocks and people, played by the events.

use kiban_core::{Act, Call, Refusal, Seat, Seats, Stage, Viewer};
use kiban_play::{
    Action, Event, GRACE_MS, GRACE_UNTIMED_MS, Head, LONGEST_GAME, MOST_OFFERS, Offer, Player,
    Refused, Room, TimeControl,
};
use kiban_testkit::toys::stones::STONES;
use proptest::prelude::*;

const FIRST: Seat = Seat::FIRST;
const SECOND: Seat = Seat::SECOND;

fn head(clock: Option<TimeControl>, start: &str) -> Head {
    Head {
        game: "stones".into(),
        variant: "open".into(),
        start: start.into(),
        conduct: "guided".into(),
        clock,
        layout_ms: None,
        players: vec![Player::Person; 2],
    }
}

fn control(main_ms: u64) -> TimeControl {
    TimeControl { main_ms, byoyomi_ms: 0, periods: 1, increment_ms: 0 }
}

/// A room and the events that made it.
struct Game {
    room: Room,
    events: Vec<Event>,
    now: u64,
}

impl Game {
    fn new(head: Head) -> Game {
        let room = Room::new(head, STONES, 0).expect("a possible game");
        Game { room, events: Vec::new(), now: 0 }
    }

    /// A game of two people who both sit.
    fn seated(clock: Option<TimeControl>, start: &str) -> Game {
        let mut game = Game::new(head(clock, start));
        for (seat, holder) in [(FIRST, "a"), (SECOND, "b")] {
            let event = game.room.sit(seat, holder, 0).expect("a free seat");
            game.events.push(event);
        }
        game
    }

    fn act(&mut self, seat: Seat, action: Action) -> Result<Event, Refused> {
        let event = self.room.act(seat, &action, None, self.now)?;
        self.events.push(event.clone());
        Ok(event)
    }

    fn play(&mut self, seat: Seat, text: &str) {
        self.act(seat, Action::Move(text.into())).expect("a legal move");
    }

    /// What is due by now. The game has nothing to draw.
    fn tick(&mut self, now: u64) -> Result<Option<Event>, Refused> {
        self.room.tick(now, &mut || unreachable!("nothing is drawn"))
    }

    fn again(&self) -> Room {
        let events = self.events.clone();
        let room = Room::replay(self.room.head().clone(), STONES, events, self.now);
        room.expect("its own events")
    }
}

/// All that can be seen of a room, apart from when its ply began to count.
fn faces(room: &Room) -> String {
    let referee = room.referee();
    let viewers = [Viewer::Seat(FIRST), Viewer::Seat(SECOND), Viewer::Watcher, Viewer::Referee];
    let views = viewers.map(|v| (referee.position(v), format!("{:?}", referee.seen(v))));
    let seats = [FIRST, SECOND].map(|s| {
        (room.holder(s).map(str::to_owned), room.may_offer(s), room.may_call(s), referee.choices(s))
    });
    let left = room.time_left(room.since_ms());
    format!(
        "{views:?} {seats:?} {left:?} {:?} {:?} {:?} {:?} {:?}",
        referee.log(),
        room.spent(),
        room.offers(),
        referee.ending(),
        room.rematch()
    )
}

#[test]
fn the_clock_waits_for_everybody_and_then_charges_who_moves() {
    let mut game = Game::new(head(Some(control(1000)), "12 first"));
    assert_eq!((game.room.open_seats().len(), game.room.running()), (2, None));
    let early = game.room.act(FIRST, &Action::Move("take1".into()), None, 10);
    assert_eq!(early, Err(Refused::NotBegun));
    game.room.sit(FIRST, "a", 20).unwrap();
    assert_eq!(game.room.sit(FIRST, "b", 30), Err(Refused::SeatTaken));
    game.room.sit(SECOND, "b", 500).unwrap();
    assert_eq!(game.room.running(), Some((FIRST, 500)));
    assert_eq!(game.room.deadline_ms(), Some(1500));
    game.room.act(FIRST, &Action::Move("take1".into()), Some(0), 800).unwrap();
    assert_eq!(game.room.running(), Some((SECOND, 800)));
    let left = |room: &Room, now| {
        room.time_left(now).unwrap().iter().map(|l| l.main_ms).collect::<Vec<_>>()
    };
    assert_eq!(left(&game.room, 900), [700, 900]);
    assert_eq!(game.room.spent(), [300]);
    assert_eq!(game.tick(1799), Ok(None));
    let late = game.room.act(SECOND, &Action::Move("take1".into()), None, 1800);
    assert_eq!(late, Err(Refused::OutOfTime), "the flag comes first, whoever is asked first");
    let event = game.tick(1800).unwrap().unwrap();
    assert!(matches!(event, Event::Put { spent_ms: 1000, .. }), "{event:?}");
    let outcome = game.room.referee().ending().unwrap().outcome.unwrap();
    assert_eq!((outcome.reason().0, outcome.winners()), ("timeout", FIRST.into()));
    assert_eq!((game.tick(9000), game.room.deadline_ms()), (Ok(None), None));
}

#[test]
fn taking_back_restores_both_clocks() {
    let mut game = Game::seated(Some(control(10_000)), "12 first");
    for (now, seat) in [(1000, FIRST), (3000, SECOND), (6000, FIRST)] {
        game.now = now;
        game.play(seat, "take1");
    }
    assert_eq!(game.room.spent(), [1000, 2000, 3000]);
    game.now = 6500;
    // Second asks for its move back: the answer to it goes too.
    game.act(SECOND, Action::Offer(Offer::TakeBack)).unwrap();
    assert_eq!(game.room.offers(), [(SECOND, Offer::TakeBack)]);
    assert!(!game.room.may_offer(SECOND).contains(&Offer::TakeBack), "it stands already");
    let event = game.act(FIRST, Action::Accept(Offer::TakeBack)).unwrap();
    assert_eq!(event, Event::TookBack { kept: 1 });
    let left = game.room.time_left(6500).unwrap();
    assert_eq!((left[0].main_ms, left[1].main_ms), (9000, 10_000));
    assert_eq!((game.room.spent(), game.room.offers()), (&[1000][..], &[][..]));
    assert_eq!(game.room.running(), Some((SECOND, 6500)));
}

#[test]
fn an_accept_that_crosses_a_withdrawal_offers_nothing() {
    for what in [Offer::Draw, Offer::TakeBack] {
        let mut game = Game::seated(None, "12 first");
        game.play(FIRST, "take1");
        game.play(SECOND, "take1");
        assert_eq!(game.act(FIRST, Action::Accept(what)), Err(Refused::NoOffer), "there is none");
        game.act(SECOND, Action::Offer(what)).unwrap();
        assert_eq!(game.act(SECOND, Action::Accept(what)), Err(Refused::NoOffer), "their own");
        game.act(SECOND, Action::Decline(what)).unwrap();
        assert_eq!(game.act(FIRST, Action::Accept(what)), Err(Refused::NoOffer));
        assert_eq!(game.room.offers(), []);
        game.act(SECOND, Action::Offer(what)).unwrap();
        game.act(FIRST, Action::Accept(what)).unwrap();
        let drawn = game.room.referee().stage() == Stage::Over;
        let back = game.room.referee().log().len() == 1;
        assert_eq!((drawn, back), (what == Offer::Draw, what == Offer::TakeBack));
    }
}

#[test]
fn a_take_back_that_crosses_the_rivals_is_no_assent_to_it() {
    let mut game = Game::seated(None, "12 first");
    for seat in [FIRST, SECOND, FIRST, SECOND] {
        game.play(seat, "take1");
    }
    game.act(FIRST, Action::Offer(Offer::TakeBack)).unwrap();
    assert!(!game.room.may_offer(SECOND).contains(&Offer::TakeBack), "the other's is answered");
    let crossing = game.act(SECOND, Action::Offer(Offer::TakeBack));
    assert_eq!(crossing, Err(Refused::AnswerFirst));
    assert_eq!(game.room.referee().log().len(), 4, "no move is gone");
    game.act(SECOND, Action::Decline(Offer::TakeBack)).unwrap();
    game.act(SECOND, Action::Offer(Offer::TakeBack)).unwrap();
    let event = game.act(FIRST, Action::Accept(Offer::TakeBack)).unwrap();
    assert_eq!(event, Event::TookBack { kept: 3 });
    // Draws mean the same whoever asks.
    game.act(FIRST, Action::Offer(Offer::Draw)).unwrap();
    game.act(SECOND, Action::Offer(Offer::Draw)).unwrap();
    assert_eq!(game.room.referee().stage(), Stage::Over);
}

#[test]
fn a_seat_cannot_flood_a_game_with_offers() {
    let mut game = Game::seated(None, "12 first");
    let flood = |game: &mut Game| {
        for n in 0..MOST_OFFERS {
            let what = if n % 2 == 0 { Offer::Draw } else { Offer::TakeBack };
            game.act(SECOND, Action::Offer(what)).unwrap();
            game.act(SECOND, Action::Decline(what)).unwrap();
        }
        let more = game.act(SECOND, Action::Offer(Offer::Draw));
        assert_eq!(more, Err(Refused::TooManyOffers));
    };
    game.play(FIRST, "take1");
    game.play(SECOND, "take1");
    flood(&mut game);
    let again = &mut game.again();
    let more = again.act(SECOND, &Action::Offer(Offer::Draw), None, 0);
    assert_eq!(more, Err(Refused::TooManyOffers), "a replay knows them too");
    // The rival still may, and is answered; the next entry counts anew.
    game.act(FIRST, Action::Offer(Offer::TakeBack)).unwrap();
    game.act(SECOND, Action::Decline(Offer::TakeBack)).unwrap();
    game.play(FIRST, "take1");
    flood(&mut game);
}

#[test]
fn an_offer_ends_with_the_next_entry() {
    let mut game = Game::seated(None, "12 first");
    game.act(SECOND, Action::Offer(Offer::Draw)).unwrap();
    game.play(FIRST, "take1");
    assert_eq!(game.room.offers(), []);
    // So what looks like consent is an offer of one's own.
    let event = game.act(FIRST, Action::Offer(Offer::Draw)).unwrap();
    assert_eq!(event, Event::Offered { seat: FIRST, what: Offer::Draw });
    assert_eq!(game.act(FIRST, Action::Offer(Offer::Draw)), Err(Refused::NoOffer), "once");
    game.act(FIRST, Action::Decline(Offer::Draw)).unwrap();
    assert_eq!(game.act(SECOND, Action::Decline(Offer::Draw)), Err(Refused::NoOffer));
    game.act(FIRST, Action::Offer(Offer::Draw)).unwrap();
    game.act(SECOND, Action::Offer(Offer::Draw)).unwrap();
    assert_eq!(game.room.referee().stage(), Stage::Over);
    let over = game.act(SECOND, Action::Call(Call::Resign));
    assert_eq!(over, Err(Refused::Rules(Refusal::Over)));
}

#[test]
fn nobody_is_asked_where_one_person_plays_all() {
    let mut game = Game::new(head(None, "12 first"));
    for seat in [FIRST, SECOND] {
        game.room.sit(seat, "a", 0).unwrap();
    }
    game.play(FIRST, "take1");
    game.play(SECOND, "take2");
    let event = game.act(FIRST, Action::Offer(Offer::TakeBack)).unwrap();
    assert_eq!(event, Event::TookBack { kept: 1 }, "the last move, whoever made it");
    game.room.set_here(FIRST, false, 0);
    assert!(!game.room.may_claim(SECOND, GRACE_MS), "one person cannot leave themselves");
}

#[test]
fn the_computer_is_not_asked_either() {
    let mut with_computer = head(None, "12 first");
    with_computer.players[1] = Player::Computer { level: 3 };
    let mut game = Game::new(with_computer);
    assert_eq!(game.room.computer_to_move(), None);
    assert_eq!(game.room.sit(SECOND, "a", 0), Err(Refused::SeatTaken));
    game.room.sit(FIRST, "a", 0).unwrap();
    assert_eq!(game.act(FIRST, Action::Offer(Offer::Draw)), Err(Refused::NoOffer));
    game.play(FIRST, "take1");
    assert_eq!(game.room.computer_to_move(), Some((SECOND, 3)));
    game.play(SECOND, "take3");
    let event = game.act(FIRST, Action::Offer(Offer::TakeBack)).unwrap();
    assert_eq!(event, Event::TookBack { kept: 0 });
}

#[test]
fn who_stays_away_can_be_claimed_against() {
    for (clock, grace) in [(Some(control(9_000_000)), GRACE_MS), (None, GRACE_UNTIMED_MS)] {
        let mut game = Game::seated(clock, "12 first");
        game.room.set_here(SECOND, false, 1000);
        game.room.set_here(SECOND, false, 5000);
        assert_eq!(game.room.grace_ends_ms(SECOND), Some(1000 + grace), "since the first word");
        game.now = 999 + grace;
        assert_eq!(game.act(FIRST, Action::ClaimLeft), Err(Refused::StillHere));
        game.now += 1;
        assert!(game.room.may_claim(FIRST, game.now) && !game.room.may_claim(SECOND, game.now));
        game.room.set_here(SECOND, true, game.now);
        assert_eq!(game.act(FIRST, Action::ClaimLeft), Err(Refused::StillHere), "just back");
        game.room.set_here(SECOND, false, game.now);
        game.now += grace;
        game.act(FIRST, Action::ClaimLeft).unwrap();
        let outcome = game.room.referee().ending().unwrap().outcome.unwrap();
        assert_eq!((outcome.reason().0, outcome.winners()), ("abandoned", FIRST.into()));
    }
}

#[test]
fn whoever_acts_is_not_away() {
    let mut game = Game::seated(Some(control(9_000_000)), "12 first");
    [FIRST, SECOND].into_iter().for_each(|seat| game.room.set_here(seat, false, 0));
    // A program that plays without ever looking at the stream of events.
    game.now = GRACE_MS - 1;
    game.play(FIRST, "take1");
    game.now = GRACE_MS + 1;
    assert!(game.room.may_claim(FIRST, game.now), "the other has done nothing");
    game.play(SECOND, "take1");
    assert!(!game.room.may_claim(FIRST, game.now), "it has just moved");
    assert_eq!(game.act(FIRST, Action::ClaimLeft), Err(Refused::StillHere));
    assert_eq!(game.room.grace_ends_ms(SECOND), Some(game.now + GRACE_MS));
    game.now += GRACE_MS - 1;
    game.act(SECOND, Action::Offer(Offer::Draw)).unwrap();
    assert!(game.act(FIRST, Action::Move("take9".into())).is_err(), "what is refused is no sign");
    game.now += 1;
    assert!(game.room.may_claim(SECOND, game.now) && !game.room.may_claim(FIRST, game.now));
}

#[test]
fn a_clock_that_is_held_takes_nothing() {
    let mut game = Game::seated(Some(control(1000)), "12 first");
    let left = |room: &Room, now| room.time_left(now).unwrap()[0].main_ms;
    game.room.hold(100);
    game.room.hold(150);
    assert_eq!((game.room.running(), game.room.deadline_ms()), (None, None));
    assert_eq!((left(&game.room, 5000), game.room.left_ms(5000)), (900, Some(900)));
    assert_eq!(game.tick(5000), Ok(None), "nobody is late");
    game.room.release(5000);
    game.room.release(5100);
    assert_eq!((left(&game.room, 5200), game.room.deadline_ms()), (700, Some(5900)));
    game.now = 5200;
    game.play(FIRST, "take1");
    assert_eq!((game.room.spent(), left(&game.room, 5300)), (&[300][..], 700));
    // What is held when the ply is played counts up to then.
    game.room.hold(5400);
    game.now = 9000;
    game.play(SECOND, "take1");
    assert_eq!(game.room.spent(), [300, 200]);
    assert_eq!(game.room.running(), Some((FIRST, 9000)));
}

#[test]
fn only_own_calls_can_be_made() {
    let mut game = Game::seated(None, "12 first");
    for call in [Call::Timeout, Call::Left, Call::AgreeDraw, Call::AgreeImpasse, Call::Declare] {
        let refused = Err(Refused::Rules(Refusal::NoSuchCall(call)));
        assert_eq!(game.act(FIRST, Action::Call(call)), refused);
    }
    // Also out of turn, and from a page that is behind.
    let event = game.room.act(SECOND, &Action::Call(Call::Resign), Some(7), 0).unwrap();
    assert!(matches!(event, Event::Put { spent_ms: 0, .. }));
}

#[test]
fn a_rematch_is_opened_once_and_after_the_end() {
    let mut game = Game::seated(None, "12 first");
    assert_eq!(game.room.set_rematch(FIRST, "next", 0), Err(Refused::NoOffer));
    game.act(FIRST, Action::Call(Call::Resign)).unwrap();
    game.room.set_rematch(SECOND, "next", 0).unwrap();
    assert_eq!(game.room.set_rematch(FIRST, "other", 0), Err(Refused::NoOffer));
    assert_eq!(game.room.rematch(), Some(&(SECOND, "next".to_string())));
}

#[test]
fn a_game_has_a_longest_length() {
    let mut game = Game::seated(None, "60000 first");
    for ply in 0..LONGEST_GAME {
        game.play(Seat::new(ply % 2).unwrap(), "take1");
    }
    assert_eq!(game.act(FIRST, Action::Move("take1".into())), Err(Refused::TooLong));
    game.act(FIRST, Action::Offer(Offer::Draw)).unwrap();
    game.act(SECOND, Action::Offer(Offer::Draw)).unwrap();
}

#[test]
fn events_that_give_no_game_are_said() {
    let game = Game::seated(None, "12 first");
    let head = game.room.head().clone();
    let foul = Event::Put { entry: kiban_core::Entry::new_move(SECOND, "take1"), spent_ms: 0 };
    let back = Event::TookBack { kept: 0 };
    let nowhere = Event::Sat { seat: Seat::FOURTH, holder: "d".into() };
    for event in [foul, back, nowhere] {
        let replayed = Room::replay(head.clone(), STONES, [event], 0);
        assert!(matches!(replayed, Err(Refused::Broken(_))));
    }
    let mut other = head;
    other.start = "no stones".into();
    assert!(matches!(Room::replay(other, STONES, [], 0), Err(Refused::Broken(_))));
}

#[test]
fn a_referee_of_an_earlier_ply() {
    let mut game = Game::seated(None, "12 first");
    game.play(FIRST, "take1");
    game.play(SECOND, "take3");
    let positions: Vec<_> =
        (0..3).map(|n| game.room.referee_at(n).unwrap().position(Viewer::Watcher)).collect();
    assert_eq!(positions, ["12 first", "11 second", "8 first"]);
    assert!(matches!(game.room.referee_at(3), Err(Refused::Broken(_))));
}

#[test]
fn events_are_stored_as_they_were_stored_before() {
    // Databases out there hold these texts.
    let events = [
        (
            r#"{"sat":{"seat":"first","holder":"ab"}}"#,
            Event::Sat { seat: FIRST, holder: "ab".into() },
        ),
        (
            r#"{"put":{"entry":{"by":["first"],"act":{"move":"take1"}},"spent_ms":5}}"#,
            Event::Put { entry: kiban_core::Entry::new_move(FIRST, "take1"), spent_ms: 5 },
        ),
        (
            r#"{"offered":{"seat":"second","what":"take-back"}}"#,
            Event::Offered { seat: SECOND, what: Offer::TakeBack },
        ),
        (
            r#"{"declined":{"seat":"first","what":"draw"}}"#,
            Event::Declined { seat: FIRST, what: Offer::Draw },
        ),
        (r#"{"took-back":{"kept":3}}"#, Event::TookBack { kept: 3 }),
        (
            r#"{"rematch":{"seat":"first","game":"x"}}"#,
            Event::Rematch { seat: FIRST, game: "x".into() },
        ),
    ];
    for (text, event) in events {
        assert_eq!(serde_json::to_string(&event).unwrap(), text);
        assert_eq!(serde_json::from_str::<Event>(text).unwrap(), event);
    }
}

fn action() -> impl Strategy<Value = Action> {
    let offers = prop_oneof![Just(Offer::Draw), Just(Offer::TakeBack), Just(Offer::TakeBack)];
    prop_oneof![
        10 => (0..5_u8).prop_map(|n| Action::Move(format!("take{n}"))),
        2 => Just(Action::Taps(vec!["pile".into(), "2".into()])),
        1 => Just(Action::Move("nonsense".into())),
        4 => offers.clone().prop_map(Action::Offer),
        1 => offers.clone().prop_map(Action::Accept),
        1 => offers.prop_map(Action::Decline),
        1 => Just(Action::ClaimLeft),
        1 => Just(Action::Call(Call::Declare)),
    ]
}

fn controls() -> impl Strategy<Value = Option<TimeControl>> {
    let any = (0..4000_u64, 0..3_u64, 1..4_u8, 0..3_u64);
    let any = any.prop_map(|(main_ms, byoyomi, periods, increment)| TimeControl {
        main_ms,
        byoyomi_ms: byoyomi * 500,
        periods,
        increment_ms: increment * 300,
    });
    proptest::option::of(any.prop_filter("a possible clock", |c| c.fault().is_none()))
}

proptest! {
    #[test]
    fn replayed_events_give_the_same_room(
        clock in controls(),
        steps in proptest::collection::vec((any::<bool>(), action(), 0..700_u64), 0..60),
    ) {
        let mut game = Game::seated(clock, "40 first");
        for (second, action, passed) in steps {
            game.now += passed;
            if let Some(event) = game.tick(game.now).unwrap() {
                game.events.push(event);
            }
            let seat = if second { SECOND } else { FIRST };
            let before = faces(&game.room);
            let since = game.room.since_ms();
            if game.act(seat, action).is_err() {
                prop_assert_eq!(&before, &faces(&game.room), "a refusal changes nothing");
                prop_assert_eq!(since, game.room.since_ms());
            }
            prop_assert_eq!(game.room.running().is_some(), game.room.referee().ending().is_none());
        }
        prop_assert_eq!(faces(&game.room), faces(&game.again()));
    }

    #[test]
    fn no_time_is_won_or_lost_by_taking_back(
        steps in proptest::collection::vec((any::<bool>(), action(), 0..300_u64), 0..60),
    ) {
        let main = 1_000_000;
        let mut game = Game::seated(Some(control(main)), "200 first");
        for (second, action, passed) in steps {
            game.now += passed;
            let _ = game.act(if second { SECOND } else { FIRST }, action);
            let left = game.room.time_left(game.room.since_ms()).unwrap();
            for seat in [FIRST, SECOND] {
                let log = game.room.referee().log().iter().zip(game.room.spent());
                let own = log.filter(|(e, _)| {
                    matches!(e.act, Act::Move(_)) && e.by == Seats::from(seat)
                });
                let spent: u64 = own.map(|(_, ms)| ms).sum();
                prop_assert_eq!(left[seat.index()].main_ms + spent, main);
            }
        }
    }
}
