//! Several threads on one search.

use crate::Budget;

/// Ends the search when it goes out of scope, also by a panic.
struct Ender(Budget);

impl Drop for Ender {
    fn drop(&mut self) {
        self.0.end();
    }
}

/// Lazy parallel search: the helpers search the same root beside the main one and share its
/// transposition table, from which it gains. When the main one is done the search of this budget
/// ends, and with it the helpers. With no helpers nothing is started and the search is
/// reproducible.
pub fn with_helpers<T: Send, R>(
    budget: Budget,
    helpers: Vec<T>,
    help: impl Fn(usize, T) + Sync,
    main: impl FnOnce() -> R,
) -> R {
    if helpers.is_empty() {
        return main();
    }
    std::thread::scope(|scope| {
        let help = &help;
        for (i, helper) in helpers.into_iter().enumerate() {
            scope.spawn(move || help(i, helper));
        }
        let _ender = Ender(budget);
        main()
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use kiban_core::Limits;

    #[test]
    fn helpers_end_with_the_main_search() {
        let budget = Budget::new(&Limits::default(), None, None);
        let helpers = vec![budget.helper(), budget.helper()];
        let help = |_: usize, mut own: Budget| while own.spend() {};
        let mut main = budget.helper();
        let told = with_helpers(budget, helpers, help, || {
            (0..5000).for_each(|_| assert!(main.spend()));
            7
        });
        assert_eq!(told, 7);
    }

    #[test]
    #[should_panic(expected = "fails")]
    fn a_panic_does_not_leave_helpers_behind() {
        let budget = Budget::new(&Limits::default(), None, None);
        let helpers = vec![budget.helper()];
        with_helpers(
            budget,
            helpers,
            |_, mut own: Budget| while own.spend() {},
            || panic!("fails"),
        );
    }
}
