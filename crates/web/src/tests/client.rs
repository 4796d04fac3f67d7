//! A browser for tests: keeps its cookie, sends what browsers send.

use super::GAMES;
use crate::app::{App, Log, Parts};
use crate::engines::EngineOption;
use crate::guard::hash;
use crate::room::Caller;
use axum::Router;
use axum::body::{Body, Bytes};
use axum::http::header::{self, HeaderMap};
use axum::http::{Request, StatusCode};
use http_body_util::BodyExt;
use kiban_core::GameSpec;
use kiban_store::{SqliteStore, Store};
use serde_json::{Value, json};
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tower::ServiceExt;

pub(super) const HOST: &str = "127.0.0.1:8080";
const ORIGIN: &str = "http://127.0.0.1:8080";

/// A server without sockets.
pub(super) struct Server {
    pub(super) app: Arc<App>,
    pub(super) routes: Router,
    pub(super) log: Arc<Mutex<Vec<String>>>,
}

impl Server {
    pub(super) fn new() -> Server {
        Server::on(Arc::new(SqliteStore::in_memory()))
    }

    pub(super) fn on(store: Arc<dyn Store>) -> Server {
        Server::of(GAMES, store)
    }

    pub(super) fn of(games: &'static [&'static GameSpec], store: Arc<dyn Store>) -> Server {
        Server::with(games, store, Vec::new())
    }

    pub(super) fn with(
        games: &'static [&'static GameSpec],
        store: Arc<dyn Store>,
        engines: Vec<EngineOption>,
    ) -> Server {
        let lines: Arc<Mutex<Vec<String>>> = Arc::default();
        let log: Log = {
            let lines = Arc::clone(&lines);
            Arc::new(move |text: &str| lines.lock().unwrap().push(text.to_string()))
        };
        let hosts = vec!["club.example".to_string()];
        let app = App::new(Parts { games, store, hosts, threads: 1, engines, tables: None, log });
        Server { routes: crate::router(Arc::clone(&app)), app, log: lines }
    }

    pub(super) fn browser(&self) -> Browser {
        Browser { routes: self.routes.clone(), cookie: None }
    }

    /// A browser with this cookie.
    pub(super) fn browser_of(&self, cookie: &str) -> Browser {
        Browser { routes: self.routes.clone(), cookie: Some(cookie.to_string()) }
    }

    /// A browser that was at another server of the same store.
    pub(super) fn same(&self, browser: &Browser) -> Browser {
        Browser { routes: self.routes.clone(), cookie: browser.cookie.clone() }
    }

    pub(super) fn logged(&self, part: &str) -> bool {
        self.log.lock().unwrap().iter().any(|line| line.contains(part))
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.app.close();
    }
}

/// An answer, read to its end.
#[derive(Debug)]
pub(super) struct Answer {
    pub(super) status: StatusCode,
    pub(super) headers: HeaderMap,
    pub(super) body: Bytes,
}

impl Answer {
    pub(super) fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or_else(|_| panic!("no JSON: {}", self.text()))
    }

    pub(super) fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }

    /// All of it: status, headers and body.
    pub(super) fn whole(&self) -> String {
        format!("{} {:?}\n{}", self.status, self.headers, self.text())
    }

    pub(super) fn header(&self, name: &str) -> &str {
        self.headers.get(name).map_or("", |v| v.to_str().unwrap())
    }

    #[track_caller]
    pub(super) fn is(self, status: u16) -> Answer {
        assert_eq!(self.status.as_u16(), status, "{}", self.text());
        self
    }

    #[track_caller]
    pub(super) fn fails(self, status: u16, code: &str) -> Value {
        let answer = self.is(status).json();
        assert_eq!(answer["error"]["code"], code, "{answer}");
        assert!(answer["error"]["message"].as_str().unwrap().contains(' '), "{answer}");
        answer
    }
}

#[derive(Clone)]
pub(super) struct Browser {
    routes: Router,
    pub(super) cookie: Option<String>,
}

impl Browser {
    /// As the rooms know it.
    pub(super) fn caller(&self) -> Caller {
        Caller { holder: self.cookie.as_deref().map(hash), ..Caller::default() }
    }

    fn request(&self, method: &str, path: &str) -> axum::http::request::Builder {
        let mut request = Request::builder().method(method).uri(path).header(header::HOST, HOST);
        if let Some(cookie) = &self.cookie {
            request = request.header(header::COOKIE, format!("theme=dark; kiban={cookie}"));
        }
        if method == "POST" {
            request = request.header(header::ORIGIN, ORIGIN);
        }
        request
    }

    pub(super) async fn send(&mut self, request: Request<Body>) -> Answer {
        let response = self.routes.clone().oneshot(request).await.unwrap();
        let (parts, body) = response.into_parts();
        if let Some(set) = parts.headers.get(header::SET_COOKIE) {
            let value = set.to_str().unwrap().strip_prefix("kiban=").unwrap();
            self.cookie = Some(value.split(';').next().unwrap().to_string());
        }
        let body = body.collect().await.unwrap().to_bytes();
        Answer { status: parts.status, headers: parts.headers, body }
    }

    pub(super) async fn get(&mut self, path: &str) -> Answer {
        self.send(self.request("GET", path).body(Body::empty()).unwrap()).await
    }

    pub(super) async fn post(&mut self, path: &str, body: Value) -> Answer {
        let request = self.request("POST", path).header(header::CONTENT_TYPE, "application/json");
        self.send(request.body(Body::from(body.to_string())).unwrap()).await
    }

    /// The lines of JSON that come in answer, all of them.
    pub(super) async fn lines(&mut self, path: &str, body: Value) -> Vec<Value> {
        let answer = self.post(path, body).await.is(200);
        assert_eq!(answer.header("content-type"), "application/x-ndjson");
        let text = answer.text();
        let lines = text.lines().filter(|line| !line.is_empty());
        lines.map(|line| serde_json::from_str(line).unwrap()).collect()
    }

    /// An answer that is not read yet.
    pub(super) async fn unread(&self, path: &str, body: Value) -> axum::response::Response {
        let request = self.request("POST", path).header(header::CONTENT_TYPE, "application/json");
        let request = request.body(Body::from(body.to_string())).unwrap();
        self.routes.clone().oneshot(request).await.unwrap()
    }

    pub(super) async fn form(&mut self, path: &str, body: &str) -> Answer {
        let kind = "application/x-www-form-urlencoded";
        let request = self.request("POST", path).header(header::CONTENT_TYPE, kind);
        self.send(request.body(Body::from(body.to_string())).unwrap()).await
    }

    pub(super) async fn create(&mut self, wish: Value) -> Value {
        self.post("/api/games", wish).await.is(201).json()
    }

    pub(super) async fn view(&mut self, id: &str) -> Value {
        self.get(&format!("/api/games/{id}")).await.is(200).json()
    }

    pub(super) async fn act(&mut self, id: &str, action: Value) -> Answer {
        self.post(&format!("/api/games/{id}/entries"), action).await
    }

    /// Makes a move and gives the view that follows.
    #[track_caller]
    pub(super) fn plays(
        &mut self,
        id: &str,
        ply: usize,
        text: &str,
    ) -> impl Future<Output = Value> {
        let order = json!({ "id": format!("{ply} {text}"), "ply": ply, "move": text });
        let path = format!("/api/games/{id}/entries");
        async move { self.post(&path, order).await.is(200).json()["view"].take() }
    }

    pub(super) async fn follow(&self, id: &str, query: &str) -> Stream {
        let path = format!("/api/games/{id}/events?{query}");
        let request = self.request("GET", &path).header(header::ACCEPT, "text/event-stream");
        let response =
            self.routes.clone().oneshot(request.body(Body::empty()).unwrap()).await.unwrap();
        assert_eq!(response.status(), 200);
        assert_eq!(response.headers()[header::CONTENT_TYPE], "text/event-stream");
        Stream { body: response.into_body(), text: String::new() }
    }
}

/// A stream of views.
pub(super) struct Stream {
    body: Body,
    text: String,
}

/// A message of a stream.
#[derive(Debug)]
pub(super) struct Message {
    pub(super) id: String,
    pub(super) event: String,
    pub(super) data: String,
}

impl Stream {
    /// The next message, pings included; `None` once the stream has ended.
    pub(super) async fn message(&mut self) -> Option<Message> {
        loop {
            if let Some((message, rest)) = self.text.split_once("\n\n") {
                let field = |name: &str| {
                    let of = |line: &str| line.strip_prefix(name).map(str::trim).map(str::to_owned);
                    message.lines().find_map(of).unwrap_or_default()
                };
                let message =
                    Message { id: field("id:"), event: field("event:"), data: field("data:") };
                self.text = rest.to_string();
                return Some(message);
            }
            let next =
                tokio::time::timeout(Duration::from_secs(10), async { self.body.frame().await });
            let frame = next.await.expect("a stream says something now and then")?;
            let data = frame.ok()?.into_data().ok()?;
            self.text.push_str(std::str::from_utf8(&data).unwrap());
        }
    }

    /// The next view.
    pub(super) async fn view(&mut self) -> Value {
        loop {
            let message = self.message().await.expect("the stream goes on");
            if message.event == "view" {
                let view: Value = serde_json::from_str(&message.data).unwrap();
                assert_eq!(view["n"].to_string(), message.id);
                return view;
            }
        }
    }

    /// The first view of which this is true.
    pub(super) async fn until(&mut self, holds: impl Fn(&Value) -> bool) -> Value {
        loop {
            let view = self.view().await;
            if holds(&view) {
                return view;
            }
        }
    }
}

/// Two people at browsers of their own, the first of them the creator.
pub(super) async fn pair(server: &Server, more: Value) -> (Browser, Browser, Value) {
    let (mut first, mut second) = (server.browser(), server.browser());
    let mut wish = json!({ "game": "stones", "mode": "online", "seat": "first" });
    wish.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    let made = first.create(wish).await;
    let join = made["join"].as_str().unwrap();
    second.form(join, "").await.is(303);
    (first, second, made)
}

/// The id of a game that was made.
pub(super) fn id_of(made: &Value) -> String {
    made["id"].as_str().unwrap().to_string()
}

/// The secret at the end of a link.
pub(super) fn secret_of(link: &Value) -> String {
    link.as_str().unwrap().rsplit('/').next().unwrap().to_string()
}
