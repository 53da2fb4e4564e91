//! A plan as text and as a picture.

mod picture;
mod text;
mod words;

pub use picture::plan_picture;
pub use text::{plan_summary, plan_text};
