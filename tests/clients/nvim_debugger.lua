-- Writes the adapter and the configurations for nvim-dap to $OUT as JSON, with the values that nvim-dap's documentation promises:
-- those of functions, and the path of the file for ${file}. nvim-dap itself is replaced.

local dap = { adapters = {}, configurations = {}, listeners = { after = { event_initialized = {} } } }
package.preload['dap'] = function()
  return dap
end
vim.fn.input = function(question)
  return assert(question == 'Prompt: ' and 'Q a A a . Q b A')
end
vim.fn.append('$', '# not saved')
require('psl.debugger').setup()

local function value(given)
  given = type(given) == 'function' and given() or given
  return given == '${file}' and vim.fn.expand('%:p') or given
end

local configurations = vim.tbl_map(function(configuration)
  return vim.tbl_map(value, configuration)
end, dap.configurations.psl)
io.open(os.getenv('OUT'), 'w'):write(vim.json.encode({ adapter = dap.adapters.psl, configurations = configurations }))
vim.cmd('qall!')
