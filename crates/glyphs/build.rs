//! Turns the face in the build dependencies into `outlines.rs`: one SVG path per character.
//!
//! Nothing of the face is in this repository and nothing is fetched here: cargo has unpacked the
//! two packages before this program runs, and only the outlines of the listed characters reach the
//! program that is built.

// A build script speaks to cargo by printing.
#![allow(clippy::print_stdout)]

#[allow(unreachable_pub)] // The library publishes what it shares with this script.
#[path = "src/chars.rs"]
mod chars;

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

use ttf_parser::{Face, GlyphId, OutlineBuilder, PlatformId};

/// The two halves of the font file: package, version as pinned in Cargo.toml, file.
const PARTS: [(&str, &str, &str); 2] = [
    ("makepad-fonts-chinese-bold", "1.0.1", "resources/LXGWWenKaiBold.ttf"),
    ("makepad-fonts-chinese-bold-2", "1.0.1", "resources/LXGWWenKaiBold.ttf.2"),
];

/// The box of a glyph, in units.
const BOX: f64 = 1000.0;

/// The largest ink of an ideograph fills this much of the box. One scale for all characters, so
/// that their sizes and their weight keep the proportions of the face.
const LARGEST_INK: f64 = 940.0;

/// The line, in units of the face, about which its ideographs stand: the mean middle of the ink of
/// the shogi characters.
const MIDDLE_LINE: f64 = 358.0;

/// Rectangles (left, low, right, high; units of the face) that are cut off a character.
///
/// Where one code point has two regional shapes, the face has the Chinese one. In Japan the upright
/// of 角 ends at the lowest crossbar; here it goes on below it.
const CUTS: [(char, [f64; 4]); 1] = [('角', [460.0, -120.0, 560.0, 160.0])];

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed=src/chars.rs");
    println!("cargo::rerun-if-env-changed=CARGO_HOME");
    let mut font = Vec::new();
    for (package, version, file) in PARTS {
        let path = package_dir(package, version).join(file);
        println!("cargo::rerun-if-changed={}", path.display());
        let part = fs::read(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
        font.extend_from_slice(&part);
    }
    let face = Face::parse(&font, 0).expect("the two parts make one font file");
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets OUT_DIR"));
    fs::write(out.join("outlines.rs"), outlines(&face)).expect("OUT_DIR can be written");
}

/// The folder in which cargo has unpacked a package.
///
/// Cargo tells a build script this only for packages that declare `links`, which a package of fonts
/// does not. It is looked for where cargo unpacks the registry; where packages are vendored, cargo
/// itself is asked.
fn package_dir(package: &str, version: &str) -> PathBuf {
    let home = env::var_os("CARGO_HOME").map(PathBuf::from).or_else(|| {
        let user = env::var_os("HOME").or_else(|| env::var_os("USERPROFILE"))?;
        Some(PathBuf::from(user).join(".cargo"))
    });
    let registries = home.and_then(|home| fs::read_dir(home.join("registry").join("src")).ok());
    registries
        .into_iter()
        .flatten()
        .flatten()
        .map(|registry| registry.path().join(format!("{package}-{version}")))
        .find(|dir| dir.join("Cargo.toml").is_file())
        .or_else(|| ask_cargo(package, version))
        .unwrap_or_else(|| panic!("cargo has not unpacked {package} {version}"))
}

/// The same, from `cargo metadata`. Its JSON is read by eye: the key `manifest_path` that follows
/// the package's identity, and only backslashes need unescaping.
fn ask_cargo(package: &str, version: &str) -> Option<PathBuf> {
    let output = Command::new(env::var_os("CARGO")?)
        .args(["metadata", "--format-version=1", "--offline", "--filter-platform"])
        .arg(env::var_os("HOST")?)
        .output()
        .ok()?;
    let json = String::from_utf8(output.stdout).ok()?;
    let from = json.find(&format!("\"name\":\"{package}\",\"version\":\"{version}\""))?;
    let (_, rest) = json[from..].split_once("\"manifest_path\":\"")?;
    let (path, _) = rest.split_once('"')?;
    Path::new(&path.replace("\\\\", "\\")).parent().map(Path::to_path_buf)
}

/// The generated source: all glyphs in the order of their code points.
fn outlines(face: &Face<'_>) -> String {
    let listed: BTreeSet<char> = chars::CHARACTERS.iter().flat_map(|line| line.chars()).collect();
    let inks: Vec<(char, Ink)> = listed.into_iter().map(|ch| (ch, ink(face, ch))).collect();
    let largest = inks.iter().map(|(_, ink)| ink.extent()).fold(0.0, f64::max);
    let scale = LARGEST_INK / largest;

    let mut source = format!("static GLYPHS: [Glyph; {}] = [\n", inks.len());
    for (ch, ink) in &inks {
        let (bounds, path) = ink.place(scale);
        let [x0, y0, x1, y1] = bounds;
        writeln!(
            source,
            "Glyph {{ ch: {ch:?}, bounds: Bounds {{ x0: {x0}, y0: {y0}, x1: {x1}, y1: {y1} }}, \
             path: {path:?} }},"
        )
        .expect("a string takes any text");
    }
    source.push_str("];\n");
    let (_, missing) = Ink::read(face, GlyphId(0), None).place(scale);
    writeln!(source, "#[cfg(test)]\nconst NOTDEF: &str = {missing:?};").expect("as above");
    source
}

/// The outline of a character; a character without one stops the build.
fn ink(face: &Face<'_>, ch: char) -> Ink {
    // The face's 16-bit table gives its own length wrongly (an overflow), so only the full
    // Windows table is trusted.
    let table = face
        .tables()
        .cmap
        .into_iter()
        .flat_map(|cmap| cmap.subtables)
        .find(|table| table.platform_id == PlatformId::Windows && table.encoding_id == 10)
        .expect("the face has a full Unicode table");
    let id = table.glyph_index(u32::from(ch)).filter(|id| id.0 != 0);
    let id = id.unwrap_or_else(|| panic!("the face lacks {ch}"));
    let ink = Ink::read(face, id, CUTS.iter().find(|cut| cut.0 == ch).map(|cut| cut.1));
    assert!(ink.extent() > 0.0, "the face has no outline for {ch}");
    ink
}

/// One drawing command with its points, in units of the face, y up.
type Step = (char, Vec<(f64, f64)>);

/// An outline and its exact extent.
struct Ink {
    steps: Vec<Step>,
    cut: Option<[f64; 4]>,
    advance: f64,
    at: (f64, f64),
    low: (f64, f64),
    high: (f64, f64),
}

impl Ink {
    fn read(face: &Face<'_>, id: GlyphId, cut: Option<[f64; 4]>) -> Self {
        let advance = face.glyph_hor_advance(id).map_or(0.0, f64::from);
        let (low, high) = ((f64::MAX, f64::MAX), (f64::MIN, f64::MIN));
        let mut ink = Self { steps: Vec::new(), cut, advance, at: (0.0, 0.0), low, high };
        face.outline_glyph(id, &mut ink);
        ink
    }

    /// The longer side of the ink.
    fn extent(&self) -> f64 {
        (self.high.0 - self.low.0).max(self.high.1 - self.low.1)
    }

    fn reach(&mut self, (x, y): (f64, f64)) {
        self.low = (self.low.0.min(x), self.low.1.min(y));
        self.high = (self.high.0.max(x), self.high.1.max(y));
    }

    fn is_cut(&self, (x, y): (f64, f64)) -> bool {
        self.cut.is_some_and(|[x0, y0, x1, y1]| x0 < x && x < x1 && y0 < y && y < y1)
    }

    /// A step of the outline. What ends in the cut is left out, what only bends in it is made
    /// straight; so the outline closes along the edge where it was cut.
    fn go(&mut self, command: char, points: Vec<(f64, f64)>) {
        if let Some(&end) = points.last() {
            if self.is_cut(end) {
                return;
            }
            self.reach(end);
            self.at = end;
        }
        self.steps.push((command, points));
    }

    /// Bounds and path in the box, y down, placed by eye: across as the face has it on its own
    /// square, upright midway between that and the middle of the ink. (The ink alone would set 角,
    /// whose foot sweeps left, too far right.)
    fn place(&self, scale: f64) -> ([i32; 4], String) {
        let ink = (self.low.1 + self.high.1) / 2.0;
        let middle = (self.advance / 2.0, (ink + MIDDLE_LINE) / 2.0);
        let x_of = |x: f64| BOX / 2.0 + (x - middle.0) * scale;
        let y_of = |y: f64| BOX / 2.0 - (y - middle.1) * scale;
        let mut path = String::new();
        for (command, points) in &self.steps {
            path.push(*command);
            for (i, &(x, y)) in points.iter().enumerate() {
                let gap = if i == 0 { "" } else { " " };
                write!(path, "{gap}{} {}", x_of(x).round() as i32, y_of(y).round() as i32)
                    .expect("a string takes any text");
            }
        }
        let [x0, y0] = [x_of(self.low.0), y_of(self.high.1)].map(|low| low.floor() as i32);
        let [x1, y1] = [x_of(self.high.0), y_of(self.low.1)].map(|high| high.ceil() as i32);
        ([x0, y0, x1, y1], path)
    }
}

impl OutlineBuilder for Ink {
    fn move_to(&mut self, x: f32, y: f32) {
        self.go('M', vec![(x.into(), y.into())]);
    }

    fn line_to(&mut self, x: f32, y: f32) {
        self.go('L', vec![(x.into(), y.into())]);
    }

    fn quad_to(&mut self, x1: f32, y1: f32, x: f32, y: f32) {
        let (from, bend, end) = (self.at, (x1.into(), y1.into()), (x.into(), y.into()));
        if self.is_cut(bend) || self.is_cut(end) {
            return self.go('L', vec![end]);
        }
        // The curve reaches beyond its ends where its derivative is zero within it.
        for (a, b, c) in [(from.0, bend.0, end.0), (from.1, bend.1, end.1)] {
            let t = (a - b) / (a - 2.0 * b + c);
            if t > 0.0 && t < 1.0 {
                let on = |a: f64, b: f64, c: f64| {
                    (1.0 - t) * (1.0 - t) * a + 2.0 * t * (1.0 - t) * b + t * t * c
                };
                self.reach((on(from.0, bend.0, end.0), on(from.1, bend.1, end.1)));
            }
        }
        self.go('Q', vec![bend, end]);
    }

    fn curve_to(&mut self, _: f32, _: f32, _: f32, _: f32, _: f32, _: f32) {
        unreachable!("a TrueType outline has no cubic curves");
    }

    fn close(&mut self) {
        self.go('Z', Vec::new());
    }
}
