-- Where the language server is and what it is told; vim.lsp.config('psl', {...}) overrides it.
return {
  cmd = { 'psl', 'lsp' },
  filetypes = { 'psl' },
  root_markers = { '.git' },
  -- The server shows what a run gave as a message.
  init_options = { showResults = true },
  -- Lenses that run the program end up here, because only the editor can ask for a prompt.
  commands = {
    ['psl.run'] = function(command, context)
      require('psl').run_lens(command.arguments[1], context.bufnr)
    end,
  },
}
