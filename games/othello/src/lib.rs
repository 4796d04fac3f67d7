//! Othello, anti-reversi and 1890s Reversi: rules, referee, notation, engine and board.
