//! Declaring an unknown name.

use crate::{
    checked::Checked,
    codes::Code,
    declaration_edits::{base, constants, register},
    diagnostic::{DeclaringFix, Diagnostic, Edit, Fix},
    names::Names,
    program::Register,
    span::Span,
    token::Kind,
    tree::Name,
};

/// Returns a declaration of the name that a cursor at `offset` touches, if the name is used as a register or a
/// constant and is declared as neither.
pub fn declare(checked: &Checked, offset: u32) -> Option<DeclaringFix> {
    let Checked { tree, analysis, .. } = checked;
    let code = &tree.tokens.code;
    let after = code.partition_point(|token| token.span.start <= offset);
    let at = after.checked_sub(1)?;
    let name = code.get(at).filter(|token| token.span.touches(offset))?;
    if is_known(&analysis.names, name.span) {
        return None;
    }
    let program = &analysis.program;
    let written = tree.str(name.span);
    let in_statement = !tree.declarations.iter().any(|declaration| declaration.span.touches(offset));
    if name.kind == Kind::Name && code.get(at + 1).is_some_and(|next| next.kind == Kind::OpenBracket) && in_statement {
        let free = !program.constants.iter().any(|constant| constant.name == written);
        return free.then(|| declaring("register", written, written, register(tree, program, written)));
    }
    let text_of = |span: Span| {
        let quoted = tree.str(span).starts_with(['"', '\'']);
        Name { span, quoted }.text(&tree.text).into_owned()
    };
    let constant = text_of(name.span);
    // An unknown name is reported only at its first use.
    let unknown = |it: &&Diagnostic| it.code == Code::UnknownConstant && text_of(it.span) == constant;
    checked.diagnostics.iter().find(unknown)?;
    let named = |register: &Register| register.name == constant || register.short == base(&constant);
    let possible = !matches!(constant.as_str(), "null" | "None" | "") && !program.registers.iter().any(named);
    possible.then(|| declaring("constant", &constant, written, constants(tree, &[written.to_owned()])))
}

fn declaring(kind: &str, name: &str, written: &str, edits: Vec<Edit>) -> DeclaringFix {
    let title = format!("Declare {kind} `{name}`");
    DeclaringFix { fix: Fix { title, certain: false, edits }, name: written.to_owned() }
}

fn is_known(names: &Names, span: Span) -> bool {
    !names.within(span).is_empty()
}
