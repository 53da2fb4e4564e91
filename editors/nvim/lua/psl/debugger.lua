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
