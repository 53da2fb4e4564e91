//! Finds the language server for Zed: `psl` on the PATH.

use zed_extension_api::{self as zed, Command, LanguageServerId, Result, Worktree};

struct Psl;

impl zed::Extension for Psl {
    fn new() -> Self {
        Self
    }

    fn language_server_command(&mut self, _: &LanguageServerId, worktree: &Worktree) -> Result<Command> {
        let command = worktree.which("psl").ok_or("`psl` is not on the PATH")?;
        Ok(Command { command, args: vec!["lsp".to_owned()], env: worktree.shell_env() })
    }
}

zed::register_extension!(Psl);
