-- The language server in Neovim before 0.11, with hover on K as in newer versions.
local M = {}

local id

local function start()
  if id and vim.lsp.get_client_by_id(id) then
    return id
  end
  if vim.fn.executable('psl') == 0 then
    vim.notify_once("psl: cannot run 'psl', the language server for PSL files: put it on the PATH", vim.log.levels.WARN)
    return
  end
  id = vim.lsp.start_client({ name = 'psl', cmd = { 'psl', 'lsp' }, root_dir = vim.fn.getcwd() })
  return id
end

function M.setup()
  vim.api.nvim_create_autocmd('FileType', {
    group = vim.api.nvim_create_augroup('psl', {}),
    pattern = 'psl',
    callback = function(event)
      local bufnr = event.buf or vim.api.nvim_get_current_buf()
      local client = start()
      if client then
        vim.lsp.buf_attach_client(bufnr, client)
        vim.keymap.set('n', 'K', vim.lsp.buf.hover, { buffer = bufnr })
      end
    end,
  })
end

return M
