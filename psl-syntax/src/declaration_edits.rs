//! Declaring further registers, constants and roles: where the entries go, and names that nothing else has.

use crate::{
    diagnostic::Edit,
    lines::{line_breaks, line_indentation},
    program::Program,
    span::Span,
    token::{Kind, Token, constant_as_written},
    tree::{Declaration, Entries, Tree},
};

/// The short names that have roles where no `system` declaration gives them, by long name.
pub const BY_ROLE: [(&str, &str); 4] = [("symbol", "s"), ("position", "p"), ("parse", "a"), ("eop", "z")];

/// What QKVL takes for a register in a value such as `` s` `` or `p@pos_increment`.
pub fn base(value: &str) -> &str {
    value.split('@').next().unwrap_or(value).trim_end_matches('`')
}

/// A register's name like this one that nothing has.
pub fn register_name(program: &Program, like: &str) -> String {
    let taken = |name: &str| {
        program.registers.iter().any(|register| register.name == name)
            || program.constants.iter().any(|constant| constant.name == name)
    };
    numbered(like, taken)
}

/// A short name for a register of this name: the one that gives it its role, else a beginning of its name that is free.
pub fn short_name(program: &Program, tree: &Tree, name: &str) -> String {
    let by_role = |short: &str| tree.system().is_none() && BY_ROLE.iter().any(|&(_, other)| other == short);
    let taken = |short: &str| is_short_name_taken(program, short);
    if let Some(&(_, short)) = BY_ROLE.iter().find(|&&(role, short)| role == name && !taken(short)) {
        return short.to_owned();
    }
    let letters = name.trim_start_matches(|char: char| !char.is_ascii_alphabetic()).to_ascii_lowercase();
    let letters = if letters.is_empty() { "r".to_owned() } else { letters };
    let beginnings = (1..=letters.len()).filter_map(|length| letters.get(..length));
    let free = beginnings.into_iter().find(|short| !taken(short) && !by_role(short));
    free.map_or_else(|| numbered(&letters, |short| taken(short) || by_role(short)), str::to_owned)
}

/// The edits that declare a register of this name; one that is called like a role is also given that role, where the program
/// says which registers have them.
pub fn register(tree: &Tree, program: &Program, name: &str) -> Vec<Edit> {
    let mut edits = registers(tree, &[format!("{name}: '{}'", short_name(program, tree, name))]);
    if tree.system().is_some() && lacks_role(program, name) {
        edits.extend(roles(tree, &[format!("{name}: {name}")]));
        edits.sort_by_key(|edit| edit.span);
    }
    edits
}

/// Whether it is the name of a role that no register has.
fn lacks_role(program: &Program, name: &str) -> bool {
    program.roles.iter().any(|(role, register)| role == name && register.is_none())
}

/// How a register of this name is declared, in words.
pub fn how_to_declare(tree: &Tree, program: &Program, name: &str) -> String {
    let by_role = BY_ROLE.iter().find(|&&(role, short)| role == name && !is_short_name_taken(program, short));
    let short = by_role.map_or("SHORT", |(_, short)| short);
    let declaration = format!("`registers: {{{name}: '{short}'}}`");
    match tree.system() {
        Some(_) if lacks_role(program, name) => {
            format!("{declaration}, and give it the role: `system: {{{name}: {name}}}`")
        }
        _ => declaration,
    }
}

/// A constant's name like this one, and value, that nothing has.
pub fn constant_name(program: &Program, like: &str) -> String {
    let taken = |name: &str| {
        program.constants.iter().any(|constant| constant.name == name || constant.value == name)
            || program.registers.iter().any(|register| register.name == name || register.short == name)
    };
    constant_as_written(&numbered(like, taken))
}

fn numbered(like: &str, taken: impl Fn(&str) -> bool) -> String {
    let mut name = like.to_owned();
    let mut number = 2;
    while taken(&name) {
        name = format!("{like}{number}");
        number += 1;
    }
    name
}

/// The edits that declare registers, each as `name: 'short'`.
pub fn registers(tree: &Tree, entries: &[String]) -> Vec<Edit> {
    let last = tree.declarations.iter().rfind(|it| matches!(it.entries, Entries::Registers(_)) && !it.late);
    match last {
        Some(declaration) => into(tree, declaration, entries),
        None => vec![ahead(tree, start(tree), &format!("registers: {{{}}}", entries.join(", ")))],
    }
}

/// The edits that declare constants, each as written.
pub fn constants(tree: &Tree, entries: &[String]) -> Vec<Edit> {
    let last = tree.declarations.iter().rfind(|it| matches!(it.entries, Entries::Constants(_)) && !it.late);
    if let Some(declaration) = last {
        return into(tree, declaration, entries);
    }
    let text = format!("constants: {{{}}}", entries.join(", "));
    match tree.declarations.iter().rfind(|it| matches!(it.entries, Entries::Registers(_)) && !it.late) {
        Some(registers) => vec![below(tree, registers.span.end, &text)],
        None => vec![ahead(tree, start(tree), &text)],
    }
}

/// The edits that give roles, each as `role: register`: into the system declaration, or, where there is none, by one with
/// these entries, which then have to be all.
pub fn roles(tree: &Tree, entries: &[String]) -> Vec<Edit> {
    if let Some(system) = tree.system() {
        return into(tree, system, entries);
    }
    let names = |it: &&Declaration| matches!(it.entries, Entries::Registers(_) | Entries::Constants(_)) && !it.late;
    let text = format!("system: {{{}}}", entries.join(", "));
    match tree.declarations.iter().rfind(names) {
        Some(last) => vec![below(tree, last.span.end, &text)],
        None => vec![ahead(tree, start(tree), &text)],
    }
}

/// Whether a register, or what QKVL reads as one in a constant's value, has this short name.
pub fn is_short_name_taken(program: &Program, short: &str) -> bool {
    program.registers.iter().any(|register| register.short == short)
        || program.constants.iter().any(|constant| base(&constant.value) == short)
}

/// The first declaration or statement.
fn start(tree: &Tree) -> u32 {
    tree.tokens.code.first().map_or(tree.text.len() as u32, |token| token.span.start)
}

fn ahead(tree: &Tree, offset: u32, declaration: &str) -> Edit {
    Edit { span: Span::new(offset, offset), text: format!("{declaration}{}", tree.line_end()) }
}

/// A line below the one of an offset.
fn below(tree: &Tree, offset: u32, declaration: &str) -> Edit {
    let rest = tree.text.get(offset as usize..).unwrap_or_default();
    let end = offset + rest.find(['\n', '\r']).unwrap_or(rest.len()) as u32;
    Edit { span: Span::new(end, end), text: format!("{}{declaration}", tree.line_end()) }
}

/// The edits that put entries at the end of a declaration: on its line, or, where its bracket has a line of its own, each on
/// one of theirs.
fn into(tree: &Tree, declaration: &Declaration, entries: &[String]) -> Vec<Edit> {
    let code = &tree.tokens.code;
    let inside = |token: &&Token| token.span.end <= declaration.span.end;
    let tokens = code.get(code.partition_point(|token| token.span.start < declaration.span.start)..);
    let tokens: Vec<_> = tokens.unwrap_or_default().iter().take_while(inside).collect();
    let [.., last, close] = tokens.as_slice() else { return Vec::new() };
    let comma = !matches!(last.kind, Kind::OpenBrace | Kind::Comma);
    let gap = Span::new(last.span.end, close.span.start);
    let comma_edit = Edit { span: Span::new(last.span.end, last.span.end), text: ",".to_owned() };
    if line_breaks(&tree.text, gap.start, gap.end) == 0 {
        let space = if last.kind == Kind::OpenBrace { "" } else { " " };
        let comma = if comma { "," } else { "" };
        return vec![Edit { span: gap, text: format!("{comma}{space}{}", entries.join(", ")) }];
    }
    let blanks = line_indentation(&tree.text, last.span.start);
    let outer = line_indentation(&tree.text, declaration.keyword.start);
    let indent = if blanks.len() > outer.len() { blanks.to_owned() } else { format!("{outer}    ") };
    let line = close.span.start - line_indentation(&tree.text, close.span.start).len() as u32;
    let lines: Vec<String> = entries.iter().map(|entry| format!("{indent}{entry}")).collect();
    let between = format!(",{}", tree.line_end());
    let further = Edit { span: Span::new(line, line), text: format!("{}{}", lines.join(&between), tree.line_end()) };
    if comma { vec![comma_edit, further] } else { vec![further] }
}
