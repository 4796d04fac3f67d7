//! `kiban render`: a diagram.

use crate::error::Failure;
use crate::position::PositionArgs;
use crate::registry::{self, examples};
use crate::{files, output};
use kiban_core::{Drawing, Shape};
use resvg::{tiny_skia, usvg};
use std::path::{Path, PathBuf};

/// Draws a diagram as SVG or PNG
#[derive(clap::Args)]
#[command(after_help = examples(&[
    "render {game} -o board.svg",
    "render {game} --position {handicap} --size 800 -o board.png",
]))]
pub(crate) struct Args {
    #[command(flatten)]
    position: PositionArgs,
    /// The file, whose extension (.svg or .png) says its kind; "-" is SVG on standard output
    #[arg(short = 'o', long = "output", value_name = "FILE")]
    output: PathBuf,
    /// Width in pixels
    #[arg(long, value_name = "PX", value_parser = clap::value_parser!(u32).range(16..=4096))]
    size: Option<u32>,
    /// Turn the board round
    #[arg(long)]
    flip: bool,
    /// Put hands and trays above and below the board, not beside it
    #[arg(long)]
    tall: bool,
    /// Who is looking: first, second, third, fourth, watcher or referee
    #[arg(long, value_name = "V", default_value = "referee")]
    viewer: String,
}

/// Runs the command.
pub(crate) fn run(args: &Args) -> Result<(), Failure> {
    let kind = kind(&args.output)?;
    let reached = args.position.reach()?;
    let seats = reached.spec.variant_spec(&reached.variant).seats;
    let viewer = registry::viewer(&args.viewer, seats)?;
    let shape = if args.tall { Shape::Tall } else { Shape::Wide };
    let picture = (reached.spec.picture)(&reached.variant, shape);
    let scene = reached.arbiter.scene(viewer);
    let drawing =
        Drawing { picture: &picture, scene: &scene, turns: if args.flip { 2 } else { 0 } };
    let svg = drawing.standalone_svg();
    // The picture's own units are pixels unless a width is asked for.
    let scale = args.size.map_or(1.0, |px| px as f32 / picture.width);
    match kind {
        Kind::Svg => {
            let sized = sized(&svg, picture.width, picture.height, scale);
            files::write(&args.output, sized.as_bytes())
        }
        Kind::Png => files::write(&args.output, &png(&svg, scale)?),
    }?;
    if args.output == Path::new("-") {
        return Ok(());
    }
    output::text(&format!("Drawn to {}.", args.output.display()))
}

enum Kind {
    Svg,
    Png,
}

fn kind(path: &Path) -> Result<Kind, Failure> {
    if path == Path::new("-") {
        return Ok(Kind::Svg);
    }
    let extension = path.extension().and_then(|e| e.to_str()).unwrap_or("").to_lowercase();
    match extension.as_str() {
        "svg" => Ok(Kind::Svg),
        "png" => Ok(Kind::Png),
        _ => {
            let message =
                format!("{} is no name for a diagram; end it in .svg or .png.", path.display());
            Err(Failure::no_answer("unknown-format", message))
        }
    }
}

/// The SVG with its outer width and height scaled; what it draws stays the same.
fn sized(svg: &str, width: f32, height: f32, scale: f32) -> String {
    let old = format!("width=\"{width}\" height=\"{height}\"");
    let new = format!("width=\"{}\" height=\"{}\"", width * scale, height * scale);
    svg.replacen(&old, &new, 1)
}

fn png(svg: &str, scale: f32) -> Result<Vec<u8>, Failure> {
    let fault = |e: String| Failure::no_answer("render", format!("The diagram has a fault: {e}."));
    let tree =
        usvg::Tree::from_str(svg, &usvg::Options::default()).map_err(|e| fault(e.to_string()))?;
    let size = tree.size().to_int_size();
    let size = size.scale_by(scale).ok_or_else(|| fault("it has no size".to_string()))?;
    let mut pixels = tiny_skia::Pixmap::new(size.width(), size.height())
        .ok_or_else(|| fault("it is too large".to_string()))?;
    let transform = tiny_skia::Transform::from_scale(scale, scale);
    resvg::render(&tree, transform, &mut pixels.as_mut());
    pixels.encode_png().map_err(|e| fault(e.to_string()))
}
