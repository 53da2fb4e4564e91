//! Diagnostics, runs, schedules and checkpoints as text and pictures for people.
//!
//! ```text
//! human                     diagnostics, with the lines of the program that they are about
//! Terminal                  the width and colors of what shows them
//! shown                     external text, made safe for a terminal
//! RunTable, table           a run as a table, and one that an editor requests
//! grid                      short texts in rows and columns
//! plan_text, plan_picture   the layers and heads of a schedule
//! latent_json               the codes of heads
//! heat_map                  the effects of patches as a picture
//! model_card                the page about a checkpoint, which is one of its files
//! ```

#[cfg(feature = "terminal")]
mod excerpt;
#[cfg(test)]
#[path = "../../tests/cases/fixture.rs"]
mod fixture;
pub mod grid;
mod heat_map;
#[cfg(feature = "terminal")]
mod human;
#[cfg(feature = "terminal")]
mod labeled_line;
mod latent_json;
#[cfg(feature = "terminal")]
mod measured;
mod model_card;
mod plan;
mod requested_table;
mod run_table;
mod shown;
mod svg;
#[cfg(feature = "terminal")]
mod terminal;

pub use heat_map::{HeatCell, HeatMap, Panel, heat_map};
#[cfg(feature = "terminal")]
pub use human::human;
pub use latent_json::latent_json;
pub use model_card::model_card;
pub use plan::{plan_picture, plan_summary, plan_text};
pub use requested_table::table;
pub use run_table::RunTable;
pub use shown::{shown, shown_json, shown_line};
#[cfg(feature = "terminal")]
pub use terminal::{CODE, FRAME, STRONG, Terminal, severity_style};
