//! Boards drawn by the server into a page.

use kiban_core::{
    Act, Arbiter, Conduct, Drawing, Entry, GameSpec, Opening, Picture, Place, Scene, Seat, Shape,
    Stage, Variant, Viewer,
};
use maud::{Markup, PreEscaped, html};

/// The board of a variant at its start or a given one; nothing if the start cannot be read. Where
/// layouts or a deal are owed, an example of them.
pub(super) fn start(spec: &GameSpec, variant: &str, start: Option<&str>) -> Option<Markup> {
    let variant = spec.variant(variant).ok()?;
    let scene = match start {
        None => example(spec, &variant, Seat::FIRST)?,
        Some(_) => opened(spec, &variant, start)?.scene(Viewer::Watcher),
    };
    Some(drawn(spec, &variant, &scene))
}

/// The board of the usual variant without a piece.
pub(super) fn empty(spec: &GameSpec) -> Option<Markup> {
    let variant = spec.variant("").ok()?;
    Some(drawn(spec, &variant, &Scene::default()))
}

/// What a seat sees at the start of a variant's game; nothing if there is no such game.
pub(super) fn example(spec: &GameSpec, variant: &Variant, seat: Seat) -> Option<Scene> {
    let mut game = opened(spec, variant, None)?;
    if game.stage() != Stage::Layout {
        return Some(game.scene(Viewer::Watcher));
    }
    for (seat, layout) in game.waiting_for().iter().zip(spec.layouts.iter().cycle()) {
        game.put(&Entry { by: seat.into(), act: Act::Layout(layout.text.to_string()) }).ok()?;
    }
    // Every piece of an example may lie where it likes.
    let mut number = 0_u64;
    let mut dice = || {
        number = number.wrapping_add(0x9e37_79b9_7f4a_7c15);
        number ^ number >> 31
    };
    if let Some(deal) = game.draw(&mut dice) {
        game.put(&deal).ok()?;
    }
    Some(game.scene(Viewer::Seat(seat)))
}

/// A variant's game at its beginning.
pub(super) fn opened(
    spec: &GameSpec,
    variant: &Variant,
    start: Option<&str>,
) -> Option<Box<dyn Arbiter>> {
    let start = start.map(str::to_string);
    let opening = Opening { variant: variant.clone(), start, conduct: Conduct::Guided, seed: None };
    (spec.open)(&opening).ok()
}

/// The symbols that small boards of a game use, unseen, once in a page.
pub(super) fn shared(spec: &GameSpec) -> Markup {
    let picture = spec.variant("").ok().map(|variant| (spec.picture)(&variant, Shape::Wide));
    let defs = picture.map(|picture| scoped(&picture.defs, &small_prefix(spec)));
    html! {
        @if let Some(defs) = defs {
            svg .unseen width="0" height="0" aria-hidden="true" { defs { (PreEscaped(defs)) } }
        }
    }
}

/// A small board of the usual variant, cut to the board itself and what else holds pieces. Its
/// symbols are those of [`shared`].
pub(super) fn small(spec: &GameSpec, start: &str) -> Option<Markup> {
    /// Of the board's edge, in parts of a place.
    const EDGE: f32 = 0.25;
    let variant = spec.variant("").ok()?;
    let scene = opened(spec, &variant, Some(start))?.scene(Viewer::Watcher);
    let picture = (spec.picture)(&variant, Shape::Tall);
    let holds = |place: &&Place| {
        place.seat.is_none() || scene.pieces.iter().any(|piece| piece.at == place.id)
    };
    let mut frame = (f32::MAX, f32::MAX, f32::MIN, f32::MIN);
    for place in picture.places.iter().filter(holds) {
        let (w, h) = (place.w * (0.5 + EDGE), place.h * (0.5 + EDGE));
        frame.0 = frame.0.min(place.x - w);
        frame.1 = frame.1.min(place.y - h);
        frame.2 = frame.2.max(place.x + w);
        frame.3 = frame.3.max(place.y + h);
    }
    let (x, y, w, h) = (frame.0, frame.1, frame.2 - frame.0, frame.3 - frame.1);
    let Picture { width, height, .. } = picture;
    let whole = format!("viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\"");
    let cut = format!("viewBox=\"{x} {y} {w} {h}\" width=\"{w}\" height=\"{h}\"");
    let picture = Picture { defs: String::new(), labels: Vec::new(), ..picture };
    let svg = Drawing { picture: &picture, scene: &scene, turns: 0 }.svg();
    let svg = svg.replacen(&whole, &cut, 1);
    let svg = scoped(&svg, &small_prefix(spec));
    Some(html! { (PreEscaped(svg)) })
}

fn small_prefix(spec: &GameSpec) -> String {
    format!("{}-small-", spec.id)
}

fn drawn(spec: &GameSpec, variant: &Variant, scene: &Scene) -> Markup {
    let picture = (spec.picture)(variant, Shape::Wide);
    let svg = Drawing { picture: &picture, scene, turns: 0 }.svg();
    let svg = scoped(&svg, &prefix(spec));
    html! { (PreEscaped(svg)) }
}

/// Stands before every id of a game's drawings in a page.
fn prefix(spec: &GameSpec) -> String {
    format!("{}-", spec.id)
}

/// A piece by its face, in a page that shows a board of the game.
pub(super) fn piece(spec: &GameSpec, face: &str, (w, h): (f32, f32)) -> Markup {
    let frame = format!("{} {} {w} {h}", -w / 2.0, -h / 2.0);
    html! {
        svg .icon-piece viewBox=(frame) aria-hidden="true" {
            use href=(format!("#{}f-{face}", prefix(spec))) {}
        }
    }
}

/// Gives every id of a drawing a prefix, so that several can stand in one page.
fn scoped(svg: &str, prefix: &str) -> String {
    svg.replace(" id=\"", &format!(" id=\"{prefix}"))
        .replace("href=\"#", &format!("href=\"#{prefix}"))
        .replace("url(#", &format!("url(#{prefix}"))
}

#[cfg(test)]
mod tests {
    use super::scoped;

    #[test]
    fn ids_and_what_points_to_them_get_the_prefix() {
        let svg = r##"<g id="f-P" fill="url(#w)"/><use href="#f-P"/>"##;
        let want = r##"<g id="a-f-P" fill="url(#a-w)"/><use href="#a-f-P"/>"##;
        assert_eq!(scoped(svg, "a-"), want);
    }
}
