//! The starts of frames.

use super::{place::Place, session::Debugger, stack::FrameKind, timeline::Moment};

/// The first moment of what a frame of the current stack stands for.
pub fn start_of_frame(debugger: &Debugger, frame: FrameKind) -> Moment {
    let (timeline, moment) = (debugger.timeline(), debugger.moment());
    match frame {
        FrameKind::Cell(_) | FrameKind::Block(_) => moment,
        FrameKind::Production(_) => Moment { cell: *debugger.run().cells_of_step(moment.step).start(), ..moment },
        FrameKind::Step(step) => timeline.start_of_step(step),
        FrameKind::Pass { block: number, .. } => {
            let mut start = moment;
            while let Some(before) = timeline.back(start) {
                match timeline.place(before) {
                    Place::Block { block, .. } | Place::Until { block, .. } if block == number => break,
                    _ => start = before,
                }
            }
            start
        }
    }
}
