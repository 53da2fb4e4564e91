//! Finds the language server and the debug adapter for Zed: `psl` on the PATH.

use zed_extension_api::{
    self as zed, Command, DebugAdapterBinary, DebugTaskDefinition, LanguageServerId, Result,
    StartDebuggingRequestArguments, StartDebuggingRequestArgumentsRequest as Request, Worktree, serde_json::Value,
};

struct Psl;

fn psl(worktree: &Worktree) -> Result<String> {
    worktree.which("psl").ok_or_else(|| "`psl` is not on the PATH".to_owned())
}

impl zed::Extension for Psl {
    fn new() -> Self {
        Self
    }

    fn language_server_command(&mut self, _: &LanguageServerId, worktree: &Worktree) -> Result<Command> {
        Ok(Command { command: psl(worktree)?, args: vec!["lsp".to_owned()], env: worktree.shell_env() })
    }

    fn get_dap_binary(
        &mut self,
        _: String,
        DebugTaskDefinition { config, .. }: DebugTaskDefinition,
        given: Option<String>,
        worktree: &Worktree,
    ) -> Result<DebugAdapterBinary> {
        let command = given.map_or_else(|| psl(worktree), Ok)?;
        Ok(DebugAdapterBinary {
            command: Some(command),
            arguments: vec!["dap".to_owned()],
            envs: worktree.shell_env(),
            cwd: Some(worktree.root_path()),
            connection: None,
            request_args: StartDebuggingRequestArguments { configuration: config, request: Request::Launch },
        })
    }

    fn dap_request_kind(&mut self, _: String, _: Value) -> Result<Request> {
        Ok(Request::Launch)
    }
}

zed::register_extension!(Psl);
