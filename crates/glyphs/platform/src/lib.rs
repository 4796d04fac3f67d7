//! The two names the font packages use of the toolkit they depend on.

/// Stands for the toolkit's context.
pub struct Cx;

/// Stands for the toolkit's macro, which registers a font at run time. Nothing is registered here.
#[macro_export]
macro_rules! live_design {
    ($($t:tt)*) => {
        /// Registers nothing.
        pub fn live_design(_: &mut Cx) {}
    };
}
