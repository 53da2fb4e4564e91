//! The head with registers and values (62).

use psl_runtime::{
    input::State,
    qkvl::{Attributes, Slots, Source, Term},
};

use super::{
    head::Head,
    table::{labeled, table},
};

impl Head {
    fn instructions(&self) -> &Attributes {
        &self.program.layers()[0].weights
    }

    /// The value that an instruction writes in a cell, or `None` for null.
    fn value<'s>(&'s self, source: &'s Source, state: &State) -> Option<&'s str> {
        match source {
            Source::Is(Term::Constant(value)) => Some(value),
            Source::Is(Term::Register(short, None)) => {
                let register = self.registers.by_short(short).expect("a register");
                state[register.index()].and_then(|value| self.vocabulary.text(value))
            }
            _ => panic!("the page does not explain this instruction"),
        }
    }

    /// The query, key and value of each cell.
    pub fn attributes(&self) -> String {
        let Attributes { q, k, v } = self.instructions();
        let v: Slots = v.iter().map(|(slot, term)| (slot.clone(), Source::Is(term.clone()))).collect();
        let written = |slots: &Slots, state: &State| {
            let entry = |(slot, source)| Some(format!("{slot}: {}", self.value(source, state)?));
            slots.iter().filter_map(entry).collect::<Vec<_>>().join(", ")
        };
        let row = |(number, state)| labeled(&format!("{number}"), [q, k, &v].map(|slots| written(slots, state)));
        let heading = labeled("cell", ["query", "key", "value"].map(str::to_owned));
        table(3, [heading].into_iter().chain((1..).zip(&self.input.cells).map(row)))
    }

    /// The conditions that hold between the query of each cell and the key of each cell.
    pub fn conditions(&self) -> String {
        let Attributes { q, k, .. } = self.instructions();
        let hold = |query: &State, key: &State| {
            let holds = |slot: &&String| {
                let value = self.value(&q[*slot], query);
                value.is_some() && value == self.value(&k[*slot], key)
            };
            let slots: Vec<&str> = q.keys().filter(holds).map(String::as_str).collect();
            if slots.is_empty() { "-".to_owned() } else { slots.join(", ") }
        };
        let cells = &self.input.cells;
        let row =
            |(number, query)| labeled(&format!("query of cell {number}"), cells.iter().map(|key| hold(query, key)));
        let heading = labeled("", (1..=cells.len()).map(|number| format!("key of {number}")));
        table(3, [heading].into_iter().chain((1..).zip(cells).map(row)))
    }
}
