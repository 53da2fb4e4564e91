//! Registers, constants, roles and the watch list: from tree to program.

use std::collections::hash_map::Entry;

use indexmap::IndexMap;
use rustc_hash::{FxBuildHasher, FxHashMap};

use crate::{
    codes::Code,
    declaration_edits::how_to_declare,
    diagnostic::Diagnostic,
    law::Law,
    names::{Access, Names, Reference, Symbol},
    nearest::nearest,
    program::{Constant, ConstantId, Program, Register, RegisterId},
    roles::{DEFAULT_ROLES, LAST_CELL, WITHOUT_N, is_named_end, missing_role},
    span::Span,
    token::{constant_as_written, is_name, is_short_name},
    tree::{DirectiveKind, Entries, Name, Tree},
};

const ROLES: [&str; 5] = ["symbol", "position", "output", "parse", "eop"];

/// The maximum number of comparisons with misspelled names. Each misspelled name is compared with all declared ones, so
/// their number grows with the product.
const MAX_COMPARISONS: usize = 50_000;

/// Unknown names with their uses, in the order of discovery.
pub type UnknownNames = IndexMap<String, Vec<Span>, FxBuildHasher>;

/// The names of a program and the errors in them.
pub struct Scope<'t> {
    pub tree: &'t Tree,
    pub program: Program,
    pub names: Names,
    pub diagnostics: Vec<Diagnostic>,
    registers: FxHashMap<String, RegisterId>,
    constants: FxHashMap<String, ConstantId>,
    unknown_registers: UnknownNames,
    unknown_constants: UnknownNames,
    /// Whether all declarations of this kind were parsed. Otherwise, an unknown name may be a consequence of the
    /// syntax error.
    registers_read: bool,
    constants_read: bool,
    roles_read: bool,
    /// The number of comparisons with misspelled names so far.
    comparisons: usize,
}

/// Whether every declaration of a kind was parsed. Stray text may have been the only declaration of that kind.
fn could_be_read(tree: &Tree, is: impl Fn(&Entries) -> bool) -> bool {
    let mut of_kind = tree.declarations.iter().filter(|declaration| is(&declaration.entries)).peekable();
    (!tree.stray || of_kind.peek().is_some()) && of_kind.all(|declaration| !declaration.broken)
}

fn unknown_register_message(name: &str) -> String {
    format!("unknown register `{name}`")
}

/// The report of a name that is declared twice, at its second declaration.
fn duplicate(code: Code, kind: &str, name: &str, span: Span, first: Span) -> Diagnostic {
    Diagnostic::new(code, span, format!("duplicate {kind} `{name}`"))
        .label(first, format!("`{name}` is first declared here"))
        .help("remove one of the two, or rename this one")
}

/// The report of an unknown name, at its first use.
pub fn unknown(code: Code, message: String, uses: &[Span]) -> Diagnostic {
    let (first, others) = uses.split_first().map_or((Span::default(), uses), |(first, others)| (*first, others));
    Diagnostic::new(code, first, message).labels(others.iter().copied(), "also used here")
}

impl<'t> Scope<'t> {
    /// Adds the declarations of the tree.
    pub fn new(tree: &'t Tree) -> Self {
        let mut scope = Self {
            tree,
            program: Program::default(),
            names: Names::default(),
            diagnostics: Vec::new(),
            registers: FxHashMap::default(),
            constants: FxHashMap::default(),
            unknown_registers: UnknownNames::default(),
            unknown_constants: UnknownNames::default(),
            registers_read: could_be_read(tree, |entries| matches!(entries, Entries::Registers(_))),
            constants_read: could_be_read(tree, |entries| matches!(entries, Entries::Constants(_))),
            roles_read: could_be_read(tree, |entries| matches!(entries, Entries::System(_))),
            comparisons: 0,
        };
        scope.registers();
        scope.constants();
        scope.roles();
        scope.watch();
        for declaration in tree.declarations.iter().filter(|declaration| declaration.late) {
            let word = tree.str(declaration.keyword);
            let message = format!("`{word}` is declared after a statement");
            scope.diagnostics.push(
                Diagnostic::new(Code::LateDeclaration, declaration.keyword, message)
                    .help("move it above the first statement"),
            );
        }
        scope
    }

    /// Returns the register with this name. Records an unknown name and returns `None`.
    pub fn register(&mut self, span: Span, access: Access) -> Option<RegisterId> {
        let name = self.tree.str(span);
        if let Some(&id) = self.registers.get(name) {
            self.names.references.push(Reference { span, symbol: Symbol::Register(id), access });
            return Some(id);
        }
        if self.registers_read && !self.registers.is_empty() {
            self.unknown_registers.entry(name.to_owned()).or_default().push(span);
        }
        None
    }

    /// Reports each unknown name once, with all its uses.
    pub fn report_unknown(&mut self) {
        for (name, mut uses) in std::mem::take(&mut self.unknown_registers) {
            uses.sort();
            let diagnostic = self.unknown_register(&name, &uses);
            self.diagnostics.push(diagnostic);
        }
        for (name, mut uses) in std::mem::take(&mut self.unknown_constants) {
            uses.sort();
            let diagnostic = self.unknown_constant(&name, &uses);
            self.diagnostics.push(diagnostic);
        }
    }

    fn unknown_register(&mut self, name: &str, uses: &[Span]) -> Diagnostic {
        let diagnostic = unknown(Code::UnknownRegister, unknown_register_message(name), uses);
        if self.constants.contains_key(name) {
            return diagnostic.help(format!(
                "remove the cell: `{name}` is a constant, which is only allowed on the right of a condition or an assignment"
            ));
        }
        if self.may_compare(self.program.registers.len())
            && let Some(register) = self.program.registers.iter().find(|register| register.short == name)
        {
            return diagnostic
                .help(format!("write the long name `{}`: `{name}` is its short name", register.name))
                .suggest_all(format!("Replace with `{}`", register.name), uses, &register.name);
        }
        if self.may_compare(self.program.registers.len())
            && let Some(near) = nearest(name, self.program.registers.iter().map(|register| register.name.as_str()))
        {
            return diagnostic.help(format!("did you mean `{near}`?")).suggest_all(
                format!("Replace with `{near}`"),
                uses,
                near,
            );
        }
        diagnostic.help(format!("declare it: {}", how_to_declare(self.tree, &self.program, name)))
    }

    /// Resolves the registers in `//@ input`. An invalid name is only a warning, as elsewhere in directives.
    pub fn input(&mut self, names: &[Span]) {
        for &span in names {
            let Some(id) = self.directed(span) else { continue };
            if Some(id) != self.program.roles.position {
                self.program.input.insert(id);
                continue;
            }
            let message = format!("a prompt cannot set `{}`: the machine sets it", self.tree.str(span));
            self.diagnostics
                .push(Diagnostic::new(Code::UnknownDirective, span, message).help("remove it from the list"));
        }
    }

    /// Resolves the register in `//@ answer`. The last one applies.
    pub fn answer(&mut self, name: Span) {
        self.program.answer = self.directed(name).or(self.program.answer);
    }

    /// The register that a directive names.
    fn directed(&mut self, span: Span) -> Option<RegisterId> {
        let name = self.tree.str(span);
        let found = self.registers.get(name).copied();
        if let Some(id) = found {
            self.names.references.push(Reference { span, symbol: Symbol::Register(id), access: Access::Directive });
        } else if self.registers_read {
            let unknown = Diagnostic::new(Code::UnknownDirective, span, unknown_register_message(name));
            let compare = self.may_compare(self.program.registers.len());
            let names = self.program.registers.iter().filter(|_| compare);
            self.diagnostics.push(match nearest(name, names.map(|register| register.name.as_str())) {
                Some(near) => unknown.help(format!("did you mean `{near}`?")).suggest(
                    format!("Replace with `{near}`"),
                    span,
                    near,
                ),
                None => unknown.help("write the long name of a register"),
            });
        }
        found
    }

    /// Returns the constant with this name. Records an unknown name and returns `None`.
    pub fn constant(&mut self, name: Name) -> Option<ConstantId> {
        let text = self.tree.name(name);
        if let Some(&id) = self.constants.get(text.as_ref()) {
            self.names.references.push(Reference {
                span: name.span,
                symbol: Symbol::Constant(id),
                access: Access::Read,
            });
            return Some(id);
        }
        if self.constants_read {
            self.unknown_constants.entry(text.into_owned()).or_default().push(name.span);
        }
        None
    }

    /// Whether a name is a word for null in some language, and not a constant of the program.
    pub fn is_null(&self, name: Name) -> bool {
        let text = self.tree.name(name);
        let is = |word: &&str| text.eq_ignore_ascii_case(word);
        let word = !name.quoted && ["null", "none", "nil", "undefined", "nan"].iter().any(is);
        word && self.constants_read && !self.constants.contains_key(text.as_ref())
    }

    fn unknown_constant(&mut self, name: &str, uses: &[Span]) -> Diagnostic {
        let diagnostic = unknown(Code::UnknownConstant, format!("unknown constant `{name}`"), uses);
        if self.registers.contains_key(name) {
            return diagnostic
                .help(format!("add a cell: `{name}[N]`, the one being updated, or `{name}[n]`, the one it attends to"))
                .suggest_all("Add the cell `[N]`", uses, &format!("{name}[N]"))
                .suggest_all("Add the cell `[n]`", uses, &format!("{name}[n]"));
        }
        if self.may_compare(self.program.constants.len())
            && let Some(constant) = self.program.constants.iter().find(|constant| constant.value == name)
        {
            let written = constant_as_written(&constant.name);
            return diagnostic.help(format!("write `{}`, the constant with this value", constant.name)).suggest_all(
                format!("Replace with `{written}`"),
                uses,
                &written,
            );
        }
        if self.may_compare(self.program.constants.len())
            && let Some(near) = nearest(name, self.program.constants.iter().map(|constant| constant.name.as_str()))
        {
            let written = constant_as_written(near);
            return diagnostic.help(format!("did you mean `{near}`?")).suggest_all(
                format!("Replace with `{near}`"),
                uses,
                &written,
            );
        }
        if is_named_end(name) {
            return diagnostic
                .help(format!("if it stops the continuation, declare it as `constants: {{{name}: '.'}}`"));
        }
        if ["last", "length"].contains(&name) {
            return diagnostic.help(LAST_CELL);
        }
        diagnostic.help(format!("declare it: `constants: {{\"{name}\"}}`"))
    }

    /// Whether a misspelled name may be compared with this many others.
    fn may_compare(&mut self, names: usize) -> bool {
        self.comparisons += names;
        self.comparisons <= MAX_COMPARISONS
    }

    fn registers(&mut self) {
        let tree = self.tree;
        let mut shorts: FxHashMap<String, RegisterId> = FxHashMap::default();
        for declaration in &tree.declarations {
            let Entries::Registers(entries) = &declaration.entries else { continue };
            for &(long, short) in entries {
                let id = RegisterId(self.program.registers.len() as u32);
                let name = tree.name(long).into_owned();
                if !is_name(&name) {
                    let message = format!("invalid register name `{name}`");
                    self.diagnostics.push(
                        Diagnostic::new(Code::Syntax, long.span, message)
                            .help("use letters, digits and `_`, and do not start with a digit"),
                    );
                }
                match self.registers.entry(name.clone()) {
                    Entry::Vacant(entry) => entry.insert(id),
                    Entry::Occupied(entry) => {
                        let first = self.program.registers[*entry.get()].span;
                        self.diagnostics.push(duplicate(Code::DuplicateRegister, "register", &name, long.span, first));
                        continue;
                    }
                };
                let short_name = tree.name(short).into_owned();
                self.check_short_name(&short_name, short.span, &shorts);
                shorts.entry(short_name.clone()).or_insert(id);
                let reference = |span, access| Reference { span, symbol: Symbol::Register(id), access };
                self.names.references.push(reference(long.span, Access::Declaration));
                self.names.references.push(reference(short.span, Access::ShortName));
                self.program.registers.push(Register {
                    name,
                    short: short_name,
                    span: long.span,
                    short_span: short.span,
                });
            }
        }
    }

    fn check_short_name(&mut self, short: &str, span: Span, shorts: &FxHashMap<String, RegisterId>) {
        if !is_short_name(short) {
            let message = if short.contains('`') {
                "invalid short name: it contains a backquote".to_owned()
            } else {
                format!("invalid short name `{short}`")
            };
            self.diagnostics.push(
                Diagnostic::new(Code::BadShortName, span, message)
                    .help("start with a lower-case letter, and do not use a backquote or `@`"),
            );
        } else if let Some(first) = shorts.get(short).map(|&id| &self.program.registers[id]) {
            let message = format!("duplicate short name `{short}`");
            self.diagnostics.push(
                Diagnostic::new(Code::DuplicateShortName, span, message)
                    .label(first.short_span, format!("`{short}` is the short name of `{}`", first.name))
                    .help("choose a different short name"),
            );
        }
    }

    fn constants(&mut self) {
        let tree = self.tree;
        let shorts: FxHashMap<String, RegisterId> = self
            .program
            .registers
            .iter()
            .zip(0..)
            .map(|(register, id)| (register.short.clone(), RegisterId(id)))
            .collect();
        for declaration in &tree.declarations {
            let Entries::Constants(entries) = &declaration.entries else { continue };
            for &(written, value) in entries {
                let id = ConstantId(self.program.constants.len() as u32);
                let name = tree.name(written).into_owned();
                let value = value.map_or_else(|| name.clone(), |value| tree.name(value).into_owned());
                match self.constants.entry(name.clone()) {
                    Entry::Vacant(entry) => entry.insert(id),
                    Entry::Occupied(entry) => {
                        let first = self.program.constants[*entry.get()].span;
                        let mut diagnostic = duplicate(Code::DuplicateConstant, "constant", &name, written.span, first);
                        let [one, other] = [first, written.span].map(|span| tree.str(span));
                        if one != other {
                            diagnostic = diagnostic.help(format!(
                                "remove one of the two: `{one}` and `{other}` are the same name, with and without quotes"
                            ));
                        }
                        self.diagnostics.push(diagnostic);
                        continue;
                    }
                };
                self.check_ambiguous(&name, &value, written.span, &shorts);
                let symbol = Symbol::Constant(id);
                self.names.references.push(Reference { span: written.span, symbol, access: Access::Declaration });
                self.program.constants.push(Constant { name, value, span: written.span });
            }
        }
    }

    fn check_ambiguous(&mut self, name: &str, value: &str, span: Span, shorts: &FxHashMap<String, RegisterId>) {
        // QKVL also reads `p@pos_increment` and the primed s` as registers.
        let base = value.split('@').next().unwrap_or(value).trim_end_matches('`');
        let same_long = self.registers.get(name).map(|&id| &self.program.registers[id]);
        let same_short = shorts.get(base).map(|&id| &self.program.registers[id]);
        let diagnostic = if let Some(register) = same_long {
            Diagnostic::new(Code::AmbiguousName, span, format!("constant `{name}` has the name of a register"))
                .label(register.span, format!("register `{name}` is declared here"))
                .help("rename the constant and keep its value, as in `Other: \"value\"`")
        } else if let Some(register) = same_short {
            let message = format!("the value of constant `{name}` is read as register `{}` in QKVL", register.name);
            Diagnostic::new(Code::AmbiguousName, span, message)
                .label(register.short_span, format!("`{base}` is the short name of `{}`", register.name))
                .help("change the value of the constant, or the short name of the register")
        } else {
            return;
        };
        self.diagnostics.push(diagnostic);
    }

    fn roles(&mut self) {
        let tree = self.tree;
        let mut declared = false;
        let mut given: FxHashMap<String, Span> = FxHashMap::default();
        for declaration in &tree.declarations {
            let Entries::System(entries) = &declaration.entries else { continue };
            declared = true;
            for &(role, register) in entries {
                let name = tree.name(role).into_owned();
                let written = tree.name(register).into_owned();
                if ROLES.contains(&written.as_str())
                    && self.registers.contains_key(&name)
                    && !self.registers.contains_key(&written)
                {
                    let message = format!("expected `{written}: {name}`, found `{name}: {written}`");
                    self.diagnostics.push(
                        Diagnostic::new(Code::UnknownRole, role.span.join(register.span), message)
                            .help("write the role before the register")
                            .fix("Swap role and register", role.span.join(register.span), format!("{written}: {name}")),
                    );
                    given.entry(written).or_insert(register.span);
                    continue;
                }
                let id = self.register(register.span, Access::Mention);
                if let Some(first) = given.get(&name) {
                    let message = format!("duplicate role `{name}`");
                    self.diagnostics.push(
                        Diagnostic::new(Code::Syntax, role.span, message)
                            .label(*first, format!("role `{name}` is first given here"))
                            .help("remove one of the two: a role belongs to one register"),
                    );
                } else if !self.program.roles.set(&name, id) {
                    let mut diagnostic =
                        Diagnostic::new(Code::UnknownRole, role.span, format!("unknown role `{name}`"))
                            .help("write `symbol`, `position`, `output`, `parse` or `eop`");
                    if let Some(near) = nearest(&name, ROLES) {
                        diagnostic = diagnostic.suggest(format!("Replace with `{near}`"), role.span, near);
                    }
                    self.diagnostics.push(diagnostic);
                }
                given.entry(name).or_insert(role.span);
            }
        }
        if !declared {
            for (role, short) in DEFAULT_ROLES {
                let id = self.program.registers.iter().position(|register| register.short == short);
                self.program.roles.set(role, id.map(|id| RegisterId(id as u32)));
            }
        }
        self.check_shared_position(&given);
        self.check_roles(&given);
    }

    /// Reports roles that would make the machine overwrite the position.
    fn check_shared_position(&mut self, given: &FxHashMap<String, Span>) {
        let roles = &self.program.roles;
        let Some(name) = roles.position.map(|id| &self.program.registers[id].name) else {
            return;
        };
        for (role, id) in [("symbol", roles.symbol), ("parse", roles.parse), ("eop", roles.eop)] {
            if let Some(&span) = given.get(role).filter(|_| id == roles.position) {
                let message = format!("`{name}` cannot have both roles `position` and `{role}`");
                self.diagnostics.push(
                    Diagnostic::new(Code::AssignToPosition, span, message).help("give each role its own register"),
                );
            }
        }
    }

    fn check_roles(&mut self, given: &FxHashMap<String, Span>) {
        if !self.registers_read || !self.roles_read || self.tree.statements.is_empty() {
            return;
        }
        if self.program.registers.is_empty() {
            let first = self.tree.tokens.code.first().map_or_else(Span::default, |token| token.span);
            self.diagnostics.push(Diagnostic::new(Code::MissingRole, first, "the program declares no registers").help(
                "add `registers: {symbol: 's', position: 'p'}` at the start: the machine writes the prompt to these",
            ));
            return;
        }
        let unknown_role = given.keys().any(|role| !ROLES.contains(&role.as_str()));
        let mut missing = vec![("symbol", self.program.roles.symbol), ("output", self.program.roles.output)];
        missing.retain(|(role, id)| id.is_none() && !unknown_role && !given.contains_key(*role));
        if self.has_only_rows() {
            missing.retain(|(role, _)| *role != "output");
        }
        if self.tree.system().is_none() {
            // One short name gives both roles, so one report is enough.
            missing.truncate(1);
        }
        for (role, _) in missing {
            let diagnostic = self.missing_role(role);
            self.diagnostics.push(diagnostic);
        }
    }

    /// Whether the program answers in the cells of the prompt, and nothing expects a continuation.
    fn has_only_rows(&self) -> bool {
        let directives = || self.tree.directives.iter().map(|directive| &directive.kind);
        directives().any(|kind| matches!(kind, DirectiveKind::Answer(_)))
            && directives().all(|kind| match kind {
                DirectiveKind::Test { row, .. } | DirectiveKind::Law { law: Law { row, .. }, .. } => *row,
                _ => true,
            })
    }

    /// Reports that the first production or `until` without `n` needs the position, if no register has that role.
    pub fn check_position_role(&mut self, user: Option<Span>) {
        let given = self.tree.declarations.iter().any(|declaration| match &declaration.entries {
            Entries::System(entries) => entries.iter().any(|&(role, _)| {
                let role = self.tree.name(role);
                role == "position" || !ROLES.contains(&role.as_ref())
            }),
            _ => false,
        });
        if let Some(user) = user
            && self.registers_read
            && self.roles_read
            && self.program.roles.position.is_none()
            && !given
            && !self.registers.is_empty()
        {
            let diagnostic = self.missing_role("position").label(user, WITHOUT_N);
            self.diagnostics.push(diagnostic);
        }
    }

    fn missing_role(&self, role: &str) -> Diagnostic {
        let declarations = &self.tree.declarations;
        let system = self.tree.system();
        let registers = declarations.iter().find(|declaration| matches!(declaration.entries, Entries::Registers(_)));
        let first = self.tree.tokens.code.first().map_or_else(Span::default, |token| token.span);
        let span = system.or(registers).map_or(first, |declaration| declaration.keyword);
        let short = DEFAULT_ROLES.iter().find(|(name, _)| *name == role).map_or("s", |(_, short)| short);
        let help = if system.is_some() {
            format!("add `{role}: REGISTER` to `system`")
        } else {
            format!("give a register the short name `{short}`, or declare `system: {{{role}: REGISTER, …}}`")
        };
        Diagnostic::new(Code::MissingRole, span, missing_role(role)).help(help)
    }

    fn watch(&mut self) {
        let tree = self.tree;
        for declaration in &tree.declarations {
            if let Entries::Watch(names) = &declaration.entries {
                for name in names {
                    let id = self.register(name.span, Access::Mention);
                    self.program.watch.extend(id);
                }
            }
        }
    }
}
