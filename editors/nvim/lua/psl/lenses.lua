-- Updates the code lenses after edits and runs. Neovim's own refresh does nothing while a request for lenses is pending, so they
-- could stay outdated.
local M = {}

-- The buffers with a pending request for lenses: 'asked', or 'again' if something has changed since the request.
local pending = {}

function M.refresh(bufnr)
  if pending[bufnr] then
    pending[bufnr] = 'again'
    return
  end
  local client = require('psl.client').of(bufnr)
  if not client then
    return
  end
  local params = { textDocument = vim.lsp.util.make_text_document_params(bufnr) }
  local sent = client:request('textDocument/codeLens', params, function(err, result, context)
    local again = pending[bufnr] == 'again'
    pending[bufnr] = nil
    if again then
      M.refresh(bufnr)
    end
    -- If an edit caused the error, that edit has requested lenses again.
    if not err then
      vim.lsp.codelens.on_codelens(nil, result, context)
    end
  end, bufnr)
  pending[bufnr] = sent and 'asked' or nil
end

function M.keep_fresh(bufnr)
  pending[bufnr] = nil -- A request to a previous server may never be answered.
  vim.api.nvim_create_autocmd({ 'BufEnter', 'InsertLeave', 'TextChanged' }, {
    group = vim.api.nvim_create_augroup('psl_lenses_' .. bufnr, {}),
    buffer = bufnr,
    callback = function()
      M.refresh(bufnr)
    end,
  })
  M.refresh(bufnr)
end

return M
