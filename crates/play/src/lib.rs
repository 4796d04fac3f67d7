//! A game with clocks and people, as a state machine without input or output.
