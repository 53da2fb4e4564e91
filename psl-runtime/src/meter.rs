//! Counts the work of a run, and regularly checks the limits.

use crate::{limits::Limits, run_error::RunError};

/// The work and the kept values of a run so far.
#[derive(Debug)]
pub(crate) struct Meter<'l> {
    limits: &'l Limits,
    work: u64,
    /// The work at the last check of the limits.
    checked: u64,
    /// The work at which the next check is due.
    due: u64,
    kept: u64,
}

impl<'l> Meter<'l> {
    /// The maximum number of comparisons counted at a time. Twice as many can pass between two checks.
    pub(crate) const AT_ONCE: usize = 1 << 15;

    pub(crate) fn new(limits: &'l Limits) -> Self {
        Self { limits, work: 0, checked: 0, due: Self::next_check(limits, 0), kept: 0 }
    }

    /// The work so far, in comparisons.
    pub(crate) fn work(&self) -> u64 {
        self.work
    }

    fn next_check(limits: &Limits, work: u64) -> u64 {
        limits.max_work.saturating_add(1).min(work + Self::AT_ONCE as u64)
    }

    /// Counts comparisons, up to [`Meter::AT_ONCE`].
    #[inline]
    pub(crate) fn compared(&mut self, comparisons: usize) -> Result<(), RunError> {
        debug_assert!(comparisons <= Self::AT_ONCE, "{comparisons} comparisons without a check");
        self.work += comparisons as u64;
        if self.work >= self.due { self.check() } else { Ok(()) }
    }

    /// Counts work that takes about as long as `comparisons` comparisons, which may exceed [`Meter::AT_ONCE`].
    #[inline]
    pub(crate) fn worked(&mut self, comparisons: usize) -> Result<(), RunError> {
        if comparisons <= Self::AT_ONCE { self.compared(comparisons) } else { self.worked_long(comparisons) }
    }

    #[inline(never)]
    fn worked_long(&mut self, comparisons: usize) -> Result<(), RunError> {
        for _ in 0..comparisons / Self::AT_ONCE {
            self.compared(Self::AT_ONCE)?;
        }
        self.compared(comparisons % Self::AT_ONCE)
    }

    /// Counts the work of passing cells to a layer. With `recompute` it counts for more, because nothing else limits
    /// how often the cells pass.
    #[inline]
    pub(crate) fn passed(&mut self, comparisons: usize) -> Result<(), RunError> {
        self.worked(if self.limits.recompute { 4 * comparisons } else { comparisons })
    }

    /// Returns an error if the run is cancelled or exceeds its limit on work.
    #[inline(never)]
    pub(crate) fn check(&mut self) -> Result<(), RunError> {
        #[cfg(test)]
        tests::CHECKS.set((tests::CHECKS.get().0.max(self.work - self.checked), self.work));
        self.checked = self.work;
        self.due = Self::next_check(self.limits, self.work);
        if self.limits.is_cancelled() {
            Err(RunError::Cancelled)
        } else if self.work > self.limits.max_work {
            Err(RunError::TooMuchWork { max_work: self.limits.max_work })
        } else {
            Ok(())
        }
    }

    /// Counts values before they are kept.
    pub(crate) fn keep(&mut self, values: usize) -> Result<(), RunError> {
        self.kept += values as u64;
        if self.kept > self.limits.max_kept {
            return Err(RunError::TooMuchKept { max_kept: self.limits.max_kept });
        }
        Ok(())
    }

    /// Sets the count of kept values to zero.
    pub(crate) fn reset(&mut self) {
        self.kept = 0;
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use std::cell::Cell;

    use super::Meter;
    use crate::{Embedding, Executable, MachineKind, Options, Run, RunError, Task};

    thread_local! {
        /// The maximum number of comparisons between two checks of any meter on this thread, and the total up to the
        /// last check.
        pub(super) static CHECKS: Cell<(u64, u64)> = const { Cell::new((0, 0)) };
    }

    const MAX_WITHOUT_A_CHECK: u64 = 65_536;

    /// Every pair of cells is compared, and none matches.
    const LAYER: &str = "where_rm symbol[n] != symbol[N]: mark[N] = symbol[n]";
    const REVERSE: &str = "causal_attn: reverse where symbol[n] != symbol[N]: mark[N] = symbol[n]";
    const UNTIL: &str = "repeat: where symbol[N] == A: mark[N] = A until symbol[n] != symbol[N]";

    /// Runs a prompt of equal symbols. Returns the result and the number of comparisons.
    fn run(
        production: &str,
        cells: usize,
        max_work: u64,
        run: impl Fn(&Executable, &Task) -> Result<Run, RunError>,
    ) -> (Result<Run, RunError>, u64) {
        let text = format!(
            "registers: {{symbol: 's', position: 'p', mark: 'm'}} constants: {{A}}
            system: {{symbol: symbol, position: position, output: mark}} {production}"
        );
        let executable = Executable::new(psl_syntax::check(&text).analysis.program);
        let options = Options { max_new: Some(0), ..Options::default() };
        let mut task = executable.task(&vec!["A"; cells], &options).unwrap();
        task.limits.max_work = max_work;
        CHECKS.set((0, 0));
        let result = run(&executable, &task);
        let (longest, compared) = CHECKS.get();
        assert!(longest <= MAX_WITHOUT_A_CHECK, "{production}: {longest} comparisons without a check");
        (result, compared)
    }

    #[test]
    fn all_comparisons_inside_a_layer_are_counted() {
        for machine in [MachineKind::Psm, MachineKind::Qkvm, MachineKind::FullDat] {
            for production in [LAYER, UNTIL] {
                let cells = 600;
                let (_, compared) =
                    run(production, cells, u64::MAX, |executable, task| executable.run(machine, task, None));
                let pairs = (cells * cells) as u64;
                assert!(compared + Meter::AT_ONCE as u64 >= pairs, "{machine:?}, {production}: {compared} of {pairs}");
            }
        }
        // The fast DAT compares 64 cells at a time.
        let cells = 3200;
        let (_, compared) =
            run(LAYER, cells, u64::MAX, |executable, task| executable.run(MachineKind::Dat, task, None));
        assert!(compared + Meter::AT_ONCE as u64 >= (cells * cells / 64) as u64, "dat: {compared}");
    }

    #[test]
    fn a_limit_stops_a_run_inside_a_layer() {
        let max_work = 3_000_000;
        let sizes = [(MachineKind::Psm, 70_000), (MachineKind::Qkvm, 70_000), (MachineKind::FullDat, 2_500)];
        for (machine, cells) in sizes {
            for production in [LAYER, REVERSE, UNTIL] {
                let (result, compared) =
                    run(production, cells, max_work, |executable, task| executable.run(machine, task, None));
                let stopped = result == Err(RunError::TooMuchWork { max_work });
                assert!(stopped, "{machine:?}, {production}: not stopped after {compared}");
                assert!(compared <= max_work + MAX_WITHOUT_A_CHECK, "{machine:?}, {production}: {compared}");
            }
        }
    }

    #[test]
    fn a_limit_stops_the_making_of_dense_vectors() {
        for embedding in [Embedding::SemiLocal { seed: 0 }, Embedding::Distributed { seed: 0 }] {
            let (result, _) =
                run(LAYER, 400, 1_000_000, |executable, task| executable.run_embedded(embedding, task, None));
            assert_eq!(result, Err(RunError::TooMuchWork { max_work: 1_000_000 }), "{embedding:?}");
        }
    }
}
