-- What may stand behind a subcommand of :Psl.
local M = {}

--- The names of a buffer's tests, as its symbols have them.
function M.tests(bufnr)
  local client = require('psl.client').of(bufnr)
  local params = { textDocument = vim.lsp.util.make_text_document_params(bufnr) }
  local answer = client and client:request_sync('textDocument/documentSymbol', params, 3000, bufnr) or {}
  local names = {}
  for _, symbol in ipairs(answer.result or {}) do
    if symbol.kind == vim.lsp.protocol.SymbolKind.Event then
      table.insert(names, symbol.name:match('^test (.+)'))
    end
  end
  return names
end

--- The diagnostics that `psl explain` lists.
function M.diagnostics()
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

return M
