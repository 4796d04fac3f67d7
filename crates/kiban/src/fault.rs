//! A fault of the program itself: one sentence instead of a panic's noise.

use crate::output;
use kiban_core::ReadError;

/// Makes every panic print one sentence, or one line of JSON where `--json` was asked for.
pub(crate) fn install_hook() {
    let json = crate::cli::wants_json(std::env::args_os());
    std::panic::set_hook(Box::new(move |info| {
        let said = match info.payload().downcast_ref::<String>() {
            Some(text) => text.as_str(),
            None => info.payload().downcast_ref::<&str>().copied().unwrap_or("no message"),
        };
        // A scope only passes on the panic of its thread, which has been told already.
        if said != "a scoped thread panicked" {
            let place = info.location().map_or(String::new(), ToString::to_string);
            output::complain(&fault(said, &place), json);
        }
    }));
}

fn fault(said: &str, place: &str) -> ReadError {
    let message = format!(
        "Kiban met a fault of its own; please report the command you gave with this: \
         \"{said}\" at {place}."
    );
    ReadError::new("internal-fault", message)
}

#[cfg(test)]
mod tests {
    use super::fault;

    #[test]
    fn a_fault_is_told_in_one_line_with_its_place() {
        let text = fault("a seat was expected", "crates/core/src/seat.rs:1:2").to_string();
        assert!(text.contains("\"a seat was expected\" at crates/core/src/seat.rs:1:2."));
        assert!(!text.contains('\n'));
    }
}
