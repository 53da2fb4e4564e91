//! The residual stream: its components, embeddings, norms and registers.

use super::{
    super::table::{decimals, labeled, table},
    model::{LAYER, PageModel, moments},
};

impl PageModel {
    /// The parts of the stream with their components.
    pub fn components(&self) -> String {
        let row = |title: &str, start: usize, end: usize, values: String| {
            vec![title.to_owned(), format!("{start} to {}", end - 1), values]
        };
        let parts = self
            .parts()
            .into_iter()
            .map(|part| row(&part.title, part.start, part.start + part.values.len(), part.values.join(" ")));
        let components = &self.meaning.components;
        let [time, write] = [components.time, components.write];
        let others = [
            row("time", time[0], time[1], "τ -τ √(1-τ²) -√(1-τ²)".to_owned()),
            vec!["pad".to_owned(), components.pad.to_string(), "always 0".to_owned()],
            row("write", write[0], write[1], "0 between blocks".to_owned()),
        ];
        let unused = write[1]..self.wte[0].len();
        let unused = (!unused.is_empty()).then(|| row("unused", unused.start, unused.end, "always 0".to_owned()));
        let heading = ["part", "components", "values"].map(str::to_owned).to_vec();
        table(3, [heading].into_iter().chain(parts).chain(others).chain(unused))
    }

    /// The values in the stream of each token of the prompt before the first block, and its place from 0 to 1.
    pub fn embedding(&self) -> String {
        let (parts, passes) = (self.parts(), self.passes());
        let time = self.meaning.components.time[0];
        let row = |place: usize| {
            let stream = &passes[0][place].before;
            let values = parts.iter().map(|part| part.value(stream).to_owned());
            labeled(self.text(place), values.chain([decimals(stream[time])]))
        };
        let heading = labeled("token", parts.iter().map(|part| part.title.clone()).chain(["τ".to_owned()]));
        table(3, [heading].into_iter().chain((0..self.prompt).map(row)))
    }

    /// The sum, the sum of squares, the mean and the variance of each token's stream before the block of the second
    /// production.
    pub fn norms(&self) -> String {
        let block = &self.blocks[LAYER];
        let passes = self.passes();
        let row = |place: usize| {
            let stream = &passes[LAYER][place].before;
            let (mean, variance) = moments(stream);
            let squares: f64 = stream.iter().map(|it| it * it).sum();
            let normal = self.normal(&block.ln_1, stream);
            let change = stream.iter().zip(&normal).map(|(it, normal)| (it - normal).abs()).fold(0.0, f64::max);
            assert!(change < 1e-5, "the LayerNorm changes its input by {change}");
            let numbers = [stream.iter().sum(), squares, mean, variance];
            labeled(self.text(place), numbers.map(decimals))
        };
        let heading = labeled("token", ["sum", "squares", "mean", "variance"].map(str::to_owned));
        table(3, [heading].into_iter().chain((0..self.prompt).map(row)))
    }

    /// The registers of each token of the prompt before the first block and after each.
    pub fn registers(&self) -> String {
        let (parts, passes) = (self.parts(), self.passes());
        let registers = &parts[..self.meaning.registers.len()];
        let values = |place: usize, block: Option<usize>| {
            let stream = block.map_or(&passes[0][place].before, |block| &passes[block][place].after);
            registers.iter().map(|part| part.value(stream).to_owned()).collect::<Vec<_>>().join(" ")
        };
        let row = |block: Option<usize>| {
            let task = block.map_or("embeddings".to_owned(), |block| {
                let meaning = &self.meaning.blocks[block];
                format!("{block}: {}", meaning.production.as_ref().unwrap_or(&meaning.task))
            });
            labeled(&task, (0..self.prompt).map(|place| values(place, block)))
        };
        let blocks = [None].into_iter().chain((0..self.blocks.len() - 1).map(Some));
        let heading = labeled("after", (0..self.prompt).map(|place| self.text(place).to_owned()));
        table(3, [heading].into_iter().chain(blocks.map(row)))
    }
}
