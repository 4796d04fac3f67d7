//! Bodies are read before any handler runs: whole, in bounded time and bounded memory, so that a
//! client that sends slowly, or much, holds up nobody else.

use crate::app::{App, Shared};
use crate::errors::Failure;
use crate::game_pages::refusal;
use crate::limits::{MOST_BODY, SMALL_BODY};
use axum::body::{Body, BodyDataStream, Bytes};
use axum::extract::{Request, State};
use axum::http::StatusCode;
use axum::middleware::Next;
use axum::response::Response;
use futures_util::StreamExt;
use std::sync::atomic::Ordering;
use std::time::Duration;
use tokio::sync::SemaphorePermit;
use tokio::time::timeout;

/// The layer that reads them.
pub(crate) async fn read(State(app): State<Shared>, request: Request, next: Next) -> Response {
    let (parts, body) = request.into_parts();
    let most = Duration::from_millis(app.slowest_body_ms.load(Ordering::Relaxed));
    let collected = match timeout(most, collect(&app, body)).await {
        Ok(collected) => collected,
        Err(_) => {
            let words = app.common_words();
            Err(Failure::new(StatusCode::REQUEST_TIMEOUT, "slow-body", words, &[]))
        }
    };
    match collected {
        // A large body keeps its place until it is answered: so long it is in memory.
        Ok((bytes, _place)) => next.run(Request::from_parts(parts, Body::from(bytes))).await,
        Err(failure) => refusal(&app, parts.uri.path(), failure),
    }
}

async fn collect(app: &App, body: Body) -> Result<(Bytes, Option<SemaphorePermit<'_>>), Failure> {
    let words = app.common_words();
    let too_large = || {
        let most = MOST_BODY.to_string();
        Failure::new(StatusCode::PAYLOAD_TOO_LARGE, "too-large", words, &[("most", &most)])
    };
    let mut pieces = body.into_data_stream();
    let (mut bytes, mut place) = (Vec::new(), None);
    while let Some(piece) = pieces.next().await {
        let piece = piece.map_err(|_| Failure::bad("cut-body", words, &[]))?;
        let size = bytes.len() + piece.len();
        if size > MOST_BODY {
            drop((bytes, place));
            read_away(pieces, size).await;
            return Err(too_large());
        }
        if size > SMALL_BODY && place.is_none() {
            place = Some(app.large_bodies.try_acquire().map_err(|_| Failure::busy(words))?);
        }
        bytes.extend_from_slice(&piece);
    }
    Ok((bytes.into(), place))
}

/// Reads what still comes, within reason: a client that is cut off while it sends does not see
/// the answer.
async fn read_away(mut pieces: BodyDataStream, mut size: usize) {
    while let Some(Ok(piece)) = pieces.next().await {
        size += piece.len();
        if size > 16 * MOST_BODY {
            return;
        }
    }
}
