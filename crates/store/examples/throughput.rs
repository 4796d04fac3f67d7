//! How many appends a second, and how long each waits: `GAMES` games at once, each sending its next
//! event `THINK_MS` after the last one was acknowledged.
//!
//! `cargo run --release -p kiban-store --example throughput -- [GAMES] [SECONDS] [THINK_MS] [FOLDER]`
#![expect(clippy::print_stdout, reason = "an example prints its result")]

use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use kiban_store::{NewEvent, NewGame, SqliteStore, Store};

type Fault = Box<dyn std::error::Error + Send + Sync>;

fn main() -> Result<(), Fault> {
    let mut args = std::env::args().skip(1);
    let games: usize = args.next().map_or(Ok(200), |text| text.parse())?;
    let seconds: u64 = args.next().map_or(Ok(5), |text| text.parse())?;
    let think = Duration::from_millis(args.next().map_or(Ok(0), |text| text.parse())?);
    let parent = args.next().map_or_else(std::env::temp_dir, PathBuf::from);
    let folder = tempfile::tempdir_in(parent)?;
    let store: Arc<dyn Store> = Arc::new(SqliteStore::open(folder.path().join("kiban.db"))?);
    let runtime =
        tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_time().build()?;
    let started = Instant::now();
    let until = started + Duration::from_secs(seconds);
    let tasks: Vec<_> = (0..games)
        .map(|game| runtime.spawn(play(Arc::clone(&store), format!("{game:032x}"), think, until)))
        .collect();
    let mut waits = Vec::new();
    for task in tasks {
        waits.extend(runtime.block_on(task)??);
    }
    let rate = waits.len() as f64 / started.elapsed().as_secs_f64();
    waits.sort_unstable();
    let ms = |per_mille: usize| waits[(waits.len() - 1) * per_mille / 1000].as_secs_f64() * 1e3;
    println!(
        "{games} games: {rate:.0} appends/s, ack p50 {:.2} ms, p99 {:.2} ms, p99.9 {:.2} ms, longest {:.1} ms",
        ms(500),
        ms(990),
        ms(999),
        ms(1000),
    );
    Ok(())
}

async fn play(
    store: Arc<dyn Store>,
    id: String,
    think: Duration,
    until: Instant,
) -> Result<Vec<Duration>, Fault> {
    let head = r#"{"game":"shogi","variant":"standard","conduct":"guided"}"#.repeat(4);
    store.create(NewGame { id: id.clone(), created_ms: 0, head }).await?;
    let mut waits = Vec::new();
    for n in 1.. {
        if think > Duration::ZERO {
            tokio::time::sleep(think).await;
        }
        let event = NewEvent {
            key: Some(format!("{n:016x}")),
            seat: Some((n % 2) as u8),
            at_ms: i64::from(n),
            body: r#"{"entry":{"by":0,"act":{"move":"7g7f"}},"left_ms":[600000,598211]}"#.into(),
        };
        let asked = Instant::now();
        store.append(&id, n, vec![event]).await?;
        waits.push(asked.elapsed());
        if Instant::now() >= until {
            break;
        }
    }
    Ok(waits)
}
