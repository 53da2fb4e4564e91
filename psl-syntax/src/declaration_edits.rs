//! Edits that declare more registers, constants and roles, and unused names for them.

use crate::{
    diagnostic::Edit,
    lines::{line_breaks, line_indentation},
    program::Program,
    span::Span,
    token::{Kind, Token, constant_as_written},
    tree::{Declaration, Entries, Tree},
};

/// The short names that give roles if there is no `system` declaration, by long name.
pub const BY_ROLE: [(&str, &str); 4] = [("symbol", "s"), ("position", "p"), ("parse", "a"), ("eop", "z")];

/// The part of a value, such as `` s` `` or `p@pos_increment`, that QKVL reads as a register.
pub fn base(value: &str) -> &str {
    value.split('@').next().unwrap_or(value).trim_end_matches('`')
}

/// An unused register name similar to this one.
pub fn register_name(program: &Program, like: &str) -> String {
    let taken = |name: &str| {
        program.registers.iter().any(|register| register.name == name)
            || program.constants.iter().any(|constant| constant.name == name)
    };
    numbered(like, taken)
}

/// An unused short name for a register: the one that gives the role of that name if it is free, otherwise the
/// shortest free prefix.
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

/// The edits that declare a register. If it has the name of a role that `system` does not give, they also give it
/// that role.
pub fn register(tree: &Tree, program: &Program, name: &str) -> Vec<Edit> {
    let mut edits = registers(tree, &[format!("{name}: '{}'", short_name(program, tree, name))]);
    if tree.system().is_some() && lacks_role(program, name) {
        edits.extend(roles(tree, &[format!("{name}: {name}")]));
        edits.sort_by_key(|edit| edit.span);
    }
    edits
}

/// Whether the name is that of a role that no register has.
fn lacks_role(program: &Program, name: &str) -> bool {
    program.roles.iter().any(|(role, register)| role == name && register.is_none())
}

/// The declaration of a register as text.
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

/// An unused constant name similar to this one, which is not the value of another constant either.
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

/// The edits that declare registers, each written as `name: 'short'`.
pub fn registers(tree: &Tree, entries: &[String]) -> Vec<Edit> {
    let last = tree.declarations.iter().rfind(|it| matches!(it.entries, Entries::Registers(_)) && !it.late);
    match last {
        Some(declaration) => into(tree, declaration, entries),
        None => vec![ahead(tree, start(tree), &format!("registers: {{{}}}", entries.join(", ")))],
    }
}

/// The edits that declare constants, as written.
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

/// The edits that give roles, each written as `role: register`. Without a `system` declaration, the entries must be
/// complete, because the edits add one.
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

/// The edits that add a register to the watch list.
pub fn watch(tree: &Tree, register: &str) -> Vec<Edit> {
    let mut lists = tree.declarations.iter().filter(|it| matches!(it.entries, Entries::Watch(_)));
    if let Some(list) = lists.next() {
        return into(tree, list, &[register.to_owned()]);
    }
    let text = format!("watch: [{register}]");
    match tree.declarations.iter().rfind(|it| !it.late) {
        Some(last) => vec![below(tree, last.span.end, &text)],
        None => vec![ahead(tree, start(tree), &text)],
    }
}

/// Whether a register has this short name, or QKVL reads the value of a constant as such a register.
pub fn is_short_name_taken(program: &Program, short: &str) -> bool {
    program.registers.iter().any(|register| register.short == short)
        || program.constants.iter().any(|constant| base(&constant.value) == short)
}

/// The offset of the first declaration or statement.
fn start(tree: &Tree) -> u32 {
    tree.tokens.code.first().map_or(tree.text.len() as u32, |token| token.span.start)
}

fn ahead(tree: &Tree, offset: u32, declaration: &str) -> Edit {
    Edit { span: Span::new(offset, offset), text: format!("{declaration}{}", tree.line_end()) }
}

/// An edit that adds a line below the line of an offset.
fn below(tree: &Tree, offset: u32, declaration: &str) -> Edit {
    let rest = tree.text.get(offset as usize..).unwrap_or_default();
    let end = offset + rest.find(['\n', '\r']).unwrap_or(rest.len()) as u32;
    Edit { span: Span::new(end, end), text: format!("{}{declaration}", tree.line_end()) }
}

/// The edits that add entries at the end of a declaration: on the same line or, if the closing bracket is on a
/// separate line, each on a new line.
fn into(tree: &Tree, declaration: &Declaration, entries: &[String]) -> Vec<Edit> {
    let code = &tree.tokens.code;
    let inside = |token: &&Token| token.span.end <= declaration.span.end;
    let tokens = code.get(code.partition_point(|token| token.span.start < declaration.span.start)..);
    let tokens: Vec<_> = tokens.unwrap_or_default().iter().take_while(inside).collect();
    let [.., last, close] = tokens.as_slice() else { return Vec::new() };
    let is_empty = matches!(last.kind, Kind::OpenBrace | Kind::OpenBracket);
    let comma = !is_empty && last.kind != Kind::Comma;
    let gap = Span::new(last.span.end, close.span.start);
    let comma_edit = Edit { span: Span::new(last.span.end, last.span.end), text: ",".to_owned() };
    if line_breaks(&tree.text, gap.start, gap.end) == 0 {
        let space = if is_empty { "" } else { " " };
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
