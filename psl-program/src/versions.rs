//! The productions of two versions of a program that belong together.

use psl_syntax::{
    program::{Production, RegisterId},
    token::tokenize,
};

use crate::{align::align, file::File};

/// Returns the layer of the new version for each layer of the old one, or `None` if only the old one has it. Layers
/// belong together if their productions have the same text apart from white space and comments. Otherwise, a production
/// with the same label, or without a label and with the same assigned registers, counts as edited, and so does one that
/// replaces another.
pub fn layers_in_new_version(old: &File, new: &File) -> Vec<Option<usize>> {
    let [of_old, of_new] = [old, new].map(|file| {
        let program = file.program();
        program.productions().into_iter().map(|production| keys(file, production)).collect::<Vec<_>>()
    });
    let pairs = align(&of_old, &of_new).into_iter().filter(|(old, _)| old.is_some());
    pairs.map(|(_, new)| new.map(|index| index + 1)).collect()
}

fn keys(file: &File, production: &Production) -> Vec<String> {
    let text = production.span.of(file.text());
    let words: Vec<&str> = tokenize(text).code.iter().map(|token| token.span.of(text)).collect();
    let name = |id: RegisterId| file.program().registers[id].name.as_str();
    let label = production.label.clone().unwrap_or_else(|| {
        let assigned: Vec<&str> = production.assignments.iter().map(|assignment| name(assignment.target)).collect();
        assigned.join(" ")
    });
    // Productions with the same text are common: then the label decides first.
    let text = words.join(" ");
    vec![format!("{label}\n{text}"), text, label]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::file;

    const HEAD: &str = "registers: {symbol: 's', position: 'p', m: 'm', o: 'o'}\nconstants: {A, B}\n";
    const ONE: &str = "# one\nwhere symbol[N] == A:\n    m[N] = B\n";
    const TWO: &str = "# two\nwhere symbol[N] == B:\n    m[N] = A\n";
    const THREE: &str = "where symbol[N] == m[N]:\n    o[N] = A\n";

    #[test]
    fn layers_belong_together_by_text_label_and_place() {
        let check = |old: &[&str], new: &[&str], expected: &[Option<usize>]| {
            let [of_old, of_new] = [old, new].map(|parts| file(&format!("{HEAD}{}", parts.concat())));
            assert_eq!(layers_in_new_version(&of_old, &of_new), expected, "{old:?} {new:?}");
        };
        check(&[ONE, TWO, THREE], &[ONE, TWO, THREE], &[Some(1), Some(2), Some(3)]);
        check(&[ONE, TWO, THREE], &[ONE, THREE], &[Some(1), None, Some(2)]);
        check(&[ONE, THREE], &[ONE, TWO, THREE], &[Some(1), Some(3)]);
        // White space and comments do not count.
        let spaced = ONE.replace("# one", "# first").replace("== A:", "==  A: # A");
        check(&[ONE, TWO], &[TWO, &spaced], &[None, Some(1)]);
        check(&[ONE, TWO, THREE], &[&spaced, THREE], &[Some(1), None, Some(2)]);
        // An edited production keeps its label or its assigned registers, or replaces another one.
        let edited = TWO.replace("== B", "!= A");
        check(&[ONE, TWO, THREE], &[&edited, THREE], &[None, Some(1), Some(2)]);
        let edited = THREE.replace("o[N] = A", "o[N] = B");
        check(&[ONE, TWO, THREE], &[TWO, &edited], &[None, Some(1), Some(2)]);
        check(&[ONE, TWO, THREE], &[ONE, &THREE.replace("o[N]", "m[N]"), THREE], &[Some(1), Some(2), Some(3)]);
        // In a repeat block, too.
        let block = format!("repeat:\n{THREE}until NO_CHANGE\n");
        check(&[ONE, TWO, THREE], &[TWO, &block], &[None, Some(1), Some(2)]);
    }
}
