//! A number that changes when an engine searches differently.

/// Folds what searches found into one number, for tests and benchmarks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Signature {
    /// Nodes of all searches.
    pub nodes: u64,
    hash: u64,
}

impl Default for Signature {
    fn default() -> Signature {
        // The offset of the 64-bit FNV-1a hash.
        Signature { nodes: 0, hash: 0xcbf2_9ce4_8422_2325 }
    }
}

impl Signature {
    /// Adds a search: its nodes and the text of its best move.
    pub fn add(&mut self, nodes: u64, best: &str) {
        self.nodes += nodes;
        for byte in nodes.to_le_bytes().iter().chain(best.as_bytes()) {
            self.hash = (self.hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }

    /// The number.
    pub fn value(self) -> u64 {
        self.hash
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nodes_moves_and_their_order_count() {
        let of = |searches: &[(u64, &str)]| {
            let mut signature = Signature::default();
            searches.iter().for_each(|(nodes, best)| signature.add(*nodes, best));
            signature
        };
        let one = of(&[(5, "a"), (6, "b")]);
        assert_eq!(one.nodes, 11);
        assert_eq!(one, of(&[(5, "a"), (6, "b")]));
        assert_ne!(one.value(), of(&[(6, "b"), (5, "a")]).value());
        assert_ne!(one.value(), of(&[(5, "a"), (6, "c")]).value());
    }
}
