//! Tables looked at again.

use crate::{Game, Library, Sector, SolveError, Table, Worth};

/// Looks at a table's checksums, and at a sample of its positions one ply ahead: each must be worth
/// what the best of its moves is. How many were looked at.
///
/// # Errors
/// If the table or one below it is missing or damaged, or a position's value does not follow.
pub fn check<G: Game>(
    library: &mut Library<G>,
    key: G::Key,
    sample: u32,
) -> Result<u64, SolveError> {
    let (sector, table) = library.opened(key)?;
    let entries = sector.entries();
    // A step without a common divisor goes through all of them in an order that looks at every part.
    let step = (entries / 2 + 1..).find(|step| coprime(*step, entries)).unwrap_or(1);
    let (mut number, mut looked) = (0, 0);
    for _ in 0..sample.min(entries) {
        number = ((u64::from(number) + u64::from(step)) % u64::from(entries)) as u32;
        match derived(&sector, &table, number) {
            None => {}
            Some(worth) if worth == table.worth(number) => looked += 1,
            Some(_) => {
                let path = library.path_or_name(key);
                return Err(SolveError::Wrong { path, entry: number });
            }
        }
    }
    Ok(looked)
}

fn coprime(mut a: u32, mut b: u32) -> bool {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a == 1
}

/// The worth of a position by that of the positions after it.
fn derived<S: Sector>(sector: &S, table: &Table, number: u32) -> Option<Worth> {
    let start = sector.start(number)?;
    if start.over.is_some() {
        return start.over;
    }
    let mut after = Vec::new();
    sector.after(number, &mut after);
    let inner = after.into_iter().map(|next| table.worth(next).before());
    inner.chain(start.best_leaving()).max_by_key(|worth| worth.rank())
}
