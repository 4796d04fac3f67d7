//! The start form's fields, and the request they come to.

use crate::errors::brief;
use kiban_core::{GameSpec, OptionSpec, Seat};
use serde_json::{Value, json};

/// A clock to choose: its id and main time, byoyomi, periods and increment in seconds.
pub(super) struct Preset {
    /// The field's value, and the end of its text's key.
    pub(super) id: &'static str,
    seconds: [u64; 4],
}

/// The clocks of the form. `none` and `own` stand beside them.
pub(super) const PRESETS: [Preset; 6] = [
    Preset { id: "fast", seconds: [180, 0, 0, 2] },
    Preset { id: "short", seconds: [600, 0, 0, 5] },
    Preset { id: "byoyomi", seconds: [600, 30, 1, 0] },
    Preset { id: "long", seconds: [1800, 60, 1, 0] },
    Preset { id: "half-hour", seconds: [1800, 0, 0, 0] },
    Preset { id: TURN, seconds: [0, 30, 1, 0] },
];

/// The clock that gives each move its own time.
const TURN: &str = "turn";
/// The rule option, and its value, under which a move not made in time is skipped: in games that
/// have it, it goes with that clock.
const BY_THE_MOVE: (&str, &str) = ("clock", "move");

fn is_by_the_move(option: &OptionSpec) -> bool {
    option.key == BY_THE_MOVE.0 && option.values.contains(&BY_THE_MOVE.1)
}

/// Fields by name; a later one of the same name is the one that counts.
#[derive(Clone, Debug, Default)]
pub(super) struct Fields(Vec<(String, String)>);

impl Fields {
    /// Takes the fields; a variant's text with options is parted into its fields.
    pub(super) fn new(fields: &[(String, String)]) -> Fields {
        let mut all = Vec::new();
        for (name, value) in fields {
            let mut parts = value.split(',');
            if name == "variant" {
                all.push((name.clone(), parts.next().unwrap_or("").trim().to_string()));
                for (key, value) in parts.filter_map(|part| part.split_once('=')) {
                    all.push((format!("option-{}", key.trim()), value.trim().to_string()));
                }
            } else {
                all.push((name.clone(), value.clone()));
            }
        }
        // A position that is given is the one that is meant.
        let given = |name: &str| fields.iter().any(|(n, v)| n == name && !v.trim().is_empty());
        if given("position") && !given("setup") {
            all.push(("setup".to_string(), "own".to_string()));
        }
        Fields(all)
    }

    /// Whether nothing was said.
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// A field's value, trimmed; the default if it is missing.
    pub(super) fn get<'a>(&'a self, name: &str, default: &'a str) -> &'a str {
        self.0.iter().rev().find(|(n, _)| n == name).map_or(default, |(_, v)| v.trim())
    }

    /// The variant's text.
    pub(super) fn variant(&self, spec: &GameSpec) -> String {
        let mut text = self.get("variant", "").to_string();
        for option in spec.options {
            let mut value = self.get(&format!("option-{}", option.key), "").to_string();
            if value.is_empty() && is_by_the_move(option) && self.get("clock", "") == TURN {
                value = BY_THE_MOVE.1.to_string();
            }
            if !value.is_empty() {
                text.push_str(&format!(",{}={value}", option.key));
            }
        }
        text
    }

    /// The start: a set-up's id or a position's text.
    pub(super) fn start(&self) -> Option<&str> {
        let start = match self.get("setup", "") {
            "own" => self.get("position", ""),
            setup => setup,
        };
        (!start.is_empty()).then_some(start)
    }

    fn number(&self, name: &str, what: &str) -> Result<u64, String> {
        let text = self.get(name, "0");
        if text.is_empty() {
            return Ok(0);
        }
        text.parse().map_err(|_| format!("\"{text}\" is not a number of {what}."))
    }

    /// Where the rules count time by the move, a clock that does not would end the game at once.
    fn clock_id(&self, spec: &GameSpec) -> &str {
        let by_the_move = self.get(&format!("option-{}", BY_THE_MOVE.0), "") == BY_THE_MOVE.1;
        match self.get("clock", "none") {
            "none" if by_the_move && spec.options.iter().any(is_by_the_move) => TURN,
            id => id,
        }
    }

    fn clock(&self, spec: &GameSpec) -> Result<Value, String> {
        let id = self.clock_id(spec);
        let [main, byoyomi, periods, increment] = if id == "own" {
            let main = self.number("main", "minutes")?.saturating_mul(60);
            let byoyomi = self.number("byoyomi", "seconds")?;
            [
                main,
                byoyomi,
                self.number("periods", "periods")?,
                self.number("increment", "seconds")?,
            ]
        } else if let Some(preset) = PRESETS.iter().find(|p| p.id == id) {
            preset.seconds
        } else {
            return Ok(Value::Null);
        };
        let ms = |seconds: u64| seconds.saturating_mul(1000);
        Ok(json!({
            "main_ms": ms(main), "byoyomi_ms": ms(byoyomi), "periods": periods.clamp(1, 255),
            "increment_ms": ms(increment),
        }))
    }

    /// The body of `POST /api/games`.
    ///
    /// # Errors
    /// A sentence on the field that cannot be read.
    pub(super) fn request(&self, spec: &GameSpec) -> Result<Value, String> {
        let text = self.variant(spec);
        let variant = spec.variant(&text).map_err(|e| brief(&e.to_string()))?;
        let seats = usize::from(spec.variant_spec(&variant).seats);
        let mode = self.get("opponent", "computer");
        let seat = self.seat(seats);
        let level = self.number("level", "a level")?.clamp(1, 10);
        let player = |i: usize| {
            let field = format!("seat-{}", Seat::ALL[i].name());
            let computer = mode == "computer" || seats > 2 && self.get(&field, "") == "computer";
            if computer && i != seat {
                match self.get("engine", "") {
                    "" => json!({ "kind": "computer", "level": level }),
                    name => json!({ "kind": "engine", "name": name }),
                }
            } else {
                json!({ "kind": "person" })
            }
        };
        let seconds = self.number("layout", "seconds")?;
        let layout = (seconds > 0).then(|| seconds.saturating_mul(1000));
        Ok(json!({
            "game": spec.id, "variant": text, "start": self.start(),
            "conduct": self.get("conduct", "guided"), "clock": self.clock(spec)?,
            "players": (0..seats).map(player).collect::<Vec<_>>(), "mode": mode,
            "seat": Seat::ALL[seat].name(), "layout_ms": layout,
        }))
    }

    /// The index of the player's own seat.
    fn seat(&self, seats: usize) -> usize {
        let name = self.get(if seats > 2 { "place" } else { "side" }, "first");
        match Seat::from_name(name) {
            Some(seat) if seat.index() < seats => seat.index(),
            None if name == "random" => usize::from(random_bit()),
            _ => 0,
        }
    }
}

fn random_bit() -> bool {
    let mut byte = [0];
    // Without a source of chance the first seat is as good as any.
    getrandom::fill(&mut byte).is_ok() && byte[0] & 1 == 1
}

/// Reads `name=value&...` as a browser sends it.
pub(super) fn parse(query: &str) -> Vec<(String, String)> {
    let pair = |part: &str| {
        let (name, value) = part.split_once('=').unwrap_or((part, ""));
        (decode(name), decode(value))
    };
    query.split('&').filter(|part| !part.is_empty()).map(pair).collect()
}

fn decode(text: &str) -> String {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        bytes.push(match byte {
            b'+' => b' ',
            b'%' => {
                let mut ahead = rest.clone();
                let digit = |b: Option<u8>| b.and_then(|b| char::from(b).to_digit(16));
                match (digit(ahead.next()), digit(ahead.next())) {
                    (Some(high), Some(low)) => {
                        rest = ahead;
                        (high * 16 + low) as u8
                    }
                    _ => b'%',
                }
            }
            byte => byte,
        });
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn queries_are_decoded() {
        let fields = parse("a=1+2&b=%E6%AD%A9&c&d=%zz&e=50%");
        let want = [("a", "1 2"), ("b", "歩"), ("c", ""), ("d", "%zz"), ("e", "50%")];
        assert_eq!(fields, want.map(|(n, v)| (n.to_string(), v.to_string())));
    }

    #[test]
    fn a_variant_with_options_is_parted() {
        let fields = Fields::new(&parse("variant=anti,size=6&position=XO"));
        assert_eq!(fields.get("variant", ""), "anti");
        assert_eq!(fields.get("option-size", ""), "6");
        assert_eq!(fields.start(), Some("XO"));
    }

    #[test]
    fn clocks_come_out_in_milliseconds() {
        let spec = &kiban_luzhanqi::GAME;
        let clock = |query| Fields::new(&parse(query)).clock(spec);
        assert_eq!(clock("clock=none"), Ok(Value::Null));
        let own = clock("clock=own&main=5&byoyomi=30&periods=3&increment=").unwrap();
        assert_eq!(own["main_ms"], 300_000);
        assert_eq!(own["byoyomi_ms"], 30_000);
        assert_eq!(own["periods"], 3);
        assert_eq!(own["increment_ms"], 0);
        assert!(clock("clock=own&main=five").is_err());
    }
}
