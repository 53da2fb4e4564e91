//! The head with distributed vectors (69), App. L.

use super::{
    arithmetic::{Vector, dot, largest, times},
    head::Head,
    table::{decimals, labeled, table},
};

impl Head {
    /// The role of a register times the filler of a value: one row for each component of the role.
    fn binding(&self, register: usize, value: usize) -> Vec<Vector> {
        let (roles, fillers) = (reflection(self.weights.registers.len()), reflection(self.weights.dimension));
        roles[register].iter().map(|role| fillers[value].iter().map(|filler| role * filler).collect()).collect()
    }

    /// All products of a role and a filler, in the order of the one-hot components.
    fn basis(&self) -> Vec<Vector> {
        let values = |register| (0..self.weights.dimension).map(move |value| self.binding(register, value).concat());
        (0..self.weights.registers.len()).flat_map(values).collect()
    }

    /// The registers of the last cell and their sum, times 6.
    pub fn superposition(&self) -> String {
        let state = self.input.cells.last().expect("a cell");
        let registers = &self.weights.registers;
        let columns = state.iter().zip(registers).enumerate().filter_map(|(register, (value, short))| {
            let name = format!("{short}: {}", self.vocabulary.show(*value));
            Some((name, self.binding(register, (*value)?.0 as usize)))
        });
        let sum = times(self.attention.i.last().expect("a cell"), &self.basis());
        let sum = sum.chunks(self.weights.dimension).map(<[f64]>::to_vec).collect();
        let columns: Vec<(String, Vec<Vector>)> = columns.chain([("sum".to_owned(), sum)]).collect();
        let sixths = |row: &Vector| row.iter().map(|it| format!("{:>2}", (it * 6.0).round() + 0.0)).collect::<Vec<_>>();
        let line = |at: usize| columns.iter().map(|(_, rows)| sixths(&rows[at]).join(" ")).collect();
        let heading = columns.iter().map(|(name, _)| name.clone()).collect();
        table(4, [heading].into_iter().chain((0..registers.len()).map(line)))
    }

    /// The dot products of all queries and keys.
    pub fn dense_dot_products(&self) -> String {
        let dense = self.attention.in_basis(&self.basis());
        let row = |(number, i): (usize, &Vector)| {
            labeled(&format!("q[{number}]"), dense.dot_products(i).into_iter().map(decimals))
        };
        let heading = labeled("", (1..=dense.i.len()).map(|number| format!("k[{number}]")));
        table(3, [heading].into_iter().chain((1..).zip(&dense.i).map(row)))
    }

    /// The last cell's registers in i + 2 v.
    pub fn decoding(&self) -> String {
        let basis = self.basis();
        let (_, total) = self.attention.in_basis(&basis).last();
        let coordinates: Vector = basis.iter().map(|vector| dot(vector, &total)).collect();
        let values: Vec<&str> = self.vocabulary.iter().collect();
        let row = |(register, coordinates): (&String, &[f64])| {
            let value = largest(coordinates).map_or("∅", |value| values[value]);
            labeled(register, coordinates.iter().copied().map(decimals).chain([value.to_owned()]))
        };
        let heading = labeled("", values.iter().chain(&["value"]).map(ToString::to_string));
        let registers = self.weights.registers.iter().zip(coordinates.chunks(self.weights.dimension));
        table(3, [heading].into_iter().chain(registers.map(row)))
    }
}

/// A dense orthonormal basis: the one-hot vectors, minus 2/n in every component.
fn reflection(size: usize) -> Vec<Vector> {
    let less = 2.0 / f64::from(u32::try_from(size).expect("a size"));
    let component = |same: bool| if same { 1.0 - less } else { -less };
    (0..size).map(|row| (0..size).map(|column| component(row == column)).collect()).collect()
}
