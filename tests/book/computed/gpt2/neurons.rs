//! The neurons of the second production.

use super::{
    super::table::{digits, labeled, table},
    model::{LAYER, PageModel},
};

impl PageModel {
    /// The neurons that are active at the last token of the prompt.
    pub fn neurons(&self) -> String {
        let (block, names, passes) = (&self.blocks[LAYER], self.names(), self.passes());
        let pass = &passes[LAYER][self.prompt - 1];
        let terms = |weights: Vec<(f64, &str)>| {
            let weights = weights.into_iter().filter(|(weight, _)| weight.abs() > 1e-6);
            weights.map(|(weight, name)| format!("{} ({name})", weight + 0.0)).collect::<Vec<_>>().join(", ")
        };
        let row = |neuron: usize| {
            let input = block.c_fc.weight.iter().zip(&names).map(|(row, name)| (row[neuron], name.as_str()));
            let input = input.chain([(block.c_fc.bias[neuron], "1")]).collect();
            let output = block.mlp_proj.weight[neuron].iter().copied().zip(names.iter().map(String::as_str)).collect();
            let active = format!("{:.1}", pass.neurons[neuron]);
            vec![neuron.to_string(), terms(input), active, terms(output)]
        };
        let active = (0..pass.neurons.len()).filter(|neuron| pass.neurons[*neuron] > 1e-3);
        let heading = ["neuron", "input", "sum", "output"].map(str::to_owned).to_vec();
        table(3, [heading].into_iter().chain(active.map(row)))
    }

    /// The register and the components to write at the last token of the prompt, in each part of the block.
    pub fn layer(&self) -> String {
        let passes = self.passes();
        let pass = &passes[LAYER][self.prompt - 1];
        let symbol = &self.parts()[0];
        let length = symbol.values.len();
        let write = self.meaning.components.write[0];
        let words = |stream: &[f64]| {
            [symbol.start, write].map(|start| {
                digits(&stream[start..start + length].iter().map(|it| it.round() + 0.0).collect::<Vec<_>>())
            })
        };
        let heading = labeled("", ["s", "w"].map(str::to_owned));
        let values = labeled("", [symbol.values.concat(), symbol.values.concat()]);
        let rows = [("before", &pass.before), ("after attention", &pass.attended), ("after the neurons", &pass.after)];
        let rows = rows.map(|(name, stream)| labeled(name, words(stream)));
        table(3, [heading, values].into_iter().chain(rows))
    }
}
