//! The layers of a program, with their heads.

use std::{iter, ops::Range};

use psl_runtime::{Executable, LayerId};
use psl_syntax::program::{Production, ProductionId, Program};

/// The heads of a layer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LayerHeads {
    /// The layer.
    pub layer: LayerId,
    /// The production of each head, in running order: that of a [`Row`](psl_runtime::record::Row) of a recorded run.
    pub productions: Range<ProductionId>,
}

impl LayerHeads {
    /// The number of heads.
    pub fn count(&self) -> usize {
        self.productions.end.index() - self.productions.start.index()
    }

    /// The productions of the heads, out of all [sound ones](sound_productions).
    pub fn of<'s, 'p>(&self, sound: &'s [&'p Production]) -> &'s [&'p Production] {
        sound.get(self.productions.start.index()..self.productions.end.index()).unwrap_or_default()
    }
}

/// The productions without errors, which run.
pub fn sound_productions(program: &Program) -> Vec<&Production> {
    program.productions().into_iter().filter(|production| production.sound).collect()
}

/// The layers of a program in running order. Productions with errors are left out.
pub fn layers(executable: &Executable) -> Vec<LayerHeads> {
    let (places, count) = (executable.heads(), executable.labels().len());
    let is_further = places.iter().map(|place| place.head > 1).chain(iter::repeat(false));
    let mut layers = Vec::<LayerHeads>::new();
    for (production, is_further) in ProductionId::first(count).zip(is_further) {
        match layers.last_mut() {
            Some(last) if is_further => last.productions.end = production.next(),
            _ => layers
                .push(LayerHeads { layer: LayerId::new(layers.len()), productions: production..production.next() }),
        }
    }
    layers
}

#[cfg(test)]
#[allow(clippy::expect_used, reason = "a test may fail by panic")]
mod tests {
    use super::*;
    use crate::fixture::file;

    #[test]
    fn productions_that_share_a_layer_are_its_heads() {
        let file = file(
            "registers: {symbol: 's', position: 'p', mark: 'm', side: 'd'}\nconstants: {A, B}\n\
             # 1\nwhere symbol[N] == A:\n    mark[N] = A\n\
             # 2\nwhere mark[N] == A:\n    mark[N] = B\n\
             # 3\nwhere symbol[N] == A:\n    side[N] = A\n\
             repeat:\n    # 4\n    where side[N] == A:\n        side[N] = B\nuntil NO_CHANGE\n\
             # 5\nwhere mark[N] == B:\n    mark[N] = A\n",
        );
        let runner = file.runner().expect("it compiles");
        let scheduled = runner.scheduled(None).expect("it is in PSL");
        let labels = |heads: &LayerHeads| {
            let sound = sound_productions(&scheduled.executable().program);
            let productions = heads.of(&sound).iter();
            format!("{}: {}", heads.layer, productions.filter_map(|it| it.label.clone()).collect::<String>())
        };
        let found: Vec<String> = layers(scheduled.executable()).iter().map(labels).collect();
        assert_eq!(found, ["1: # 1# 3", "2: # 2", "3: # 4", "4: # 5"]);
        let counts: Vec<usize> = layers(runner.executable()).iter().map(LayerHeads::count).collect();
        assert_eq!(counts, [1; 5]);
    }
}
