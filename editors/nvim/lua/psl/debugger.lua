-- The debug adapter and its configurations for nvim-dap.
local M = {}

-- The text of the buffer, saved or not.
local function text()
  return table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, true), '\n') .. '\n'
end

local function launch(name, prompt)
  local common = { type = 'psl', request = 'launch', program = '${file}', text = text, stopOnEntry = true }
  return vim.tbl_extend('error', { name = name }, common, prompt)
end

-- Has lenses and hints show the run that is debugged.
local function show_run(session)
  local config = session.config
  local bufnr = vim.fn.bufnr(config.program or '')
  if config.type ~= 'psl' or bufnr == -1 or not (config.prompt or config.test) then
    return
  end
  -- Tests count from 1 for the adapter, and from 0 for the server.
  local test = type(config.test) == 'number' and config.test - 1 or config.test
  require('psl.client').execute('psl.run', { prompt = config.prompt, test = test }, bufnr, function()
    require('psl.lenses').refresh(bufnr)
  end)
end

function M.setup()
  local found, dap = pcall(require, 'dap')
  if not found then
    return vim.notify(
      'psl: the debugger needs the plugin nvim-dap: install it from https://codeberg.org/mfussenegger/nvim-dap, '
        .. 'or debug in a terminal with `psl debug FILE`',
      vim.log.levels.WARN
    )
  end
  dap.adapters.psl = { type = 'executable', command = 'psl', args = { 'dap' } }
  dap.listeners.after.event_initialized.psl = show_run
  dap.configurations.psl = {
    launch('Run on prompt', {
      prompt = function()
        return vim.fn.input('Prompt: ')
      end,
    }),
    launch('First test', { test = 1 }),
  }
end

return M
