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
    asset!("analysis.js", JS),
    asset!("arrange.js", JS),
    asset!("arrows.js", JS),
    asset!("bars.js", JS),
    asset!("board.js", JS),
    asset!("clock.js", JS),
    asset!("curtain.js", JS),
    asset!("draw.js", JS),
    asset!("engine.js", JS),
    asset!("facts.js", JS),
    asset!("game.js", JS),
    asset!("jsonlines.js", JS),
    asset!("layout.js", JS),
    asset!("menu.js", JS),
    asset!("motion.js", JS),
    asset!("near.js", JS),
    asset!("notemenu.js", JS),
    asset!("notes.js", JS),
    asset!("pacer.js", JS),
    asset!("panel.js", JS),
    asset!("parts.js", JS),
    asset!("paths.js", JS),
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
            for line in text.lines().filter(|l| l.starts_with("import ") || l.contains("} from ")) {
                let from = line.rsplit('"').nth(1).unwrap();
                let name = from.strip_prefix("./").expect("modules stand side by side");
                assert!(find(name).is_some(), "{} imports {from}", asset.name);
            }
        }
    }
}
