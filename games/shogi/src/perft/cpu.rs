//! The recursion of perft, compiled twice: for any processor, and for x86-64 processors with bit
//! counting instructions (all since 2013), chosen at run time. The counts are the same.
#![allow(unsafe_code)]

use crate::movegen::{CountSink, ListSink, MoveList, Side, by_side, generate};
use crate::position::Position;

macro_rules! recursion {
    ($(#[$attribute:meta])* $name:ident) => {
        $(#[$attribute])*
        fn $name<S: Side>(position: &mut Position, depth: u32) -> u64 {
            if depth <= 1 {
                let mut count = CountSink(0);
                generate::<S, _>(position, &mut count);
                return u64::from(count.0);
            }
            let mut list = MoveList::new();
            generate::<S, _>(position, &mut ListSink(&mut list));
            let mut paths = 0;
            for &m in &list {
                let undo = position.apply::<false>(m);
                paths += $name::<S::Other>(position, depth - 1);
                position.revert(m, undo);
            }
            paths
        }
    };
}

recursion!(portable);
#[cfg(target_arch = "x86_64")]
recursion!(
    #[target_feature(enable = "popcnt,lzcnt,bmi1,bmi2")]
    bit_counting
);

/// The number of paths; `depth` is at least 1.
pub(super) fn paths(position: &mut Position, depth: u32) -> u64 {
    #[cfg(target_arch = "x86_64")]
    if std::arch::is_x86_feature_detected!("popcnt")
        && std::arch::is_x86_feature_detected!("lzcnt")
        && std::arch::is_x86_feature_detected!("bmi1")
        && std::arch::is_x86_feature_detected!("bmi2")
    {
        // SAFETY: the processor has every feature the function is compiled for.
        return unsafe { by_side!(position, S => bit_counting::<S>(position, depth)) };
    }
    by_side!(position, S => portable::<S>(position, depth))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_versions_count_alike() {
        let mut position = Position::start();
        assert_eq!(portable::<crate::movegen::Sente>(&mut position, 4), 719_731);
        assert_eq!(paths(&mut position, 4), 719_731);
    }
}
