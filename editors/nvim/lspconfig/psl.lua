---@brief
---
--- The language server of PSL, the Production System Language.
---
--- Put `psl` on the `PATH`, and let Neovim know the files:
---
--- ```lua
--- vim.filetype.add({ extension = { psl = 'psl' } })
--- vim.lsp.enable('psl')
--- ```

---@type vim.lsp.Config
return {
  cmd = { 'psl', 'lsp' },
  filetypes = { 'psl' },
  root_markers = { 'psl.toml', '.git' },
}
