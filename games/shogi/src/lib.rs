//! Shogi: rules, referee, notation, engine and board.
