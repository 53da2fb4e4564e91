if vim.fn.has('nvim-0.11') == 0 then
  vim.notify('psl: this plugin needs Neovim 0.11 or newer', vim.log.levels.WARN)
  return
end

vim.filetype.add({ extension = { psl = 'psl' } })
vim.lsp.enable('psl')

vim.api.nvim_create_user_command('PslRun', function(command)
  require('psl').run(command.args, vim.api.nvim_get_current_buf())
end, { nargs = '*', desc = 'Run the PSL program on a prompt' })

local group = vim.api.nvim_create_augroup('psl', {})
vim.api.nvim_create_autocmd('FileType', {
  group = group,
  pattern = 'psl',
  callback = function()
    require('psl').check_command()
  end,
})
vim.api.nvim_create_autocmd('LspAttach', {
  group = group,
  callback = function(event)
    if vim.lsp.get_client_by_id(event.data.client_id).name == 'psl' then
      require('psl').keep_lenses_fresh(event.buf)
    end
  end,
})
