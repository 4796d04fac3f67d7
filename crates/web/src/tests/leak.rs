//! Nothing hidden leaves the server: two games that differ only in ranks a viewer may not know
//! give that viewer the same bytes at every endpoint, at once and for as long as everybody is told
//! the same. Ids, links, cookies and the time are equal in both worlds; only the commitments are
//! masked, whose salts nobody knows.

#[path = "../../../../games/luzhanqi/tests/common/mod.rs"]
mod common;

use super::client::{Browser, Server, Stream};
use crate::guard::hash;
use crate::room::{Mode, Stored};
use common::{SWAPS, another, told};
use kiban_core::{Act, Conduct, Entry, GameSpec, Opening, Seat, Shape, Stage, Viewer};
use kiban_luzhanqi::GAME;
use kiban_play::{Event, Head, Player};
use kiban_store::{NewEvent, NewGame, SqliteStore};
use kiban_testkit::{Case, Random, World, seats};
use serde_json::{Value, json};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

static GAMES: &[&GameSpec] = &[&GAME];

/// Games played unless KIBAN_LEAK_GAMES says how many.
const USUAL_GAMES: usize = 300;
/// Moves of a game at most.
const PLIES: usize = 110;
/// Pairs of worlds of each game.
const PAIRS: usize = 2;
/// Swaps of two ranks a game has seen on the average.
const SWAPS_A_GAME: usize = 10;
/// One entry in so many is followed by a look at every endpoint.
const CLOSELY_EVERY: usize = 24;
/// Unix milliseconds at which the clock of both worlds stands.
const NOW_MS: u64 = 1_790_000_000_000;

const VARIANTS: [&str; 8] = [
    "dark",
    "contest",
    "dark,announce=ranks,mine=both-go",
    "flip",
    "four-dark",
    "four-pair",
    "dark,marshal-reveals-flag=no,hq=free,clock=move",
    "four-dark,clock=move,quiet=draw-40",
];

/// What was compared, over all games.
#[derive(Default)]
struct Counts {
    pairs: AtomicUsize,
    entries: AtomicUsize,
    answers: AtomicUsize,
    bytes: AtomicUsize,
    told_apart: AtomicUsize,
}

/// A game's opening and all that was put into it.
struct Played {
    opening: Opening,
    log: Vec<Entry>,
    seats: u8,
}

/// The case's game, played by chance with a liking for attacks.
fn played(case: &Case<'_>) -> Played {
    let mut playing = case.open().expect("it opens");
    while playing.game.stage() == Stage::Layout {
        playing.step().expect("layouts are taken");
    }
    for _ in 0..PLIES {
        let Some(seat) = playing.mover() else { break };
        let mut choices = playing.choices();
        if playing.random.below(3) == 0 {
            let view = playing.game.scene(Viewer::Watcher);
            let taken = |at: &String| view.pieces.iter().any(|piece| piece.at == *at);
            choices.retain(|c| c.taps.len() == 2 && taken(&c.taps[1]));
        }
        if choices.is_empty() {
            choices = playing.game.choices(seat);
        }
        let choice = playing.random.pick(&choices).expect("the seat to move can move");
        let entry = Entry::new_move(seat, choice.text.as_str());
        playing.game.put(&entry).expect("a choice is taken");
    }
    let seats = seats(&*playing.game).len() as u8;
    Played { opening: playing.opening.clone(), log: playing.game.log().to_vec(), seats }
}

/// How many entries after `at` both worlds take alike, as far as everybody is told.
fn common_length(game: &Played, at: usize, other: &[Entry]) -> usize {
    let alike = |k: usize| {
        let there: Vec<Entry> = other.iter().chain(&game.log[at..at + k]).cloned().collect();
        let here = told(&game.opening, &game.log[..at + k]);
        here.is_some() && here == told(&game.opening, &there)
    };
    let (mut alike_up_to, mut parted) = (0, game.log.len() - at + 1);
    while parted - alike_up_to > 1 {
        let middle = (alike_up_to + parted) / 2;
        if alike(middle) { alike_up_to = middle } else { parted = middle }
    }
    alike_up_to
}

/// A text of the shape of ids and cookies.
fn token(random: &mut Random) -> String {
    format!("{:016x}{:016x}", random.bits(), random.bits())
}

/// What both worlds have alike.
struct Table {
    id: String,
    stored: Stored,
    /// The cookie of each seat's holder.
    cookies: Vec<String>,
}

impl Table {
    fn of(game: &Played, case: &Case<'_>, mode: Mode, random: &mut Random) -> Table {
        let seats = usize::from(game.seats);
        let one = token(random);
        let cookies: Vec<String> = (0..seats)
            .map(|_| if mode == Mode::Screen { one.clone() } else { token(random) })
            .collect();
        let referee = (GAME.open)(&game.opening).expect("it opened before");
        let head = Head {
            game: GAME.id.to_string(),
            variant: referee.variant(),
            start: referee.start().to_string(),
            conduct: case.conduct.name().to_string(),
            clock: None,
            layout_ms: None,
            players: vec![Player::Person; seats],
        };
        let (creator, key) = (hash(&cookies[0]), token(random));
        let stored = Stored { head, mode, creator, key, kept: Vec::new() };
        Table { id: token(random), stored, cookies }
    }

    /// The game in a server's store, everybody seated and these entries put.
    async fn store(&self, server: &Server, log: &[Entry]) {
        let head = serde_json::to_string(&self.stored).unwrap();
        let at = NOW_MS as i64;
        let game = NewGame { id: self.id.clone(), created_ms: at, head };
        server.app.store.create(game).await.unwrap();
        let seated = Seat::ALL.into_iter().zip(&self.cookies);
        let seated = seated.map(|(seat, cookie)| Event::Sat { seat, holder: hash(cookie) });
        let put = |(i, entry): (usize, &Entry)| Event::Put {
            entry: entry.clone(),
            spent_ms: 7 * i as u64,
        };
        let events = seated.chain(log.iter().enumerate().map(put));
        let new = |event: Event| {
            let body = serde_json::to_string(&event).unwrap();
            NewEvent { key: None, seat: None, at_ms: at, body }
        };
        server.app.store.append(&self.id, 1, events.map(new).collect()).await.unwrap();
    }

    fn browser(&self, server: &Server, seat: Seat) -> Browser {
        server.browser_of(&self.cookies[seat.index()])
    }

    /// How this viewer looks at the game: a browser in each world, and what it asks with.
    fn eyes(&self, who: Viewer, worlds: &[Server; 2]) -> Vec<Eyes> {
        let screen = self.stored.mode == Mode::Screen;
        let seat = if let Viewer::Seat(seat) = who { seat } else { Seat::FIRST };
        let browsers = || [0, 1].map(|i| self.browser(&worlds[i], seat));
        let strangers = || [0, 1].map(|i| worlds[i].browser());
        let watch = self.stored.watch_secret();
        let link = Eyes {
            seat: None,
            query: format!("watch={watch}"),
            page: format!("/g/{}/watch/{watch}", self.id),
            browsers: strangers(),
        };
        let page = format!("/g/{}", self.id);
        match who {
            Viewer::Seat(seat) => {
                let query = if screen { format!("as={seat}") } else { String::new() };
                vec![Eyes { seat: Some(seat), query, page, browsers: browsers() }]
            }
            // Behind the curtain of their own game everybody is a watcher.
            _ if screen => {
                let own = Eyes { seat: None, query: String::new(), page, browsers: browsers() };
                vec![link, own]
            }
            _ => vec![link],
        }
    }
}

/// A viewer at the same game in two worlds.
struct Eyes {
    /// The seat that is looked with, if it is one.
    seat: Option<Seat>,
    query: String,
    page: String,
    browsers: [Browser; 2],
}

/// The text with the hash of every commitment masked.
fn masked(text: &str) -> String {
    const FIELD: &str = "\"sha256\":\"";
    let mut parts = text.split(FIELD);
    let mut all = parts.next().unwrap_or_default().to_string();
    for part in parts {
        let hash = part.bytes().take_while(u8::is_ascii_hexdigit).count();
        assert_eq!(hash, 64, "a commitment is a hash: {part}");
        all += FIELD;
        all += &part[hash..];
    }
    all
}

/// A pair of worlds, compared.
struct Compared<'a> {
    table: &'a Table,
    counts: &'a Counts,
    case: String,
}

impl Compared<'_> {
    fn same(&self, what: &str, here: &str, there: &str) {
        self.counts.answers.fetch_add(1, Ordering::Relaxed);
        self.counts.bytes.fetch_add(here.len(), Ordering::Relaxed);
        if here == there {
            return;
        }
        let (here, there) = (masked(here), masked(there));
        let parting = here.chars().zip(there.chars()).take_while(|(a, b)| a == b).count();
        let clip = |text: &str| -> String {
            text.chars().skip(parting.saturating_sub(60)).take(160).collect()
        };
        let case = &self.case;
        assert!(here == there, "{case}: {what}:\n{}\n{}", clip(&here), clip(&there));
    }

    async fn get(&self, eyes: &mut Eyes, path: &str) {
        let [here, there] = &mut eyes.browsers;
        let (here, there) = (here.get(path).await.whole(), there.get(path).await.whole());
        self.same(path, &here, &there);
    }

    async fn post(&self, eyes: &mut Eyes, path: &str, body: &Value) {
        let [here, there] = &mut eyes.browsers;
        let here = here.post(path, body.clone()).await;
        let there = there.post(path, body.clone()).await;
        assert!(!here.status.is_success(), "{}: {body} was to be refused", self.case);
        self.same(&format!("{path} {body}"), &here.whole(), &there.whole());
    }

    /// Every endpoint, and what is refused there.
    async fn closely(&self, eyes: &mut Eyes, random: &mut Random) {
        let api = format!("/api/games/{}", self.table.id);
        let query = eyes.query.clone();
        let [here, _] = &mut eyes.browsers;
        let view = here.get(&format!("{api}?{query}")).await.is(200).json();
        let ply = view["ply"].as_u64().unwrap() as usize;
        let n = view["n"].as_u64().unwrap();
        let formats = view["formats"].as_array().unwrap();
        let formats = formats.iter().map(|f| format!("/record?format={}&", text(&f["id"])));
        let fixed = ["?", "/record?", "/record?format=jgs&", "/board.svg?"].map(str::to_string);
        let plies = [0, random.below(ply + 1), ply, ply + 1].map(|ply| format!("/at/{ply}?"));
        for path in fixed.into_iter().chain(plies).chain(formats) {
            self.get(eyes, &format!("{api}{path}{query}")).await;
        }
        let page = eyes.page.clone();
        self.get(eyes, &page).await;
        let join = self.table.stored.join_secret();
        self.get(eyes, &format!("/g/{}/join/{join}", self.table.id)).await;
        self.misuse(eyes, random).await;
        let [here, there] = &eyes.browsers;
        let after = format!("{query}&after={}", n - 1);
        let here = here.follow(&self.table.id, &after).await.view().await.to_string();
        let there = there.follow(&self.table.id, &after).await.view().await.to_string();
        self.same("events", &here, &there);
        self.refusals(eyes, &view, random).await;
    }

    /// Eyes that are not one's own.
    async fn misuse(&self, eyes: &mut Eyes, random: &mut Random) {
        if self.table.stored.mode == Mode::Screen {
            return;
        }
        for other in ["first", "second", "third", "fourth", "referee", "x"] {
            if Some(other) != eyes.seat.map(Seat::name) {
                let paths = ["", "/at/0", "/record", "/board.svg", "/events"];
                let path = random.pick(&paths).unwrap();
                let query = format!("{}&as={other}", eyes.query);
                self.get(eyes, &format!("/api/games/{}{path}?{query}", self.table.id)).await;
            }
        }
    }

    async fn refusals(&self, eyes: &mut Eyes, view: &Value, random: &mut Random) {
        let path = format!("/api/games/{}/entries", self.table.id);
        let rematch = format!("/api/games/{}/rematch", self.table.id);
        self.post(eyes, &rematch, &json!({})).await;
        let seat = eyes.seat.map(Seat::name);
        let key = token(random);
        let order = |mut more: Value| {
            more["id"] = json!(format!("{key} {}", more.as_object().unwrap().len()));
            more["seat"] = json!(seat);
            more
        };
        let other = Seat::ALL.into_iter().find(|s| Some(*s) != eyes.seat).unwrap();
        let mut orders = vec![
            order(json!({ "layout": "aaaa" })),
            order(json!({ "decline": "draw" })),
            order(json!({ "call": "declare" })),
            order(json!({ "call": "timeout" })),
            order(json!({ "claim-left": null })),
            order(json!({ "move": "a1a2", "ply": 9_999 })),
        ];
        if self.table.stored.mode == Mode::Online {
            let id = format!("{key} other");
            orders.push(json!({ "id": id, "seat": other, "move": "a1a2" }));
        }
        for order in orders {
            self.post(eyes, &path, &order).await;
        }
        // Moves that are not to be made, right and wrong paths for what stands there.
        if seat.is_none() || (view["conduct"] == "official" && view["to_move"] == json!(seat)) {
            return;
        }
        let variant = GAME.variant(&self.table.stored.head.variant).unwrap();
        let places = (GAME.picture)(&variant, Shape::Wide).places;
        let choices = view["choices"].as_array().unwrap();
        for i in 0..6 {
            let taps = [(); 2].map(|()| random.pick(&places).unwrap().tap.clone());
            let made = choices.iter().any(|c| c["taps"] == json!(taps) || c["taps"][0] == taps[0]);
            if !(made && view["to_move"] == json!(seat)) {
                let id = format!("{key} taps {i}");
                let order = json!({ "id": id, "seat": seat, "taps": taps });
                self.post(eyes, &path, &order).await;
            }
        }
    }

    /// Plays both worlds on and compares what is pushed to these viewers.
    async fn played_on(
        &self,
        eyes: &mut [Eyes],
        worlds: &[Server; 2],
        entries: &[Entry],
        random: &mut Random,
    ) {
        let mut streams = Vec::new();
        for eyes in &*eyes {
            let [here, there] = &eyes.browsers;
            let here = here.follow(&self.table.id, &eyes.query).await;
            streams.push([here, there.follow(&self.table.id, &eyes.query).await]);
        }
        for (i, entry) in entries.iter().enumerate() {
            let done = put(self.table, &worlds[0], i, entry).await;
            put(self.table, &worlds[1], i, entry).await;
            self.counts.entries.fetch_add(1, Ordering::Relaxed);
            for streams in &mut streams {
                self.pushed(streams, &done).await;
            }
            if i % CLOSELY_EVERY == CLOSELY_EVERY - 1 {
                self.closely(&mut eyes[0], random).await;
            }
        }
    }

    /// The newest view on both streams.
    async fn pushed(&self, streams: &mut [Stream; 2], n: &str) {
        let [here, there] = streams;
        let (here, there) = (newest(here, n).await, newest(there, n).await);
        self.same("pushed view", &here, &there);
    }
}

/// The view after this event, as it was sent.
async fn newest(stream: &mut Stream, n: &str) -> String {
    loop {
        let message = stream.message().await.expect("the stream goes on");
        if message.event == "view" && message.id == n {
            return message.data;
        }
    }
}

fn text(value: &Value) -> &str {
    value.as_str().expect("a text")
}

/// An entry as its author sends it; the number of its event.
async fn put(table: &Table, server: &Server, i: usize, entry: &Entry) -> String {
    let seat = entry.by.only().expect("what is left to do is done by seats");
    let mut order = json!({ "id": format!("entry {i}"), "seat": seat });
    match &entry.act {
        Act::Layout(text) => order["layout"] = json!(text),
        Act::Move(text) => order["move"] = json!(text),
        Act::Deal(_) | Act::Call(_) => unreachable!("the deal comes first, nobody calls"),
    }
    let answer = table.browser(server, seat).act(&table.id, order).await.is(200).text();
    let number = answer.strip_prefix("{\"n\":").expect("an answer begins with its number");
    number.chars().take_while(char::is_ascii_digit).collect()
}

/// Swaps ranks after so many entries and plays both worlds on; whether there was anything to swap.
async fn to_the_end(
    case: &Case<'_>,
    game: &Played,
    worlds: &[Server; 2],
    random: &mut Random,
    counts: &Counts,
) -> bool {
    let all = Seat::ALL.into_iter().take(game.seats.into()).map(Viewer::Seat);
    let viewers: Vec<Viewer> = all.chain([Viewer::Watcher]).collect();
    let who = *random.pick(&viewers).unwrap();
    let at = 1 + random.below(game.log.len() - 1);
    let world = World { opening: &game.opening, log: &game.log[..at], who };
    let Some(other) = another(&world, random) else { return false };
    let mode = if random.below(4) == 0 { Mode::Screen } else { Mode::Online };
    let table = Table::of(game, case, mode, random);
    for (server, log) in worlds.iter().zip([&game.log[..at], &other]) {
        table.store(server, log).await;
    }
    let case = format!("{case}, seen by {}, after {at} entries, {mode:?}", who.name());
    let compared = Compared { table: &table, counts, case };
    let mut eyes = table.eyes(who, worlds);
    // What nobody may know is told to nobody.
    if who != Viewer::Watcher {
        eyes.extend(table.eyes(Viewer::Watcher, worlds));
    }
    compared.closely(&mut eyes[0], random).await;
    let further = common_length(game, at, &other);
    compared.played_on(&mut eyes, worlds, &game.log[at..at + further], random).await;
    for eyes in &mut eyes {
        compared.closely(eyes, random).await;
    }
    counts.pairs.fetch_add(1, Ordering::Relaxed);
    counts.told_apart.fetch_add(tell_apart(&table, worlds).await, Ordering::Relaxed);
    true
}

/// 1 if a seat can tell the worlds apart: its own ranks were swapped.
async fn tell_apart(table: &Table, worlds: &[Server; 2]) -> usize {
    let mut apart = false;
    for seat in Seat::ALL.into_iter().take(table.cookies.len()) {
        let path = format!("/api/games/{}?as={seat}", table.id);
        let mut views = Vec::new();
        for server in worlds {
            views.push(masked(&table.browser(server, seat).get(&path).await.is(200).text()));
        }
        apart |= views[0] != views[1];
    }
    usize::from(apart)
}

fn play(seed: u64, counts: &Counts) {
    let variant = VARIANTS[seed as usize % VARIANTS.len()];
    let mut case = Case::new(&GAME, Some(&common::HIDDEN), variant);
    case.seed = seed;
    case.conduct = if seed.is_multiple_of(3) { Conduct::Official } else { Conduct::Guided };
    let game = played(&case);
    let mut random = Random::new(seed ^ 0x5eed);
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let worlds = [0, 1].map(|_| Server::of(GAMES, Arc::new(SqliteStore::in_memory())));
        worlds.iter().for_each(|server| server.app.stand_still(NOW_MS));
        let mut pairs = 0;
        // A late ply may leave nothing to swap.
        for _ in 0..4 * PAIRS {
            pairs += usize::from(to_the_end(&case, &game, &worlds, &mut random, counts).await);
            if pairs == PAIRS {
                break;
            }
        }
        for server in &worlds {
            assert_eq!(*server.log.lock().unwrap(), Vec::<String>::new(), "nothing went wrong");
        }
    });
}

#[test]
fn swapped_ranks_are_never_noticed_at_any_endpoint() {
    let games = std::env::var("KIBAN_LEAK_GAMES").ok().and_then(|n| n.parse().ok());
    let games: usize = games.unwrap_or(USUAL_GAMES);
    let (counts, next) = (Counts::default(), AtomicUsize::new(0));
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                loop {
                    let seed = next.fetch_add(1, Ordering::Relaxed);
                    if seed >= games {
                        return;
                    }
                    play(seed as u64, &counts);
                }
            });
        }
    });
    let of = |count: &AtomicUsize| count.load(Ordering::Relaxed);
    let (swaps, pairs) = (SWAPS.load(Ordering::Relaxed), of(&counts.pairs));
    let summary = format!(
        "{games} games, {pairs} pairs of worlds, {swaps} swaps, {} entries, {} answers, {} bytes, \
         {} pairs told apart by who may",
        of(&counts.entries),
        of(&counts.answers),
        of(&counts.bytes),
        of(&counts.told_apart)
    );
    if let Some(path) = std::env::var_os("KIBAN_LEAK_REPORT") {
        std::fs::write(path, &summary).unwrap();
    }
    assert!(swaps >= SWAPS_A_GAME * games && pairs >= games, "{summary}");
    // Where nobody knows the ranks, in flip, nobody can tell; elsewhere their owners can.
    assert!(of(&counts.told_apart) * 2 > pairs, "{summary}");
}

#[test]
fn a_commitment_is_masked_and_nothing_else() {
    let hash = hash("x");
    let text = format!("{{\"sha256\":\"{hash}\",\"id\":\"{hash}\"}}");
    assert_eq!(masked(&text), format!("{{\"sha256\":\"\",\"id\":\"{hash}\"}}"));
    assert_eq!(masked("abc"), "abc");
}
