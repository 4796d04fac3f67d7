//! A variant's text: a name with options, `classic,leave-water=any`.

use crate::ReadError;
use std::collections::BTreeMap;

/// A named set of rule options.
#[derive(Debug)]
pub struct VariantSpec {
    /// The name, first in the variant's text.
    pub id: &'static str,
    /// How many seats.
    pub seats: u8,
    /// Whether something is hidden from a player.
    pub hidden: bool,
    /// The start position's text, or `None` where layouts make it.
    pub start: Option<&'static str>,
}

/// A rule option.
#[derive(Debug)]
pub struct OptionSpec {
    /// The key.
    pub key: &'static str,
    /// The values it can have.
    pub values: &'static [&'static str],
    /// The value if nothing is said.
    pub default: &'static str,
    /// Where the default hangs on the variant's name or the start position: its value there.
    pub default_for: Option<fn(variant: &str, start: Option<&str>) -> &'static str>,
}

impl OptionSpec {
    fn default_at(&self, variant: &str, start: Option<&str>) -> &'static str {
        self.default_for.map_or(self.default, |of| of(variant, start))
    }
}

/// A variant chosen by name and options.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Variant {
    id: &'static str,
    said: BTreeMap<&'static str, &'static str>,
}

impl Variant {
    /// Reads `name,key=value,...`; the name may be left out (the default variant).
    ///
    /// # Errors
    /// Says which name, key or value is unknown and which there are.
    pub fn read(
        text: &str,
        variants: &'static [VariantSpec],
        options: &'static [OptionSpec],
    ) -> Result<Variant, ReadError> {
        let default = variants.first().expect("a game has a variant");
        let mut variant = Variant { id: default.id, said: BTreeMap::new() };
        let mut column = 1;
        for (i, part) in text.split(',').enumerate() {
            let at = column;
            column += part.chars().count() + 1;
            let part = part.trim();
            match part.split_once('=') {
                None if i == 0 && part.is_empty() => {}
                None if i == 0 => variant.id = find_variant(part, variants)?.id,
                None => {
                    let message = format!("\"{part}\" is not an option; write key=value.");
                    return Err(ReadError::new("bad-variant", message).field("variant").column(at));
                }
                Some((key, value)) => {
                    let (key, value) =
                        find_option(key.trim(), value.trim(), options).map_err(|e| e.column(at))?;
                    if variant.said.insert(key, value).is_some() {
                        let message = format!("Option \"{key}\" is given twice; keep one.");
                        return Err(ReadError::new("bad-variant", message)
                            .field("variant")
                            .column(at));
                    }
                }
            }
        }
        Ok(variant)
    }

    /// The variant's name.
    pub fn id(&self) -> &'static str {
        self.id
    }

    /// An option's value for a game from this start.
    pub fn get(&self, spec: &OptionSpec, start: Option<&str>) -> &'static str {
        self.said.get(spec.key).copied().unwrap_or_else(|| spec.default_at(self.id, start))
    }

    /// The option of this key, for a game from this start.
    pub fn option(
        &self,
        key: &str,
        options: &'static [OptionSpec],
        start: Option<&str>,
    ) -> &'static str {
        let spec = options.iter().find(|o| o.key == key).expect("the game lists this option");
        self.get(spec, start)
    }

    /// The canonical text: name, then the non-default options sorted by key.
    pub fn canonical(&self, options: &'static [OptionSpec], start: Option<&str>) -> String {
        let mut text = self.id.to_string();
        for (key, value) in &self.said {
            let spec = options.iter().find(|o| o.key == *key).expect("options are read from specs");
            if *value != spec.default_at(self.id, start) {
                text.push_str(&format!(",{key}={value}"));
            }
        }
        text
    }
}

fn find_variant(
    name: &str,
    variants: &'static [VariantSpec],
) -> Result<&'static VariantSpec, ReadError> {
    variants.iter().find(|v| v.id == name).ok_or_else(|| {
        let known: Vec<_> = variants.iter().map(|v| v.id).collect();
        let message =
            format!("There is no variant \"{name}\"; choose one of {}.", known.join(", "));
        ReadError::new("unknown-variant", message).field("variant").found(name, known.join(", "))
    })
}

fn find_option(
    key: &str,
    value: &str,
    options: &'static [OptionSpec],
) -> Result<(&'static str, &'static str), ReadError> {
    let Some(spec) = options.iter().find(|o| o.key == key) else {
        let known: Vec<_> = options.iter().map(|o| o.key).collect();
        let message = format!("There is no option \"{key}\"; choose one of {}.", known.join(", "));
        return Err(ReadError::new("unknown-option", message)
            .field("variant")
            .found(key, known.join(", ")));
    };
    match spec.values.iter().find(|v| **v == value) {
        Some(value) => Ok((spec.key, value)),
        None => {
            let known = spec.values.join(", ");
            let message = format!("Option {key} cannot be \"{value}\"; choose one of {known}.");
            Err(ReadError::new("unknown-value", message).field("variant").found(value, known))
        }
    }
}
