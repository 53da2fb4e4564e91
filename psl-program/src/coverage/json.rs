//! Coverage as JSON.

use psl_syntax::Span;
use serde_json::{Map, Value, json};

use super::parts::{CoveredProduction, CoveredRepeat, FileCoverage, Part, PartKind};

impl FileCoverage {
    /// The coverage as JSON. `place` returns the fields that give the place of a span.
    pub fn to_json(&self, place: impl Fn(Span) -> Value) -> Value {
        let part = |part: &Part| with(&place(part.span), &part.fields());
        let summary = PartKind::ALL.iter().map(|kind| {
            let (mattered, total) = self.mattering(*kind);
            (kind.name().to_owned(), json!({"mattered": mattered, "total": total}))
        });
        let production = |production: &CoveredProduction| {
            let parts: Vec<Value> = production.parts().map(part).collect();
            json!({"label": production.label, "head": place(production.head), "parts": parts})
        };
        let repeat = |CoveredRepeat { went_on, ended }: &CoveredRepeat| json!([part(went_on), part(ended)]);
        json!({
            "runs": self.runs,
            "summary": summary.collect::<Map<String, Value>>(),
            "productions": self.productions.iter().map(production).collect::<Vec<_>>(),
            "repeats": self.repeats.iter().map(repeat).collect::<Vec<_>>(),
        })
    }
}

impl Part {
    fn fields(&self) -> Value {
        json!({
            "kind": self.kind.name(),
            "reached": self.reached,
            "mattered": self.mattered,
            "verdict": self.verdict().in_words(),
        })
    }
}

/// An object with the fields of both.
fn with(one: &Value, other: &Value) -> Value {
    let fields = [one, other].into_iter().filter_map(Value::as_object).flatten();
    Value::Object(fields.map(|(name, value)| (name.clone(), value.clone())).collect())
}
