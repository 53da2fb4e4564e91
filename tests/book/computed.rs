//! The numbers of `docs/production-to-weights.md`, computed from the program and the prompt on that page.

#![allow(clippy::expect_used, clippy::indexing_slicing, clippy::panic, reason = "a test may fail by panic")]

use std::collections::BTreeMap;

use psl_runtime::input::State;
use psl_runtime::qkvl::{Layer, Program, Source, Term};
use psl_runtime::weights::{Affine, Block, Layer as Tensors};
use psl_runtime::{Cell, FullDat, Input, Limits, Machine, Registers, Vocabulary, Weights, compile, weights};
use serde_json::{Value, json};

/// Returns a block of the page, or `None` if the name is unknown.
pub fn computed(name: &str) -> Option<String> {
    let head = Head::new();
    Some(match name {
        "attributes" => head.attributes(),
        "conditions" => head.conditions(),
        "cells" => head.cells(),
        "matrices" => head.matrices(),
        "forms" => forms(),
        "vectors" => head.vectors(),
        "dot-products" => head.dot_products(),
        "output" => head.output(),
        "superposition" => head.superposition(),
        "dense-dot-products" => head.dense_dot_products(),
        "decoding" => head.decoding(),
        _ => return None,
    })
}

type Vector = Vec<f64>;

/// An affine map with all its entries.
struct Map {
    weights: Vec<Vector>,
    bias: Vector,
}

impl Map {
    fn new(map: &Affine, weights: &Weights) -> Self {
        let d = weights.dimension;
        let size = d * weights.registers.len();
        let mut dense = Self { weights: vec![vec![0.0; size]; size], bias: vec![0.0; size] };
        for (bias, target) in map.bias.chunks(d).zip(&map.targets) {
            let place = &mut dense.bias[target * d..(target + 1) * d];
            place.iter_mut().zip(bias).for_each(|(to, from)| *to = f64::from(*from));
        }
        for block in &map.weights {
            for row in 0..d {
                for &(column, entry) in block.matrix.row(row) {
                    let column = map.targets[block.target] * d + column as usize;
                    dense.weights[block.source * d + row][column] = f64::from(entry);
                }
            }
        }
        dense
    }

    fn apply(&self, input: &[f64]) -> Vector {
        sum(&times(input, &self.weights), 1.0, &self.bias)
    }

    /// The same map after a change to an orthonormal basis, given by its rows.
    fn in_basis(&self, basis: &[Vector]) -> Self {
        let images: Vec<Vector> = self.weights.iter().map(|row| times(row, basis)).collect();
        let columns = (0..basis.len()).map(|column| basis.iter().map(|row| row[column]).collect::<Vector>());
        Self { weights: columns.map(|column| times(&column, &images)).collect(), bias: times(&self.bias, basis) }
    }
}

/// The layer of the page on every level. Vectors are those of the cells, in their order.
struct Head {
    program: Program,
    registers: Registers,
    vocabulary: Vocabulary,
    input: Input,
    weights: Weights,
    i: Vec<Vector>,
    q: Map,
    k: Map,
    v: Map,
}

impl Head {
    fn new() -> Self {
        let prompt: Vec<BTreeMap<String, String>> = serde_json::from_str(&block_of_page("json")).expect("the prompt");
        let program = compile(&psl_syntax::check(&block_of_page("psl")).analysis.program);
        let registers = Registers::from(&program);
        let register = |name: &str| registers.by_long(name).expect("a register");
        let cell = |given: &BTreeMap<String, String>| -> Vec<(usize, String)> {
            given.iter().map(|(name, value)| (register(name), value.clone())).collect()
        };
        let cells: Vec<Vec<(usize, String)>> = prompt.iter().map(cell).collect();
        let cells: Vec<Cell<'_>> = cells
            .iter()
            .map(|cell| cell.iter().map(|(register, value)| (*register, value.as_str())).collect())
            .collect();
        let symbols: Vec<&str> = prompt.iter().map(|cell| cell["symbol"].as_str()).collect();
        // `--positions 2`, as in the command on the page.
        let vocabulary = Vocabulary::with_positions(&program.constants(), &symbols, 2);
        let input = Input::new(&registers, &vocabulary, &cells);
        let weights = weights(&program, &vocabulary);
        let Tensors { matching, value, .. } = tensors(&weights);
        let [q, k, v] = [&matching.query, &matching.key, value].map(|map| Map::new(map, &weights));
        let mut head = Self { i: Vec::new(), q, k, v, program, registers, input, weights, vocabulary };
        head.i = head.input.cells.iter().map(|state| head.one_hot(state)).collect();
        head
    }

    fn layer(&self) -> &Layer {
        self.program.layers()[0]
    }

    fn one_hot(&self, state: &State) -> Vector {
        let mut vector = vec![0.0; self.vocabulary.len() * self.weights.registers.len()];
        for (register, value) in state.iter().enumerate() {
            value.iter().for_each(|value| vector[register * self.vocabulary.len() + value.0 as usize] = 1.0);
        }
        vector
    }

    /// The value that an instruction of QKVL gives in a cell, or `None` for null.
    fn value<'s>(&'s self, source: &'s Source, state: &State) -> Option<&'s str> {
        match source {
            Source::Is(Term::Constant(value)) => Some(value),
            Source::Is(Term::Register(short, None)) => {
                state[self.registers.by_short(short).expect("a register")].and_then(|value| self.vocabulary.text(value))
            }
            _ => panic!("the page has no such instruction"),
        }
    }

    fn attributes(&self) -> String {
        let filled =
            |slot: &String, source: &Source, state: &State| Some(format!("{slot}: {}", self.value(source, state)?));
        let row = |(number, state): (usize, &State)| {
            let list = |entries: Vec<String>| entries.join(", ");
            let (q, k) = (&self.layer().weights.q, &self.layer().weights.k);
            let [query, key] =
                [q, k].map(|slots| list(slots.iter().filter_map(|(slot, it)| filled(slot, it, state)).collect()));
            let value = self.layer().weights.v.iter();
            let value = value.filter_map(|(slot, term)| filled(slot, &Source::Is(term.clone()), state)).collect();
            vec![number.to_string(), query, key, list(value)]
        };
        let rows = (1..).zip(&self.input.cells).map(row);
        table(3, [["cell", "query", "key", "value"].map(String::from).to_vec()].into_iter().chain(rows))
    }

    fn conditions(&self) -> String {
        let (q, k) = (&self.layer().weights.q, &self.layer().weights.k);
        let agree = |query: &State, key: &State| {
            let holds = |slot: &&String| {
                let query = self.value(&q[*slot], query);
                query.is_some() && query == self.value(&k[*slot], key)
            };
            let slots: Vec<&str> = q.keys().filter(holds).map(String::as_str).collect();
            if slots.is_empty() { "-".to_owned() } else { slots.join(", ") }
        };
        let row = |(number, query): (usize, &State)| {
            let keys = self.input.cells.iter().map(|key| agree(query, key));
            [format!("query of cell {number}")].into_iter().chain(keys).collect()
        };
        let head = (0..=self.i.len()).map(|n| if n == 0 { String::new() } else { format!("key of {n}") }).collect();
        table(3, [head].into_iter().chain((1..).zip(&self.input.cells).map(row)))
    }

    /// The names of the blocks, and under each the names of its components, from top to bottom.
    fn heading(&self) -> Vec<Vec<String>> {
        let names: Vec<&str> = self.vocabulary.iter().collect();
        let height = names.iter().map(|name| name.len()).max().unwrap_or_default();
        let line = |line: usize| -> String {
            names
                .iter()
                .map(|name| (line + name.len()).checked_sub(height).map_or(' ', |at| letter(name, at)))
                .collect()
        };
        let repeated = |line: String| vec![line; self.weights.registers.len()];
        [self.weights.registers.clone()].into_iter().chain((0..height).map(|at| repeated(line(at)))).collect()
    }

    /// A vector as one word for each block.
    fn digits(&self, vector: &[f64]) -> Vec<String> {
        vector.chunks(self.vocabulary.len()).map(digits).collect()
    }

    /// Named vectors under the names of their components.
    fn named(&self, vectors: impl IntoIterator<Item = (String, Vector)>) -> String {
        let labeled = |label: String, words: Vec<String>| [label].into_iter().chain(words).collect::<Vec<_>>();
        let heading = self.heading().into_iter().map(|words| labeled(String::new(), words));
        let rows = vectors.into_iter().map(|(name, vector)| labeled(name, self.digits(&vector)));
        table(2, heading.chain(rows))
    }

    fn cells(&self) -> String {
        self.named((1..).zip(&self.i).map(|(number, vector)| (format!("i[{number}]"), vector.clone())))
    }

    fn matrices(&self) -> String {
        let d = self.vocabulary.len();
        let maps = [("W_q", &self.q), ("W_k", &self.k), ("W_v", &self.v)];
        let row = |labels: [&str; 2], words: [Vec<String>; 3]| -> Vec<String> {
            let gap = |words: Vec<String>| [String::new()].into_iter().chain(words);
            labels.into_iter().map(str::to_owned).chain(words.into_iter().flat_map(gap)).collect()
        };
        let blanks = vec![String::new(); self.weights.registers.len() - 1];
        let titles = maps.map(|(name, _)| [name.to_owned()].into_iter().chain(blanks.clone()).collect());
        let mut rows = vec![row(["", ""], titles)];
        rows.extend(self.heading().into_iter().map(|words| row(["", ""], [words.clone(), words.clone(), words])));
        for (register, short) in self.weights.registers.iter().enumerate() {
            for (value, text) in self.vocabulary.iter().enumerate() {
                let label = if value == 0 { short } else { "" };
                rows.push(row([label, text], maps.map(|(_, map)| self.digits(&map.weights[register * d + value]))));
            }
            rows.push(Vec::new());
        }
        rows.push(row(["b", ""], maps.map(|(_, map)| self.digits(&map.bias))));
        table(1, rows)
    }

    fn vectors(&self) -> String {
        let attributes = [("q", &self.q), ("k", &self.k), ("v", &self.v)];
        let apply = |(name, map): (&'static str, &Map)| {
            let vectors = (1..).zip(&self.i).map(|(number, i)| (format!("{name}[{number}]"), map.apply(i)));
            vectors.collect::<Vec<_>>()
        };
        self.named(attributes.into_iter().flat_map(apply))
    }

    /// The dot products of a query with the keys of all cells, and the leftmost cell whose key matches.
    fn attend(&self, query: &[f64], keys: &[Vector]) -> (Vector, Option<usize>) {
        let products: Vector = keys.iter().map(|key| dot(query, key)).collect();
        #[allow(clippy::cast_precision_loss, reason = "the count is small")]
        let m = tensors(&self.weights).matching.count as f64;
        let cell = products.iter().position(|product| (product - m).abs() < 1e-9);
        (products, cell)
    }

    fn dot_products(&self) -> String {
        let keys: Vec<Vector> = self.i.iter().map(|i| self.k.apply(i)).collect();
        let row = |(number, i): (usize, &Vector)| -> Vec<String> {
            let query = self.q.apply(i);
            let (products, cell) = self.attend(&query, &keys);
            let numbers = products.iter().map(f64::to_string);
            let attends = cell.map_or("-".to_owned(), |cell| (cell + 1).to_string());
            [format!("q[{number}]")]
                .into_iter()
                .chain(numbers)
                .chain([dot(&query, &query).to_string(), attends])
                .collect()
        };
        let names = (1..=keys.len()).map(|number| format!("k[{number}]"));
        let heading = [String::new()].into_iter().chain(names).chain(["|q|²", "attends to"].map(String::from));
        table(3, [heading.collect()].into_iter().chain((1..).zip(&self.i).map(row)))
    }

    /// The last cell: N, the cell n that it attends to, and i + 2 v.
    fn last(&self, maps: [&Map; 3], i: &[Vector]) -> (usize, usize, Vector) {
        let [q, k, v] = maps;
        let keys: Vec<Vector> = i.iter().map(|i| k.apply(i)).collect();
        let last = i.len() - 1;
        let cell = self.attend(&q.apply(&i[last]), &keys).1.expect("a match");
        (last, cell, sum(&i[last], 2.0, &v.apply(&i[cell])))
    }

    /// `DATnorm`: the one-hot vector of each block's largest component, or zero.
    fn normalized(&self, vector: &[f64]) -> Vector {
        let normalize = |block: &[f64]| {
            let largest = block.iter().copied().fold(0.0, f64::max);
            block.iter().map(|&it| if largest > 0.5 && it == largest { 1.0 } else { 0.0 }).collect::<Vector>()
        };
        vector.chunks(self.vocabulary.len()).flat_map(normalize).collect()
    }

    /// The cells after the layer, computed by the machine.
    fn run(&self) -> Vec<State> {
        let (max_work, max_kept, max_passes) = (u64::MAX, u64::MAX, usize::MAX);
        let limits =
            Limits { max_new: 0, stop: None, max_passes, max_work, max_kept, recompute: false, cancelled: None };
        let machine = FullDat::new(&self.weights, &limits).expect("a machine");
        machine.run(&self.input, &limits, None).expect("a run").states
    }

    fn output(&self) -> String {
        let (last, cell, total) = self.last([&self.q, &self.k, &self.v], &self.i);
        let (output, number, n) = (self.normalized(&total), last + 1, cell + 1);
        assert_eq!(output, self.one_hot(&self.run()[last]), "the machine computes another cell");
        self.named([
            (format!("i[{number}]"), self.i[last].clone()),
            (format!("v[{n}]"), self.v.apply(&self.i[cell])),
            (format!("i[{number}] + 2 v[{n}]"), total),
            (format!("o[{number}]"), output),
        ])
    }

    /// The vector of a register's value in the dense embedding: one row for each component of the role.
    fn binding(&self, register: usize, value: usize) -> Vec<Vector> {
        let (roles, fillers) = (dense_basis(self.weights.registers.len()), dense_basis(self.vocabulary.len()));
        roles[register].iter().map(|role| fillers[value].iter().map(|filler| role * filler).collect()).collect()
    }

    /// The basis of the dense embedding: one row for each register and value.
    fn basis(&self) -> Vec<Vector> {
        let pairs = |register| (0..self.vocabulary.len()).map(move |value| (register, value));
        let pairs = (0..self.weights.registers.len()).flat_map(pairs);
        pairs.map(|(register, value)| self.binding(register, value).concat()).collect()
    }

    fn superposition(&self) -> String {
        let state = self.input.cells.last().expect("a cell");
        let held = state.iter().enumerate().filter_map(|(register, value)| Some((register, (*value)?)));
        let mut parts: Vec<(String, Vec<Vector>)> = held
            .map(|(register, value)| {
                let name = format!("{}: {}", self.weights.registers[register], self.vocabulary.show(Some(value)));
                (name, self.binding(register, value.0 as usize))
            })
            .collect();
        let total = times(&self.one_hot(state), &self.basis());
        parts.push(("sum".to_owned(), total.chunks(self.vocabulary.len()).map(<[f64]>::to_vec).collect()));
        let heading = parts.iter().map(|(name, _)| name.clone()).collect();
        let sixths = |row: &Vector| {
            row.iter().map(|it| format!("{:>2}", (it * 6.0).round() + 0.0)).collect::<Vec<_>>().join(" ")
        };
        let rows =
            (0..self.weights.registers.len()).map(|at| parts.iter().map(|(_, rows)| sixths(&rows[at])).collect());
        table(4, [heading].into_iter().chain(rows))
    }

    /// The layer and the cells in the dense embedding.
    fn dense(&self) -> ([Map; 3], Vec<Vector>) {
        let basis = self.basis();
        ([&self.q, &self.k, &self.v].map(|map| map.in_basis(&basis)), self.i.iter().map(|i| times(i, &basis)).collect())
    }

    fn dense_dot_products(&self) -> String {
        let ([q, k, _], i) = self.dense();
        let keys: Vec<Vector> = i.iter().map(|i| k.apply(i)).collect();
        let row = |(number, i): (usize, &Vector)| {
            let products = self.attend(&q.apply(i), &keys).0;
            [format!("q[{number}]")].into_iter().chain(products.iter().map(|it| decimals(*it))).collect()
        };
        let heading = (0..=keys.len()).map(|n| if n == 0 { String::new() } else { format!("k[{n}]") }).collect();
        table(3, [heading].into_iter().chain((1..).zip(&i).map(row)))
    }

    fn decoding(&self) -> String {
        let ([q, k, v], i) = self.dense();
        let (.., total) = self.last([&q, &k, &v], &i);
        let coordinates: Vector = self.basis().iter().map(|vector| dot(vector, &total)).collect();
        let row = |(register, coordinates): (&String, &[f64])| {
            let largest = (0..coordinates.len()).max_by(|&a, &b| coordinates[a].total_cmp(&coordinates[b]));
            let value = largest.filter(|&value| coordinates[value] > 0.5);
            let value = value.and_then(|value| self.vocabulary.iter().nth(value)).unwrap_or("∅");
            let numbers = coordinates.iter().map(|it| decimals(*it));
            [register.clone()].into_iter().chain(numbers).chain([value.to_owned()]).collect()
        };
        let rows = self.weights.registers.iter().zip(coordinates.chunks(self.vocabulary.len())).map(row);
        let heading = [""].into_iter().chain(self.vocabulary.iter()).chain(["value"]).map(str::to_owned).collect();
        table(3, [heading].into_iter().chain(rows))
    }
}

/// The blocks of table (72), from y to x, and their biases.
fn forms() -> String {
    let forms = [
        ("(72a)", "x: y", json!("y")),
        ("(72b)", "x: y@pos_decrement", json!("y@pos_decrement")),
        ("(72c)", "x: b", json!("b")),
        ("(72d)", "x != b", json!(["!=", "b"])),
        ("(72e)", "x != y", json!(["!=", "y"])),
        ("-", "x in [a, b]", json!(["in", "a", "b"])),
    ];
    let vocabulary = Vocabulary::with_positions(&[], &["a", "b"], 2);
    let block = |instruction: &Value| -> Vec<String> {
        let program = json!({
            "register_map": {"x": "x", "y": "y"},
            "system_map": {"symbol": "x", "output": "x"},
            "weights": [{"weights": {"q": {"x": instruction}, "k": {"x": "x"}, "v": {}}}],
        });
        let weights = weights(&Program::from_value(&program).expect("QKVL"), &vocabulary);
        let map = Map::new(&tensors(&weights).matching.query, &weights);
        let d = vocabulary.len();
        map.weights[d..].iter().chain([&map.bias]).map(|row| digits(&row[..d])).collect()
    };
    let blocks = forms.each_ref().map(|(_, _, instruction)| block(instruction));
    let row = |label: &str, words: Vec<String>| [label.to_owned()].into_iter().chain(words).collect::<Vec<_>>();
    let heading = [forms.each_ref().map(|form| form.0), forms.each_ref().map(|form| form.1)];
    let heading = heading.map(|names| row("", names.map(str::to_owned).to_vec()));
    let labels = vocabulary.iter().chain(["bias"]).enumerate();
    let rows = labels.map(|(at, label)| row(label, blocks.iter().map(|block| block[at].clone()).collect()));
    table(3, heading.into_iter().chain(rows))
}

/// The text of the page's first block in a language.
fn block_of_page(language: &str) -> String {
    let page = include_str!("../../docs/production-to-weights.md");
    let (_, rest) = page.split_once(&format!("```{language}\n")).expect("a block");
    rest.split("```").next().expect("its text").to_owned()
}

fn tensors(weights: &Weights) -> &Tensors {
    match &weights.blocks[..] {
        [Block::Layer(layer)] => layer,
        _ => panic!("the page has one layer"),
    }
}

/// A dense orthonormal basis: the one-hot vectors, each minus 2/n in every component.
fn dense_basis(size: usize) -> Vec<Vector> {
    #[allow(clippy::cast_precision_loss, reason = "the size is small")]
    let less = 2.0 / size as f64;
    let component = |same: bool| if same { 1.0 - less } else { -less };
    (0..size).map(|row| (0..size).map(|column| component(row == column)).collect()).collect()
}

fn dot(left: &[f64], right: &[f64]) -> f64 {
    left.iter().zip(right).map(|(left, right)| left * right).sum()
}

fn sum(left: &[f64], factor: f64, right: &[f64]) -> Vector {
    left.iter().zip(right).map(|(left, right)| left + factor * right).collect()
}

/// A row vector times a matrix, given by its rows.
fn times(vector: &[f64], rows: &[Vector]) -> Vector {
    vector.iter().zip(rows).fold(vec![0.0; rows[0].len()], |total, (factor, row)| sum(&total, *factor, row))
}

/// Whole components as one character each: a dot for 0 and a minus for -1.
fn digits(vector: &[f64]) -> String {
    let digit = |&it: &f64| {
        if it == 0.0 {
            ".".to_owned()
        } else if it == -1.0 {
            "-".to_owned()
        } else {
            it.to_string()
        }
    };
    vector.iter().map(digit).collect()
}

/// Four decimals, without a sign for zero.
fn decimals(number: f64) -> String {
    format!("{:.4}", (number * 1e4).round() / 1e4 + 0.0)
}

fn letter(name: &str, at: usize) -> char {
    name.chars().nth(at).expect("a letter")
}

/// Rows with aligned columns, `gap` blanks apart.
fn table(gap: usize, rows: impl IntoIterator<Item = Vec<String>>) -> String {
    let rows: Vec<Vec<String>> = rows.into_iter().collect();
    let width = |column: usize| rows.iter().filter_map(|row| row.get(column)).map(|it| it.chars().count()).max();
    let widths: Vec<usize> = (0..).map_while(width).collect();
    let line = |row: &Vec<String>| {
        let cells = row.iter().zip(&widths).map(|(cell, &width)| format!("{cell:width$}")).collect::<Vec<_>>();
        cells.join(&" ".repeat(gap)).trim_end().to_owned() + "\n"
    };
    rows.iter().map(line).collect()
}
