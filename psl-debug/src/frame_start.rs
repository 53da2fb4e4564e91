//! The starts of frames.

use super::{debugged_run::Debugger, stack::FrameKind, step_place::StepPlace, timeline::Moment};

/// The first moment of a frame of the current stack.
pub fn start_of_frame(debugger: &Debugger, frame: FrameKind) -> Moment {
    let (timeline, moment) = (debugger.timeline(), debugger.moment());
    match frame {
        FrameKind::Cell(_) | FrameKind::Block(_) => moment,
        FrameKind::Production(_) => Moment { cell: debugger.run().cells_of_step(moment.step).start, ..moment },
        FrameKind::Step(step) => timeline.start_of_step(step),
        FrameKind::Pass { block: number, .. } => {
            let mut start = moment;
            while let Some(before) = timeline.back(start) {
                match timeline.place(before) {
                    StepPlace::Block { block, .. } | StepPlace::Until { block, .. } if block == number => break,
                    _ => start = before,
                }
            }
            start
        }
    }
}
