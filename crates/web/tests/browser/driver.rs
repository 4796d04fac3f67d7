//! A browser led over WebDriver: just enough of the protocol, as JSON over plain HTTP.

use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

const PATIENCE: Duration = Duration::from_secs(20);
/// How often chromedriver may fail to start.
const TRIES: usize = 5;
/// The key of an element's id in WebDriver.
const ELEMENT: &str = "element-6066-11e4-a52e-4f735466cecf";
const CHROMIUM: [&str; 3] = ["chromium", "chromium-browser", "google-chrome"];

/// A running chromedriver. It ends with its owner, and its browsers with it.
pub(crate) struct Driver {
    child: Child,
    port: u16,
}

impl Drop for Driver {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn found(program: &str) -> bool {
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path).any(|folder| folder.join(program).is_file())
}

/// The body of an answer. The connection may stay open, so its length is what counts.
fn answer_body(stream: &mut impl BufRead) -> Vec<u8> {
    let mut length = 0;
    loop {
        let mut line = String::new();
        stream.read_line(&mut line).expect("a head of text");
        if line.trim().is_empty() {
            break;
        }
        if let Some((name, value)) = line.split_once(':')
            && name.eq_ignore_ascii_case("content-length")
        {
            length = value.trim().parse().expect("a length is a number");
        }
    }
    let mut body = vec![0; length];
    stream.read_exact(&mut body).expect("the whole body");
    body
}

impl Driver {
    /// Starts it, if this machine has chromium and its driver.
    pub(crate) fn start() -> Option<Driver> {
        if !found("chromedriver") || !CHROMIUM.into_iter().any(found) {
            return None;
        }
        // Of many that start at once one may find its port taken, and ends.
        let started = (0..TRIES).find_map(|_| Driver::try_start());
        Some(started.expect("chromedriver starts and says its port"))
    }

    fn try_start() -> Option<Driver> {
        let mut command = Command::new("chromedriver");
        command.arg("--port=0").stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = command.spawn().expect("chromedriver starts");
        let mut lines = BufReader::new(child.stdout.take().expect("it is piped")).lines();
        let port = lines.by_ref().find_map(|line| {
            let line = line.expect("it speaks UTF-8");
            line.strip_suffix('.')?.rsplit_once("on port ")?.1.parse().ok()
        });
        let Some(port) = port else {
            let _ = child.kill();
            let _ = child.wait();
            return None;
        };
        // Its pipe is emptied so that it never has to wait.
        std::thread::spawn(move || lines.for_each(drop));
        Some(Driver { child, port })
    }

    fn call(&self, method: &str, path: &str, body: &Value) -> Value {
        let text = if method == "GET" { String::new() } else { body.to_string() };
        let request = format!(
            "{method} {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\
             Content-Type: application/json\r\nContent-Length: {}\r\n\r\n{text}",
            text.len()
        );
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).expect("it listens");
        stream.write_all(request.as_bytes()).expect("it reads");
        let body = answer_body(&mut BufReader::new(stream));
        let mut answer: Value = serde_json::from_slice(&body).expect("it answers in JSON");
        answer["value"].take()
    }

    /// A browser of its own, with a window of this size.
    pub(crate) fn page(&self, width: u32, height: u32) -> Page<'_> {
        let args = [
            "--headless=new".to_string(),
            "--no-sandbox".to_string(),
            "--disable-gpu".to_string(),
            "--disable-quic".to_string(),
            "--no-first-run".to_string(),
            "--disable-background-networking".to_string(),
            "--disable-component-update".to_string(),
            "--disable-sync".to_string(),
            format!("--window-size={width},{height}"),
        ];
        let mobile = json!({ "deviceMetrics": { "width": width, "height": height,
            "pixelRatio": 1.0, "touch": false, "mobile": false } });
        let options = json!({ "args": args, "mobileEmulation": mobile });
        let wanted = json!({ "browserName": "chrome", "goog:chromeOptions": options,
            "goog:loggingPrefs": { "browser": "ALL" } });
        let body = json!({ "capabilities": { "alwaysMatch": wanted } });
        let answer = self.call("POST", "/session", &body);
        let id = answer["sessionId"].as_str().unwrap_or_else(|| panic!("no session: {answer}"));
        Page { driver: self, session: format!("/session/{id}") }
    }
}

/// A browser with one window.
pub(crate) struct Page<'a> {
    driver: &'a Driver,
    session: String,
}

impl Drop for Page<'_> {
    /// Ends the browser, after a failed test too. A body that is no object is refused, and the
    /// browser would go on without its driver.
    fn drop(&mut self) {
        let answer = self.driver.call("DELETE", &self.session, &json!({}));
        assert!(std::thread::panicking() || answer.is_null(), "the browser ends: {answer}");
    }
}

impl Page<'_> {
    fn post(&self, path: &str, body: &Value) -> Value {
        let answer = self.driver.call("POST", &format!("{}/{path}", self.session), body);
        assert!(answer.get("error").is_none(), "{path}: {answer}");
        answer
    }

    /// Opens an address.
    pub(crate) fn open(&self, url: &str) {
        self.post("url", &json!({ "url": url }));
    }

    /// Runs a script; a promise is waited for.
    pub(crate) fn run(&self, script: &str) -> Value {
        self.post("execute/sync", &json!({ "script": script, "args": [] }))
    }

    /// Waits until an expression is true.
    pub(crate) fn until(&self, expression: &str) {
        let start = Instant::now();
        while self.run(&format!("return Boolean({expression})")) != json!(true) {
            assert!(start.elapsed() < PATIENCE, "never true: {expression}\n{}", self.state());
            std::thread::sleep(Duration::from_millis(40));
        }
    }

    fn state(&self) -> String {
        let body = self.run("return location.href + '\\n' + document.body.innerText");
        body.as_str().unwrap_or("").to_string()
    }

    /// Clicks the first element of a selector, as a person would.
    pub(crate) fn click(&self, selector: &str) {
        self.until(&format!("document.querySelector({selector:?})"));
        let wanted = json!({ "using": "css selector", "value": selector });
        let found = self.post("element", &wanted);
        let id = found[ELEMENT].as_str().expect("an element has an id");
        self.post(&format!("element/{id}/click"), &json!({}));
    }

    /// The middle of a place of the board, in the window.
    fn spot(&self, place: &str) -> (i64, i64) {
        let script = format!(
            "const b = document.querySelector('.board [data-id=\"{place}\"]')\
             .getBoundingClientRect(); return [b.x + b.width / 2, b.y + b.height / 2]"
        );
        let at = self.run(&script);
        let number = |i: usize| at[i].as_f64().expect("a number").round() as i64;
        (number(0), number(1))
    }

    fn mouse(&self, actions: Vec<Value>) {
        let pointer = json!({ "type": "pointer", "id": "mouse",
            "parameters": { "pointerType": "mouse" }, "actions": actions });
        self.post("actions", &json!({ "actions": [pointer] }));
    }

    /// Taps a place of the board.
    pub(crate) fn tap(&self, place: &str) {
        let (x, y) = self.spot(place);
        self.mouse(vec![move_to(x, y), button("pointerDown"), button("pointerUp")]);
    }

    /// Drags from one place of the board to another.
    pub(crate) fn drag(&self, from: &str, to: &str) {
        let ((x0, y0), (x1, y1)) = (self.spot(from), self.spot(to));
        let half = move_to((x0 + x1) / 2, (y0 + y1) / 2);
        let steps = [move_to(x0, y0), button("pointerDown"), half, move_to(x1, y1)];
        self.mouse(steps.into_iter().chain([button("pointerUp")]).collect());
    }

    /// Presses keys, each a character or one of WebDriver's codes.
    pub(crate) fn keys(&self, keys: &[char]) {
        let press = |key: &char| {
            [json!({ "type": "keyDown", "value": key }), json!({ "type": "keyUp", "value": key })]
        };
        let actions: Vec<Value> = keys.iter().flat_map(press).collect();
        let keyboard = json!({ "type": "key", "id": "keys", "actions": actions });
        self.post("actions", &json!({ "actions": [keyboard] }));
    }

    /// Gives the window another size.
    pub(crate) fn resize(&self, width: u32, height: u32) {
        let params = json!({ "width": width, "height": height, "deviceScaleFactor": 1,
            "mobile": false });
        self.cdp("Emulation.setDeviceMetricsOverride", &params);
    }

    /// Asks the browser itself.
    pub(crate) fn cdp(&self, command: &str, params: &Value) -> Value {
        self.post("goog/cdp/execute", &json!({ "cmd": command, "params": params }))
    }

    /// Cuts or mends the browser's network.
    pub(crate) fn offline(&self, offline: bool) {
        let conditions = json!({ "offline": offline, "latency": 0, "throughput": -1 });
        self.post("chromium/network_conditions", &json!({ "network_conditions": conditions }));
    }

    /// Says that the console is clean: no error, nothing the content policy forbade.
    pub(crate) fn is_calm(&self) {
        let log = self.post("se/log", &json!({ "type": "browser" }));
        let bad: Vec<&Value> = log
            .as_array()
            .expect("a log is a list")
            .iter()
            .filter(|entry| entry["level"] == "SEVERE")
            // A refused move is told by its status; chromium notes that too.
            .filter(|entry| !entry["message"].as_str().is_some_and(|m| m.contains("409")))
            .collect();
        assert!(bad.is_empty(), "{bad:?}");
    }
}

fn move_to(x: i64, y: i64) -> Value {
    json!({ "type": "pointerMove", "duration": 30, "origin": "viewport", "x": x, "y": y })
}

fn button(kind: &str) -> Value {
    json!({ "type": kind, "button": 0 })
}
