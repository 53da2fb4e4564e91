//! The head of the second production.

use super::{
    super::{
        arithmetic::Vector,
        table::{labeled, table},
    },
    model::{LAYER, PageModel},
};

impl PageModel {
    /// The queries, the keys and the values of the head, as the parts of its matrices that are not 0.
    pub fn queries(&self) -> String {
        let (block, names) = (&self.blocks[LAYER], self.names());
        let width = names.len();
        let size = width / self.heads;
        let of_column = |column: usize| {
            let weights = block.c_attn.weight.iter().zip(&names).map(|(row, name)| (row[column], name.as_str()));
            let terms: Vec<String> = weights
                .chain([(block.c_attn.bias[column], "1")])
                .filter(|(weight, _)| *weight != 0.0)
                .map(|(weight, name)| format!("{weight:.1} ({name})"))
                .collect();
            if terms.is_empty() { "-".to_owned() } else { terms.join(", ") }
        };
        let row = |dimension: usize| {
            let columns = [0, 1, 2].map(|part| of_column(part * width + dimension));
            columns.iter().any(|terms| terms != "-").then(|| labeled(&dimension.to_string(), columns))
        };
        let heading = labeled("dimension", ["query", "key", "value"].map(str::to_owned));
        table(3, [heading].into_iter().chain((0..size).filter_map(row)))
    }

    fn projected(&self) -> Vec<Vector> {
        self.passes()[LAYER][..self.prompt].iter().map(|pass| pass.projected.clone()).collect()
    }

    fn rows(&self, rows: &[Vector], show: impl Fn(f64) -> String) -> String {
        let row =
            |(place, numbers): (usize, &Vector)| labeled(self.text(place), numbers.iter().map(|number| show(*number)));
        let heading = labeled("", (0..self.prompt).map(|place| self.text(place).to_owned()));
        table(3, [heading].into_iter().chain(rows.iter().enumerate().map(row)))
    }

    /// The scores of each query with the keys up to its token.
    pub fn scores(&self) -> String {
        self.rows(&self.scores_of(&self.projected(), 0), |score| (score.round() + 0.0).to_string())
    }

    /// The weights of each token.
    pub fn weights(&self) -> String {
        let show = |weight: f64| if weight < 1e-13 { ".".to_owned() } else { format!("{weight:.4}") };
        self.rows(&self.weights_of(&self.projected(), 0), show)
    }
}
