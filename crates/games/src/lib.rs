//! The registry: the list of games.
