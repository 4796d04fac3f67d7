//! `kiban judge`: replays records and gives the verdict.

mod report;
mod row;
mod work;

use crate::bulk::{self, Progress, Sources, is_archive};
use crate::engine::stopped_by_ctrl_c;
use crate::error::Failure;
use crate::records::Wanted;
use crate::registry::{self, help};
use crate::stopwatch::Stopwatch;
use std::path::PathBuf;

/// What the exit statuses mean.
const STATUSES: &str = "0 if something was judged, whatever the verdicts, even if other records \
                        could not be read (the summary counts those); 1 if nothing could be read \
                        or it was interrupted; 2 for wrong usage.";

/// Replays game records and says who won and by what rule, or which move was a foul
#[derive(clap::Args)]
#[command(after_help = help(&[
    "judge game.txt",
    "judge --game {game} --json game1.txt game2.txt",
    "judge --summary games archive.zip \"2024*.txt\"",
    "judge --jsonl - < games.txt",
], STATUSES))]
pub(crate) struct Args {
    /// Record files; a folder or a zip archive means all in it, a pattern such as "*.txt" all it
    /// fits, "-" standard input
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
    /// The game, where the content does not tell
    #[arg(long, value_name = "GAME")]
    game: Option<String>,
    /// The format, where the content does not tell
    #[arg(long, value_name = "FORMAT")]
    format: Option<String>,
    /// The variant, where the record does not tell
    #[arg(long, value_name = "V")]
    variant: Option<String>,
    /// Take what is forgiven in a record as an error
    #[arg(long)]
    strict: bool,
    /// Print no line for a record that is in order
    #[arg(long, conflicts_with_all = ["json", "jsonl"])]
    summary: bool,
    /// Print one JSON document
    #[arg(long)]
    json: bool,
    /// Print one line of JSON a record, and the summary last
    #[arg(long, conflicts_with = "json")]
    jsonl: bool,
}

/// How verdicts are told.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Style {
    /// A sentence a record.
    Text,
    /// A sentence for those that are not in order.
    Summary,
    /// One document.
    Json,
    /// A line of JSON a record.
    Lines,
}

impl Args {
    fn style(&self) -> Style {
        match (self.json, self.jsonl, self.summary) {
            (true, ..) => Style::Json,
            (_, true, _) => Style::Lines,
            (.., true) => Style::Summary,
            _ => Style::Text,
        }
    }

    /// Whether there may be several files.
    fn many(&self) -> bool {
        self.files.len() > 1 || self.files.iter().any(|file| is_archive(file))
    }
}

/// Runs the command.
pub(crate) fn run(args: &'static Args) -> Result<(), Failure> {
    let game = args.game.as_deref().map(registry::game).transpose()?;
    if let (Some(spec), Some(variant)) = (game, &args.variant) {
        spec.variant(variant)?;
    }
    let wanted = Wanted { game, format: args.format.as_deref(), variant: args.variant.as_deref() };
    let watch = Stopwatch::start();
    let stop = stopped_by_ctrl_c();
    let progress = Progress::new(|| Sources::bytes(&args.files));
    let mut report = report::Report::new(args.style(), progress);
    let task = work::Task { wanted, strict: args.strict, style: args.style(), many: args.many() };
    bulk::in_order(
        bulk::threads(),
        &stop,
        move |feed| task.give_all(&args.files, feed),
        move |job| task.work(job),
        |told| report.take(told),
    )?;
    report.finish(&watch, game, stop.stopped())
}
