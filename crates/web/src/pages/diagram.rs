//! Boards drawn by the server into a page.

use kiban_core::{Conduct, Drawing, GameSpec, Opening, Shape, Viewer};
use maud::{Markup, PreEscaped, html};

/// The board of a variant at its start or a given one; nothing if the start cannot be read.
pub(super) fn start(spec: &GameSpec, variant: &str, start: Option<&str>) -> Option<Markup> {
    let variant = spec.variant(variant).ok()?;
    let picture = (spec.picture)(&variant, Shape::Wide);
    let start = start.map(str::to_string);
    let opening = Opening { variant, start, conduct: Conduct::Guided, seed: None };
    let game = (spec.open)(&opening).ok()?;
    let scene = game.scene(Viewer::Watcher);
    let svg = Drawing { picture: &picture, scene: &scene, turns: 0 }.svg();
    let svg = scoped(&svg, &format!("{}-", spec.id));
    Some(html! { (PreEscaped(svg)) })
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
