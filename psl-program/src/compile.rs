//! The compiled forms of a program, as text.

use psl_runtime::{RunFailure, qkvl::Block, weights};
use psl_syntax::Span;

use crate::file::File;

/// A form to compile to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Emit {
    /// The query, key and value maps, as JSON.
    Qkvl,
    /// A summary of the weights, which are tensors and have no text form.
    Weights,
    /// The program itself, formatted.
    Psl,
}

impl Emit {
    /// All forms, by name.
    pub const ALL: [(&'static str, Self); 3] = [("qkvl", Self::Qkvl), ("weights", Self::Weights), ("psl", Self::Psl)];
}

/// A compiled program.
pub struct Compiled {
    /// The program in the requested form.
    pub text: String,
    /// The spans of its layers: entry i is layer i + 1. Empty if the text does not list layers.
    pub layers: Vec<CompiledLayer>,
}

/// The spans of a layer.
pub struct CompiledLayer {
    /// The layer's production in the program.
    pub production: Span,
    /// The layer's object in the compiled text.
    pub object: Span,
}

/// Compiles a program.
///
/// # Errors
///
/// Returns a message if the program does not compile or no vocabulary fits its weights.
pub fn compile(file: &File, emit: Emit) -> Result<Compiled, RunFailure> {
    let runner = file.runner()?;
    let text = match emit {
        Emit::Qkvl => {
            let qkvl = &runner.executable().qkvl();
            let text = qkvl.to_text();
            let objects = layer_objects(&text, &qkvl.weights);
            let productions = runner.executable().program.productions().into_iter().map(|production| production.span);
            let layer = |(production, object)| CompiledLayer { production, object };
            let layers = productions.zip(objects).map(layer).collect();
            return Ok(Compiled { text, layers });
        }
        Emit::Weights => {
            let task = runner.example_task()?;
            weights::summary(runner.executable().qkvl(), &task.vocabulary)
        }
        // A program that compiles can be formatted.
        Emit::Psl => file.format().map_or_else(|_| file.text().to_owned(), |formatted| formatted.text),
    };
    Ok(Compiled { text, layers: Vec::new() })
}

/// Returns the spans of the layers' objects in the text of QKVL, which is indented JSON. Only blocks start with a brace
/// on a separate line. Each block ends at the first closing brace with the same indentation. No string spans several
/// lines.
fn layer_objects(text: &str, blocks: &[Block]) -> Vec<Span> {
    let mut objects: Vec<Span> = Vec::new();
    let mut open: Vec<(usize, usize)> = Vec::new();
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let brace = line.trim_start();
        let start = at + line.len() - brace.len();
        let indentation = line.len() - brace.len();
        if brace == "{\n" && start > 0 {
            open.push((indentation, objects.len()));
            objects.push(Span::from(start..start));
        } else if brace.starts_with('}')
            && let Some((_, block)) = open.pop_if(|(opened, _)| *opened == indentation)
            && let Some(object) = objects.get_mut(block)
        {
            object.end = start as u32 + 1;
        }
        at += line.len();
    }
    objects.into_iter().zip(are_layers(blocks)).filter(|(_, is_layer)| *is_layer).map(|(object, _)| object).collect()
}

/// For each block, before its children, whether it is a layer.
fn are_layers(blocks: &[Block]) -> Vec<bool> {
    let each = |block: &Block| match block {
        Block::Layer(_) => vec![true],
        Block::Repeat(repeat) => [vec![false], are_layers(&repeat.weights)].concat(),
    };
    blocks.iter().flat_map(each).collect()
}

#[cfg(test)]
#[allow(clippy::indexing_slicing, reason = "a test may fail by panic")]
mod tests {
    use serde_json::Value;

    use super::*;
    use crate::fixture::file;

    #[test]
    fn each_layer_has_its_production_and_its_object() {
        let labels = ["# one { é\"", "// {", "# three }", "# four"];
        let [one, two, three, four] = labels;
        let layer = "where symbol[N] == A:\n    symbol[N] = A";
        let file = file(&format!(
            "registers: {{symbol: 's', position: 'p'}}\nconstants: {{A, \"}}\", \"{{\"}}\nwatch: [symbol]\n\
             {one}\n{layer}\n# outer\nrepeat:\n{two}\n{layer}\n# inner\nrepeat:\n{three}\n{layer}\nuntil NO_CHANGE\n\
             until symbol[N] == A\n{four}\n{layer}\n"
        ));
        let compiled = compile(&file, Emit::Qkvl).expect("it compiles");
        let comments = compiled.layers.iter().map(|CompiledLayer { production, object }| {
            let object: Value = serde_json::from_str(object.of(&compiled.text)).expect("JSON");
            assert_eq!(production.of(file.text()), layer);
            assert!(object["weights"]["q"].is_object(), "{object}");
            object["layer_comment"].clone()
        });
        assert_eq!(comments.collect::<Vec<_>>(), labels);
    }
}
