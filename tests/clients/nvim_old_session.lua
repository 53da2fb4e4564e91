-- A session in a Neovim before 0.11: a misspelt name is marked, a production has its hover, and the server ends.
-- Each step prints "ok NAME" or "not ok NAME: why"; run by test_neovim_old.py with the program as the open file.

local failures = 0

local function step(name, body)
  local ok, why = pcall(body)
  failures = failures + (ok and 0 or 1)
  io.stdout:write(ok and ('ok %s\n'):format(name) or ('not ok %s: %s\n'):format(name, tostring(why)))
end

local function await(what, condition)
  local value
  vim.wait(20000, function()
    value = condition()
    return value
  end, 20)
  return assert(value or nil, 'waited in vain for ' .. what)
end

local function errors()
  return vim.diagnostic.get(0, { severity = vim.diagnostic.severity.ERROR })
end

step('the server attaches', function()
  await('a client', function() return next(vim.lsp.buf_get_clients(0)) end)
end)

step('a misspelt name is marked, and no more once it is mended', function()
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

step(':checkhealth says what there is', function()
  vim.cmd('checkhealth psl')
  local report = table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, true), '\n')
  vim.cmd('bwipe')
  assert(report:find('colours, indentation, diagnostics and hover only', 1, true), report)
end)

step('nothing complained', function()
  local messages = vim.fn.execute('messages')
  assert(not messages:find('E%d+') and not messages:find('[Ee]rror'), messages)
end)

vim.cmd(failures == 0 and 'qall!' or 'cquit! 1')
