//! Several threads on one search.

use crate::Budget;

/// Lazy parallel search: the helpers search the same root beside the main one and share its
/// transposition table, from which it gains. When the main one is done the budget ends, and with
/// it the helpers. With no helpers nothing is started and the search is reproducible.
pub fn with_helpers<T: Send, R>(
    helpers: Vec<T>,
    help: impl Fn(usize, T) + Sync,
    main: impl FnOnce() -> (R, Budget),
) -> R {
    if helpers.is_empty() {
        return main().0;
    }
    std::thread::scope(|scope| {
        let help = &help;
        for (i, helper) in helpers.into_iter().enumerate() {
            scope.spawn(move || help(i, helper));
        }
        let (result, mut budget) = main();
        budget.end();
        result
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
        let told = with_helpers(helpers, help, || {
            let mut budget = budget;
            (0..5000).for_each(|_| assert!(budget.spend()));
            (7, budget)
        });
        assert_eq!(told, 7);
    }
}
