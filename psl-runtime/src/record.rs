//! A recorded run: its changes, which give the value of any register of any cell at any time.
//!
//! A *row* is a layer in certain passes of its repeat blocks. The rows of a run are those that any cell ran, in program
//! order. The *time* of a cell is the number of rows applied to it: it starts at 0, and row r takes it from r to r + 1.
//! A cell that needed fewer passes than another *rests*: it lacks the rows of the further passes, and does not change
//! there.

mod activity;
mod all_writes;
mod attention;
mod conditions;
mod coverage;
mod first_difference;
mod history;
mod matches;
mod origin;
mod recorded_run;
mod recording;
mod row;
mod stretches;
mod symbol_writes;
mod tracks;
mod why;

pub use activity::Activity;
pub use all_writes::{AllWrites, CellWrite};
pub use attention::{CellAttention, attention};
pub use coverage::{ConditionCounts, Coverage, ProductionCounts, RepeatCounts};
pub use first_difference::{Difference, DifferenceKind, UpdateDifference, first_difference};
pub use history::{Write, history, last_write};
pub use matches::{Matches, matches};
pub use origin::{Link, LinkKind, TimedRegister, origin, tested};
pub use recorded_run::{RecordedRun, RecordedUpdate};
pub use recording::Recorder;
pub use row::{BlocksOfLayers, Row, RowId, Time};
pub use symbol_writes::{SymbolWrite, SymbolWrites};
pub use why::{Why, why};
