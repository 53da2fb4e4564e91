-- Completion of the arguments of :Psl's subcommands.
local M = {}

--- The names of a buffer's tests, from its document symbols.
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

--- The diagnostics that `psl explain` lists, by subject and before the keywords.
function M.diagnostics()
  local listed = vim.fn.systemlist({ vim.lsp.config.psl.cmd[1], 'explain' })
  local names = {}
  for _, line in ipairs(listed) do
    if line == 'keyword:' then
      break
    end
    table.insert(names, line:match('^  (%S+)'))
  end
  return names
end

return M
