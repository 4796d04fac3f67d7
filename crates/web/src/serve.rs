//! The sockets: from options to a running server and back.

use crate::app::{App, Log, Parts};
use crate::engines::{Check, EngineOption, MOST_ENGINES};
use crate::limits::MOST_CONNECTIONS;
use crate::{rooms, router};
use axum::Router;
use axum::extract::ConnectInfo;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use kiban_core::GameSpec;
use kiban_store::{OpenError, SqliteStore};
use std::io;
use std::net::{Ipv6Addr, SocketAddr};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Semaphore;
use tower::ServiceExt;

/// How long requests under way may take once the server is told to stop.
const LAST_CALL: Duration = Duration::from_secs(5);
/// How long a client may take to send the head of a request.
const SLOWEST_HEAD: Duration = Duration::from_secs(15);
/// How long what was sent may stay unread; every stream is sent something each few seconds.
#[cfg(target_os = "linux")]
const LONGEST_SILENCE: Duration = Duration::from_secs(30);
/// Largest buffer of a connection; a body is read through it piece by piece.
const BUFFER: usize = 16 * 1024;

/// How to serve.
pub struct ServeOptions {
    /// The registry.
    pub games: &'static [&'static GameSpec],
    /// Where to listen.
    pub listen: SocketAddr,
    /// The database, as `sqlite:PATH` or `PATH`; `None` is the one in the data folder.
    pub database: Option<String>,
    /// Host names beside the loopback ones.
    pub hosts: Vec<String>,
    /// Other programs that may play and analyse.
    pub engines: Vec<EngineOption>,
    /// The folder of solved tables, if there is one.
    pub tables: Option<PathBuf>,
    /// Engine threads; `None` is one less than there are cores, and at least 1.
    pub threads: Option<usize>,
}

/// Something to tell the operator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Line<'a> {
    /// The server is ready: the one line of a quiet start.
    Ready(&'a str),
    /// Something to know: a warning, a fault that was survived.
    Warning(&'a str),
}

/// Why the server did not start.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ServeError {
    /// No folder to keep games in.
    #[error("There is no data folder: set KIBAN_DATA or HOME, or name a database.")]
    NoDataFolder,
    /// A name that no browser sends.
    #[error(
        "\"{0}\" is not a host name; write it as in a browser's address line, without http:// and \
         path: --host club.example."
    )]
    BadHost(String),
    /// A kind of database this program does not know.
    #[error("\"{0}\" is not a database this program knows; write sqlite:PATH.")]
    UnknownDatabase(String),
    /// The folder of a database that was named is not there.
    #[error(
        "There is no folder {} for the database {}; make it, or check the name.",
        .0.display(),
        .1.display()
    )]
    NoFolder(PathBuf, PathBuf),
    /// The database cannot be opened.
    #[error("The server cannot start: {0}.")]
    Database(#[from] OpenError),
    /// Another program listens there.
    #[error(
        "Port {} of {} is in use by another program; stop that one, or choose another with \
         --listen {}:PORT.",
        .0.port(), .0.ip(), .0.ip()
    )]
    PortInUse(SocketAddr),
    /// The system does not let us listen there.
    #[error("The server cannot listen on {address}: {source}; choose another with --listen.")]
    Listen {
        /// Where.
        address: SocketAddr,
        /// What the system says.
        source: io::Error,
    },
    /// The system has no threads to spare, or no signals.
    #[error("The server cannot run: {0}.")]
    System(io::Error),
}

/// Runs the server until Ctrl-C or a termination signal; blocks until then.
///
/// # Errors
/// If it cannot start; each error is a sentence for the operator.
pub fn serve(
    options: ServeOptions,
    say: impl Fn(Line<'_>) + Send + Sync + 'static,
) -> Result<(), ServeError> {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    if let Some(bad) = options.hosts.iter().find(|name| !is_host(name)) {
        return Err(ServeError::BadHost(bad.clone()));
    }
    let (store, path) = open(options.database.as_deref())?;
    let say = Arc::new(say);
    let log: Log = {
        let say = Arc::clone(&say);
        Arc::new(move |text| say(Line::Warning(text)))
    };
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(cores.clamp(1, 8))
        .enable_all()
        .build()
        .map_err(ServeError::System)?;
    let listener = runtime.block_on(listen(options.listen))?;
    let address = listener.local_addr().map_err(ServeError::System)?;
    let app = App::new(Parts {
        games: options.games,
        store: Arc::new(store),
        hosts: options.hosts,
        engines: options.engines,
        tables: options.tables,
        threads: options.threads.unwrap_or(cores.saturating_sub(1)).max(1),
        log,
    });
    if let Some(warning) = warning(address, &app.hosts) {
        say(Line::Warning(&warning));
    }
    let place = path.display();
    let ready =
        format!("Kiban is at http://{address} - games are kept in {place} - stop with Ctrl-C");
    let result = runtime.block_on(async {
        let stop = stop_signal().map_err(ServeError::System)?;
        say(Line::Ready(&ready));
        let _check = Check::begin(&app);
        tokio::spawn({
            let app = Arc::clone(&app);
            async move { rooms::take_up(&app).await }
        });
        accept(&app, listener, stop).await;
        Ok(())
    });
    app.close();
    // Ends the tasks that still hold the app, and with it the store, which then closes its file.
    runtime.shutdown_timeout(LAST_CALL);
    // No process outlives the server: each ends soon after whoever used it has gone.
    let until = Instant::now() + LAST_CALL;
    while app.engine_places.available_permits() < MOST_ENGINES && Instant::now() < until {
        std::thread::sleep(Duration::from_millis(20));
    }
    result
}

/// Whether a browser could send this as the name of a server, with or without a port.
pub(crate) fn is_host(text: &str) -> bool {
    let port = |text: &str| text.parse::<u16>().is_ok();
    if let Some((address, after)) = text.strip_prefix('[').and_then(|t| t.split_once(']')) {
        let after_fits = after.is_empty() || after.strip_prefix(':').is_some_and(port);
        return address.parse::<Ipv6Addr>().is_ok() && after_fits;
    }
    let (name, port_fits) = text.split_once(':').map_or((text, true), |(n, p)| (n, port(p)));
    let plain = |c: char| c.is_ascii_alphanumeric() || "-._".contains(c);
    port_fits && !name.is_empty() && name.chars().all(plain)
}

/// What an operator should know of where the server listens.
pub(crate) fn warning(address: SocketAddr, hosts: &[String]) -> Option<String> {
    if address.ip().is_loopback() {
        return None;
    }
    let names = match hosts {
        [] => "; nobody there gets an answer before you allow a name with --host NAME".to_string(),
        names => format!(" as {}", names.join(", ")),
    };
    Some(format!(
        "{address} can be reached from other machines{names}. Games and cookies travel in the \
         clear unless a proxy adds TLS."
    ))
}

async fn listen(address: SocketAddr) -> Result<TcpListener, ServeError> {
    TcpListener::bind(address).await.map_err(|source| match source.kind() {
        io::ErrorKind::AddrInUse => ServeError::PortInUse(address),
        _ => ServeError::Listen { address, source },
    })
}

/// Ready when the operator wants the server to stop.
fn stop_signal() -> io::Result<impl Future<Output = ()>> {
    #[cfg(unix)]
    let mut terminate = {
        use tokio::signal::unix::{SignalKind, signal};
        signal(SignalKind::terminate())?
    };
    Ok(async move {
        #[cfg(unix)]
        tokio::select! {
            _ = tokio::signal::ctrl_c() => {}
            _ = terminate.recv() => {}
        }
        #[cfg(not(unix))]
        let _ = tokio::signal::ctrl_c().await;
    })
}

/// Takes connections until told to stop; then lets those under way finish.
pub(crate) async fn accept(app: &Arc<App>, listener: TcpListener, stop: impl Future<Output = ()>) {
    let routes = router(Arc::clone(app));
    let graceful = GracefulShutdown::new();
    let room = Arc::new(Semaphore::new(MOST_CONNECTIONS));
    let mut stop = std::pin::pin!(stop);
    loop {
        let permit = tokio::select! {
            () = &mut stop => break,
            permit = Arc::clone(&room).acquire_owned() => permit.expect("it is never closed"),
        };
        let (stream, from) = tokio::select! {
            () = &mut stop => break,
            accepted = listener.accept() => match accepted {
                Ok(accepted) => accepted,
                // Out of file handles, most likely: wait for some to be closed.
                Err(_) => {
                    tokio::time::sleep(Duration::from_millis(100)).await;
                    continue;
                }
            },
        };
        let served = graceful.watch(connection(stream, from, routes.clone()));
        tokio::spawn(async move {
            // A client that went away or sent nonsense is no news.
            let _ = served.await;
            drop(permit);
        });
    }
    drop(listener);
    // Streams end when their games leave.
    app.rooms.close();
    let _ = tokio::time::timeout(LAST_CALL, graceful.shutdown()).await;
}

fn connection(
    stream: TcpStream,
    from: SocketAddr,
    routes: Router,
) -> impl hyper_util::server::graceful::GracefulConnection<Error = hyper::Error> {
    // An answer is one small write; waiting to fill a packet only makes it late.
    let _ = stream.set_nodelay(true);
    // A client that reads nothing, or is gone without a word, holds memory and seems to be here.
    #[cfg(target_os = "linux")]
    let _ = socket2::SockRef::from(&stream).set_tcp_user_timeout(Some(LONGEST_SILENCE));
    let service = hyper::service::service_fn(move |request: hyper::Request<_>| {
        let mut request = request.map(axum::body::Body::new);
        request.extensions_mut().insert(ConnectInfo(from));
        routes.clone().oneshot(request)
    });
    hyper::server::conn::http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(SLOWEST_HEAD)
        .max_buf_size(BUFFER)
        .serve_connection(TokioIo::new(stream), service)
}

/// Where the database is.
pub(crate) fn database_path(
    given: Option<&str>,
    variable: impl Fn(&str) -> Option<String>,
) -> Result<PathBuf, ServeError> {
    match given {
        None => Ok(data_folder(variable).ok_or(ServeError::NoDataFolder)?.join("games.sqlite")),
        Some(text) => match text.split_once(':') {
            Some(("sqlite", path)) => Ok(path.into()),
            Some((kind, _)) if kind.len() > 1 => Err(ServeError::UnknownDatabase(text.to_string())),
            _ => Ok(text.into()),
        },
    }
}

/// Opens the database. Only the folder of the user's data is made where it is missing: a wrong name
/// would begin a new database without a word.
fn open(given: Option<&str>) -> Result<(SqliteStore, PathBuf), ServeError> {
    let path = database_path(given, |name| std::env::var(name).ok())?;
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    match folder.filter(|folder| given.is_some() && !folder.exists()) {
        Some(folder) => Err(ServeError::NoFolder(folder.to_path_buf(), path.clone())),
        None => Ok((SqliteStore::open(&path)?, path)),
    }
}

/// The folder of the user's data: `$KIBAN_DATA`, else `$XDG_DATA_HOME/kiban`, else
/// `~/.local/share/kiban`.
pub fn data_folder(variable: impl Fn(&str) -> Option<String>) -> Option<PathBuf> {
    let set = |name: &str| variable(name).filter(|v| !v.is_empty()).map(PathBuf::from);
    set("KIBAN_DATA")
        .or_else(|| set("XDG_DATA_HOME").filter(|p| p.is_absolute()).map(|p| p.join("kiban")))
        .or_else(|| set("HOME").map(|home| home.join(".local/share/kiban")))
}
