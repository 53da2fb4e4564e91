//! Conditions and assignments added to a production.

use std::collections::{BTreeSet, HashSet};

use psl_syntax::{
    Checked, Span, Tree, indentation, keep_comments,
    program::RegisterId,
    tree::{Production, Repeat},
};

use crate::{
    change::Change,
    name_sorts::NameSorts,
    operator::Operator,
    phrases::{Kinds, assignments_to, conditions},
    productions::productions,
    workers::{Workers, going_on},
};

/// The clauses that could be added to a program's productions. They are made one by one, until the search is stopped.
#[derive(Clone, Copy)]
pub struct Additions<'c> {
    pub tree: &'c Tree,
    pub names: &'c NameSorts,
    pub workers: &'c dyn Workers,
}

impl<'c> Additions<'c> {
    /// Each condition added to a production: only those that fit it, or the others. The changed text may have errors,
    /// such as two registers of one cell that are compared.
    pub fn conditions(self, production: &'c Production, fitting: bool) -> impl Iterator<Item = Change> + use<'c> {
        let known: HashSet<&str> = production.conditions.iter().map(|it| self.tree.str(it.span)).collect();
        let new = self.all_conditions(fitting).filter(move |text| !known.contains(text.as_str()));
        new.map_while(move |text| {
            let change = condition_after(production.conditions.last()?.span, &text, Operator::Condition);
            Some(Change { fits: fitting, ..change })
        })
    }

    fn all_conditions(self, fitting: bool) -> impl Iterator<Item = String> + use<'c> {
        let mut go_on = going_on(self.workers);
        let all = conditions(self.names, Kinds::ALL).take_while(move |_| go_on());
        all.filter(move |phrase| phrase.fits == fitting).map(move |phrase| phrase.text(self.names))
    }

    /// Each assignment to one of these registers added to a production that does not set it: only those that fit it, or
    /// the others.
    pub fn assignments(
        self,
        production: &'c Production,
        registers: &'c BTreeSet<RegisterId>,
        fitting: bool,
    ) -> impl Iterator<Item = Change> + use<'c> {
        let Self { tree, names, workers } = self;
        let set = production.assignments.iter().map(|it| names.register(tree.str(it.target.register)));
        let set: HashSet<RegisterId> = set.collect();
        let targets = registers.iter().copied().filter(move |register| !set.contains(register));
        let all = targets.flat_map(|register| assignments_to(names, register, Kinds::ALL));
        let mut go_on = going_on(workers);
        let all = all.take_while(move |_| go_on()).filter(move |phrase| phrase.fits == fitting);
        let last = production.assignments.last().map(|last| (last.span, self.next_line(last.span)));
        all.map_while(move |phrase| {
            let (last, (place, before)) = last.as_ref()?;
            let text = phrase.text(names);
            let description = format!("Add the assignment `{text}`");
            let change = Change::replace(Operator::Assignment, *place, format!("{before}{text}"), description);
            Some(Change { span: *last, fits: fitting, ..change })
        })
    }

    /// Each condition that fits, as the end of a block or one more of its conditions.
    pub fn ends(self, repeat: &'c Repeat) -> impl Iterator<Item = Change> + use<'c> {
        self.all_conditions(true).map_while(move |text| {
            let keyword = repeat.until_keyword?;
            if let Some(last) = repeat.until.last() {
                return Some(condition_after(last.span, &text, Operator::Until));
            }
            let span = Span::new(keyword.end, repeat.span.end);
            let description = format!("Repeat until `{text}`");
            let mut change = Change::replace(Operator::Until, span, format!(" {text}"), description);
            keep_comments(self.tree, &mut change.edits);
            Some(change)
        })
    }

    /// The place for another assignment and the text before it: a line of its own if the last one has its own line.
    fn next_line(&self, last: Span) -> (Span, String) {
        let text = &*self.tree.text;
        let rest = text.get(last.end as usize..).unwrap_or_default();
        let line = rest.split(['\n', '\r']).next().unwrap_or_default();
        let code_follows = self
            .tree
            .tokens
            .code
            .iter()
            .any(|token| token.span.start >= last.end && token.span.start < last.end + line.len() as u32);
        match indentation(text, last.start).filter(|_| !code_follows) {
            Some(indent) => {
                let end = Span::new(last.end, last.end + line.len() as u32);
                (after(end), format!("{}{indent}", self.tree.line_end()))
            }
            None => (after(last), " ".to_owned()),
        }
    }
}

/// The conditions and assignments that fit, added to each production.
pub fn all_additions(checked: &Checked, workers: &dyn Workers) -> Vec<Change> {
    let names = NameSorts::new(checked);
    let additions = Additions { tree: &checked.tree, names: &names, workers };
    let registers: BTreeSet<RegisterId> = checked.analysis.program.register_ids().collect();
    let of = |production| {
        let conditions = additions.conditions(production, true);
        conditions.chain(additions.assignments(production, &registers, true)).collect::<Vec<_>>()
    };
    productions(&checked.tree).into_iter().flat_map(of).collect()
}

fn condition_after(last: Span, text: &str, operator: Operator) -> Change {
    let description = format!("Add the condition `{text}`");
    Change { span: last, ..Change::replace(operator, after(last), format!(" and {text}"), description) }
}

fn after(span: Span) -> Span {
    Span::new(span.end, span.end)
}
