//! Weights described as text.

use std::fmt;

use psl_syntax::program::ProductionId;
use serde_json::{Value, json};

use super::{
    describe::{Attribute, BlockInfo, describe},
    table::Kind,
};
use crate::{heads::HeadPlace, qkvl, vocabulary::Vocabulary};

impl BlockInfo {
    /// The name, such as `W_q[s → s]` for a block, with the short names of the register read and the register written,
    /// or `b_k[s]` for a bias.
    pub fn name(&self) -> String {
        let attribute = match self.attribute {
            Attribute::Query => "q",
            Attribute::Key => "k",
            Attribute::Value => "v",
        };
        match &self.source {
            Some(source) => format!("W_{attribute}[{source} → {}]", self.target),
            None => format!("b_{attribute}[{}]", self.target),
        }
    }

    /// The effect, such as `shift, pos_decrement` or `one-hot A`.
    pub fn effect(&self) -> String {
        let constants = self.constants.join(", ");
        match self.kind {
            Kind::Identity => "identity".to_owned(),
            Kind::Shift(function) => format!("shift, {}", function.as_str()),
            Kind::OneHot => format!("one-hot {constants}"),
            Kind::OnesComplement | Kind::ManyHotComplement => format!("ones except {constants}"),
            Kind::OnesMinus(None) => "ones, minus identity".to_owned(),
            Kind::OnesMinus(Some(function)) => format!("ones, minus shift, {}", function.as_str()),
            Kind::ManyHot => format!("many-hot {constants}"),
        }
    }

    /// The number of nonzero entries and the number of all, such as `7 of 7×7, bias 7 of 7`.
    pub fn nonzero(&self) -> String {
        let size = self.dimension;
        match (self.block_nonzero, self.bias_nonzero) {
            (0, bias) => format!("{bias} of {size}"),
            (entries, 0) => format!("{entries} of {size}×{size}"),
            (entries, bias) => format!("{entries} of {size}×{size}, bias {bias} of {size}"),
        }
    }
}

impl fmt::Display for BlockInfo {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}: {}: {}", self.name(), self.effect(), self.nonzero())
    }
}

/// The blocks of each layer's weights for a vocabulary, as indented JSON with a line break at the end. If some layer
/// has several heads, an entry is one head, and has its number in the layer.
pub fn summary(program: &qkvl::Program, vocabulary: &Vocabulary) -> String {
    let heads = program.heads();
    let layers = program.layers().into_iter().enumerate().map(|(index, layer)| {
        let blocks: Vec<String> = describe(layer, vocabulary).iter().map(BlockInfo::to_string).collect();
        match heads.get(index) {
            None => json!({"layer": ProductionId::new(index).number(), "label": layer.layer_comment, "blocks": blocks}),
            Some(HeadPlace { layer: id, head }) => {
                json!({"layer": id.number(), "head": head, "label": layer.layer_comment, "blocks": blocks})
            }
        }
    });
    let layers: Vec<Value> = layers.collect();
    let dimension = vocabulary.len();
    let registers: Vec<&str> = program.register_map.values().map(String::as_str).collect();
    let summary = json!({
        "vocabulary": dimension,
        "vector": registers.len() * dimension,
        "registers": registers,
        "layers": layers,
        "tensors": "`psl compile --emit weights -o OUT.safetensors FILE` writes them",
    });
    format!("{summary:#}\n")
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::indexing_slicing)]
mod tests {
    use serde_json::{Value, json};

    use super::{Vocabulary, describe, summary};
    use crate::{compile::compile, qkvl};

    fn program(production: &str) -> qkvl::Program {
        let text = format!(
            "registers: {{symbol: 's', position: 'p', mark: 'm'}} constants: {{A, B}}
             system: {{symbol: symbol, position: position, output: symbol}}\n{production}"
        );
        compile(&psl_syntax::check(&text).analysis.program)
    }

    /// d is 7: A, B, EOP and the positions 0 to 3.
    fn vocabulary() -> Vocabulary {
        Vocabulary::with_positions(&["A", "B"], &[], 3)
    }

    fn check(production: &str, expected: &[&str]) {
        let program = program(production);
        let blocks: Vec<String> =
            describe(program.layers()[0], &vocabulary()).iter().map(ToString::to_string).collect();
        assert_eq!(blocks, expected);
    }

    #[test]
    fn each_form_has_a_text() {
        check(
            "where symbol[n] == A and position[n] == position[N]@pos_decrement: mark[N] = symbol[n]",
            &[
                "b_q[s`]: one-hot A: 1 of 7",
                "W_q[p → p`]: shift, pos_decrement: 3 of 7×7",
                "W_k[s → s`]: identity: 7 of 7×7",
                "W_k[p → p`]: identity: 7 of 7×7",
                "W_v[s → m]: identity: 7 of 7×7",
            ],
        );
        check(
            "where symbol[n] != symbol[N] and mark[n] != position[N]@pos_increment: mark[N] = B",
            &[
                "W_q[s → s`]: ones, minus identity: 7 of 7×7, bias 7 of 7",
                "W_q[p → m`]: ones, minus shift, pos_increment: 3 of 7×7, bias 7 of 7",
                "W_k[s → s`]: identity: 7 of 7×7",
                "W_k[m → m`]: identity: 7 of 7×7",
                "b_v[m]: one-hot B: 1 of 7",
            ],
        );
        check(
            "where symbol[n] in [A, B] and symbol[n] != A and symbol[n] not in [A, B]: mark[N] = A",
            &[
                "b_q[s`]: many-hot A, B: 2 of 7",
                "b_q[s``]: ones except A: 6 of 7",
                "b_q[s```]: ones except A, B: 5 of 7",
                "W_k[s → s`]: identity: 7 of 7×7",
                "W_k[s → s``]: identity: 7 of 7×7",
                "W_k[s → s```]: identity: 7 of 7×7",
                "b_v[m]: one-hot A: 1 of 7",
            ],
        );
    }

    #[test]
    fn a_summary_lists_the_layers() {
        let text = summary(&program("# label\nwhere symbol[n] == symbol[N]: mark[N] = A"), &vocabulary());
        assert!(text.ends_with("\n}\n"), "{text}");
        let json: Value = serde_json::from_str(&text).unwrap();
        assert_eq!(json["vocabulary"], 7);
        assert_eq!(json["vector"], 28);
        assert_eq!(json["registers"], json!(["s", "p", "m", "s`"]));
        let blocks =
            ["W_q[s → s`]: identity: 7 of 7×7", "W_k[s → s`]: identity: 7 of 7×7", "b_v[m]: one-hot A: 1 of 7"];
        assert_eq!(json["layers"], json!([{"layer": 1, "label": "# label", "blocks": blocks}]));
    }
}
