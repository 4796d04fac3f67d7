//! `kill -9` in the middle of games: what was acknowledged is there, and the clocks did not run
//! while the server was down. That acknowledgements follow the sync, too, a killed process cannot
//! show, since the system's page cache survives it.

use super::client::{id_of, secret_of};
use super::wire::{Client, Process};
use serde_json::{Value, json};
use std::time::{Duration, Instant};

const GAMES: usize = 4;
const ROUNDS: u64 = 10;
const MAIN_MS: u64 = 600_000;
const DOWN: Duration = Duration::from_millis(400);

/// A game that two clients play as fast as they can.
#[derive(Clone)]
struct Duel {
    id: String,
    cookies: [String; 2],
    /// Plies after the last acknowledged move.
    acknowledged: usize,
    /// What the clocks had charged then.
    charged: Duration,
    /// When that was.
    at: Instant,
}

/// What the clocks of a view have charged.
fn charged(view: &Value) -> Duration {
    let left = |i: usize| view["clock"]["left"][i]["main_ms"].as_u64().unwrap();
    Duration::from_millis(2 * MAIN_MS - left(0) - left(1))
}

impl Duel {
    fn open(address: &str) -> Duel {
        let mut first = Client::new(address, None).unwrap();
        let wish = json!({
            "game": "stones", "mode": "online", "start": "6000 first",
            "clock": { "main_ms": MAIN_MS },
        });
        let (status, made) = first.json("POST", "/api/games", &wish).unwrap();
        assert_eq!(status, 201, "{made}");
        let mut second = Client::new(address, None).unwrap();
        let id = id_of(&made);
        let join = format!("/g/{id}/join/{}", secret_of(&made["join"]));
        assert_eq!(second.ask("POST", &join, "").unwrap().0, 303);
        let cookies = [first.cookie.unwrap(), second.cookie.unwrap()];
        Duel { id, cookies, acknowledged: 0, charged: Duration::ZERO, at: Instant::now() }
    }

    /// Plays until the server is gone.
    fn play(mut self, address: &str) -> Duel {
        let client = |i: usize| Client::new(address, Some(self.cookies[i].clone()));
        let (Some(first), Some(second)) = (client(0), client(1)) else { return self };
        let mut clients = [first, second];
        let path = format!("/api/games/{}/entries", self.id);
        loop {
            let ply = self.acknowledged;
            let order = json!({ "id": ply.to_string(), "ply": ply, "move": "take1" });
            let Some((status, answer)) = clients[ply % 2].json("POST", &path, &order) else {
                return self;
            };
            assert_eq!(status, 200, "{answer}");
            self.acknowledged += 1;
            (self.charged, self.at) = (charged(&answer["view"]), Instant::now());
            assert!(answer["view"]["ply"].as_u64() >= Some(self.acknowledged as u64));
        }
    }

    /// Looks at the game after the server was killed and began again.
    fn check(&mut self, address: &str, killed: Instant, began: Instant) {
        let mut client = Client::new(address, Some(self.cookies[0].clone())).unwrap();
        let path = format!("/api/games/{}", self.id);
        let (status, view) = client.json("GET", &path, &Value::Null).unwrap();
        assert_eq!(status, 200, "{view}");
        let ply = view["ply"].as_u64().unwrap() as usize;
        // At most the one move that was stored and whose answer was cut off.
        assert!(
            (self.acknowledged..=self.acknowledged + 1).contains(&ply),
            "{} acknowledged, {ply} there",
            self.acknowledged
        );
        assert_eq!(view["position"], format!("{} {}", 6000 - ply, ["first", "second"][ply % 2]));
        assert_eq!(view["seen"].as_array().unwrap().len(), ply);
        let most = self.charged + (killed - self.at) + began.elapsed();
        assert!(charged(&view) <= most, "{:?} charged, {most:?} played", charged(&view));
        (self.acknowledged, self.charged, self.at) = (ply, charged(&view), Instant::now());
    }
}

#[test]
fn what_was_acknowledged_survives_a_kill() {
    let folder = tempfile::tempdir().unwrap();
    let mut server = Process::start(folder.path());
    let mut duels: Vec<_> = (0..GAMES).map(|_| Duel::open(&server.address)).collect();
    for round in 0..ROUNDS {
        let address = server.address.clone();
        let players: Vec<_> = duels
            .into_iter()
            .map(|duel| {
                let address = address.clone();
                std::thread::spawn(move || duel.play(&address))
            })
            .collect();
        std::thread::sleep(Duration::from_millis(60 + 37 * round % 150));
        server.kill();
        let killed = Instant::now();
        duels = players.into_iter().map(|player| player.join().unwrap()).collect();
        std::thread::sleep(DOWN);
        let began = Instant::now();
        server = Process::start(folder.path());
        for duel in &mut duels {
            duel.check(&server.address, killed, began);
        }
    }
    let plies: usize = duels.iter().map(|duel| duel.acknowledged).sum();
    assert!(plies > 100, "games were played: {plies}");
}
