-- The configuration of the language server. vim.lsp.config('psl', {...}) overrides it.

-- Neovim's own handler also shows the number of an error.
local function without_number(method)
  return function(err, ...)
    if err then
      require('psl.client').show_error(err)
    else
      vim.lsp.handlers[method](nil, ...)
    end
  end
end

-- A lens runs in the client, which can ask for a prompt and open a window.
local function lens(run)
  return function(command, context)
    require('psl.commands')[run](command.arguments[1], context.bufnr)
  end
end

return {
  cmd = { 'psl', 'lsp' },
  filetypes = { 'psl', 'toml' },
  -- The only TOML file is psl.toml.
  root_dir = function(bufnr, start)
    if vim.bo[bufnr].filetype == 'psl' or vim.fs.basename(vim.api.nvim_buf_get_name(bufnr)) == 'psl.toml' then
      start(vim.fs.root(bufnr, '.git'))
    end
  end,
  -- The plugin shows results in a window.
  init_options = { showResults = false },
  handlers = { ['textDocument/rename'] = without_number('textDocument/rename') },
  commands = { ['psl.run'] = lens('run_lens'), ['psl.tests'] = lens('tests_lens') },
  on_exit = vim.schedule_wrap(function(code, signal)
    require('psl.restart').after_exit(code, signal)
  end),
}
