//! Keys that are not of JKF. The record keeps them in a header: an object of the text of their
//! values, which no number or character is too large for, by their JSON pointers.

use super::places::{Outline, Role, Spot, escaped, outline};
use super::{BESIDE_KEY, Document};
use serde::de::IgnoredAny;
use serde_json::{Map, Value};
use std::collections::BTreeMap;

/// Why serialising cannot fail.
const A_DOCUMENT: &str = "a document is JSON";

/// The keys of each object by its JSON pointer, and the text of their values.
pub(super) struct Beside(BTreeMap<String, Vec<(String, String)>>);

/// The header of the keys an outline has found in its text; `None` if there are none.
pub(super) fn header(text: &str, outline: &Outline) -> Option<String> {
    let kept = outline.beside.iter().filter_map(|(pointer, value)| {
        let value = compact(&text[value.clone()]);
        // A header of the same name that is no such object stays a header.
        let own = || serde_json::from_str(&value).is_ok_and(|text: String| holds_keys(&text));
        let stays = *pointer == format!("/header/{BESIDE_KEY}") && !own();
        (!stays).then(|| format!("{}:{value}", Value::from(pointer.as_str())))
    });
    let kept: Vec<String> = kept.collect();
    (!kept.is_empty()).then(|| format!("{{{}}}", kept.join(",")))
}

/// A JSON text without the blanks between its words.
fn compact(text: &str) -> String {
    let (mut string, mut escaped) = (false, false);
    let word = |c: &char| {
        let blank = !string && c.is_whitespace();
        string ^= *c == '"' && !escaped;
        escaped = *c == '\\' && !escaped;
        !blank
    };
    text.chars().filter(word).collect()
}

/// Whether a header holds such keys.
pub(super) fn holds_keys(header: &str) -> bool {
    Beside::of_header(header).is_some()
}

impl Beside {
    /// The keys that a header holds; `None` if it is another header.
    pub(super) fn of_header(header: &str) -> Option<Beside> {
        serde_json::from_str::<IgnoredAny>(header).ok().filter(|_| header.starts_with('{'))?;
        let found = outline(header, Spot::FIRST, Role::Beside).ok()?.beside;
        let mut objects = BTreeMap::<String, Vec<(String, String)>>::new();
        for (pointer, value) in found {
            let pointer = unescaped(&pointer[1..]);
            let (object, key) = pointer.rsplit_once('/')?;
            let value = header[value].trim().to_string();
            objects.entry(object.to_string()).or_default().push((unescaped(key), value));
        }
        Some(Beside(objects))
    }

    /// Writes a document with these keys in their places. The error is the pointer of one whose
    /// place is gone or taken, or is none for such a key.
    pub(super) fn write(mut self, document: &Document) -> Result<String, String> {
        let pointers = self.pointers();
        let value = serde_json::to_value(document).expect(A_DOCUMENT);
        // The headers have an order, which a value has not.
        let headers: Vec<(&str, Value)> =
            document.header.0.iter().map(|(k, v)| (k.as_str(), v.as_str().into())).collect();
        let mut header = String::new();
        self.put_object(&mut header, headers.iter().map(|(k, v)| (*k, v)), "/header")?;
        self.0.entry(String::new()).or_default().insert(0, ("header".to_string(), header));
        let mut out = String::new();
        let map: &Map<String, Value> = value.as_object().expect("a document is an object");
        let rest = map.iter().filter(|(key, _)| *key != "header");
        self.put_object(&mut out, rest.map(|(k, v)| (k.as_str(), v)), "")?;
        let found = outline(&out, Spot::FIRST, Role::Document).map(|outline| outline.beside);
        let found = found.unwrap_or_default();
        match pointers.into_iter().find(|pointer| !found.contains_key(pointer)) {
            Some(pointer) => Err(pointer),
            None => Ok(out),
        }
    }

    fn pointers(&self) -> Vec<String> {
        let of_key = |object: &str, key: &str| format!("{object}/{}", escaped(key));
        self.0.iter().flat_map(|(o, keys)| keys.iter().map(move |(k, _)| of_key(o, k))).collect()
    }

    fn put_object<'a>(
        &mut self,
        out: &mut String,
        own: impl Iterator<Item = (&'a str, &'a Value)>,
        pointer: &str,
    ) -> Result<(), String> {
        let keys = self.0.remove(pointer).unwrap_or_default();
        out.push('{');
        for (key, value) in &keys {
            put_key(out, key);
            out.push_str(value);
        }
        for (key, value) in own {
            let pointer = format!("{pointer}/{}", escaped(key));
            if keys.iter().any(|(beside, _)| beside == key) {
                return Err(pointer);
            }
            put_key(out, key);
            self.put(out, value, &pointer)?;
        }
        out.push('}');
        Ok(())
    }

    fn put(&mut self, out: &mut String, value: &Value, pointer: &str) -> Result<(), String> {
        match value {
            Value::Object(map) => {
                self.put_object(out, map.iter().map(|(k, v)| (k.as_str(), v)), pointer)?;
            }
            Value::Array(list) => {
                for (i, item) in list.iter().enumerate() {
                    out.push(if i == 0 { '[' } else { ',' });
                    self.put(out, item, &format!("{pointer}/{i}"))?;
                }
                out.push_str(if list.is_empty() { "[]" } else { "]" });
            }
            other => out.push_str(&other.to_string()),
        }
        Ok(())
    }
}

/// A part of a JSON pointer without its escapes.
fn unescaped(part: &str) -> String {
    part.replace("~1", "/").replace("~0", "~")
}

fn put_key(out: &mut String, key: &str) {
    if !out.ends_with('{') {
        out.push(',');
    }
    out.push_str(&Value::from(key).to_string());
    out.push(':');
}
