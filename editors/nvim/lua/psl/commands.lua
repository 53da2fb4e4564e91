-- The subcommands of :Psl and the commands of lenses.
local client = require('psl.client')
local completion = require('psl.completion')
local result_lines = require('psl.result_lines')
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

local function run(arguments, bufnr)
  execute('psl.run', arguments, bufnr, function(result)
    window.float(result_lines.of_run(arguments.test, result))
  end)
end

local function run_prompt(prompt, bufnr)
  if prompt ~= '' then
    return run({ prompt = prompt }, bufnr)
  end
  -- Report a program that cannot run before asking for a prompt.
  client.execute('psl.compile', { emit = 'psl' }, bufnr, function(compiled)
    if not compiled then
      return
    end
    vim.ui.input({ prompt = 'Prompt: ' }, function(answer)
      if answer and answer ~= '' then
        run({ prompt = answer }, bufnr)
      end
    end)
  end)
end

local function run_all_tests(bufnr)
  execute('psl.tests', {}, bufnr, function(tests)
    window.float(result_lines.of_tests(tests))
  end)
end

-- Compiles to QKVL. `done` gets its text and the layer of the production at or above the cursor.
local function with_qkvl(bufnr, done)
  local row = vim.api.nvim_win_get_cursor(0)[1] - 1
  execute('psl.compile', { emit = 'qkvl' }, bufnr, function(result)
    local layer = result.layers[1]
    for _, each in ipairs(result.layers) do
      layer = each.line <= row and each or layer
    end
    done(result.text, layer)
  end)
end

local function code_at_cursor(bufnr)
  local row = vim.api.nvim_win_get_cursor(0)[1] - 1
  local found = vim.diagnostic.get(bufnr, { lnum = row })[1]
  return found and found.code
end

-- `run` gets the rest of the command line and the buffer. `complete` returns the candidates for the argument.
local subcommands = {
  run = { run = run_prompt },
  test = {
    run = function(name, bufnr)
      if name == '' then
        run_all_tests(bufnr)
      else
        run({ test = name }, bufnr)
      end
    end,
    complete = completion.tests,
  },
  trace = {
    run = function(prompt, bufnr)
      execute('psl.table', { prompt = prompt ~= '' and prompt or nil }, bufnr, function(result)
        window.split('trace', 'psltrace', vim.split(result.text, '\n', { trimempty = true }))
      end)
    end,
  },
  explore = {
    -- The language server opens a browser, or shows the address.
    run = function(prompt, bufnr)
      execute('psl.explore', { prompt = prompt ~= '' and prompt or nil }, bufnr, function() end)
    end,
  },
  qkvl = {
    run = function(_, bufnr)
      with_qkvl(bufnr, function(text, layer)
        -- The line below the brace names the layer.
        window.split('qkvl', 'json', vim.split(text, '\n', { trimempty = true }), layer and layer.text.start.line + 2)
      end)
    end,
  },
  weights = {
    run = function(_, bufnr)
      with_qkvl(bufnr, function(_, layer)
        execute('psl.compile', { emit = 'weights' }, bufnr, function(result)
          window.float(result_lines.of_weights(result.text, layer and layer.layer or 1))
        end)
      end)
    end,
  },
  explain = {
    run = function(code, bufnr)
      code = code ~= '' and code or code_at_cursor(bufnr)
      if not code then
        return client.notify('no diagnostic on this line: name one with :Psl explain CODE')
      end
      execute('psl.explain', { code = code }, bufnr, function(entry)
        window.float(vim.split(entry, '\n', { trimempty = true }), 'markdown')
      end)
    end,
    complete = completion.diagnostics,
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

local names = vim.tbl_keys(subcommands)
table.sort(names)

--- Runs a command line.
function M.run(line)
  local name, rest = line:match('^(%S+)%s*(.*)$')
  local subcommand = subcommands[name]
  if not subcommand then
    return client.notify(('unknown subcommand %s: use one of %s'):format(name, table.concat(names, ', ')))
  end
  subcommand.run(vim.trim(rest), vim.api.nvim_get_current_buf())
end

--- Completes a subcommand of :Psl, or its argument.
function M.complete(lead, line)
  local name = line:match('^%s*%S+%s+(%S+)%s')
  local candidates = names
  if name then
    local subcommand = subcommands[name]
    candidates = subcommand and subcommand.complete and subcommand.complete(vim.api.nvim_get_current_buf()) or {}
  end
  return vim.tbl_filter(function(candidate)
    return vim.startswith(candidate, lead)
  end, candidates)
end

--- Runs a `psl.run` lens. Asks for a prompt if the lens names neither a test nor a prompt.
function M.run_lens(arguments, bufnr)
  if arguments.test or arguments.prompt then
    run(arguments, bufnr)
  else
    run_prompt('', bufnr)
  end
end

--- Runs a `psl.tests` lens.
function M.tests_lens(_, bufnr)
  run_all_tests(bufnr)
end

return M
