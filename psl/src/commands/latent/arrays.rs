//! Codes as arrays. Heads are columns: those of all layers that are shown, in running order.

use std::io::{self, Write};

use psl_program::latent::{ScheduledLayer, Statistics};

use crate::output::npz::{Array, Npz};

/// The elements of the arrays, row by row. They are described in `docs/commands/latent.md`.
#[derive(Default)]
struct Arrays {
    /// The number of all heads.
    columns: usize,
    productions: Vec<usize>,
    layers: Vec<usize>,
    labels: Vec<String>,
    pairs: Vec<usize>,
    /// By pair: its passes, as many as its layer has repeat blocks around it.
    passes: Vec<Vec<usize>>,
    codes: Vec<u8>,
    value_map: Vec<usize>,
    value_maps: Vec<u8>,
    meanings: Vec<String>,
    statistics: Vec<Statistics>,
}

/// Writes an archive of arrays.
pub fn write(out: &mut impl Write, layers: &[ScheduledLayer<'_>]) -> io::Result<()> {
    let columns = layers.iter().map(|layer| layer.heads.len()).sum();
    let mut arrays = Arrays { columns, ..Arrays::default() };
    for layer in layers {
        arrays.add(layer);
    }
    arrays.write(Npz::new(out))
}

impl Arrays {
    fn add(&mut self, layer: &ScheduledLayer<'_>) {
        let (first, maps) = (self.layers.len(), self.meanings.len());
        for head in &layer.heads {
            self.productions.push(head.production.number());
            self.layers.push(layer.id.number());
            self.labels.push(head.title().to_owned());
        }
        let columns = self.columns;
        let statistics = layer.statistics(|pair, code| {
            self.pairs.extend([pair.step, layer.id.number(), pair.cell.number(), pair.attends.number()]);
            self.passes.push(pair.pass.clone());
            self.codes.extend(row_of(&pair.code, first, columns));
            self.value_map.push(maps + code);
        });
        for code in &statistics.code_counts {
            self.value_maps.extend(row_of(&code.first.code, first, columns));
            self.meanings.push(layer.meaning(&code.first.code));
        }
        self.statistics.push(statistics);
    }

    fn write(self, mut npz: Npz<impl Write>) -> io::Result<()> {
        let (mean_codes, similarities) = squares(&self.statistics);
        let (pairs, maps, columns) = (self.value_map.len(), self.meanings.len(), self.columns);
        let depth = self.passes.iter().map(Vec::len).max().unwrap_or_default();
        let padded =
            |passes: &Vec<usize>| passes.iter().copied().chain(std::iter::repeat(0)).take(depth).collect::<Vec<_>>();
        let passes: Vec<usize> = self.passes.iter().flat_map(padded).collect();
        npz.add("productions", &Array::of_i64(&[columns], &self.productions))?;
        npz.add("layers", &Array::of_i64(&[columns], &self.layers))?;
        npz.add("labels", &Array::of_texts(&self.labels))?;
        npz.add("pairs", &Array::of_i64(&[pairs, 4], &self.pairs))?;
        npz.add("passes", &Array::of_i64(&[pairs, depth], &passes))?;
        npz.add("codes", &Array::of_u8(&[pairs, columns], self.codes))?;
        npz.add("value_map", &Array::of_i64(&[pairs], &self.value_map))?;
        npz.add("value_maps", &Array::of_u8(&[maps, columns], self.value_maps))?;
        npz.add("meanings", &Array::of_texts(&self.meanings))?;
        npz.add("mean_codes", &Array::of_f64(&[columns, columns], &mean_codes))?;
        npz.add("similarities", &Array::of_f64(&[columns, columns], &similarities))?;
        npz.finish()
    }
}

/// The mean codes and the similarities of all heads, row by row. Heads of different layers never attend together, so
/// their components and similarities are 0. What depends on a head that never attends is not a number.
fn squares(statistics: &[Statistics]) -> (Vec<f64>, Vec<f64>) {
    let means: Vec<_> = statistics.iter().map(Statistics::mean_codes).collect();
    let similarities = statistics.iter().map(Statistics::similarities);
    let (mut of_means, mut of_similarities) = (Vec::new(), Vec::new());
    for ((layer, own), similarities) in means.iter().enumerate().zip(similarities) {
        for (mean, similarities) in own.iter().zip(similarities) {
            for (other_layer, others) in means.iter().enumerate() {
                for (head, other) in others.iter().enumerate() {
                    let is_same = layer == other_layer;
                    of_means.push(match mean {
                        Some(mean) if is_same => mean.get(head).copied().unwrap_or(f64::NAN),
                        Some(_) => 0.0,
                        None => f64::NAN,
                    });
                    of_similarities.push(match (mean, other) {
                        (Some(_), Some(_)) if is_same => similarities.get(head).copied().flatten().unwrap_or(f64::NAN),
                        (Some(_), Some(_)) => 0.0,
                        _ => f64::NAN,
                    });
                }
            }
        }
    }
    (of_means, of_similarities)
}

/// A code as a row of zeros and ones. The heads of its layer start at column `first`.
fn row_of(code: &[usize], first: usize, columns: usize) -> Vec<u8> {
    let mut row = vec![0; columns];
    for head in code {
        if let Some(component) = row.get_mut(first + head) {
            *component = 1;
        }
    }
    row
}
