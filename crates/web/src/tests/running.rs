//! Starting and stopping.

use super::GAMES;
use crate::serve::{database_path, is_host, warning};
use crate::{Line, ServeError, ServeOptions, data_folder, serve};
use kiban_store::SqliteStore;
use std::net::{SocketAddr, TcpListener};
use std::path::{Path, PathBuf};

fn refused(listen: SocketAddr, database: &Path) -> ServeError {
    let options = ServeOptions {
        games: GAMES,
        listen,
        database: Some(format!("sqlite:{}", database.display())),
        hosts: vec![],
        engines: Vec::new(),
        tables: None,
        threads: Some(1),
    };
    let say = |line: Line<'_>| panic!("it does not start, but says {line:?}");
    serve(options, say).expect_err("it does not start")
}

fn any_port() -> SocketAddr {
    "127.0.0.1:0".parse().unwrap()
}

#[test]
fn a_port_in_use_is_said() {
    let folder = tempfile::tempdir().unwrap();
    let other = TcpListener::bind(any_port()).unwrap();
    let address = other.local_addr().unwrap();
    let error = refused(address, &folder.path().join("games"));
    assert!(matches!(error, ServeError::PortInUse(_)));
    let text = error.to_string();
    assert!(text.contains(&address.port().to_string()) && text.contains("--listen"), "{text}");
}

#[test]
fn a_second_server_on_the_same_database_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games");
    let _first = SqliteStore::open(&path).unwrap();
    let text = refused(any_port(), &path).to_string();
    assert!(text.contains("in use by another server") && text.contains("games"), "{text}");
}

#[test]
fn a_database_of_a_newer_version_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games");
    drop(SqliteStore::open(&path).unwrap());
    let database = rusqlite::Connection::open(&path).unwrap();
    database.execute("UPDATE meta SET value = '99' WHERE key = 'schema'", []).unwrap();
    drop(database);
    let text = refused(any_port(), &path).to_string();
    assert!(text.contains("schema 99") && text.contains("newer version"), "{text}");
}

#[test]
fn a_database_that_cannot_be_written_is_said() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("file");
    std::fs::write(&file, "").unwrap();
    let text = refused(any_port(), &file.join("games")).to_string();
    assert!(text.contains("cannot write to"), "{text}");
}

#[test]
fn a_database_in_a_folder_that_is_not_there_is_no_new_one() {
    let folder = tempfile::tempdir().unwrap();
    let missing = folder.path().join("gaems");
    let text = refused(any_port(), &missing.join("games")).to_string();
    assert!(text.starts_with("There is no folder ") && text.contains("gaems"), "{text}");
    assert!(!missing.exists());
}

#[test]
fn where_games_are_kept() {
    let at = |set: &[(&str, &str)]| {
        let set: Vec<_> = set.iter().map(|(k, v)| (k.to_string(), v.to_string())).collect();
        data_folder(move |name| set.iter().find(|(k, _)| k == name).map(|(_, v)| v.clone()))
    };
    let (own, xdg, home) = (("KIBAN_DATA", "/own"), ("XDG_DATA_HOME", "/xdg"), ("HOME", "/reader"));
    assert_eq!(at(&[own, xdg, home]), Some(PathBuf::from("/own")));
    assert_eq!(at(&[xdg, home]), Some(PathBuf::from("/xdg/kiban")));
    assert_eq!(at(&[("KIBAN_DATA", ""), home]), Some(PathBuf::from("/reader/.local/share/kiban")));
    assert_eq!(at(&[]), None);
    let path = |given: &str| database_path(Some(given), |_| None);
    assert_eq!(path("sqlite:a/b").unwrap(), PathBuf::from("a/b"));
    assert_eq!(path("a/b").unwrap(), PathBuf::from("a/b"));
    assert!(matches!(path("postgres://a/b"), Err(ServeError::UnknownDatabase(_))));
    assert!(matches!(database_path(None, |_| None), Err(ServeError::NoDataFolder)));
}

#[test]
fn listening_beyond_this_machine_warns() {
    let hosts = ["club.example".to_string()];
    for address in ["127.0.0.1:80", "[::1]:80"] {
        assert_eq!(warning(address.parse().unwrap(), &hosts), None);
    }
    for address in ["0.0.0.0:80", "[::]:80", "192.168.0.7:80"] {
        let text = warning(address.parse().unwrap(), &[]).unwrap();
        assert!(text.contains("other machines") && text.contains("--host"), "{text}");
        let text = warning(address.parse().unwrap(), &hosts).unwrap();
        assert!(text.contains("club.example"), "{text}");
    }
}

#[cfg(unix)]
mod with_a_process {
    use super::super::client::secret_of;
    use super::super::wire::{Client, Process};
    use serde_json::json;
    use std::io::Read;
    use std::os::unix::fs::PermissionsExt;
    use std::process::Command;
    use std::time::{Duration, Instant};

    #[test]
    fn it_greets_with_one_line_and_stops_when_told() {
        let folder = tempfile::tempdir().unwrap();
        let data = folder.path().join("new");
        let mut server = Process::start(&data);
        let ready = &server.ready;
        for part in ["http://127.0.0.1:", &data.display().to_string(), "Ctrl-C"] {
            assert!(ready.contains(part), "{ready}");
        }
        let mode =
            |name: &str| std::fs::metadata(data.join(name)).unwrap().permissions().mode() & 0o777;
        assert_eq!((mode(""), mode("games.sqlite")), (0o700, 0o600));

        let mut client = Client::new(&server.address, None).unwrap();
        let wish = json!({ "game": "stones", "mode": "online" });
        let (status, made) = client.json("POST", "/api/games", &wish).unwrap();
        assert_eq!(status, 201, "{made}");
        let watch = secret_of(&made["watch"]);
        let events = format!("/api/games/{}/events?watch={watch}", made["id"].as_str().unwrap());
        client.send("GET", &events, "").unwrap();
        while !client.line().unwrap().starts_with("data: {") {}

        let told = Instant::now();
        let kill = Command::new("kill").arg(server.child.id().to_string()).status().unwrap();
        assert!(kill.success());
        assert!(server.child.wait().unwrap().success());
        assert!(told.elapsed() < Duration::from_secs(4), "an open stream does not hold it up");
        while client.line().is_some() {}
        let mut rest = String::new();
        server.output.read_to_string(&mut rest).unwrap();
        assert!(!rest.contains("warning:") && !rest.contains("ready:"), "{rest}");
    }
}

#[test]
fn a_name_no_browser_sends_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    for good in ["club.example", "club.example:8080", "localhost", "192.168.0.7", "[fd00::7]:80"] {
        assert!(is_host(good), "{good}");
    }
    for bad in ["", ":80", "http://club.example", "club.example/go", "a b", "club.example,other"] {
        assert!(!is_host(bad), "{bad}");
        let options = ServeOptions {
            games: GAMES,
            listen: any_port(),
            database: Some(folder.path().join("games").display().to_string()),
            hosts: vec![bad.to_string()],
            engines: Vec::new(),
            tables: None,
            threads: Some(1),
        };
        let text = serve(options, |_| ()).expect_err("it does not start").to_string();
        assert!(text.contains("--host") && text.contains(bad), "{text}");
    }
}
