//! What every request passes: names, origins, headers, cookies.
//!
//! - `Host` must be a loopback name or one the operator gave; a page elsewhere that points its own
//!   name at this machine gets nothing.
//! - A POST must come from a page of this server: by `Origin`, or by `Sec-Fetch-Site` where a
//!   browser hides the origin. A request with neither is no browser's; it passes only without a
//!   cookie, so that nobody's seat can be used by it. (A program that plays sends `Origin` itself.)
//! - Streams are opened, and `/api/` is asked, by pages of this server only: a GET may cost much,
//!   too. Links to pages may stand anywhere.

use crate::app::{App, NO_STORE, Shared};
use crate::errors::Failure;
use axum::extract::{FromRequestParts, Request, State};
use axum::http::header::{
    self, CACHE_CONTROL, CONTENT_SECURITY_POLICY, COOKIE, HOST, HeaderMap, HeaderName, HeaderValue,
    ORIGIN, REFERRER_POLICY, SET_COOKIE, X_CONTENT_TYPE_OPTIONS,
};
use axum::http::request::Parts;
use axum::http::{Method, StatusCode};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use sha2::{Digest, Sha256};
use std::convert::Infallible;
use std::fmt::Write;

const CSP: &str = "default-src 'none'; script-src 'self'; style-src 'self'; \
     img-src 'self' data:; connect-src 'self'; form-action 'self'; base-uri 'none'; \
     frame-ancestors 'none'";
const COOKIE_NAME: &str = "kiban";
/// As long as browsers keep a cookie at most.
const COOKIE_SECONDS: u32 = 400 * 24 * 60 * 60;
const SEC_FETCH_SITE: HeaderName = HeaderName::from_static("sec-fetch-site");

/// The layer around every route.
pub(crate) async fn guard(State(app): State<Shared>, request: Request, next: Next) -> Response {
    let words = app.common_words();
    let mut response = if !host_is_ours(&app, request.headers()) {
        Failure::new(StatusCode::FORBIDDEN, "host", words, &[]).into_response()
    } else if !origin_is_ours(&request) {
        Failure::new(StatusCode::FORBIDDEN, "origin", words, &[]).into_response()
    } else {
        next.run(request).await
    };
    let headers = response.headers_mut();
    let fixed = [
        (CONTENT_SECURITY_POLICY, CSP),
        (X_CONTENT_TYPE_OPTIONS, "nosniff"),
        // Not no-referrer: with it browsers send `Origin: null`, which tells us nothing. Secret
        // links still reach nobody but this server.
        (REFERRER_POLICY, "same-origin"),
        (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
        (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
    ];
    for (name, value) in fixed {
        headers.insert(name, HeaderValue::from_static(value));
    }
    headers.entry(CACHE_CONTROL).or_insert(NO_STORE);
    response
}

fn text<'a>(headers: &'a HeaderMap, name: &HeaderName) -> Option<&'a str> {
    headers.get(name)?.to_str().ok()
}

/// The name without its port; an IPv6 address keeps its brackets.
fn without_port(host: &str) -> &str {
    let after = host.rfind(']').map_or(0, |bracket| bracket + 1);
    host[after..].find(':').map_or(host, |colon| &host[..after + colon])
}

fn host_is_ours(app: &App, headers: &HeaderMap) -> bool {
    if headers.get_all(HOST).iter().count() != 1 {
        return false;
    }
    let Some(name) = text(headers, &HOST).map(without_port) else { return false };
    let loopback = ["localhost", "127.0.0.1", "[::1]"];
    loopback.iter().any(|known| name.eq_ignore_ascii_case(known))
        || app.hosts.iter().any(|known| name.eq_ignore_ascii_case(without_port(known)))
}

/// Whether the page that sends this is one of this server's.
fn origin_is_ours(request: &Request) -> bool {
    let (method, headers) = (request.method(), request.headers());
    let site = text(headers, &SEC_FETCH_SITE);
    if method == Method::GET || method == Method::HEAD {
        let api = request.uri().path().starts_with("/api/");
        let stream =
            text(headers, &header::ACCEPT).is_some_and(|a| a.contains("text/event-stream"));
        let origin = headers.contains_key(ORIGIN);
        return if api || stream || origin {
            same_origin(headers) != Some(false)
                && site.is_none_or(|s| s == "same-origin" || s == "none")
        } else {
            true
        };
    }
    match same_origin(headers) {
        Some(same) => same,
        None => match site {
            Some(site) => site == "same-origin",
            None => !headers.contains_key(ORIGIN) && !headers.contains_key(COOKIE),
        },
    }
}

/// Whether `Origin` names the host the request was sent to; `None` if it is missing or hidden.
fn same_origin(headers: &HeaderMap) -> Option<bool> {
    let origin = headers.get(ORIGIN)?;
    if origin == "null" {
        return None;
    }
    let origin = origin.to_str().ok().and_then(|o| o.split_once("://")).map(|(_, host)| host);
    let host = text(headers, &HOST);
    Some(origin.zip(host).is_some_and(|(origin, host)| origin.eq_ignore_ascii_case(host)))
}

/// Whether the page was sent over TLS (by a proxy before this server): its origin says so.
fn over_tls(headers: &HeaderMap) -> bool {
    text(headers, &ORIGIN).is_some_and(|origin| origin.starts_with("https://"))
}

/// Who sends a request: the holder of a cookie, known by its hash, or nobody.
#[derive(Clone, Debug, Default)]
pub(crate) struct Visitor {
    /// SHA-256 of the cookie's value, in hex: the only form in which it is kept.
    pub(crate) holder: Option<String>,
    tls: bool,
}

impl<S: Send + Sync> FromRequestParts<S> for Visitor {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Visitor, Infallible> {
        let token = cookie(&parts.headers);
        Ok(Visitor { holder: token.map(hash), tls: over_tls(&parts.headers) })
    }
}

impl Visitor {
    /// The visitor as somebody who can hold a seat, with the cookie to set if it is new.
    pub(crate) fn as_holder(&self) -> (String, Option<HeaderValue>) {
        if let Some(holder) = &self.holder {
            return (holder.clone(), None);
        }
        let token = random_id();
        let secure = if self.tls { "; Secure" } else { "" };
        let cookie = format!(
            "{COOKIE_NAME}={token}; Path=/; Max-Age={COOKIE_SECONDS}; HttpOnly; \
             SameSite=Lax{secure}"
        );
        let cookie = HeaderValue::from_str(&cookie).expect("a cookie of plain characters");
        (hash(&token), Some(cookie))
    }
}

/// A response that also sets a cookie, where there is a new one.
pub(crate) fn with_cookie(mut response: Response, cookie: Option<HeaderValue>) -> Response {
    if let Some(cookie) = cookie {
        response.headers_mut().append(SET_COOKIE, cookie);
    }
    response
}

fn cookie(headers: &HeaderMap) -> Option<&str> {
    let lines = headers.get_all(COOKIE).iter().filter_map(|line| line.to_str().ok());
    let pairs = lines.flat_map(|line| line.split(';'));
    let mut ours = pairs.filter_map(|pair| {
        let (name, value) = pair.trim().split_once('=')?;
        (name == COOKIE_NAME && is_id(value)).then_some(value)
    });
    ours.next()
}

/// 128 random bits in hex.
pub(crate) fn random_id() -> String {
    let mut bits = [0; 16];
    getrandom::fill(&mut bits).expect("the system gives random bits");
    hex(&bits)
}

/// 64 random bits.
pub(crate) fn random_bits() -> u64 {
    let mut bits = [0; 8];
    getrandom::fill(&mut bits).expect("the system gives random bits");
    u64::from_le_bytes(bits)
}

/// Whether a text has the shape of [`random_id`].
pub(crate) fn is_id(text: &str) -> bool {
    text.len() == 32 && text.bytes().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f'))
}

/// SHA-256 in hex.
pub(crate) fn hash(text: &str) -> String {
    hex(&Sha256::digest(text))
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut text, byte| {
        write!(text, "{byte:02x}").expect("a string takes text");
        text
    })
}

/// A secret that follows from a game's key: 128 bits.
pub(crate) fn derive(key: &str, purpose: &str) -> String {
    let mut secret = hash(&format!("{purpose} {key}"));
    secret.truncate(32);
    secret
}

/// Compares secrets by their hashes, so that the time taken tells nothing.
pub(crate) fn same_secret(a: &str, b: &str) -> bool {
    hash(a) == hash(b)
}
