-- Windows for results.
local M = {}

local shown

--- Shows lines near the cursor until the cursor moves or other lines are shown.
function M.float(lines, syntax)
  if shown and vim.api.nvim_win_is_valid(shown) then
    vim.api.nvim_win_close(shown, true)
  end
  local _, window = vim.lsp.util.open_floating_preview(lines, syntax or '', { border = 'rounded', max_width = 100 })
  shown = window
end

--- Shows lines in a split, with the cursor at one of them.
function M.split(name, filetype, lines, line)
  vim.cmd('botright new')
  local bufnr = vim.api.nvim_get_current_buf()
  vim.bo[bufnr].buftype = 'nofile'
  vim.bo[bufnr].bufhidden = 'wipe'
  vim.bo[bufnr].swapfile = false
  pcall(vim.api.nvim_buf_set_name, bufnr, 'psl://' .. name)
  vim.api.nvim_buf_set_lines(bufnr, 0, -1, true, lines)
  vim.bo[bufnr].modifiable = false
  vim.bo[bufnr].filetype = filetype
  vim.api.nvim_win_set_cursor(0, { line or 1, 0 })
end

return M
