//! The tokens that the model generates.

use super::{
    super::table::{labeled, table},
    model::PageModel,
};

impl PageModel {
    /// The values that the embedding of each generated token has.
    pub fn cell_tokens(&self) -> String {
        let parts = self.parts();
        let shown = &parts[..self.meaning.registers.len() + 2];
        let passes = self.passes();
        let row = |place: usize| {
            let before = shown.iter().map(|part| part.value(&passes[0][place].before).to_owned());
            let after =
                shown[..self.meaning.registers.len()].iter().map(|part| part.value(&passes[0][place].after).to_owned());
            labeled(self.text(place), before.chain([after.collect::<Vec<_>>().join(" ")]))
        };
        let titles = shown.iter().map(|part| part.title.clone());
        let heading = labeled("token", titles.chain(["registers after block 0".to_owned()]));
        table(3, [heading].into_iter().chain((self.prompt..self.tokens.len()).map(row)))
    }

    /// The best tokens after the prompt and after each token of its continuation.
    pub fn logits(&self) -> String {
        let parts = self.parts();
        let kind = parts.iter().find(|part| part.title == "kind").expect("kinds");
        let passes = self.passes();
        let row = |place: usize| {
            let ranked = self.ranked(place);
            let shown = |(token, logit): (usize, f64)| format!("{} {logit:.1}", self.texts[token].trim_start());
            let of_kind = kind.value(&passes[0][place].before).to_owned();
            vec![self.text(place).to_owned(), of_kind, shown(ranked[0]), shown(ranked[1])]
        };
        let heading = labeled("after", ["kind", "best", "second"].map(str::to_owned));
        table(3, [heading].into_iter().chain((self.prompt - 1..self.tokens.len()).map(row)))
    }
}
