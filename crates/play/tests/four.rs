//! Games with layouts, a deal and four seats in two teams.

use kiban_core::{Act, Call, Entry, Reason, Refusal, Seat, Seats, Stage, Viewer};
use kiban_play::{
    Action, Event, GRACE_MS, Head, Offer, Player, Refused, Room, TimeControl, before_play,
};
use kiban_testkit::toys::veil::VEIL;
use proptest::prelude::*;

const FIRST: Seat = Seat::FIRST;
const SECOND: Seat = Seat::SECOND;
const THIRD: Seat = Seat::THIRD;
const FOURTH: Seat = Seat::FOURTH;
const COMPUTER: Player = Player::Computer { level: 1 };
/// A clock for each turn.
const TURN: TimeControl = TimeControl { main_ms: 0, byoyomi_ms: 1000, periods: 1, increment_ms: 0 };

/// A room, the events that made it, and its dice.
struct Game {
    room: Room,
    events: Vec<Event>,
    now: u64,
    thrown: u64,
}

impl Game {
    fn new(players: [Player; 4], layout_ms: Option<u64>, clock: Option<TimeControl>) -> Game {
        let head = Head {
            game: "veil".into(),
            variant: "ring".into(),
            start: "layouts".into(),
            conduct: "guided".into(),
            clock,
            layout_ms,
            players: players.to_vec(),
        };
        let room = Room::new(head, &VEIL, 0).expect("a possible game");
        Game { room, events: Vec::new(), now: 0, thrown: 0 }
    }

    /// Four people sit; the deal is made.
    fn of_persons(layout_ms: Option<u64>, clock: Option<TimeControl>) -> Game {
        let mut game = Game::new([const { Player::Person }; 4], layout_ms, clock);
        Seat::ALL.into_iter().for_each(|seat| game.sit(seat));
        assert_eq!(game.settle(), 1, "the deal");
        game
    }

    /// The same with the layouts laid.
    fn begun(clock: Option<TimeControl>) -> Game {
        let mut game = Game::of_persons(None, clock);
        for seat in Seat::ALL {
            game.act(seat, Action::Layout("1F2".into())).expect("a legal layout");
        }
        game
    }

    fn sit(&mut self, seat: Seat) {
        let event = self.room.sit(seat, seat.name(), self.now).expect("a free seat");
        self.events.push(event);
    }

    fn act(&mut self, seat: Seat, action: Action) -> Result<Event, Refused> {
        let event = self.room.act(seat, &action, None, self.now)?;
        self.events.push(event.clone());
        Ok(event)
    }

    /// Puts all that is due; how much it was.
    fn settle(&mut self) -> usize {
        let before = self.events.len();
        let thrown = &mut self.thrown;
        let mut dice = || {
            *thrown = thrown.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            *thrown >> 33
        };
        while let Some(event) = self.room.tick(self.now, &mut dice).expect("what is due is taken") {
            self.events.push(event);
        }
        self.events.len() - before
    }

    fn mover(&self) -> Seat {
        self.room.running().expect("a game in play").0
    }

    fn moves(&mut self) {
        let seat = self.mover();
        let text = self.room.referee().choices(seat).remove(0).text;
        self.act(seat, Action::Move(text)).expect("a choice");
    }

    fn main_left(&self, seat: Seat) -> u64 {
        self.room.time_left(self.now).expect("a clock")[seat.index()].main_ms
    }

    fn again(&self) -> Room {
        let head = self.room.head().clone();
        Room::replay(head, &VEIL, self.events.clone(), self.now).expect("its own events")
    }
}

/// All that can be seen of a room, apart from when its ply began to count.
fn faces(room: &Room) -> String {
    let referee = room.referee();
    let seats = Seat::ALL.map(|s| {
        let who = Viewer::Seat(s);
        let shown = (referee.position(who), referee.view(who), referee.choices(s));
        (shown, room.holder(s).map(str::to_owned), room.may_offer(s), room.may_call(s))
    });
    let left = room.time_left(room.since_ms());
    format!(
        "{seats:?} {left:?} {:?} {:?} {:?} {:?} {:?}",
        referee.log(),
        room.spent(),
        room.offers(),
        referee.ending(),
        room.computer_to_move()
    )
}

#[test]
fn layouts_come_in_any_order_and_each_but_once() {
    let mut game = Game::new([const { Player::Person }; 4], None, None);
    [FIRST, SECOND, THIRD].into_iter().for_each(|seat| game.sit(seat));
    assert_eq!(game.settle(), 0, "nothing is drawn before everybody is here");
    let early = game.act(FIRST, Action::Call(Call::Resign));
    assert_eq!(early, Err(Refused::NotBegun));
    game.act(FIRST, Action::Layout("F12".into())).expect("who waits may lay out");
    assert_eq!(game.act(FIRST, Action::Layout("F12".into())), Err(Refused::Laid));
    game.sit(FOURTH);
    game.settle();
    let log = game.room.referee().log();
    assert!(matches!(log, [_, Entry { by: Seats::NONE, act: Act::Deal(_) }]), "{log:?}");
    for seat in [THIRD, FOURTH] {
        // A page that knew fewer layouts means the same by its own.
        let layout = Action::Layout("1F2".into());
        game.events.push(game.room.act(seat, &layout, Some(0), 70).expect("in any order"));
        let again = game.act(seat, Action::Layout("2F1".into()));
        assert_eq!(again, Err(Refused::Laid));
    }
    assert_eq!(game.room.referee().waiting_for(), SECOND.into());
    let wrong = game.act(SECOND, Action::Layout("FFF".into()));
    assert!(matches!(wrong, Err(Refused::Rules(Refusal::Unreadable(e))) if e.code == "bad-layout"));
    let moved = game.act(SECOND, Action::Move("a-b".into()));
    assert_eq!(moved, Err(Refused::Rules(Refusal::WrongStage)));
    assert!(game.room.running().is_none() && game.room.computer_to_move().is_none());
    game.now = 500;
    game.act(SECOND, Action::Layout("12F".into())).unwrap();
    assert_eq!(game.room.referee().stage(), Stage::Play);
    assert_eq!(game.room.running().map(|(_, since)| since), Some(500), "the clock begins now");
    let late = game.act(SECOND, Action::Layout("12F".into()));
    assert_eq!(late, Err(Refused::Laid));
    assert_eq!((game.room.before_play(), before_play(game.room.referee())), (5, 5));
}

#[test]
fn computers_lay_out_at_once_and_play_their_seats() {
    let mut game = Game::new([Player::Person, COMPUTER, COMPUTER, COMPUTER], None, None);
    assert_eq!(game.settle(), 0);
    game.sit(FIRST);
    assert_eq!(game.settle(), 4, "the deal and three layouts");
    assert_eq!(game.room.referee().waiting_for(), FIRST.into());
    assert_eq!(game.room.computer_to_move(), None);
    game.act(FIRST, Action::Layout("1F2".into())).unwrap();
    for _ in 0..3 {
        let seat = game.mover();
        let computer = (seat != FIRST).then_some((seat, 1));
        assert_eq!(game.room.computer_to_move(), computer);
        game.moves();
    }
    assert!(!game.room.may_offer(FIRST).contains(&Offer::Draw), "computers agree to nothing");
    assert_eq!(faces(&game.room), faces(&game.again()));
}

#[test]
fn who_is_late_gets_a_layout() {
    let mut game = Game::of_persons(Some(60_000), None);
    assert_eq!(game.room.deadline_ms(), Some(60_000));
    game.now = 50_000;
    game.act(SECOND, Action::Layout("1F2".into())).unwrap();
    assert_eq!(game.room.deadline_ms(), Some(60_000), "one time for all");
    game.now = 60_000;
    let late = game.act(FIRST, Action::Layout("1F2".into()));
    assert_eq!(late, Err(Refused::OutOfTime));
    assert_eq!(game.settle(), 3);
    assert_eq!((game.room.referee().stage(), game.room.deadline_ms()), (Stage::Play, None));
    // What was drawn is in the events: no dice are thrown again.
    assert_eq!(faces(&game.room), faces(&game.again()));
}

#[test]
fn a_turn_whose_time_ran_out_is_skipped() {
    let mut game = Game::begun(Some(TURN));
    let (late, next) = (game.mover(), game.mover().index() + 1);
    game.now = 1000;
    assert_eq!(game.settle(), 1);
    let Some(Event::Put { entry, .. }) = game.events.last() else {
        panic!("a timeout is an entry")
    };
    assert_eq!(*entry, Entry::new_call(late, Call::Timeout));
    assert_eq!(game.mover(), Seat::ALL[next % 4]);
    let left = game.room.time_left(1000).unwrap()[late.index()];
    assert_eq!((left.periods, left.byoyomi_ms), (1, 1000), "whole again for the next turn");
    for _ in 0..3 {
        game.moves();
    }
    assert_eq!((game.mover(), game.room.deadline_ms()), (late, Some(2000)));
    assert_eq!(game.room.spent_on_plies().len(), game.room.referee().seen(Viewer::Watcher).len());
    assert_eq!(faces(&game.room), faces(&game.again()));
}

#[test]
fn a_seat_that_goes_out_gives_nobody_time() {
    let main = TimeControl { main_ms: 10_000, byoyomi_ms: 0, periods: 1, increment_ms: 0 };
    let mut game = Game::begun(Some(main));
    let mover = game.mover();
    let other = Seat::ALL[(mover.index() + 1) % 4];
    game.now = 3000;
    game.act(other, Action::Call(Call::Resign)).unwrap();
    assert_eq!((game.mover(), game.room.since_ms(), game.main_left(mover)), (mover, 0, 7000));
    let resigned = game.act(other, Action::Call(Call::Resign));
    assert_eq!(resigned, Err(Refused::Rules(Refusal::NoSuchCall(Call::Resign))), "it is out");
    game.now = 4000;
    game.act(mover, Action::Call(Call::Resign)).unwrap();
    assert_eq!((game.room.referee().stage(), game.main_left(mover)), (Stage::Play, 6000));
    assert_ne!(game.mover(), mover);
    let last = game.mover();
    game.act(last, Action::Call(Call::Resign)).unwrap();
    let outcome = game.room.referee().ending().expect("a team is out").outcome.unwrap();
    assert!(!outcome.winners().has(last));
}

#[test]
fn gone_rivals_are_put_out_one_by_one() {
    let mut game = Game::begun(Some(TimeControl { main_ms: 9_000_000, ..TURN }));
    [SECOND, THIRD, FOURTH].into_iter().for_each(|seat| game.room.set_here(seat, false, 0));
    game.room.set_here(FOURTH, true, 0);
    game.now = GRACE_MS;
    assert!(!game.room.may_claim(SECOND, 0));
    assert!(game.room.may_claim(FIRST, game.now) && game.room.may_claim(FOURTH, game.now));
    let event = game.act(FIRST, Action::ClaimLeft).unwrap();
    let left = Entry::new_call(SECOND, Call::Left);
    assert!(matches!(event, Event::Put { entry, .. } if entry == left));
    assert_eq!(game.room.referee().stage(), Stage::Play, "the others go on");
    // The third seat is an ally: only its rivals may say that it left.
    assert_eq!(game.act(FIRST, Action::ClaimLeft), Err(Refused::StillHere));
    assert_eq!(game.act(SECOND, Action::ClaimLeft), Err(Refused::StillHere), "it is out");
    game.act(FOURTH, Action::ClaimLeft).unwrap();
    assert_eq!(game.act(FOURTH, Action::ClaimLeft), Err(Refused::StillHere), "nobody else is gone");
}

#[test]
fn a_draw_needs_those_who_are_still_in() {
    let mut game = Game::begun(None);
    let gone = Seat::ALL[(game.mover().index() + 1) % 4];
    game.act(gone, Action::Call(Call::Resign)).unwrap();
    assert_eq!(game.room.may_offer(gone), []);
    assert_eq!(game.act(gone, Action::Offer(Offer::Draw)), Err(Refused::NoOffer));
    let inside: Vec<Seat> = Seat::ALL.into_iter().filter(|s| *s != gone).collect();
    for seat in &inside[..2] {
        game.act(*seat, Action::Offer(Offer::Draw)).unwrap();
        let again = game.act(*seat, Action::Offer(Offer::Draw));
        assert_eq!(again, Err(Refused::NoOffer), "who has consented cannot again");
        assert_eq!(game.room.referee().stage(), Stage::Play);
    }
    game.act(inside[2], Action::Offer(Offer::Draw)).unwrap();
    let outcome = game.room.referee().ending().unwrap().outcome.unwrap();
    assert_eq!(outcome.reason(), Reason::AGREEMENT);
}

#[test]
fn a_seat_that_is_out_answers_no_offers() {
    let mut game = Game::begun(None);
    let gone = Seat::ALL[(game.mover().index() + 1) % 4];
    game.act(gone, Action::Call(Call::Resign)).unwrap();
    game.act(game.mover(), Action::Offer(Offer::Draw)).unwrap();
    let offers = game.room.offers().to_vec();
    for action in [Action::Accept(Offer::Draw), Action::Decline(Offer::Draw)] {
        assert_eq!(game.act(gone, action), Err(Refused::NoOffer));
        assert_eq!(game.room.offers(), offers);
    }
}

fn action() -> impl Strategy<Value = Action> {
    let layouts = prop_oneof![Just("F12"), Just("1F2"), Just("21F"), Just("FF1")];
    let offers = prop_oneof![Just(Offer::Draw), Just(Offer::TakeBack)];
    prop_oneof![
        3 => layouts.prop_map(|text| Action::Layout(text.into())),
        // Which of the choices is decided when it is played.
        12 => (0..4_u8).prop_map(|n| Action::Move(n.to_string())),
        1 => Just(Action::Call(Call::Resign)),
        2 => offers.clone().prop_map(Action::Offer),
        1 => offers.clone().prop_map(Action::Accept),
        1 => offers.prop_map(Action::Decline),
        1 => Just(Action::ClaimLeft),
    ]
}

fn clocks() -> impl Strategy<Value = Option<TimeControl>> {
    prop_oneof![Just(None), Just(Some(TURN)), Just(Some(TimeControl { main_ms: 3000, ..TURN }))]
}

proptest! {
    #[test]
    fn replayed_events_give_the_same_room(
        computers in proptest::collection::vec(any::<bool>(), 3),
        clock in clocks(),
        layout_ms in proptest::option::of(Just(2_000_u64)),
        steps in proptest::collection::vec((0..4_usize, action(), 0..700_u64, any::<bool>()), 0..60),
        thrown in any::<u64>(),
    ) {
        let player = |i: usize| if i > 0 && computers[i - 1] { COMPUTER } else { Player::Person };
        let mut game = Game::new(std::array::from_fn(player), layout_ms, clock);
        game.thrown = thrown;
        let open = game.room.open_seats();
        open.iter().for_each(|seat| game.sit(seat));
        for (seat, action, passed, in_turn) in steps {
            game.now += passed;
            game.settle();
            prop_assert_eq!(game.settle(), 0, "all that was due is put");
            let mover = game.room.running().map(|(seat, _)| seat).filter(|_| in_turn);
            let seat = mover.unwrap_or(Seat::ALL[seat]);
            let choices = game.room.referee().choices(seat);
            let action = match action {
                Action::Move(n) if !choices.is_empty() => {
                    let n: usize = n.parse().unwrap();
                    Action::Move(choices[n % choices.len()].text.clone())
                }
                other => other,
            };
            let (before, since) = (faces(&game.room), game.room.since_ms());
            if game.act(seat, action).is_err() {
                prop_assert_eq!(&before, &faces(&game.room), "a refusal changes nothing");
                prop_assert_eq!(since, game.room.since_ms());
            }
            let playing = game.room.referee().stage() == Stage::Play;
            prop_assert_eq!(game.room.running().is_some(), playing);
        }
        prop_assert_eq!(faces(&game.room), faces(&game.again()));
    }
}
