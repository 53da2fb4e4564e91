//! The names of components and of the values in a residual stream.

use super::model::PageModel;

/// The components that hold one 1: a block of the stream.
pub struct Part {
    pub title: String,
    pub start: usize,
    pub values: Vec<String>,
}

impl Part {
    /// The value in a stream: that of the component which is 1.
    pub fn value(&self, stream: &[f64]) -> &str {
        let found: Vec<usize> =
            (0..self.values.len()).filter(|at| (stream[self.start + at] - 1.0).abs() < 1e-3).collect();
        assert_eq!(found.len(), 1, "{}: {:?}", self.title, &stream[self.start..self.start + self.values.len()]);
        &self.values[found[0]]
    }
}

impl PageModel {
    /// The parts of the stream.
    pub fn parts(&self) -> Vec<Part> {
        let meaning = &self.meaning;
        let part = |title: &str, [start, end]: [usize; 2], values: Vec<String>| {
            assert_eq!(values.len(), end - start, "{title}");
            Part { title: title.to_owned(), start, values }
        };
        let null = || ["∅".to_owned()];
        let strings = |texts: &[&str]| texts.iter().map(|text| (*text).to_owned()).collect::<Vec<_>>();
        let mut parts: Vec<Part> = Vec::new();
        for register in &meaning.registers {
            parts.push(part(
                &register.short,
                register.parts[0],
                register.values.keys().cloned().chain(null()).collect(),
            ));
        }
        let components = &meaning.components;
        let kinds = strings(&["start", "separator", "prompt", "last"]).into_iter().chain(meaning.cell.iter().cloned());
        parts.push(part("kind", components.kinds, kinds.collect()));
        parts.push(part("copy", components.copies, strings(&["prompt", "generated", "none"])));
        let ends = meaning.ends.keys().cloned();
        parts.push(part("end", components.ends, strings(&["none"]).into_iter().chain(ends).collect()));
        let places = meaning.registers[1].values.keys().cloned();
        parts.push(part("place", components.places[0], places.chain(null()).collect()));
        parts.push(part("cycle", components.cycle.unwrap_or_default(), strings(&["first", "even", "odd"])));
        parts
    }

    /// The names of all components, as `s: a`. `w` is what the second production writes.
    pub fn names(&self) -> Vec<String> {
        let mut names = vec!["unused".to_owned(); self.wte[0].len()];
        let written = &self.parts()[0].values;
        let components = &self.meaning.components;
        let write = Part { title: "w".to_owned(), start: components.write[0], values: written.clone() };
        let time = ["τ", "-τ", "√(1-τ²)", "-√(1-τ²)"].map(str::to_owned).to_vec();
        let time = Part { title: String::new(), start: components.time[0], values: time };
        for part in self.parts().iter().chain([&write, &time]) {
            for (value, name) in part.values.iter().zip(&mut names[part.start..]) {
                *name = if part.title.is_empty() { value.clone() } else { format!("{}: {value}", part.title) };
            }
        }
        "pad".clone_into(&mut names[components.pad]);
        names
    }

    /// The token at a place of the sequence, without the blank before a generated one.
    pub fn text(&self, place: usize) -> &str {
        self.texts[self.tokens[place]].trim_start()
    }
}
