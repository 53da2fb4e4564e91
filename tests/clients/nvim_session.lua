-- A session in Neovim with only this plugin: open PARGEN, break and fix a name, inspect and run the program.
-- Run by test_neovim.py with the program as the open file.

local steps = dofile(vim.fn.fnamemodify(debug.getinfo(1, 'S').source:sub(2), ':p:h') .. '/nvim_steps.lua')
local step, await, errors = steps.step, steps.await, steps.errors

local function equal(got, expected)
  assert(vim.deep_equal(got, expected), ('got %s, expected %s'):format(vim.inspect(got), vim.inspect(expected)))
end

local function line_of(text)
  for number, line in ipairs(vim.api.nvim_buf_get_lines(0, 0, -1, true)) do
    if line:find(text, 1, true) then
      return number, line:find(text, 1, true) - 1
    end
  end
  error('no line contains ' .. text)
end

local function go_to(text, offset)
  local line, column = line_of(text)
  vim.api.nvim_win_set_cursor(0, { line, column + (offset or 0) })
end

local function buffer_is_the_file()
  local buffer = table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, true), '\n') .. '\n'
  assert(buffer == io.open(vim.fn.expand('%')):read('a'), buffer)
end

-- The items of a function that takes `on_list`.
local function listed(list)
  local items
  list({ on_list = function(found) items = found.items end })
  return await('a list', function() return items end)
end

local function replace(old, new)
  local line, column = line_of(old)
  vim.api.nvim_buf_set_text(0, line - 1, column, line - 1, column + #old, { new })
end

-- The titles of the lenses on the first line with `text`.
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

-- Runs the lens of this line with this command.
local function run_lens(command)
  local select = vim.ui.select
  vim.ui.select = function(lenses, _, choose)
    choose(vim.iter(lenses):find(function(lens) return lens.lens.command.command == command end))
  end
  vim.lsp.codelens.run()
  vim.ui.select = select
end

local function messages_hold(text)
  return vim.fn.execute('messages'):find(text, 1, true)
end

-- The floating window with `text` and its lines, or nil.
local function floating(text)
  for _, window in ipairs(vim.api.nvim_list_wins()) do
    local lines = vim.api.nvim_buf_get_lines(vim.api.nvim_win_get_buf(window), 0, -1, true)
    if vim.api.nvim_win_get_config(window).relative ~= '' and table.concat(lines, '\n'):find(text, 1, true) then
      return { window, lines }
    end
  end
end

-- Waits for a floating window with `text`, closes it and returns its lines.
local function window_holds(text)
  local found = await('a window with ' .. text, function() return floating(text) end)
  vim.api.nvim_win_close(found[1], true)
  return found[2]
end

-- The virtual text after a line.
local function virtual_text(text)
  local row, shown = line_of(text) - 1, {}
  for _, mark in ipairs(vim.api.nvim_buf_get_extmarks(0, -1, { row, 0 }, { row, -1 }, { details = true })) do
    for _, chunk in ipairs(mark[4].virt_text or {}) do
      table.insert(shown, chunk[1])
    end
  end
  return table.concat(shown)
end

-- The color of the server's token at a place.
local function token_color(text, offset)
  local line, column = line_of(text)
  go_to(text)
  local tokens = await('tokens on the screen', function()
    vim.cmd('redraw!') -- Neovim only colors visible text.
    local found = vim.inspect_pos(0, line - 1, column + offset).semantic_tokens
    return #found > 0 and found
  end)
  local color, best
  for _, token in ipairs(tokens) do
    local set = vim.api.nvim_get_hl(0, { name = token.opts.hl_group, link = false }).fg
    if set and (not best or token.opts.priority >= best) then
      color, best = set, token.opts.priority
    end
  end
  return color or vim.api.nvim_get_hl(0, { name = 'Normal', link = false }).fg
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

step('lenses are shown automatically', function()
  await('a lens', function() return lenses_on(swap) == '▶ Run test swap | ◫ Explore' end)
end)

step('a misspelled name is an error', function()
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

step('the quick fix corrects the name', function()
  go_to(broken)
  vim.lsp.buf.code_action({
    apply = true,
    filter = function(action) return action.title:find('prev_region', 1, true) ~= nil end,
  })
  await('the edit', function() return pcall(line_of, sound) end)
  await('no errors', function() return #errors() == 0 end)
end)

step('a failing test offers more on its whole line', function()
  local right = 'prev_region[N] == XQ and region[N] == R_INIT'
  local wrong = right:gsub('XQ', 'CQ')
  replace(right, wrong)
  await('a failing test', function()
    return vim.iter(vim.diagnostic.get(0)):any(function(it) return it.code == 'failing-test' end)
  end)
  go_to(swap)
  local titles
  local select = vim.ui.select
  vim.ui.select = function(items)
    titles = vim.tbl_map(function(item) return item.action.title end, items)
  end
  vim.lsp.buf.code_action()
  await('the actions', function() return titles end)
  vim.ui.select = select
  local expected = vim.iter(titles):find(function(title) return vim.startswith(title, 'Expect ') end)
  assert(titles[1]:find('[Rr]epair') and vim.list_contains(titles, 'Explore this test') and expected, vim.inspect(titles))
  replace(wrong, right)
  buffer_is_the_file()
end)

step('the buffer is formatted', function()
  replace('    region[N] = R_INIT', 'region[N]=R_INIT  ')
  vim.lsp.buf.format({ name = 'psl', timeout_ms = 20000 })
  equal(vim.api.nvim_buf_get_lines(0, line_of('region[N] = R_INIT') - 1, -1, true)[1], '    region[N] = R_INIT')
  buffer_is_the_file()
end)

step('CTRL-X CTRL-O inserts what begins with the typed letters', function()
  local child = vim.fn.jobstart({ vim.v.progpath, '--embed', '--headless', '-i', 'NONE', '-n', vim.fn.expand('%') }, { rpc = true })
  local function evaluated(text) return vim.rpcrequest(child, 'nvim_eval', text) end
  await('a client', function()
    return evaluated("luaeval('#vim.tbl_filter(function(it) return it.initialized end, vim.lsp.get_clients({ bufnr = 0 }))')") == 1
  end)
  vim.rpcrequest(child, 'nvim_input', 'Gowhere reg<C-X><C-O>')
  await('a completion', function() return vim.startswith(evaluated("getline('.')"), 'where region') end)
  for _, word in ipairs(evaluated("map(complete_info(['items']).items, 'v:val.word')")) do
    assert(word:find('^[%w_]*r[%w_]*e[%w_]*g'), word)
  end
  vim.fn.jobstop(child)
end)

step('a lens runs its test', function()
  go_to(swap)
  await('the lens', function() return lenses_on(swap) == '▶ Run test swap | ◫ Explore' end)
  run_lens('psl.run')
  await('the result on the line', function() return lenses_on(swap) == '✓ K L V F G H . | ◫ Explore' end)
  equal(window_holds('K L V F G H .'), { '✓ K L V F G H .' })
  await('the result after the line', function() return virtual_text(swap):find('✓ K L V F G H .', 1, true) end)
end)

step('a lens asks for a prompt', function()
  local input = vim.ui.input
  vim.ui.input = function(_, answer) answer('Q a + b A b - a . Q c d + e A') end
  vim.api.nvim_win_set_cursor(0, { 1, 0 })
  run_lens('psl.run')
  window_holds('e - c d .')
  vim.ui.input = input
end)

step('a broken program is reported instead of asking for a prompt', function()
  local input, asked = vim.ui.input, false
  vim.ui.input = function() asked = true end
  replace(sound, broken)
  vim.cmd('Psl run')
  await('a message', function() return messages_hold('psl: ') and messages_hold('prev_regon') end)
  vim.ui.input = input
  replace(broken, sound)
  assert(not asked)
end)

step(':Psl run runs a prompt', function()
  vim.cmd('Psl run Q a b + c A c * a b . Q d + e f A')
  equal(window_holds('e f * d .'), { 'e f * d .' })
  await('the result on the line', function() return lenses_on(first_line):find('e f * d .', 1, true) end)
  await('the result after the line', function() return virtual_text(first_line):find('e f * d .', 1, true) end)
end)

step('a result replaces the previous one', function()
  vim.cmd('Psl run Q a b + c A c * a b . Q d + e f A')
  await('the first', function() return floating('e f * d .') end)
  vim.cmd('Psl run Q a + b A b - a . Q c d + e A')
  window_holds('e - c d .')
  assert(not floating('e f * d .'))
end)

step('the values are those of the run that is debugged', function()
  local dap = { adapters = {}, configurations = {}, listeners = { after = { event_initialized = {} } } }
  package.preload['dap'] = function() return dap end
  require('psl.debugger').setup()
  local function debugged(prompt)
    local config = vim.tbl_extend('error', { type = 'psl', request = 'launch', program = vim.fn.expand('%:p') }, prompt)
    dap.listeners.after.event_initialized.psl({ config = config })
  end
  -- The cells of a register that changed in the first layer.
  local function value()
    local params = { textDocument = vim.lsp.util.make_text_document_params(0) }
    params.range = { start = { line = 0, character = 0 }, ['end'] = { line = vim.fn.line('$'), character = 0 } }
    local answer = require('psl.client').of(0):request_sync('textDocument/inlayHint', params, 20000, 0)
    return vim.inspect(answer and answer.result)
  end
  debugged({ prompt = 'Q a A a . Q b A' })
  await('the values of the prompt', function() return value():find('%f[%w]b%f[%W]') end)
  debugged({ test = 1 })
  await('the values of the first test', function() return value():find('%f[%w]K%f[%W]') end)
end)

step(':Psl test runs one test, or all', function()
  vim.cmd('Psl test swap')
  equal(window_holds('swap'), { '✓ swap: K L V F G H .' })
  vim.cmd('Psl test')
  equal(#window_holds('cross_mult'), 10)
end)

step(':Psl trace shows the table of psl run', function()
  local prompt = 'Q a + b A b - a . Q c d + e A'
  vim.cmd('Psl trace ' .. prompt)
  await('a split', function() return vim.fn.bufname() == 'psl://trace' end)
  local lines = vim.api.nvim_buf_get_lines(0, 0, -1, true)
  vim.cmd('bwipe')
  local printed = vim.system({ 'psl', 'run', vim.fn.expand('%'), '--prompt', prompt, '--table' }, { text = true }):wait().stdout
  equal(table.concat(lines, '\n') .. '\n', printed:match('^(.-\n⇒.-\n)'))
  assert(lines[1]:find('^layer 1 · P0: start with no region.* · line %d+$'), lines[1])
end)

-- A browser's requests to the page of the explorer.
local function browser(address, ...)
  local program = vim.fs.joinpath(vim.fs.dirname(vim.fs.normalize(debug.getinfo(1, 'S').source:sub(2))), 'page_client.py')
  return vim.system({ 'python3', program, address, ... }, { text = true })
end

local function page(address)
  local got = browser(address, 'get'):wait()
  local data = assert(got.stdout:match('id="psl%-data">(.-)</script>'), got.stderr)
  return vim.json.decode(data)
end

-- Calls `open`, and returns the address that Neovim opens then.
local function opened(open)
  local ui_open, address = vim.ui.open, nil
  vim.ui.open = function(uri)
    address = uri
    return { wait = function() return { code = 0 } end }
  end
  open()
  await('an address', function() return address end)
  vim.ui.open = ui_open
  return address
end

step(':Psl explore opens a page with the text of the buffer, which follows the edits', function()
  replace('# PARGEN', '# Not saved')
  local address = opened(function() vim.cmd('Psl explore Q a A a . Q b A') end)
  local data = page(address)
  equal({ data.name, data.open }, { 'pargen.psl', 'Q a A a . Q b A' })
  assert(vim.startswith(data.text, '# Not saved'), data.text)
  local event = browser(address, 'wait', 'Edited again')
  replace('# Not saved', '# Edited again')
  -- `event:wait` alone would hold back the debounced edit.
  await('the edit in the page', function() return event:is_closing() end)
  equal(event:wait().code, 0)
  replace('# Edited again', '# PARGEN')
end)

step('a lens opens a page on its test, and a click on a line moves the cursor', function()
  go_to(swap)
  await('the lens', function() return lenses_on(swap):find('◫ Explore', 1, true) end)
  local address = opened(function() run_lens('psl.explore') end)
  equal(page(address).open, { test = 0 })
  local line = line_of('    region[N] = XQ')
  equal(browser(address, 'click', tostring(line)):wait(60000).code, 0)
  await('the cursor', function() return vim.api.nvim_win_get_cursor(0)[1] == line end)
end)

step('without a browser, the address of the page is a message', function()
  local ui_open = vim.ui.open
  vim.ui.open = function() return nil, 'no browser' end
  vim.cmd('messages clear')
  vim.cmd('Psl explore')
  await('a message', function() return messages_hold('http://127.0.0.1:') end)
  vim.ui.open = ui_open
end)

-- The comment of the layer that `:Psl qkvl` shows for the line at the cursor.
local function compiled_here()
  vim.cmd('Psl qkvl')
  await('a split', function() return vim.fn.bufname() == 'psl://qkvl' end)
  local line = vim.api.nvim_get_current_line()
  vim.cmd('bwipe')
  return line:match('"layer_comment": "(.+)"') or line
end

step(':Psl qkvl shows the layer of the production at the cursor', function()
  go_to('    region[N] = XQ')
  assert(vim.startswith(compiled_here(), '# P1a: start the example'))
end)

step(':Psl qkvl and :Psl weights find a layer below, in and between repeat blocks', function()
  local program = vim.fn.bufnr()
  vim.cmd.edit('blocks.psl')
  await('a client', function() return vim.lsp.get_clients({ name = 'psl', bufnr = 0 })[1] end)
  for number, name in ipairs({ 'first', 'second', 'inner', 'third', 'fifth' }) do
    vim.api.nvim_win_set_cursor(0, { line_of('# ' .. name) + 1, 0 })
    equal(compiled_here(), '# ' .. name)
    vim.cmd('Psl weights')
    window_holds(('layer %d  # %s'):format(name == 'fifth' and 6 or number, name))
  end
  vim.cmd.buffer(program)
end)

step(':Psl weights shows the blocks of that layer', function()
  go_to('    region[N] = XQ')
  vim.cmd('Psl weights')
  local lines = window_holds('layer 3')
  assert(vim.tbl_contains(lines, 'b_v[r]: one-hot XQ: 1 of 62'), vim.inspect(lines))
end)

step(':Psl explain explains a diagnostic', function()
  vim.cmd('Psl explain non-causal')
  window_holds('# non-causal')
end)

step(':Psl reports unknown arguments', function()
  pcall(vim.cmd, 'Psl nothing')
  assert(messages_hold('psl: unknown subcommand nothing: use one of explain, explore, log, '))
  pcall(vim.cmd, 'Psl explain nothing')
  await('a message', function() return messages_hold('psl: unknown word `nothing`') end)
end)

step(':Psl completes subcommands, tests and diagnostics', function()
  local function completed(line) return vim.fn.getcompletion(line, 'cmdline') end
  equal(completed('Psl r'), { 'restart', 'run' })
  await('the name of a test', function() return vim.deep_equal(completed('Psl test s'), { 'swap' }) end)
  equal(completed('Psl explain non-'), { 'non-causal' })
end)

step(':Psl log opens the log', function()
  vim.cmd('Psl log')
  assert(vim.fn.bufname():find('lsp%.log$'), vim.fn.bufname())
  vim.cmd('bwipe')
end)

step('a run that ends during a request for lenses gets its lens', function()
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
  vim.cmd('Psl run Q a b + c A c * a b . Q d + e f A')
  await('lenses', function() return deliver end)
  window_holds('e f * d .')
  vim.cmd('Psl run Q a + b A b - a . Q c d + e A')
  window_holds('e - c d .')
  deliver()
  await('the later result', function() return lenses_on(first_line):find('e - c d .', 1, true) end)
end)

step('names are colored by their kind', function()
  local line, column = line_of('where prev_position[N] == 0')
  local function kind(offset, below)
    local found = vim.lsp.semantic_tokens.get_at_pos(0, line - 1 + (below or 0), column + offset)
    return found and found[1] and found[1].type
  end
  await('a token', function() return kind(0) end)
  equal({ kind(0), kind(6), kind(20), kind(4, 1) }, { 'keyword', 'variable', 'typeParameter', 'property' })
end)

step('read and written registers have different colors, light and dark', function()
  local written, read = '    field[N] = position[N]', 'where position[N] == position[N]'
  vim.cmd.colorscheme('habamax') -- A color scheme clears highlight groups: the plugin must restore its own.
  for _, background in ipairs({ 'light', 'dark' }) do
    vim.o.background = background
    vim.cmd.colorscheme('default')
    local colors = { token_color(written, 4), token_color(written, 15), token_color(read, 6) }
    assert(colors[1] ~= colors[2], ('%s: both are %s'):format(background, colors[1]))
    equal(colors[3], colors[2])
  end
end)

step('no word is colored as in the Property Specification Language', function()
  for number, line in ipairs(vim.api.nvim_buf_get_lines(0, 0, -1, true)) do
    for column = 1, #line do
      local group = vim.fn.synIDattr(vim.fn.synID(number, column, 1), 'name')
      assert(not group:lower():find('vhdl') and not group:lower():find('error'), group)
    end
  end
end)

step('inlay hints show when they are on, but without the layer, which the lens shows', function()
  vim.lsp.inlay_hint.enable(true)
  await('a hint', function() return #vim.lsp.inlay_hint.get({ bufnr = 0 }) > 0 end)
  for _, hint in ipairs(vim.lsp.inlay_hint.get({ bufnr = 0 })) do
    local label = hint.inlay_hint.label
    label = type(label) == 'string' and label or vim.iter(label):map(function(part) return part.value end):join('')
    assert(not label:find('layer'), label)
  end
  await('a lens', function() return lenses_on('where position[N] == position[N]'):find('Layer 1', 1, true) end)
  vim.lsp.inlay_hint.enable(false)
end)

step('go to the declaration and list the uses of a name', function()
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

step('document symbols list productions by label', function()
  local symbols = listed(vim.lsp.buf.document_symbol)
  assert(vim.iter(symbols):any(function(symbol) return symbol.text:find('P0: start with no region', 1, true) end))
end)

step('productions have folds, open at first', function()
  await('a fold', function() return vim.fn.foldlevel((line_of('    region[N] = R_INIT'))) > 0 end)
  equal(vim.fn.foldclosed((line_of('    region[N] = R_INIT'))), -1)
end)

step('the error of an invalid rename has no number', function()
  vim.cmd('messages clear')
  go_to('where prev_position[N] == 0', 6)
  vim.lsp.buf.rename('symbol')
  await('a message', function() return messages_hold('psl: ') end)
  assert(not vim.fn.execute('messages'):find('%-%d%d%d%d%d'), vim.fn.execute('messages'))
end)

step('a failing test is marked on its line', function()
  replace('"K L V F G H ."', '"K L V F G ."')
  vim.cmd.doautocmd('TextChanged') -- Neovim only triggers it when it waits for a key.
  go_to(swap)
  await('a fresh lens', function() return lenses_on(swap) == '▶ Run test swap | ◫ Explore' end)
  run_lens('psl.run')
  await('failing-test', function()
    local line = line_of(swap) - 1
    return vim.iter(vim.diagnostic.get(0, { lnum = line })):any(function(each) return each.code == 'failing-test' end)
  end)
  local lines = window_holds('✗ K L V F G H .')
  equal(lines[2], '  expected K L V F G .')
  assert(lines[3]:find('symbol 6', 1, true) and lines[3]:find('`H`', 1, true), lines[3])
end)

step('a test that cannot finish shows the reason', function()
  local program = vim.fn.bufnr()
  vim.cmd.edit('layout.psl')
  await('a client', function() return vim.lsp.get_clients({ name = 'psl', bufnr = 0 })[1] end)
  vim.cmd('Psl test')
  local lines = window_holds('✗ ')
  vim.cmd.buffer(program)
  assert(#lines == 1 and lines[1]:find('never stops', 1, true), vim.inspect(lines))
end)

step(':checkhealth reports no problem', function()
  vim.cmd('checkhealth psl')
  local report = table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, true), '\n')
  vim.cmd('bwipe')
  assert(report:find('`psl lsp` answers', 1, true) and report:find('pargen.psl is attached', 1, true), report)
  assert(not report:find('ERROR') and not report:find('WARNING'), report)
end)

step(':help has a page', function()
  vim.cmd('helptags ALL')
  vim.cmd('help :Psl')
  equal(vim.fn.expand('%:t'), 'psl.txt')
  vim.cmd('bwipe')
end)

local function kill()
  local client = vim.lsp.get_clients({ name = 'psl', bufnr = 0 })[1]
  local pid = vim.iter(vim.api.nvim_get_proc_children(vim.fn.getpid())):find(function(child)
    return io.open(('/proc/%d/comm'):format(child)):read('l') == 'psl'
  end)
  vim.uv.kill(pid, 'sigkill')
  await('the end', function() return client:is_stopped() end)
end

local function attached()
  local client = vim.lsp.get_clients({ name = 'psl', bufnr = 0 })[1]
  return client and client.initialized and not client:is_stopped()
end

step('a killed server is restarted and sends its diagnostics again', function()
  replace(sound, broken)
  -- The diagnostics of the current server only.
  local function found()
    local client, codes = vim.lsp.get_clients({ name = 'psl', bufnr = 0 })[1], {}
    for _, each in ipairs(vim.diagnostic.get(0)) do
      if vim.diagnostic.get_namespace(each.namespace).name:find(('psl.%d'):format(client.id), 1, true) then
        table.insert(codes, each.code)
      end
    end
    table.sort(codes)
    return table.concat(codes, ' ')
  end
  await('an error', function() return found():find('unknown-register', 1, true) end)
  local before = found()
  kill()
  await('a new server', attached)
  await('the same diagnostics', function() return found() == before end)
end)

step('a server killed repeatedly stays off until :Psl restart', function()
  vim.cmd('messages clear')
  for _ = 1, 2 do
    kill()
    await('a new server', attached)
  end
  kill()
  await('a message', function() return messages_hold('start it with :Psl restart') end)
  assert(not attached())
  vim.cmd('Psl restart')
  await('a new server', attached)
  await('an error', function() return #errors() > 0 end)
end)

step(':Psl restart replaces a running server', function()
  local client = vim.lsp.get_clients({ name = 'psl' })[1]
  vim.cmd('Psl restart')
  await('another server', function() return attached() and vim.lsp.get_clients({ name = 'psl' })[1].id ~= client.id end)
end)

step('the server attaches to psl.toml, but not to other TOML files', function()
  vim.cmd('new elsewhere/psl.toml')
  vim.api.nvim_buf_set_lines(0, 0, -1, true, { 'stop = 1', '[severity]', 'non-casual = "off"' })
  await('both errors', function() return #errors() == 2 end)
  vim.api.nvim_buf_set_lines(0, 0, 1, true, { 'stop = "!"' })
  await('one error', function() return #errors() == 1 end)
  go_to('[severity]', 2)
  vim.lsp.buf.hover()
  window_holds('The severity of each diagnostic')
  vim.cmd('bwipe!')
  vim.cmd('new elsewhere/other.toml')
  vim.wait(200)
  equal(vim.lsp.get_clients({ bufnr = 0 }), {})
  vim.cmd('bwipe!')
end)

step('the server ends with the session', function()
  local client = vim.lsp.get_clients({ name = 'psl' })[1]
  client:stop()
  await('its end', function() return client:is_stopped() end)
end)

steps.finish()
