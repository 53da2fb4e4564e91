//! The spans in a program that show why a test failed.

use psl_runtime::Continuation;
use psl_syntax::{Span, Tree, diagnostic::Label, program::TestCase};

use crate::{file::File, test_report::Outcome};

/// The spans that show why a test failed. Both are `None` if it passed.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct FailedTest {
    /// The first symbol of the gold that is missing from the continuation, in the line of the test. The whole gold if
    /// the continuation is longer. `None` if the prompt could not be run.
    pub missed: Option<Span>,
    /// The production that wrote another symbol, or the repeat block that stopped the run, with a message.
    pub related: Option<Label>,
}

/// Returns the spans that show why a test of this file failed.
pub fn failed_test(file: &File, test: &TestCase, outcome: &Outcome) -> FailedTest {
    let label = |(span, message): (Span, &str)| Label { span, message: message.to_owned() };
    match &outcome.result {
        _ if outcome.passes(test) => FailedTest::default(),
        Ok(got) => {
            let program = file.program();
            let written = outcome.explanation.as_ref().and_then(|explanation| explanation.written(program));
            FailedTest { missed: missed_symbol(&file.checked().tree, test, outcome, got), related: written.map(label) }
        }
        Err(failure) => {
            let block = file.compiled().block(failure);
            FailedTest { missed: None, related: block.map(|block| label((block, "the run stopped in this block"))) }
        }
    }
}

fn missed_symbol(tree: &Tree, test: &TestCase, outcome: &Outcome, got: &Continuation) -> Option<Span> {
    let directive = tree.directives.binary_search_by_key(&test.span.start, |directive| directive.span.start).ok()?;
    let directive = tree.directives.get(directive)?;
    let gold = directive.strings(&tree.text).into_iter().last()?;
    let written = gold.of(&tree.text);
    let got = got.symbols.iter().flat_map(|symbol| symbol.split_whitespace());
    let right = got.zip(outcome.case(test).gold.split_whitespace()).take_while(|(got, gold)| got == gold).count();
    let lengths = outcome.law.as_ref().and_then(|law| law.refutation.as_ref()).map(|refutation| &refutation.lengths);
    let right = match test.law.as_ref().zip(lengths) {
        Some((law, lengths)) => law.gold_word(lengths, right).unwrap_or(law.gold.len()),
        None => right,
    };
    // Blanks are not escaped, so the words in the text are the gold's words in the same order.
    let quoted = written.get(1..written.len() - 1)?;
    let Some(word) = quoted.split_whitespace().nth(right) else { return Some(gold) };
    let start = gold.start + (word.as_ptr() as usize - written.as_ptr() as usize) as u32;
    Some(Span::new(start, start + word.len() as u32))
}
