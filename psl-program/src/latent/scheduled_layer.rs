//! A layer with its heads and codes, as all formats show it.

use psl_runtime::{LayerId, record::RecordedRun};
use psl_syntax::{
    LineIndex, Program, plain_label,
    program::{Production, ProductionId},
};

use super::{
    heads::LayerHeads,
    meaning::meaning,
    pairs::{Pair, pairs},
    scheduled::Scheduled,
    statistics::Statistics,
};

/// A layer of the schedule.
pub struct ScheduledLayer<'r> {
    /// The layer.
    pub id: LayerId,
    /// The heads, in running order.
    pub heads: Vec<Head<'r>>,
    program: &'r Program,
    run: &'r RecordedRun,
    rows: &'r LayerHeads,
}

/// A head of a layer.
pub struct Head<'r> {
    /// The production as it runs.
    pub source: &'r Production,
    /// The production in the program.
    pub production: ProductionId,
    /// The number of the line of the production, or `None` if the program has no text.
    pub line: Option<usize>,
}

impl Head<'_> {
    /// The label without its comment mark.
    pub fn title(&self) -> &str {
        plain_label(self.source.label.as_deref().unwrap_or_default())
    }
}

impl<'r> ScheduledLayer<'r> {
    /// `sound` are the productions of the scheduled program that run, and `lines` those of the program's text.
    pub(super) fn new(
        lines: Option<&LineIndex>,
        scheduled: &'r Scheduled<'_>,
        sound: &[&'r Production],
        run: &'r RecordedRun,
        layer: &'r LayerHeads,
    ) -> Self {
        let originals = scheduled.originals().iter().skip(layer.productions.start.index());
        let line = |production: &Production| lines.map(|lines| lines.point(production.span.start).line);
        let head = |(source, id): (&'r Production, &ProductionId)| Head { source, production: *id, line: line(source) };
        let heads = layer.of(sound).iter().copied().zip(originals).map(head).collect();
        Self { id: layer.layer, heads, program: scheduled.program(), run, rows: layer }
    }

    /// The statistics of the pairs. Calls `visit` with each pair and the index of its code.
    pub fn statistics(&self, visit: impl FnMut(&Pair, usize)) -> Statistics {
        Statistics::new(self.heads.len(), pairs(self.run, self.rows), visit)
    }

    /// The effect of a code, in words.
    pub fn meaning(&self, code: &[usize]) -> String {
        meaning(self.program, code.iter().filter_map(|head| Some(self.heads.get(*head)?.source)))
    }
}
