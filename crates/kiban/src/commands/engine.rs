//! `kiban engine`: an engine over standard input and output.

use crate::error::Failure;
use crate::output;
use crate::registry::{self, examples};
use kiban_core::{GameSpec, MakeEngine, ReadError};

/// Speaks an engine protocol over standard input and output
#[derive(clap::Args)]
#[command(after_help = examples(&["engine {protocol}", "engine {protocol} --game {game}"]))]
pub(crate) struct Args {
    /// The protocol's id, as "kiban games" lists it
    #[arg(value_name = "PROTOCOL")]
    protocol: String,
    /// The game, where several have this protocol
    #[arg(long, value_name = "GAME")]
    game: Option<String>,
    /// A variant and its options: name,key=value,...
    #[arg(long, value_name = "V")]
    variant: Option<String>,
}

/// Runs the command.
pub(crate) fn run(args: &Args) -> Result<(), Failure> {
    let game = args.game.as_deref().map(registry::game).transpose()?;
    let (spec, make) = find(&args.protocol, game)?;
    let variant = spec.variant(args.variant.as_deref().unwrap_or(""))?;
    let mut conversation = make(&variant);
    kiban_wire::serve(conversation.as_mut(), std::io::stdin(), std::io::stdout());
    Ok(())
}

/// The engines there are, of this game alone if one is named: game, protocol's id and maker.
fn engines(
    game: Option<&'static GameSpec>,
) -> impl Iterator<Item = (&'static GameSpec, &'static str, MakeEngine)> {
    let games = kiban_games::all().filter(move |g| game.is_none_or(|only| only.id == g.id));
    games.flat_map(|g| g.protocols.iter().filter_map(move |p| Some((g, p.id, p.engine?))))
}

fn find(
    id: &str,
    game: Option<&'static GameSpec>,
) -> Result<(&'static GameSpec, MakeEngine), Failure> {
    let found: Vec<_> = engines(game).filter(|(_, known, _)| *known == id).collect();
    match found.as_slice() {
        [(spec, _, make)] => Ok((spec, *make)),
        [] => {
            let mut known: Vec<&str> = engines(game).map(|(_, known, _)| known).collect();
            known.dedup();
            let of = game.map_or(String::new(), |g| format!(" of {}", g.names.en));
            let message = match known.as_slice() {
                [] => format!("There is no protocol{of}; \"kiban games\" lists those there are."),
                _ => format!(
                    "There is no protocol \"{}\"{of}; choose one of {}.",
                    output::plain(id),
                    known.join(", ")
                ),
            };
            let error = ReadError::new("unknown-protocol", message).field("protocol");
            Err(Failure::NoAnswer(error.found(id, known.join(", "))))
        }
        several => {
            let games: Vec<&str> = several.iter().map(|(g, ..)| g.id).collect();
            let message =
                format!("Several games speak {id}; add --game with one of {}.", games.join(", "));
            Err(Failure::usage("which-game", message))
        }
    }
}
