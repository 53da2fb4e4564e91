if vim.fn.has('nvim-0.11') == 0 then
  require('psl.old_client').setup()
  return
end

require('psl.colors').link()
vim.lsp.enable('psl')

vim.api.nvim_create_user_command('Psl', function(command)
  require('psl.commands').run(command.args)
end, {
  nargs = '+',
  desc = 'Run, test or explain the PSL program in this buffer',
  complete = function(lead, line)
    return require('psl.commands').complete(lead, line)
  end,
})

local group = vim.api.nvim_create_augroup('psl', {})
vim.api.nvim_create_autocmd('FileType', {
  group = group,
  pattern = 'psl',
  callback = function()
    require('psl.client').check_command()
  end,
})
vim.api.nvim_create_autocmd('LspAttach', {
  group = group,
  callback = function(event)
    local name = vim.lsp.get_client_by_id(event.data.client_id).name
    if name == 'psl' and vim.bo[event.buf].filetype == 'psl' then
      require('psl.lenses').keep_fresh(event.buf)
    end
  end,
})
