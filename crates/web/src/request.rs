//! What handlers take from a request, and whether they may do what it costs.

use crate::app::Shared;
use crate::errors::Failure;
use crate::guard::Visitor;
use crate::limits::{PER_ADDRESS, PER_BROWSER, READS, Rate};
use axum::body::Bytes;
use axum::extract::{ConnectInfo, FromRequest, FromRequestParts, Request};
use axum::http::StatusCode;
use axum::http::request::Parts;
use serde::de::DeserializeOwned;
use std::convert::Infallible;
use std::net::{IpAddr, Ipv6Addr, SocketAddr};

/// A JSON body; what is wrong with it is said in our own words.
pub(crate) struct Body<T>(pub(crate) T);

impl<T: DeserializeOwned> FromRequest<Shared> for Body<T> {
    type Rejection = Failure;

    async fn from_request(request: Request, app: &Shared) -> Result<Body<T>, Failure> {
        let words = app.common_words();
        let bytes = Bytes::from_request(request, app).await;
        let bytes = bytes.map_err(|_| Failure::bad("cut-body", words, &[]))?;
        match serde_json::from_slice(&bytes) {
            Ok(body) => Ok(Body(body)),
            Err(e) => Err(Failure::bad("bad-json", words, &[("what", &e.to_string())])),
        }
    }
}

/// The address a request came from; tests without sockets have none.
pub(crate) struct Address(pub(crate) String);

impl<S: Send + Sync> FromRequestParts<S> for Address {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Address, Infallible> {
        let info = parts.extensions.get::<ConnectInfo<SocketAddr>>();
        Ok(Address(info.map(|ConnectInfo(a)| client(a.ip())).unwrap_or_default()))
    }
}

/// An address as its limits know it: of IPv6 the network, since each machine has one to itself.
fn client(address: IpAddr) -> String {
    match address.to_canonical() {
        IpAddr::V4(address) => address.to_string(),
        IpAddr::V6(address) => Ipv6Addr::from_bits(address.to_bits() >> 64 << 64).to_string(),
    }
}

/// Lets a client do something costly, unless it has done much of it just now.
pub(crate) fn admit(app: &Shared, visitor: &Visitor, address: &Address) -> Result<(), Failure> {
    let now = app.now_ms();
    let browser = visitor.holder.as_ref().map(|h| (h.as_str(), PER_BROWSER));
    // The address first: cookies cost nothing to invent, and each has a bucket to be kept.
    let all: [Option<(&str, Rate)>; 2] = [Some((&address.0, PER_ADDRESS)), browser];
    if all.into_iter().flatten().all(|(client, rate)| app.limits.take(client, rate, now)) {
        return Ok(());
    }
    Err(too_many(app))
}

/// Lets a client have a text read, unless it has had very many just now.
pub(crate) fn admit_reading(app: &Shared, address: &Address) -> Result<(), Failure> {
    let client = format!("reads of {}", address.0);
    if app.limits.take(&client, READS, app.now_ms()) { Ok(()) } else { Err(too_many(app)) }
}

fn too_many(app: &Shared) -> Failure {
    Failure::new(StatusCode::TOO_MANY_REQUESTS, "too-many", app.common_words(), &[])
}
