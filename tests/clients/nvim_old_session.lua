-- A session in Neovim before 0.11: an error, a hover, and the end of the server.
-- Run by test_neovim_old.py with the program as the open file.

local steps = dofile(vim.fn.fnamemodify(debug.getinfo(1, 'S').source:sub(2), ':p:h') .. '/nvim_steps.lua')
local step, await, errors = steps.step, steps.await, steps.errors

step('the server attaches', function()
  await('a client', function() return next(vim.lsp.buf_get_clients(0)) end)
end)

step('a misspelled name is an error until it is corrected', function()
  local line = vim.fn.search('prev_region\\[N\\] == XA')
  local text = vim.fn.getline(line)
  vim.fn.setline(line, (text:gsub('prev_region', 'prev_regon')))
  await('an error', function() return #errors() == 1 end)
  assert(errors()[1].lnum == line - 1 and errors()[1].code == 'unknown-register', vim.inspect(errors()))
  vim.fn.setline(line, text)
  await('no error', function() return #errors() == 0 end)
end)

step('K shows the hover of a production', function()
  vim.fn.search('where prev_position\\[N\\] == 0')
  vim.cmd('normal K')
  local window = await('a hover', function()
    for _, window in ipairs(vim.api.nvim_list_wins()) do
      if vim.api.nvim_win_get_config(window).relative ~= '' then
        return window
      end
    end
  end)
  local text = table.concat(vim.api.nvim_buf_get_lines(vim.api.nvim_win_get_buf(window), 0, -1, true), '\n')
  assert(text:find('[Ll]ayer 3'), text)
end)

step('the server shows the address of the explorer', function()
  vim.lsp.buf.execute_command({ command = 'psl.explore', arguments = { { uri = vim.uri_from_bufnr(0) } } })
  await('a message', function() return vim.fn.execute('messages'):find('http://127.0.0.1:', 1, true) end)
end)

step(':checkhealth names the supported features', function()
  vim.cmd('checkhealth psl')
  local report = table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, true), '\n')
  vim.cmd('bwipe')
  assert(report:find('highlighting, indentation, diagnostics and hover only', 1, true), report)
end)

step('there are no error messages', function()
  local messages = vim.fn.execute('messages')
  assert(not messages:find('E%d+') and not messages:find('[Ee]rror'), messages)
end)

steps.finish()
