//! What engines share: limits, time budget, deepening frame.
