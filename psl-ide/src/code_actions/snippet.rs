//! The edits of an action as snippets, which an editor leaves with the cursor at a name.

use psl_syntax::{diagnostic::Edit, parse, token::Token};

use super::action::{Action, Cursor};

/// The edits of an action on a text, in text order, each as a snippet of the protocol. `None` if the action leaves the
/// cursor where it is, or if an editor would change the indentation of an edit.
pub fn snippets(text: &str, action: &Action) -> Option<Vec<Edit>> {
    let cursor = action.cursor.as_ref()?;
    let mut edits = action.edits.clone();
    edits.sort_by_key(|edit| edit.span);
    if edits.iter().any(|edit| is_indented_again(text, edit)) {
        return None;
    }
    let mut marked = 0;
    for edit in &mut edits {
        edit.text = snippet(&edit.text, cursor, &mut marked);
    }
    (marked > 0).then_some(edits)
}

/// Whether an editor would indent the lines of a snippet like the line that it begins in, although they are indented.
fn is_indented_again(text: &str, edit: &Edit) -> bool {
    let before = text.get(..edit.span.start as usize).unwrap_or_default();
    let line = before.rsplit(['\n', '\r']).next().unwrap_or_default();
    edit.text.contains(['\n', '\r']) && line.starts_with([' ', '\t'])
}

/// A text as a snippet with marks at a name. `marked` counts the marks so far.
fn snippet(text: &str, cursor: &Cursor, marked: &mut usize) -> String {
    let (Cursor::After(name) | Cursor::On(name)) = cursor;
    let tokens = parse(text).tree.tokens.code;
    let is_name = |token: &&Token| text.get(token.span.range()) == Some(name);
    let mut out = String::with_capacity(text.len() + 8);
    let mut kept = 0;
    for token in tokens.iter().filter(is_name) {
        out.push_str(&escaped(text.get(kept..token.span.range().start).unwrap_or_default()));
        kept = token.span.range().end;
        let (before, after) = match cursor {
            Cursor::On(_) => ("${1:", "}"),
            Cursor::After(_) if *marked == 0 => ("", "$0"),
            Cursor::After(_) => ("", ""),
        };
        out.extend([before, &escaped(name), after]);
        *marked += 1;
    }
    out + &escaped(text.get(kept..).unwrap_or_default())
}

/// A text with the characters escaped that have a meaning in snippets.
fn escaped(text: &str) -> String {
    text.replace('\\', "\\\\").replace('$', "\\$").replace('}', "\\}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ActionKind;

    /// The snippet of an edit that replaces the `|` of a text.
    fn replaced(marked: &str, with: &str, cursor: Cursor) -> Option<String> {
        let at = marked.find('|').expect("a place");
        let edits = vec![Edit { span: (at..at).into(), text: with.to_owned() }];
        let (title, kind) = (String::new(), ActionKind::Extract);
        let action = Action {
            title,
            kind,
            edits,
            diagnostics: Vec::new(),
            preferred: false,
            cursor: Some(cursor),
            command: None,
        };
        let edits = snippets(&marked.replace('|', ""), &action)?;
        edits.into_iter().next().map(|edit| edit.text)
    }

    #[test]
    fn only_whole_names_are_marked() {
        let on = |text: &str| replaced("|", text, Cursor::On("guard".to_owned()));
        assert_eq!(on("guard[N] = guards # guard").as_deref(), Some("${1:guard}[N] = guards # guard"));
        assert_eq!(on("guard: 'guard'}").as_deref(), Some("${1:guard}: 'guard'\\}"));
        assert_eq!(on("guards"), None);
        let after = replaced("|", "{A, A: '$\\\\'}", Cursor::After("A".to_owned()));
        assert_eq!(after.as_deref(), Some("{A$0, A: '\\$\\\\\\\\'\\}"));
    }

    #[test]
    fn lines_that_would_be_indented_twice_are_no_snippets() {
        let on = |marked: &str| replaced(marked, "guard,\n    x", Cursor::On("guard".to_owned())).is_some();
        assert!(on("|"));
        assert!(on("a\n|    b"));
        assert!(on("registers: {|"));
        assert!(!on("a\n    b|"));
        assert!(!on("a\r\tb|"));
    }
}
