-- Keeps the code lenses as fresh as the text and the last run. Neovim's own refresh does nothing while lenses are on their
-- way, so they could stay outdated.
local M = {}

-- The buffers whose lenses are on their way: 'asked', or 'again' where something changed since they were asked for.
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
    -- An edit that overtook the request has asked for lenses itself.
    if not err then
      vim.lsp.codelens.on_codelens(nil, result, context)
    end
  end, bufnr)
  pending[bufnr] = sent and 'asked' or nil
end

function M.keep_fresh(bufnr)
  pending[bufnr] = nil -- The server that was asked before may be gone.
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
