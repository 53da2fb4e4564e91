//! An editor that does anything: what it sends is random, what it has is known, and what the server says is held against that.

pub mod actions;
pub mod checkpoint;
pub mod connection;
pub mod damage;
pub mod disk;
pub mod fresh;
pub mod ledger;
pub mod requests;
pub mod session;
