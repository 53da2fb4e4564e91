//! The head with one-hot vectors (66), (70), (72).

use std::collections::BTreeSet;

use psl_runtime::{FullDat, Limits, Machine};

use super::{
    arithmetic::{Map, Vector, dot, largest},
    head::{Head, one_hot},
    table::{digits, labeled, table},
};

impl Head {
    /// The names of the blocks, and under each the names of its components from top to bottom.
    fn heading(&self) -> Vec<Vec<String>> {
        let height = self.vocabulary.iter().map(str::len).max().unwrap_or_default();
        let names: Vec<String> = self.vocabulary.iter().map(|name| format!("{name:>height$}")).collect();
        let line = |at| names.iter().filter_map(|name| name.chars().nth(at)).collect::<String>();
        let lines = (0..height).map(|at| vec![line(at); self.weights.registers.len()]);
        [self.weights.registers.clone()].into_iter().chain(lines).collect()
    }

    /// A vector as one word for each block.
    fn words(&self, vector: &[f64]) -> Vec<String> {
        vector.chunks(self.weights.dimension).map(digits).collect()
    }

    /// Vectors with their names.
    fn vectors_with_names(&self, vectors: impl IntoIterator<Item = (String, Vector)>) -> String {
        let heading = self.heading().into_iter().map(|names| labeled("", names));
        let rows = vectors.into_iter().map(|(name, vector)| labeled(&name, self.words(&vector)));
        table(2, heading.chain(rows))
    }

    /// The cells before the layer.
    pub fn cells(&self) -> String {
        self.vectors_with_names((1..).zip(&self.attention.i).map(|(number, i)| (format!("i[{number}]"), i.clone())))
    }

    fn maps(&self) -> [(char, &Map); 3] {
        [('q', &self.attention.q), ('k', &self.attention.k), ('v', &self.attention.v)]
    }

    /// The matrices, side by side, with the biases below.
    pub fn matrices(&self) -> String {
        let registers = &self.weights.registers;
        let row = |register: &str, value: &str, parts: [Vec<String>; 3]| {
            let gaps = parts.into_iter().flat_map(|words| labeled("", words));
            labeled(register, labeled(value, gaps))
        };
        let title = |(name, _)| labeled(&format!("W_{name}"), vec![String::new(); registers.len() - 1]);
        let mut rows = vec![row("", "", self.maps().map(title))];
        rows.extend(self.heading().into_iter().map(|names| row("", "", [names.clone(), names.clone(), names])));
        for (register, short) in registers.iter().enumerate() {
            for (value, text) in self.vocabulary.iter().enumerate() {
                let short = if value == 0 { short } else { "" };
                let index = register * self.weights.dimension + value;
                rows.push(row(short, text, self.maps().map(|(_, map)| self.words(&map.matrix[index]))));
            }
            rows.push(Vec::new());
        }
        rows.push(row("bias", "", self.maps().map(|(_, map)| self.words(&map.bias))));
        table(1, rows)
    }

    /// The queries, keys and values of all cells.
    pub fn vectors(&self) -> String {
        let numbered = (1..).zip(&self.attention.i);
        let apply = |(name, map): (char, &Map)| {
            numbered.clone().map(|(number, i)| (format!("{name}[{number}]"), map.apply(i))).collect::<Vec<_>>()
        };
        self.vectors_with_names(self.maps().into_iter().flat_map(apply))
    }

    /// The dot products of all queries and keys.
    pub fn dot_products(&self) -> String {
        let attention = &self.attention;
        let row = |(number, i): (usize, &Vector)| {
            let (query, products) = (attention.q.apply(i), attention.dot_products(i));
            let cell = attention.attends(&products).map_or("-".to_owned(), |cell| (cell + 1).to_string());
            let numbers = products.iter().chain([&dot(&query, &query)]).map(f64::to_string).collect::<Vec<_>>();
            labeled(&format!("q[{number}]"), numbers.into_iter().chain([cell]))
        };
        let keys = (1..=attention.i.len()).map(|number| format!("k[{number}]"));
        let heading = labeled("", keys.chain(["|q|²", "attends to"].map(str::to_owned)));
        table(3, [heading].into_iter().chain((1..).zip(&attention.i).map(row)))
    }

    /// The vectors of the last cell in attention and `DATnorm`.
    pub fn output(&self) -> String {
        let (cell, total) = self.attention.last();
        let (number, n) = (self.attention.i.len(), cell + 1);
        let output = self.normalized(&total);
        assert_eq!(output, self.output_of_the_machine(), "the machine computes another cell");
        self.vectors_with_names([
            (format!("i[{number}]"), self.attention.i[number - 1].clone()),
            (format!("v[{n}]"), self.attention.v.apply(&self.attention.i[cell])),
            (format!("i[{number}] + 2 v[{n}]"), total),
            (format!("o[{number}]"), output),
        ])
    }

    /// `DATnorm`: the one-hot vector of each block's largest component, or zero.
    fn normalized(&self, vector: &[f64]) -> Vector {
        let normalized = |block: &[f64]| {
            let largest = largest(block);
            (0..block.len()).map(|value| if largest == Some(value) { 1.0 } else { 0.0 }).collect::<Vector>()
        };
        vector.chunks(self.weights.dimension).flat_map(normalized).collect()
    }

    /// The last cell after the layer, as the tools compute it.
    fn output_of_the_machine(&self) -> Vector {
        let (max_work, max_kept, max_passes) = (u64::MAX, u64::MAX, usize::MAX);
        let limits = Limits {
            max_new: 0,
            stop: None,
            max_passes,
            max_work,
            max_kept,
            recompute: false,
            ablated: BTreeSet::new(),
            cancelled: Vec::new(),
        };
        let machine = FullDat::new(&self.weights, &limits).expect("a machine");
        let run = machine.run(&self.input, &limits, None).expect("a run");
        one_hot(run.states.last().expect("a cell"), &self.weights)
    }
}
