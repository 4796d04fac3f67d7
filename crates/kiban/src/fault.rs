//! A fault of the program itself: one sentence instead of a panic's noise.

use crate::output;
use std::panic::PanicHookInfo;

/// Makes every panic print one sentence, or one line of JSON where `--json` was asked for.
pub(crate) fn install_hook() {
    let json = crate::cli::wants_json(std::env::args_os());
    std::panic::set_hook(Box::new(move |info| output::complain(&sentence(info), json)));
}

fn sentence(info: &PanicHookInfo<'_>) -> kiban_core::ReadError {
    let said = info.payload_as_str().unwrap_or("no message");
    let place = info.location().map_or(String::new(), |at| format!(" at {}:{}", at.file(), at.line()));
    let message = format!(
        "Kiban met a fault of its own{place}; please report it with the command you gave: {said}."
    );
    kiban_core::ReadError::new("internal-fault", message)
}
