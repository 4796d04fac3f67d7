//! When a shallow search stands for a deep one: the spread of their difference was measured by
//! `examples/train`.

/// Standard deviations a shallow result must be away from the window, by sureness; the last goes
/// without cuts.
pub(super) const SURE: [f32; 6] = [1.1, 1.5, 2.0, 2.6, 3.3, f32::INFINITY];
/// No cuts.
pub(super) const EXACT: u8 = 5;
/// How sure a shallow search within a surer one has to be.
pub(super) const SURELY: u8 = 2;
/// Shallower searches are not worth a look ahead.
const FROM: u8 = 4;
/// On the way to the end a look ahead pays from so many empties on.
const FROM_EMPTIES: u32 = 14;

/// A shallow search to try.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Cut {
    pub(super) depth: u8,
    /// Hundredths of a disc beyond the window.
    pub(super) margin: i32,
}

/// The shallow search for a search of this depth, if there is one.
#[inline(always)]
pub(super) fn of(sure: u8, depth: u8, empties: u32) -> Option<Cut> {
    let to_end = u32::from(depth) >= empties;
    if sure >= EXACT || depth < FROM || to_end && empties < FROM_EMPTIES {
        return None;
    }
    let shallow = 2 * (depth / 4) + (depth & 1);
    let spread =
        if to_end { spread_to_end(shallow, empties) } else { spread(shallow, depth, empties) };
    Some(Cut { depth: shallow, margin: (SURE[usize::from(sure)] * spread) as i32 })
}

/// The spread between searches of two depths, in hundredths of a disc.
fn spread(shallow: u8, depth: u8, empties: u32) -> f32 {
    let [base, by_shallow, by_depth, by_empties] = SPREAD;
    base + by_shallow * f32::from(shallow)
        + by_depth * f32::from(depth)
        + by_empties * empties as f32
}

/// The spread between a search and the end, in hundredths of a disc.
fn spread_to_end(shallow: u8, empties: u32) -> f32 {
    let [base, by_shallow, by_empties] = SPREAD_TO_END;
    base + by_shallow * f32::from(shallow) + by_empties * empties as f32
}

const SPREAD: [f32; 4] = [332.9, -124.8, 64.3, 0.9];
const SPREAD_TO_END: [f32; 3] = [225.0, -25.7, 24.6];
