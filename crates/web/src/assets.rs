//! The static files, part of the program.

/// A static file.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Asset {
    /// Its name below `/static/`.
    name: &'static str,
    /// Its media type.
    pub(crate) content_type: &'static str,
    /// Its content.
    pub(crate) bytes: &'static [u8],
}

impl Asset {
    /// A tag that changes with the content (FNV-1a, 64 bits), in quotes.
    pub(crate) fn etag(&self) -> String {
        let hash = self.bytes.iter().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
            (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3)
        });
        format!("\"{hash:016x}\"")
    }
}

const CSS: &str = "text/css; charset=utf-8";
const JS: &str = "text/javascript; charset=utf-8";

macro_rules! asset {
    ($name:literal, $content_type:expr) => {
        Asset {
            name: $name,
            content_type: $content_type,
            bytes: include_bytes!(concat!("../static/", $name)),
        }
    };
}

const ASSETS: &[Asset] = &[
    asset!("analysis.css", CSS),
    asset!("kiban.css", CSS),
    asset!("board.css", CSS),
    asset!("pages.css", CSS),
    asset!("secret.css", CSS),
    asset!("phone.css", CSS),
    asset!("icon.svg", "image/svg+xml"),
    asset!("theme.js", JS),
    asset!("address.js", JS),
    asset!("analysis.js", JS),
    asset!("arrange.js", JS),
    asset!("arrows.js", JS),
    asset!("bars.js", JS),
    asset!("board.js", JS),
    asset!("clock.js", JS),
    asset!("curtain.js", JS),
    asset!("draw.js", JS),
    asset!("engine.js", JS),
    asset!("faces.js", JS),
    asset!("facts.js", JS),
    asset!("game.js", JS),
    asset!("jsonlines.js", JS),
    asset!("layout.js", JS),
    asset!("lines.js", JS),
    asset!("menu.js", JS),
    asset!("motion.js", JS),
    asset!("near.js", JS),
    asset!("notemenu.js", JS),
    asset!("notes.js", JS),
    asset!("pacer.js", JS),
    asset!("panel.js", JS),
    asset!("parts.js", JS),
    asset!("paths.js", JS),
    asset!("places.js", JS),
    asset!("puzzles.js", JS),
    asset!("record.js", JS),
    asset!("review.js", JS),
    asset!("seats.js", JS),
    asset!("sound.js", JS),
    asset!("start.js", JS),
    asset!("stream.js", JS),
    asset!("valuemarks.js", JS),
    asset!("values.js", JS),
    asset!("words.js", JS),
];

/// The static file of this name.
pub(crate) fn find(name: &str) -> Option<Asset> {
    ASSETS.iter().find(|asset| asset.name == name).copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_file_of_the_folder_is_served_and_its_tag_is_its_own() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/static");
        let mut tags = std::collections::HashSet::new();
        for entry in std::fs::read_dir(folder).unwrap() {
            let name = entry.unwrap().file_name().into_string().unwrap();
            let asset = find(&name).unwrap_or_else(|| panic!("{name} is not served"));
            assert!(tags.insert(asset.etag()), "{name}");
        }
        assert_eq!(tags.len(), ASSETS.len());
    }

    #[test]
    fn modules_import_only_what_is_served() {
        for asset in ASSETS.iter().filter(|a| a.content_type == JS) {
            let text = std::str::from_utf8(asset.bytes).unwrap();
            for line in
                text.lines().filter(|l| l.starts_with("import ") || l.starts_with("} from "))
            {
                let from = line.rsplit('"').nth(1).unwrap();
                let name = from.strip_prefix("./").expect("modules stand side by side");
                assert!(find(name).is_some(), "{} imports {from}", asset.name);
            }
        }
    }

    /// The values of a colour by light and by dark.
    fn tokens() -> Vec<(&'static str, [[f64; 3]; 2])> {
        let css = std::str::from_utf8(find("kiban.css").unwrap().bytes).unwrap();
        let colour = |text: &str| {
            let part = |i: usize| f64::from(u8::from_str_radix(&text[i..i + 2], 16).unwrap());
            [part(1), part(3), part(5)]
        };
        let token = |line: &'static str| {
            let (name, value) = line.trim().strip_suffix(");")?.split_once(": light-dark(")?;
            let (light, dark) = value.split_once(", ")?;
            Some((name, [colour(light), colour(dark)]))
        };
        css.lines().filter_map(token).collect()
    }

    /// WCAG's ratio of contrast.
    fn contrast(a: [f64; 3], b: [f64; 3]) -> f64 {
        let linear = |c: f64| {
            let c = c / 255.0;
            if c <= 0.040_45 { c / 12.92 } else { ((c + 0.055) / 1.055).powf(2.4) }
        };
        let bright =
            |[r, g, b]: [f64; 3]| 0.2126 * linear(r) + 0.7152 * linear(g) + 0.0722 * linear(b);
        let (a, b) = (bright(a) + 0.05, bright(b) + 0.05);
        if a > b { a / b } else { b / a }
    }

    #[test]
    fn each_colour_is_said_once_and_text_stands_out_by_light_and_by_dark() {
        let tokens = tokens();
        assert!(tokens.len() > 30, "{}", tokens.len());
        let names: std::collections::HashSet<_> = tokens.iter().map(|(name, _)| name).collect();
        assert_eq!(names.len(), tokens.len());
        let of = |wanted: &str| tokens.iter().find(|(name, _)| *name == wanted).unwrap().1;
        for paper in ["--paper", "--surface"] {
            for ink in ["--ink", "--muted", "--accent", "--good", "--warn", "--bad"] {
                for theme in [0, 1] {
                    let ratio = contrast(of(ink)[theme], of(paper)[theme]);
                    assert!(ratio >= 4.5, "{ink} on {paper} in theme {theme}: {ratio:.2}");
                }
            }
        }
    }
}
