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
  local dap = require('dap')
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
