//! The web server: pages, game rooms, push channel, static modules.
