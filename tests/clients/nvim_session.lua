-- A session in Neovim, with nothing but this plugin: open PARGEN, break a name, look around, run it, mend it.
-- Each step prints "ok NAME" or "not ok NAME: why"; run by test_neovim.py with the program as the open file.

local failures = 0

local function step(name, body)
  local ok, why = pcall(body)
  failures = failures + (ok and 0 or 1)
  io.stdout:write(ok and ('ok %s\n'):format(name) or ('not ok %s: %s\n'):format(name, tostring(why)))
end

-- Waits until `condition` gives a value, and returns it.
local function await(what, condition)
  local value
  vim.wait(20000, function()
    value = condition()
    return value
  end, 20)
  return assert(value or nil, 'waited in vain for ' .. what)
end

local function equal(got, expected)
  assert(vim.deep_equal(got, expected), ('got %s, expected %s'):format(vim.inspect(got), vim.inspect(expected)))
end

local function line_of(text)
  for number, line in ipairs(vim.api.nvim_buf_get_lines(0, 0, -1, true)) do
    if line:find(text, 1, true) then
      return number, line:find(text, 1, true) - 1
    end
  end
  error('no line holds ' .. text)
end

local function go_to(text, offset)
  local line, column = line_of(text)
  vim.api.nvim_win_set_cursor(0, { line, column + (offset or 0) })
end

local function buffer_is_the_file()
  local buffer = table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, true), '\n') .. '\n'
  assert(buffer == io.open(vim.fn.expand('%')):read('a'), buffer)
end

-- What a function lists that takes `on_list`.
local function listed(list)
  local items
  list({ on_list = function(found) items = found.items end })
  return await('a list', function() return items end)
end

local function replace(old, new)
  local line, column = line_of(old)
  vim.api.nvim_buf_set_text(0, line - 1, column, line - 1, column + #old, { new })
end

local function errors()
  return vim.diagnostic.get(0, { severity = vim.diagnostic.severity.ERROR })
end

-- The titles of the lenses on the line that holds `text`.
local function lenses_on(text)
  local line = line_of(text)
  local titles = {}
  for _, lens in ipairs(vim.lsp.codelens.get(0)) do
    if lens.range.start.line == line - 1 and lens.command then
      table.insert(titles, lens.command.title)
    end
  end
  return table.concat(titles, ' | ')
end

local function messages_hold(text)
  return vim.fn.execute('messages'):find(text, 1, true)
end

local first_line = '# PARGEN'
local swap = '//@ test swap'
local sound, broken = 'prev_region[N] == XA', 'prev_regon[N] == XA'

step('the file type is psl', function()
  equal(vim.bo.filetype, 'psl')
end)

step('the server attaches', function()
  await('a client', function()
    local client = vim.lsp.get_clients({ name = 'psl', bufnr = 0 })[1]
    return client and client.initialized
  end)
end)

step('lenses show without being asked for', function()
  await('a lens', function() return lenses_on(swap) == '▶ Run test swap' end)
end)

step('a misspelt name is marked', function()
  replace(sound, broken)
  await('an error', function() return #errors() == 1 end)
  local line, column = line_of(broken)
  local found = errors()[1]
  equal({ found.code, found.source }, { 'unknown-register', 'psl' })
  equal({ found.lnum, found.col, found.end_col }, { line - 1, column, column + #'prev_regon' })
end)

step('other productions keep their hovers', function()
  go_to('where prev_position[N] == 0')
  vim.lsp.buf.hover()
  local window = await('a hover', function() return vim.b.lsp_floating_preview end)
  local text = table.concat(vim.api.nvim_buf_get_lines(vim.api.nvim_win_get_buf(window), 0, -1, true), '\n')
  assert(text:find('q, at N', 1, true) and text:find('[Ll]ayer 3'), text)
  vim.api.nvim_win_close(window, true)
end)

step('the quick fix mends the name', function()
  go_to(broken)
  vim.lsp.buf.code_action({
    apply = true,
    filter = function(action) return action.title:find('prev_region', 1, true) ~= nil end,
  })
  await('the edit', function() return pcall(line_of, sound) end)
  await('no errors', function() return #errors() == 0 end)
end)

step('the buffer is formatted', function()
  replace('    region[N] = R_INIT', 'region[N]=R_INIT  ')
  vim.lsp.buf.format({ name = 'psl', timeout_ms = 20000 })
  equal(vim.api.nvim_buf_get_lines(0, line_of('region[N] = R_INIT') - 1, -1, true)[1], '    region[N] = R_INIT')
  buffer_is_the_file()
end)

step('a lens runs its test', function()
  go_to(swap)
  await('the lens', function() return lenses_on(swap) == '▶ Run test swap' end)
  vim.lsp.codelens.run()
  await('the result on the line', function() return lenses_on(swap) == '✓ K L V F G H .' end)
  await('the message', function() return messages_hold('K L V F G H .') end)
end)

step('a lens asks for a prompt', function()
  local input, select = vim.ui.input, vim.ui.select
  vim.ui.input = function(_, answer) answer('Q a + b A b - a . Q c d + e A') end
  vim.ui.select = function(lenses, _, choose)
    choose(vim.iter(lenses):find(function(lens) return lens.lens.command.command == 'psl.run' end))
  end
  vim.api.nvim_win_set_cursor(0, { 1, 0 })
  vim.lsp.codelens.run()
  vim.ui.input, vim.ui.select = input, select
  await('the message', function() return messages_hold('e - c d .') end)
end)

step(':PslRun runs a prompt', function()
  vim.cmd('PslRun Q a b + c A c * a b . Q d + e f A')
  await('the message', function() return messages_hold('e f * d .') end)
  await('the result on the line', function() return lenses_on(first_line):find('e f * d .', 1, true) end)
end)

step('a run that ends while lenses are on their way has its lens too', function()
  local client = vim.lsp.get_clients({ name = 'psl', bufnr = 0 })[1]
  local request, deliver = client.request, nil
  client.request = function(self, method, params, handler, ...)
    if method ~= 'textDocument/codeLens' then
      return request(self, method, params, handler, ...)
    end
    client.request = request
    return request(self, method, params, function(...)
      local answer = vim.F.pack_len(...)
      deliver = function() handler(vim.F.unpack_len(answer)) end
    end, ...)
  end
  vim.cmd('PslRun Q a b + c A c * a b . Q d + e f A')
  await('lenses', function() return deliver end)
  vim.cmd('messages clear')
  vim.cmd('PslRun Q a + b A b - a . Q c d + e A')
  await('the message', function() return messages_hold('e - c d .') end)
  vim.wait(200) -- The answer comes behind the message.
  deliver()
  await('the later result', function() return lenses_on(first_line):find('e - c d .', 1, true) end)
end)

step('names are coloured by what they are', function()
  local line, column = line_of('where prev_position[N] == 0')
  local function kind(offset)
    local found = vim.lsp.semantic_tokens.get_at_pos(0, line - 1, column + offset)
    return found and found[1] and found[1].type
  end
  await('a token', function() return kind(0) end)
  equal({ kind(0), kind(6), kind(20) }, { 'keyword', 'variable', 'typeParameter' })
end)

step('inlay hints show when they are switched on', function()
  vim.lsp.inlay_hint.enable(true)
  await('a hint', function() return #vim.lsp.inlay_hint.get({ bufnr = 0 }) > 0 end)
  vim.lsp.inlay_hint.enable(false)
end)

step('a name leads to its declaration and its uses', function()
  go_to('where prev_position[N] == 0', 6)
  local definitions = listed(vim.lsp.buf.definition)
  equal({ #definitions, definitions[1].lnum }, { 1, (line_of("    prev_position: 'p*'")) })
  assert(#listed(function(options) vim.lsp.buf.references(nil, options) end) > 3)
end)

step('a register is renamed', function()
  go_to('where prev_position[N] == 0', 6)
  vim.lsp.buf.rename('position_before')
  await('the edit', function() return pcall(line_of, "    position_before: 'p*'") end)
  go_to("    position_before: 'p*'", 4)
  vim.lsp.buf.rename('prev_position')
  await('the edit', function() return pcall(line_of, "    prev_position: 'p*'") end)
  buffer_is_the_file()
end)

step('productions are listed by their labels', function()
  local symbols = listed(vim.lsp.buf.document_symbol)
  assert(vim.iter(symbols):any(function(symbol) return symbol.text:find('P0: start with no region', 1, true) end))
end)

step('productions fold', function()
  vim.wo.foldmethod, vim.wo.foldexpr = 'expr', 'v:lua.vim.lsp.foldexpr()'
  await('a fold', function() return vim.fn.foldlevel((line_of('    region[N] = R_INIT'))) > 0 end)
  vim.wo.foldmethod = 'manual'
end)

step('a test that fails is marked on its line', function()
  replace('"K L V F G H ."', '"K L V F G ."')
  vim.cmd.doautocmd('TextChanged') -- Neovim itself says so only when it waits for a key.
  go_to(swap)
  await('a fresh lens', function() return lenses_on(swap) == '▶ Run test swap' end)
  vim.lsp.codelens.run()
  await('failing-test', function()
    local line = line_of(swap) - 1
    return vim.iter(vim.diagnostic.get(0, { lnum = line })):any(function(each) return each.code == 'failing-test' end)
  end)
end)

step('the server ends with the session', function()
  local client = vim.lsp.get_clients({ name = 'psl' })[1]
  client:stop()
  await('its end', function() return client:is_stopped() end)
end)

vim.cmd(failures == 0 and 'qall!' or 'cquit! 1')
