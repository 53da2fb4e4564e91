//! Text of programs inside Markdown.

/// As inline code, which may hold backquotes.
pub fn code(text: &str) -> String {
    if text.contains('`') { format!("`` {text} ``") } else { format!("`{text}`") }
}
