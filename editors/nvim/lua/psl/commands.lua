-- The subcommands of :Psl, and the lenses that run something.
local client = require('psl.client')
local window = require('psl.window')

local M = {}

local function execute(command, arguments, bufnr, done)
  client.execute(command, arguments, bufnr, function(result)
    require('psl.lenses').refresh(bufnr)
    if result then
      done(result)
    end
  end)
end

-- Asks for a prompt where none is given. A program that cannot run says so before.
local function with_prompt(prompt, bufnr, done)
  if prompt ~= '' then
    return done(prompt)
  end
  client.execute('psl.compile', { emit = 'psl' }, bufnr, function(compiled)
    if not compiled then
      return
    end
    vim.ui.input({ prompt = 'Prompt: ' }, function(answer)
      if answer and answer ~= '' then
        done(answer)
      end
    end)
  end)
end

-- What the server left out is null in a list.
local function given(value)
  if value ~= vim.NIL then
    return value
  end
end

local function test_lines(name, test)
  local got = given(test.continuation)
  local named = type(name) == 'string' and name .. ': ' or ''
  local lines = { ('%s %s%s'):format(test.passed and '✓' or '✗', named, got or test.error) }
  if got and not test.passed then
    table.insert(lines, '  expected ' .. test.gold)
  end
  table.insert(lines, given(test.explanation) and '  ' .. test.explanation)
  return lines
end

local function show_run(arguments, bufnr)
  execute('psl.run', arguments, bufnr, function(result)
    local lines = { result.continuation .. (result.stopped == 'max-new' and ' …' or '') }
    if result.gold then
      lines = test_lines(arguments.test, result)
    end
    table.insert(lines, result.note and 'note: ' .. result.note)
    window.float(lines)
  end)
end

local function show_trace(lines)
  local shown, layer = {}, nil
  for _, line in ipairs(lines) do
    local heading = ('step %d  layer %d%s  %s'):format(
      line.step,
      line.layer,
      #line.pass > 0 and ('  pass ' .. table.concat(line.pass, '.')) or '',
      given(line.production) or ''
    )
    if next(line.set) then
      if heading ~= layer then
        layer = heading
        table.insert(shown, heading)
      end
      local set = {}
      for register, value in vim.spairs(line.set) do
        table.insert(set, ('%s = %s'):format(register, value))
      end
      table.insert(shown, ('    cell %d from %d: %s'):format(line.cell, line.attends, table.concat(set, ', ')))
    end
  end
  window.split('trace', shown, 'psltrace')
end

-- Compiles to QKVL; `done` gets its text and the layer of the production at the cursor, or the one above it.
local function with_qkvl(bufnr, done)
  local row = vim.api.nvim_win_get_cursor(0)[1] - 1
  execute('psl.compile', { emit = 'qkvl' }, bufnr, function(result)
    local layer
    for _, each in ipairs(result.layers) do
      layer = each.line <= row and each.layer or layer
    end
    done(result.text, layer or 1)
  end)
end

local function show_qkvl(text, layer)
  local lines = vim.split(text, '\n', { trimempty = true })
  local at, seen = 1, 0
  for number, line in ipairs(lines) do
    seen = seen + (line:find('^%s*"layer_comment":') and 1 or 0)
    if seen == layer then
      at = number
      break
    end
  end
  window.split('qkvl', lines, 'json', at)
end

local function show_weights(text, layer)
  local summary = vim.json.decode(text)
  local found = summary.layers[layer]
  local lines = { ('layer %d  %s'):format(layer, given(found.label) or '') }
  vim.list_extend(lines, found.blocks)
  table.insert(lines, ('vectors of %d: %d registers of %d'):format(summary.vector, #summary.registers, summary.vocabulary))
  window.float(lines)
end

-- The names of the buffer's tests, as its symbols have them.
local function test_names(bufnr)
  local at = client.of(bufnr)
  local params = { textDocument = vim.lsp.util.make_text_document_params(bufnr) }
  local answer = at and at:request_sync('textDocument/documentSymbol', params, 1000, bufnr) or {}
  local names = {}
  for _, symbol in ipairs(answer.result or {}) do
    if symbol.kind == vim.lsp.protocol.SymbolKind.Event then
      table.insert(names, symbol.name:match('^test (.+)'))
    end
  end
  return names
end

-- The diagnostics that `psl explain` lists.
local function codes()
  local listed = vim.fn.systemlist({ vim.lsp.config.psl.cmd[1], 'explain' })
  local names, wanted = {}, false
  for _, line in ipairs(listed) do
    local heading = line:match('^(%a+):')
    if heading then
      wanted = heading == 'error' or heading == 'warning'
    elseif wanted then
      table.insert(names, line:match('^  (%S+)'))
    end
  end
  return names
end

local function code_at_cursor(bufnr)
  local row = vim.api.nvim_win_get_cursor(0)[1] - 1
  local found = vim.diagnostic.get(bufnr, { lnum = row })[1]
  return found and found.code
end

--- Runs a `psl.run` lens: one that names neither a test nor a prompt asks for the prompt.
function M.run_lens(arguments, bufnr)
  if arguments.test or arguments.prompt then
    show_run(arguments, bufnr)
  else
    M.subcommands.run.run('', bufnr)
  end
end

--- Runs all tests of a buffer.
function M.run_all_tests(_, bufnr)
  execute('psl.tests', {}, bufnr, function(tests)
    local lines = {}
    for _, test in ipairs(tests) do
      vim.list_extend(lines, test_lines(test.name, test))
    end
    window.float(#lines > 0 and lines or { 'This program has no tests.' })
  end)
end

--- Each takes the rest of the command line and the buffer; `complete` gives what may stand there.
M.subcommands = {
  run = {
    run = function(prompt, bufnr)
      with_prompt(prompt, bufnr, function(answer)
        show_run({ prompt = answer }, bufnr)
      end)
    end,
  },
  test = {
    run = function(name, bufnr)
      if name == '' then
        M.run_all_tests(nil, bufnr)
      else
        show_run({ test = name }, bufnr)
      end
    end,
    complete = test_names,
  },
  trace = {
    run = function(prompt, bufnr)
      execute('psl.trace', { prompt = prompt ~= '' and prompt or nil }, bufnr, show_trace)
    end,
  },
  qkvl = {
    run = function(_, bufnr)
      with_qkvl(bufnr, show_qkvl)
    end,
  },
  weights = {
    run = function(_, bufnr)
      with_qkvl(bufnr, function(_, layer)
        execute('psl.compile', { emit = 'weights' }, bufnr, function(result)
          show_weights(result.text, layer)
        end)
      end)
    end,
  },
  explain = {
    run = function(code, bufnr)
      code = code ~= '' and code or code_at_cursor(bufnr)
      if not code then
        return client.notify('no diagnostic stands on this line; name one: :Psl explain CODE')
      end
      execute('psl.explain', { code = code }, bufnr, function(entry)
        window.float(vim.split(entry, '\n', { trimempty = true }), 'markdown')
      end)
    end,
    complete = codes,
  },
  log = {
    run = function()
      vim.cmd.split(vim.fn.fnameescape(vim.lsp.log.get_filename()))
    end,
  },
  restart = {
    run = function()
      require('psl.restart').restart()
    end,
  },
}

--- Runs a command line.
function M.run(line)
  local name, rest = line:match('^(%S+)%s*(.*)$')
  local subcommand = M.subcommands[name]
  if not subcommand then
    return client.notify(('there is no :Psl %s; there are %s'):format(name, table.concat(M.names(), ', ')))
  end
  subcommand.run(vim.trim(rest), vim.api.nvim_get_current_buf())
end

function M.names()
  local names = vim.tbl_keys(M.subcommands)
  table.sort(names)
  return names
end

--- What may stand behind :Psl, or behind one of its subcommands.
function M.complete(lead, line)
  local name = line:match('^%s*%S+%s+(%S+)%s')
  local candidates = M.names()
  if name then
    local subcommand = M.subcommands[name]
    candidates = subcommand and subcommand.complete and subcommand.complete(vim.api.nvim_get_current_buf()) or {}
  end
  return vim.tbl_filter(function(candidate)
    return vim.startswith(candidate, lead)
  end, candidates)
end

return M
