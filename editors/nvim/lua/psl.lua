-- What the editor adds to the language server: it asks for a prompt, and keeps the code lenses fresh.
local M = {}

local function notify(message, level)
  vim.notify('psl: ' .. message, level)
end

--- Says once why a PSL file has no language server, where that is so.
function M.check_command()
  local command = vim.lsp.config.psl.cmd[1]
  if vim.fn.executable(command) == 0 then
    vim.notify_once(
      ("psl: cannot run '%s', so PSL files have no language server. Put it on PATH, or name it with "):format(command)
        .. "vim.lsp.config('psl', { cmd = { '/path/to/psl', 'lsp' } })",
      vim.log.levels.WARN
    )
  end
end

-- The buffers whose code lenses are on their way: 'asked', or 'again' where something changed since they were asked for.
local lenses = {}

-- Neovim's own refresh does nothing while lenses are on their way, so they could stay outdated.
local function refresh_lenses(bufnr)
  if lenses[bufnr] then
    lenses[bufnr] = 'again'
    return
  end
  local client = vim.lsp.get_clients({ name = 'psl', bufnr = bufnr })[1]
  if not client then
    return
  end
  local params = { textDocument = vim.lsp.util.make_text_document_params(bufnr) }
  local sent = client:request('textDocument/codeLens', params, function(err, result, context)
    local again = lenses[bufnr] == 'again'
    lenses[bufnr] = nil
    if again then
      refresh_lenses(bufnr)
    end
    -- An edit that overtook the request has asked for lenses itself.
    if not err then
      vim.lsp.codelens.on_codelens(nil, result, context)
    end
  end, bufnr)
  lenses[bufnr] = sent and 'asked' or nil
end

--- Keeps the code lenses of a buffer as fresh as its text.
function M.keep_lenses_fresh(bufnr)
  lenses[bufnr] = nil -- The server that was asked before may be gone.
  vim.api.nvim_create_autocmd({ 'BufEnter', 'InsertLeave', 'TextChanged' }, {
    group = vim.api.nvim_create_augroup('psl_lenses_' .. bufnr, {}),
    buffer = bufnr,
    callback = function()
      refresh_lenses(bufnr)
    end,
  })
  refresh_lenses(bufnr)
end

local function execute(arguments, bufnr)
  local client = vim.lsp.get_clients({ name = 'psl', bufnr = bufnr })[1]
  if not client then
    return notify('no language server is attached to this buffer', vim.log.levels.ERROR)
  end
  local params = { command = 'psl.run', arguments = { arguments } }
  client:request('workspace/executeCommand', params, function(err)
    if err then
      notify(err.message, vim.log.levels.ERROR)
    end
    refresh_lenses(bufnr)
  end, bufnr)
end

--- Runs the buffer's program on a prompt, asking for one where none is given.
function M.run(prompt, bufnr)
  if prompt and prompt ~= '' then
    return execute({ uri = vim.uri_from_bufnr(bufnr), prompt = prompt }, bufnr)
  end
  vim.ui.input({ prompt = 'Prompt: ' }, function(answer)
    if answer and answer ~= '' then
      M.run(answer, bufnr)
    end
  end)
end

--- Runs a `psl.run` lens: a lens that names neither a test nor a prompt asks for the prompt.
function M.run_lens(arguments, bufnr)
  if arguments.test or arguments.prompt then
    execute(arguments, bufnr)
  else
    M.run(nil, bufnr)
  end
end

return M
