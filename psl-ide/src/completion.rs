//! Completion: only items that are valid at the cursor.

mod context;
pub mod resolve_data;

use std::collections::HashMap;

use context::{Beside, Context, Offer, context_at};
use psl_program::File;
use psl_syntax::{
    Analysis, Checked, Code, Span,
    domains::{DomainsAtPoint, ProgramPoint, domains_at},
    glossary::{self, GlossaryEntry},
    law::variable_names,
    program::{Comparison, Constant, ConstantId, Operand, ProductionId, Program, RegisterId, Repeat, Statement},
    token::{Kind, constant_as_written, is_name, quote, quote_as},
    tree::Tree,
};
use resolve_data::{ResolveData, registers};

use crate::skeleton::SKELETON;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CompletionItem {
    /// The completed text.
    pub label: String,
    /// The kind of item.
    pub kind: CompletionKind,
    /// A short description.
    pub detail: String,
    /// The data for its documentation.
    pub resolve_data: ResolveData,
    /// The text to insert.
    pub text: String,
    /// A longer text to insert if the client supports snippets. `$1` and `$0` are places to fill in.
    pub snippet: Option<String>,
    /// The text that typing must match, if it differs from the label.
    pub filter: Option<String>,
    /// Whether the program makes it likely here. Likely items come first.
    pub(crate) likely: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CompletionKind {
    /// A cell, `n` or `N`.
    Cell,
    Register,
    Constant,
    Function,
    Role,
    /// The name of a directive, or the code of a diagnostic in one.
    Directive,
    Keyword,
    /// A variable of a law.
    Variable,
}

/// Returns the completions at a byte offset, likely ones first, and the span that they replace.
pub fn completions(file: &File, offset: u32) -> (Vec<CompletionItem>, Span) {
    let checked = file.checked();
    let context = context_at(&checked.tree, offset);
    let mut items = items(checked, &context);
    let replaced = checked.tree.str(context.replaced);
    if checked.tree.is_hole(context.replaced) {
        // The client compares the replaced text with the filter.
        for item in &mut items {
            item.filter = Some(format!("{replaced}{}", item.filter.as_ref().unwrap_or(&item.label)));
        }
    }
    (items, context.replaced)
}

fn items(checked: &Checked, context: &Context) -> Vec<CompletionItem> {
    let Checked { tree, analysis, .. } = checked;
    let asks_domains = |offer: &Offer| {
        matches!(offer, Offer::Register | Offer::Place(..) | Offer::Target | Offer::Constant(Beside::Compared(Some(_))))
    };
    let held = context.offers.iter().any(asks_domains).then(|| held(analysis, context)).flatten();
    // The first of two registers with the same name wins.
    let named = analysis.program.registers.iter().enumerate().rev();
    let registers = named.map(|(index, register)| (register.name.as_str(), RegisterId(index as u32))).collect();
    let make = Make { tree, analysis, context, registers, held };
    let mut offers = context.offers.clone();
    if let [Offer::Place(_, Some(left)), Offer::Constant(_)] = offers.as_slice()
        && make.held_constants(*left).is_some()
    {
        // A register with few possible constants is mostly compared with one of them.
        offers.reverse();
    }
    let mut items: Vec<_> = offers.into_iter().flat_map(|offer| make.items(offer)).collect();
    items.sort_by_key(|item| !item.likely);
    items
}

/// The possible values of the registers before the layer, or at the `until`, of the cursor.
fn held(analysis: &Analysis, context: &Context) -> Option<DomainsAtPoint> {
    let Analysis { program, names, .. } = analysis;
    let productions = program.productions();
    let layer = productions.as_slice().binary_search_by_key(&context.segment, |it| it.span.start);
    let layer = layer.map(ProductionId::new);
    let spot = layer
        .map_or_else(|_| ProgramPoint::Until(blocks_ended(&program.statements, context.segment)), ProgramPoint::Layer);
    (context.segment > 0).then(|| domains_at(program, names, spot))
}

/// The number of repeat blocks that end before an offset.
fn blocks_ended(statements: &[Statement], offset: u32) -> usize {
    let blocks = statements.iter().filter_map(|statement| match statement {
        Statement::Repeat(repeat) => Some(repeat),
        Statement::Production(_) => None,
    });
    let ended = |repeat: &Repeat| blocks_ended(&repeat.body, offset) + usize::from(repeat.span.end <= offset);
    blocks.take_while(|repeat| repeat.span.start < offset).map(ended).sum()
}

struct Make<'c> {
    tree: &'c Tree,
    analysis: &'c Analysis,
    context: &'c Context,
    /// Registers by name.
    registers: HashMap<&'c str, RegisterId>,
    held: Option<DomainsAtPoint>,
}

impl Make<'_> {
    fn items(&self, offer: Offer) -> Vec<CompletionItem> {
        let program = &self.analysis.program;
        match offer {
            Offer::Skeleton => vec![CompletionItem {
                text: SKELETON.to_owned(),
                ..item("program", CompletionKind::Keyword, "a small program to start with", ResolveData::Skeleton)
            }],
            Offer::Source => vec![cell("n", "the cell that `N` attends to")],
            Offer::Updated => vec![cell("N", "the cell that is being updated")],
            Offer::Register => self.registers().map(|(_, item)| item).collect(),
            Offer::Place(cells, left) => {
                let left = left.and_then(|left| self.register(left));
                let place =
                    |(id, item)| CompletionItem { likely: self.can_match(id, left), ..self.in_cell(item, cells) };
                self.registers().map(place).collect()
            }
            Offer::Target => {
                let taken = self.targets_taken();
                let target = |(id, item)| {
                    let likely = taken.binary_search(&id).is_err() && program.roles.position != Some(id);
                    self.more(CompletionItem { likely, ..item }, "[N] = ", "[N] = $0")
                };
                self.registers().map(target).collect()
            }
            Offer::Constant(beside) => self.constants(program, beside),
            Offer::Function => {
                let function = |&GlossaryEntry { word: name, .. }: &GlossaryEntry| {
                    item(name, CompletionKind::Function, "function", ResolveData::Function(name.to_owned()))
                };
                glossary::FUNCTIONS.iter().map(function).collect()
            }
            Offer::Role => {
                let taken = self.roles_taken();
                let role = |&GlossaryEntry { word: name, .. }: &GlossaryEntry| {
                    let role = item(name, CompletionKind::Role, "role", ResolveData::Role(name.to_owned()));
                    self.more(role, ": ", ": $0")
                };
                glossary::ROLES.iter().filter(|role| !taken.contains(&role.word)).map(role).collect()
            }
            Offer::Keywords(keywords) => {
                let missing = keywords.iter().filter(|(word, _)| !self.is_declared(word));
                missing.map(|&(word, snippet)| self.keyword(word, snippet)).collect()
            }
            Offer::Until if self.in_block() => vec![self.keyword("until", "until $0")],
            Offer::Until => Vec::new(),
            Offer::Directive => {
                let directive = |&GlossaryEntry { word: name, .. }: &GlossaryEntry| {
                    let about = ResolveData::Directive(name.to_owned());
                    let mut directive = item(name, CompletionKind::Directive, "directive", about);
                    directive.snippet = self.context.open_end.then(|| match name {
                        "test" => "test \"$1\" => \"$0\"".to_owned(),
                        "law" => "law \"\\$${1:x}\" => \"$0\"".to_owned(),
                        "stop" => "stop \"$0\"".to_owned(),
                        other => format!("{other} $0"),
                    });
                    directive
                };
                glossary::DIRECTIVES.iter().map(directive).collect()
            }
            Offer::Variable(comment) => self.variables(comment),
            Offer::Code => {
                let code = |code: &Code| {
                    let entry = code.entry();
                    item(entry.name, CompletionKind::Directive, entry.summary, ResolveData::Code(entry.name.to_owned()))
                };
                Code::ALL.iter().filter(|code| !code.is_error()).map(code).collect()
            }
        }
    }

    /// The variables that a law mentions, without the one at the cursor.
    fn variables(&self, comment: Span) -> Vec<CompletionItem> {
        let Span { start, end } = self.context.replaced;
        let sides = [Span::new(comment.start, start), Span::new(end, comment.end)];
        let mut names: Vec<&str> = Vec::new();
        for name in sides.into_iter().flat_map(|side| variable_names(self.tree.str(side))) {
            if !names.contains(&name) {
                names.push(name);
            }
        }
        let variable = |name| {
            item(name, CompletionKind::Variable, "variable of the law", ResolveData::Directive("law".to_owned()))
        };
        names.into_iter().map(variable).collect()
    }

    fn registers(&self) -> impl Iterator<Item = (RegisterId, CompletionItem)> {
        let program = &self.analysis.program;
        let all = program.registers.iter().zip(registers(self.analysis, self.held.as_ref()));
        (0..).map(RegisterId).zip(all).filter(|(_, (register, _))| is_name(&register.name)).map(
            |(id, (register, about))| {
                let detail = format!("register {}", register.short);
                (id, item(&register.name, CompletionKind::Register, &detail, ResolveData::Register(about)))
            },
        )
    }

    fn register(&self, name: Span) -> Option<RegisterId> {
        self.registers.get(self.tree.str(name)).copied()
    }

    /// The constants that a register can hold here, or `None` if they are unknown.
    fn held_constants(&self, name: Span) -> Option<Vec<ConstantId>> {
        self.held.as_ref()?.constants(self.register(name)?)
    }

    /// Whether a register can hold a value here that the left side can also hold. `true` if the values are unknown.
    fn can_match(&self, id: RegisterId, left: Option<RegisterId>) -> bool {
        self.held.as_ref().is_none_or(|held| match left {
            Some(left) => held.can_be_equal(left, id),
            None => held.has_value(id),
        })
    }

    /// The register with its cell, unless a cell already follows.
    fn in_cell(&self, mut item: CompletionItem, cells: &[&str]) -> CompletionItem {
        if !self.context.cell_follows
            && let Some(likelier) = cells.first()
        {
            let cell = if cells.len() > 1 { format!("${{1|{}|}}", cells.join(",")) } else { (*likelier).to_owned() };
            item.snippet = Some(format!("{}[{cell}]$0", item.label));
            item.text = format!("{}[{likelier}]", item.label);
        }
        item
    }

    /// The registers that the production assigns before the cursor, in order.
    fn targets_taken(&self) -> Vec<RegisterId> {
        let code = &self.tree.tokens.code;
        let at = |offset: u32| code.partition_point(|token| token.span.start < offset);
        let production = code.get(at(self.context.segment)..at(self.context.replaced.start)).unwrap_or_default();
        let assigned = production.windows(5).filter(|tokens| tokens.last().is_some_and(|it| it.kind == Kind::Assign));
        let mut targets: Vec<_> = assigned.filter_map(|tokens| self.register(tokens.first()?.span)).collect();
        targets.sort_unstable();
        targets
    }

    /// All constants. Beside a register, only those that it can hold, if they are known.
    fn constants(&self, program: &Program, beside: Beside) -> Vec<CompletionItem> {
        let all = (0..).map(ConstantId).zip(&program.constants);
        match beside {
            Beside::Compared(left) => {
                let held = left.and_then(|left| self.held_constants(left));
                all.filter(|(id, _)| held.as_ref().is_none_or(|held| held.binary_search(id).is_ok()))
                    .map(|(_, constant)| self.constant(constant))
                    .collect()
            }
            Beside::Assigned(target) => {
                let used = target.and_then(|target| self.register(target)).map(|target| self.used_with(target));
                let likely = |id| used.as_ref().is_none_or(|used| used.binary_search(&id).is_ok());
                all.map(|(id, constant)| CompletionItem { likely: likely(id), ..self.constant(constant) }).collect()
            }
        }
    }

    /// The constants that productions compare with a register or assign to it, in order.
    fn used_with(&self, register: RegisterId) -> Vec<ConstantId> {
        let mut used = Vec::new();
        for production in self.analysis.program.productions() {
            for condition in &production.conditions {
                match &condition.comparison {
                    _ if condition.left.register != register => {}
                    Comparison::Is(Operand::Constant(id)) | Comparison::IsNot(Operand::Constant(id)) => used.push(*id),
                    Comparison::In(list) | Comparison::NotIn(list) => used.extend(list),
                    _ => {}
                }
            }
            for assignment in production.assignments.iter().filter(|it| it.target == register) {
                if let Operand::Constant(id) = assignment.source {
                    used.push(id);
                }
            }
        }
        used.sort_unstable();
        used
    }

    fn constant(&self, constant: &Constant) -> CompletionItem {
        let detail = if constant.value == constant.name {
            "constant".to_owned()
        } else {
            format!("constant {}", quote(&constant.value))
        };
        let label = match self.context.quote {
            Some(mark) => quote_as(mark, &constant.name),
            None => constant_as_written(&constant.name),
        };
        let filter = (self.context.quote.is_none() && label != constant.name).then(|| constant.name.clone());
        CompletionItem { filter, ..item(&label, CompletionKind::Constant, &detail, ResolveData::constant(constant)) }
    }

    fn keyword(&self, word: &str, snippet: &str) -> CompletionItem {
        let keyword = item(word, CompletionKind::Keyword, "keyword", ResolveData::Keyword(word.to_owned()));
        let snippet = (self.context.open_end && snippet != word).then(|| snippet.to_owned());
        CompletionItem { snippet, ..keyword }
    }

    /// Appends text to an item, unless that text already follows.
    fn more(&self, mut item: CompletionItem, text: &str, snippet: &str) -> CompletionItem {
        if self.context.open_end {
            item.snippet = Some(format!("{}{snippet}", item.label));
            item.text.push_str(text);
        }
        item
    }

    /// The roles in the `system` declaration around the cursor, without the one that is being typed.
    fn roles_taken(&self) -> Vec<&str> {
        let code = &self.tree.tokens.code;
        let start = code.partition_point(|token| token.span.start < self.context.segment);
        let declaration = code.get(start..).unwrap_or_default();
        let end = declaration.iter().position(|token| token.kind == Kind::CloseBrace).unwrap_or(declaration.len());
        let given = declaration.get(..end).unwrap_or_default().windows(2).filter_map(|pair| match pair {
            [role, colon] if colon.kind == Kind::Colon && role.span != self.context.replaced => Some(role.span),
            _ => None,
        });
        given.map(|role| self.tree.str(role)).collect()
    }

    /// Whether the program has the declaration that starts with a keyword, apart from one that is being typed.
    fn is_declared(&self, keyword: &str) -> bool {
        let keywords = self.tree.declarations.iter().map(|declaration| declaration.keyword);
        keywords.filter(|span| *span != self.context.replaced).any(|span| self.tree.str(span) == keyword)
    }

    /// Whether a repeat block is open after the statement before the cursor.
    fn in_block(&self) -> bool {
        let code = &self.tree.tokens.code;
        let before = code.get(..code.partition_point(|token| token.span.end <= self.context.replaced.start));
        let count = |kind| before.unwrap_or_default().iter().filter(|token| token.kind == kind).count();
        count(Kind::Repeat) > count(Kind::Until)
    }
}

/// Creates a completion that inserts its label.
pub(crate) fn item(label: &str, kind: CompletionKind, detail: &str, resolve_data: ResolveData) -> CompletionItem {
    let (label, detail) = (label.to_owned(), detail.to_owned());
    CompletionItem { text: label.clone(), label, kind, detail, resolve_data, snippet: None, filter: None, likely: true }
}

fn cell(label: &str, detail: &str) -> CompletionItem {
    item(label, CompletionKind::Cell, detail, ResolveData::Cell(label.to_owned()))
}

#[cfg(test)]
mod tests;
