//! Statements: from tree to program, with errors in names and cells.

use std::mem;

use crate::{
    codes::Code,
    declarations::{Scope, UnknownNames, unknown},
    diagnostic::{Diagnostic, Edit, Fix},
    directive::rows_without_answer,
    incremental::known_productions::Known,
    index::IndexVec,
    names::Access,
    nearest::nearest,
    program::{
        Assignment, CausalAttn, Cell, CellRegister, Comparison, Condition, ConstantId, Function, Operand, Production,
        Program, RegisterId, Repeat, Statement, TestCase, TestPrompt, Until,
    },
    span::Span,
    tree,
};

/// Resolves all statements and directives into `scope.program`. `known` productions need not be resolved again.
pub fn resolve(scope: &mut Scope<'_>, known: Option<Known<'_>>) {
    let tree = scope.tree;
    let writes = vec![None; scope.program.registers.len()].into();
    let unknown_functions = UnknownNames::default();
    let mut resolver =
        Resolver { scope, known, causal_attn: None, without_n: None, productions: 0, writes, unknown_functions };
    let statements = resolver.statements(&tree.statements);
    let Resolver { without_n, productions, unknown_functions, .. } = resolver;
    scope.program.statements = statements;
    scope.diagnostics.extend(unknown_functions.iter().map(|(name, uses)| unknown_function(name, uses)));
    scope.check_position_role(without_n);
    if productions == 0 && tree.sound {
        let span = tree.tokens.code.first().map_or_else(Span::default, |token| token.span);
        scope.diagnostics.push(
            Diagnostic::new(Code::EmptyProgram, span, "the program has no production")
                .help("add a production: `where symbol[N] == A:` and, on the next line, `mark[N] = B`"),
        );
    }
    // Tests and laws with rows do not run without an answer.
    let without_answer = rows_without_answer(tree);
    for directive in &tree.directives {
        match &directive.kind {
            tree::DirectiveKind::Test { row: true, .. } if !without_answer.is_empty() => {}
            tree::DirectiveKind::Law { law, .. } if law.row && !without_answer.is_empty() => {}
            tree::DirectiveKind::Test { name, prompt, gold, row } => scope.program.tests.push(TestCase {
                span: directive.span,
                name: name.clone(),
                prompt: prompt.clone(),
                gold: gold.clone(),
                row: *row,
                law: None,
            }),
            tree::DirectiveKind::Law { name, law, .. } => scope.program.tests.push(TestCase {
                span: directive.span,
                name: name.clone(),
                prompt: TestPrompt::Plain(String::new()),
                gold: String::new(),
                row: law.row,
                law: Some(law.clone()),
            }),
            tree::DirectiveKind::Stop(symbol) => scope.program.stop = Some(symbol.clone()),
            tree::DirectiveKind::MaxNew(count) => scope.program.max_new = Some(*count),
            tree::DirectiveKind::Input(names) => scope.input(names),
            tree::DirectiveKind::Answer(name) => scope.answer(*name),
            tree::DirectiveKind::Allow { .. } => {}
        }
    }
    scope.diagnostics.extend(without_answer);
    shortest_prompts(&mut scope.program);
}

/// Gives each law its shortest prompt.
fn shortest_prompts(program: &mut Program) {
    if program.tests.iter().all(|test| test.law.is_none()) {
        return;
    }
    let mut tests = mem::take(&mut program.tests);
    for test in &mut tests {
        let Some(law) = &test.law else { continue };
        let names = law.names(&vec![1; law.variables.len()], |name| !program.mentions(name));
        let (prompt, gold) = law.case(&names);
        (test.prompt, test.gold) = (TestPrompt::Plain(prompt), gold);
    }
    program.tests = tests;
}

struct Resolver<'s, 't, 'e> {
    scope: &'s mut Scope<'t>,
    known: Option<Known<'e>>,
    causal_attn: Option<CausalAttn>,
    /// The first production or `until` clause that compares cell N with itself.
    without_n: Option<Span>,
    productions: usize,
    /// For each register, the number and span of the last production that assigns it.
    writes: IndexVec<RegisterId, Option<(usize, Span)>>,
    unknown_functions: UnknownNames,
}

impl Resolver<'_, '_, '_> {
    /// Recursion depth is the nesting of repeat blocks, which the parser limits.
    fn statements(&mut self, statements: &[tree::Statement]) -> Vec<Statement> {
        let mut resolved = Vec::with_capacity(statements.len());
        for statement in statements {
            match statement {
                tree::Statement::CausalAttn(value) => self.causal_attn = *value,
                tree::Statement::Production(production) => {
                    self.productions += 1;
                    resolved.push(Statement::Production(self.production(production)));
                }
                tree::Statement::Repeat(repeat) => resolved.push(Statement::Repeat(self.repeat(repeat))),
            }
        }
        resolved
    }

    fn production(&mut self, written: &tree::Production) -> Production {
        if !written.broken
            && let Some((known, references)) = self.known.as_mut().and_then(|known| known.production(written.span))
        {
            self.scope.names.references.extend(references);
            if !known.binds_n() {
                self.without_n.get_or_insert(written.keyword);
            }
            return Production { label: self.label(written.label), causal_attn: self.causal_attn, ..known };
        }
        let errors = self.scope.diagnostics.len();
        let [binds_n, without_n] = binding(&written.conditions, written.condition_holes().next().is_some());
        let conditions = self.conditions(&written.conditions, binds_n);
        if without_n && !written.broken {
            self.without_n.get_or_insert(written.keyword);
            self.unbound_n(written);
        }
        let mut assignments: Vec<Assignment> = Vec::with_capacity(written.assignments.len());
        for assignment in &written.assignments {
            if let Some(resolved) = self.assignment(assignment, written, binds_n) {
                if let Some(first) = self.assigned_before(resolved.target, resolved.span) {
                    let name = self.scope.tree.str(assignment.target.register);
                    self.scope.diagnostics.push(
                        Diagnostic::new(
                            Code::AssignedTwice,
                            assignment.target.span,
                            format!("duplicate assignment to `{name}`"),
                        )
                        .label(first, format!("`{name}` is first assigned here"))
                        .help("remove one of the two: all assignments of a production take effect at once"),
                    );
                }
                assignments.push(resolved);
            }
        }
        let empty = written.assignments.is_empty() && written.assignment_holes().next().is_none();
        if empty && !written.broken {
            self.scope.diagnostics.push(
                Diagnostic::new(Code::EmptyProduction, written.head, "this production has no assignment")
                    .help("add an assignment, such as `mark[N] = B`, on the next line"),
            );
        }
        Production {
            span: written.span,
            head: written.head,
            label: self.label(written.label),
            causal_attn: self.causal_attn,
            select: written.select,
            shares_layer: false,
            sound: !written.broken
                && written.holes.is_empty()
                && self.scope.diagnostics.len() == errors
                && conditions.len() == written.conditions.len()
                && assignments.len() == written.assignments.len(),
            conditions,
            assignments,
        }
    }

    /// Reports assignments that read cell n in a production without a condition on n.
    fn unbound_n(&mut self, written: &tree::Production) {
        let unbound: Vec<Span> = written
            .assignments
            .iter()
            .filter_map(|assignment| match &assignment.source {
                tree::Operand::Register(place) if place.cell == Some(Cell::Source) => Some(place.cell_span),
                _ => None,
            })
            .collect();
        let Some((&first, others)) = unbound.split_first() else { return };
        let edits = unbound.iter().map(|&span| Edit { span, text: "N".to_owned() }).collect();
        let mut diagnostic = Diagnostic::new(Code::UnboundN, first, "cannot read cell `n`: no condition mentions it")
            .label(written.head, "none of these conditions mentions `n`")
            .labels(others.iter().copied(), "`n` is also read here")
            .help("add a condition on `n`, or read cell `N` with `[N]`");
        diagnostic.fixes.push(Fix { title: "Replace with `N`".to_owned(), certain: false, edits });
        self.scope.diagnostics.push(diagnostic);
    }

    /// Returns the earlier assignment of the register in the current production, or records the assignment at `span`.
    fn assigned_before(&mut self, register: RegisterId, span: Span) -> Option<Span> {
        let last = &mut self.writes[register];
        match *last {
            Some((production, first)) if production == self.productions => Some(first),
            _ => {
                *last = Some((self.productions, span));
                None
            }
        }
    }

    fn repeat(&mut self, written: &tree::Repeat) -> Repeat {
        let before = self.productions;
        let body = self.statements(&written.body);
        // An empty nested block is the cause and is reported instead.
        let nested = written.body.iter().any(|statement| matches!(statement, tree::Statement::Repeat(_)));
        if self.productions == before && !nested && !written.broken && self.scope.tree.sound {
            self.scope.diagnostics.push(
                Diagnostic::new(Code::EmptyRepeat, written.keyword, "this repeat block has no production")
                    .help("add a production to the block, or remove the block"),
            );
        }
        let [binds_n, without_n] = binding(&written.until, !written.holes.is_empty());
        if let Some(first) = written.until.first()
            && without_n
        {
            self.without_n.get_or_insert(first.span);
        }
        let until = self.conditions(&written.until, binds_n);
        Repeat {
            span: written.span,
            keyword: written.keyword,
            label: self.label(written.label),
            until: if written.until.is_empty() && written.holes.is_empty() {
                Until::NoChange
            } else {
                Until::Conditions(until)
            },
            body,
        }
    }

    fn label(&self, comment: Option<Span>) -> Option<String> {
        comment.map(|span| self.scope.tree.str(span).trim().to_owned())
    }

    fn conditions(&mut self, written: &[tree::Condition], binds_n: bool) -> Vec<Condition> {
        let mut conditions = Vec::with_capacity(written.len());
        conditions.extend(written.iter().filter_map(|condition| self.condition(condition, binds_n)));
        conditions
    }

    fn condition(&mut self, written: &tree::Condition, binds_n: bool) -> Option<Condition> {
        let left = self.left(&written.left, written);
        let comparison = match &written.comparison {
            tree::Comparison::Equality { not, operator, negated, right } => {
                if let Some(not) = not {
                    self.not_before_operator(*not, *operator, *negated);
                }
                if let tree::Operand::Constant(name) = right
                    && self.scope.is_null(*name)
                {
                    self.compared_with_null(written, *name, *negated);
                    return None;
                }
                let same_cell = self.same_cell(written, right, *negated, binds_n);
                let operand = self.operand(right)?;
                if same_cell || not.is_some() || self.scope.tree.is_hole(*operator) {
                    return None;
                }
                if *negated { Comparison::IsNot(operand) } else { Comparison::Is(operand) }
            }
            tree::Comparison::Membership { negated, list } => {
                let constants: Vec<ConstantId> =
                    list.iter().filter_map(|item| self.list_item(item, *negated)).collect();
                if constants.len() < list.len() {
                    return None;
                }
                if *negated { Comparison::NotIn(constants) } else { Comparison::In(constants) }
            }
        };
        Some(Condition { span: written.span, left: left?, comparison })
    }

    fn left(&mut self, place: &tree::RegisterAccess, condition: &tree::Condition) -> Option<CellRegister> {
        let Some(function) = place.function else { return self.place(place, Access::Read) };
        self.place(place, Access::Read);
        let tree = self.scope.tree;
        if tree.is_hole(function) {
            return None;
        }
        let at = Span::new(place.span.end - (place.span.end - function.start) - 1, place.span.end);
        let message = format!("`@{}` is only allowed on the right of a comparison", tree.str(function));
        let mut diagnostic = Diagnostic::new(Code::FunctionOnLeft, at, message);
        if let tree::Comparison::Equality { right: tree::Operand::Register(right), operator, not: None, .. } =
            &condition.comparison
            && right.function.is_none()
        {
            let swapped = format!("{} {} {}", tree.str(right.span), tree.str(*operator), tree.str(place.span));
            diagnostic = diagnostic.help(format!("swap the two sides: `{swapped}`")).fix(
                "Swap the two sides",
                condition.span,
                swapped,
            );
        } else {
            diagnostic =
                diagnostic.help("assign the result to a register in a separate production, and compare that register");
        }
        self.scope.diagnostics.push(diagnostic);
        None
    }

    /// Reports a comparison with a word for null.
    fn compared_with_null(&mut self, written: &tree::Condition, name: tree::Name, negated: bool) {
        let tree = self.scope.tree;
        let message = format!("cannot compare with `{}`: null is not a value", tree.str(name.span));
        let diagnostic = Diagnostic::new(Code::UnknownConstant, name.span, message);
        let place = tree.str(written.left.span);
        self.scope.diagnostics.push(if negated {
            let has_value = format!("{place} == {place}");
            diagnostic.help(format!("write `{has_value}`, which holds if it has a value")).fix(
                format!("Replace with `{has_value}`"),
                written.span,
                has_value,
            )
        } else {
            diagnostic.help("give every cell a default value first, and test that: no condition holds for null alone")
        });
    }

    fn not_before_operator(&mut self, not: Span, operator: Span, negated: bool) {
        let mut diagnostic = Diagnostic::new(Code::Syntax, not, "`not` is only allowed before `in`");
        if negated {
            diagnostic = diagnostic.help("remove `not`: `!=` already means not equal");
        } else {
            diagnostic = diagnostic.help("write `!=` for not equal").fix("Replace with `!=`", not.join(operator), "!=");
        }
        self.scope.diagnostics.push(diagnostic);
    }

    /// Reports a comparison of two registers of one cell, which QKVL would turn into a comparison across cells.
    /// Returns whether it is one.
    fn same_cell(&mut self, condition: &tree::Condition, right: &tree::Operand, negated: bool, binds_n: bool) -> bool {
        let tree::Operand::Register(right) = right else { return false };
        let mapped = right.function.is_some();
        let tree = self.scope.tree;
        let Some(cell) = condition.left.cell else { return false };
        let different = right.cell != Some(cell) || (cell == Cell::Updated && !binds_n);
        if different || [condition.left.register, right.register].into_iter().any(|register| tree.is_hole(register)) {
            return false;
        }
        let message = if cell == Cell::Source {
            "cannot compare two registers of cell `n`"
        } else {
            "cannot compare two registers of cell `N` in a production that mentions `n`"
        };
        let [left, right] = [condition.left.register, right.register].map(|span| tree.str(span));
        let help = if left == right && !mapped && !negated {
            "remove this condition if it is intended to match every cell".to_owned()
        } else if cell == Cell::Source {
            format!(
                "set an auxiliary register in a separate production, `where {left}[N] == {right}[N]:`, \
                 and test that register at `n`"
            )
        } else {
            format!(
                "write `{left}[N] == {right}[n]` if `position[n] == position[N]` makes them the same cell, or set an auxiliary \
                 register in a separate production, `where {left}[N] == {right}[N]:`, and test that register"
            )
        };
        self.scope.diagnostics.push(Diagnostic::new(Code::SameCellComparison, condition.span, message).help(help));
        true
    }

    fn list_item(&mut self, item: &tree::Operand, negated: bool) -> Option<ConstantId> {
        match item {
            tree::Operand::Constant(name) => self.scope.constant(*name),
            tree::Operand::Register(place) => {
                self.place(place, Access::Read);
                let help = if negated {
                    "compare with the register in a separate condition, with `!=`"
                } else {
                    "compare with the register in a separate production, with `==`"
                };
                self.scope.diagnostics.push(
                    Diagnostic::new(Code::RegisterInList, place.span, "expected a constant, found a register")
                        .help(help),
                );
                None
            }
            tree::Operand::Hole(_) => None,
        }
    }

    fn assignment(
        &mut self,
        written: &tree::Assignment,
        production: &tree::Production,
        binds_n: bool,
    ) -> Option<Assignment> {
        let target = self.target(&written.target);
        if let tree::Operand::Constant(name) = written.source
            && self.scope.is_null(name)
        {
            let message = format!("cannot assign `{}`: null is not a value", self.scope.tree.str(name.span));
            self.scope.diagnostics.push(
                Diagnostic::new(Code::UnknownConstant, name.span, message)
                    .help("declare a constant that stands for no value, and assign that"),
            );
            return None;
        }
        match &written.source {
            tree::Operand::Register(source) if written.target.cell == Some(Cell::Source) => {
                self.pushed(written, source);
            }
            tree::Operand::Register(source) => self.source_cell(source, production, binds_n),
            tree::Operand::Constant(_) | tree::Operand::Hole(_) if written.target.cell == Some(Cell::Source) => {
                self.pushed_constant(&written.target);
            }
            tree::Operand::Constant(_) | tree::Operand::Hole(_) => {}
        }
        let source = self.operand(&written.source)?;
        written.target.cell?;
        Some(Assignment { span: written.span, target: target?, source })
    }

    fn target(&mut self, place: &tree::RegisterAccess) -> Option<RegisterId> {
        let register = self.register(place.register, Access::Write);
        if let Some(function) = place.function {
            if self.scope.tree.is_hole(function) {
                return None;
            }
            self.scope.diagnostics.push(
                Diagnostic::new(
                    Code::FunctionOnLeft,
                    function,
                    format!("`@{}` is only allowed on the right of an assignment", self.scope.tree.str(function)),
                )
                .help("move it to the right, as in `x[N] = y[n]@pos_increment`"),
            );
            return None;
        }
        if register.is_some() && register == self.scope.program.roles.position {
            let name = self.scope.tree.str(place.register);
            let swapped = name == "symbol" && register.is_some_and(|id| self.scope.program.registers[id].short == "p");
            self.scope.diagnostics.push(
                Diagnostic::new(
                    Code::AssignToPosition,
                    place.span,
                    format!("cannot assign to `{name}`: the machine sets it"),
                )
                .help(if swapped { SWAPPED } else { "assign to another register" }),
            );
        }
        register
    }

    fn pushed_constant(&mut self, target: &tree::RegisterAccess) {
        self.scope.diagnostics.push(
            Diagnostic::new(Code::AssignToN, target.cell_span, TO_N)
                .help("assign to cell `N`, the one being updated")
                .suggest("Replace with `N`", target.cell_span, "N"),
        );
    }

    /// Reports an assignment to cell n. If its source is in cell N, the fix swaps the two cells.
    fn pushed(&mut self, written: &tree::Assignment, source: &tree::RegisterAccess) {
        if source.cell != Some(Cell::Updated) {
            return self.pushed_constant(&written.target);
        }
        let tree = self.scope.tree;
        let [target, register] = [written.target.register, source.register].map(|span| tree.str(span));
        let function = source.function.map(|function| format!("@{}", tree.str(function))).unwrap_or_default();
        let pulled = format!("{target}[N] = {register}[n]{function}");
        self.scope.diagnostics.push(
            Diagnostic::new(Code::AssignToN, written.target.cell_span, TO_N)
                .help(format!("write `{pulled}`: cell `N` reads from cell `n`, and sets only itself"))
                .suggest(format!("Replace with `{pulled}`"), written.span, pulled),
        );
    }

    fn source_cell(&mut self, source: &tree::RegisterAccess, production: &tree::Production, binds_n: bool) {
        if source.cell == Some(Cell::Updated) && binds_n {
            self.scope.diagnostics.push(
                Diagnostic::new(
                    Code::ActionReadsN,
                    source.cell_span,
                    "cannot read cell `N` in a production that mentions `n`",
                )
                .label(production.head, "these conditions mention `n`")
                .help("read cell `n`, or copy the register in a separate production without `n`"),
            );
        }
    }

    fn operand(&mut self, operand: &tree::Operand) -> Option<Operand> {
        match operand {
            tree::Operand::Constant(name) => self.scope.constant(*name).map(Operand::Constant),
            tree::Operand::Register(place) => {
                let resolved = self.place(place, Access::Read);
                let function = match place.function {
                    None => None,
                    Some(span) => Some(self.function(span)?),
                };
                Some(Operand::Register(resolved?, function))
            }
            tree::Operand::Hole(_) => None,
        }
    }

    fn place(&mut self, place: &tree::RegisterAccess, access: Access) -> Option<CellRegister> {
        Some(CellRegister { register: self.register(place.register, access)?, cell: place.cell? })
    }

    fn register(&mut self, name: Span, access: Access) -> Option<RegisterId> {
        if self.scope.tree.is_hole(name) { None } else { self.scope.register(name, access) }
    }

    fn function(&mut self, span: Span) -> Option<Function> {
        let name = self.scope.tree.str(span);
        let function = Function::from_name(name);
        if function.is_none() && !self.scope.tree.is_hole(span) {
            self.unknown_functions.entry(name.to_owned()).or_default().push(span);
        }
        function
    }
}

const SWAPPED: &str =
    "write `registers: {symbol: 's', position: 'p'}`: the short names give the roles, and these two are swapped";

const TO_N: &str = "cannot assign to cell `n`";

fn unknown_function(name: &str, uses: &[Span]) -> Diagnostic {
    let diagnostic = unknown(Code::UnknownFunction, format!("unknown function `{name}`"), uses)
        .help("write `pos_increment` or `pos_decrement`");
    match nearest(name, Function::ALL.map(Function::as_str)) {
        Some(near) => diagnostic.suggest_all(format!("Replace with `{near}`"), uses, near),
        None => diagnostic,
    }
}

/// Whether conditions certainly mention the cell `n`, and whether they certainly do not. `holes` is whether one of
/// them is a hole.
fn binding(conditions: &[tree::Condition], holes: bool) -> [bool; 2] {
    let mentions = conditions.iter().map(mentions_n);
    let binds_n = mentions.clone().any(|mentions| mentions == Some(true));
    let without_n = !holes && mentions.clone().all(|mentions| mentions == Some(false));
    [binds_n, without_n]
}

/// Whether a condition mentions the cell `n`, or `None` if that depends on a hole.
fn mentions_n(condition: &tree::Condition) -> Option<bool> {
    let left = condition.left.cell;
    let right = match &condition.comparison {
        tree::Comparison::Equality { right: tree::Operand::Register(place), .. } => place.cell,
        tree::Comparison::Equality { right: tree::Operand::Hole(_), .. } => None,
        _ => Some(Cell::Updated),
    };
    if [left, right].contains(&Some(Cell::Source)) {
        return Some(true);
    }
    (left.is_some() && right.is_some()).then_some(false)
}
