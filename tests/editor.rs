//! An editor that sends random messages and checks the server's responses against its own state.

pub mod actions;
pub mod checkpoint;
pub mod connection;
pub mod damage;
pub mod disk;
pub mod fresh;
pub mod ledger;
pub mod requests;
pub mod session;
