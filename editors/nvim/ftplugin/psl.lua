if vim.b.did_ftplugin then
  return
end
vim.b.did_ftplugin = 1

vim.bo.comments = ':#,://'
vim.bo.commentstring = '# %s'
vim.bo.expandtab = true
vim.bo.shiftwidth = 4
vim.b.undo_ftplugin = 'setlocal comments< commentstring< expandtab< shiftwidth<'

if vim.fn.has('nvim-0.11') == 0 then
  return
end

local parses = vim.treesitter.language.add('psl')
if parses then
  vim.treesitter.start()
end
local window = vim.wo[0][0]
window.foldmethod = 'expr'
window.foldexpr = parses and 'v:lua.vim.treesitter.foldexpr()' or 'v:lua.vim.lsp.foldexpr()'
window.foldlevel = 99
vim.b.undo_ftplugin = vim.b.undo_ftplugin .. ' foldmethod< foldexpr< foldlevel<'
