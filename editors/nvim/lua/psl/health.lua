-- :checkhealth psl
local M = {}

local function check_binary()
  local command = vim.lsp.config.psl.cmd[1]
  if vim.fn.executable(command) == 0 then
    return vim.health.error(('cannot run `%s`'):format(command), {
      'put psl on the PATH',
      "or set its path: vim.lsp.config('psl', { cmd = { '/path/to/psl', 'lsp' } })",
    })
  end
  local version = vim.trim(vim.fn.system({ command, '--version' }))
  vim.health.ok(('%s: %s'):format(vim.fn.exepath(command), version))
end

-- Starts a separate server, so the check works without an open program.
local function check_server()
  local scratch = vim.api.nvim_create_buf(false, true)
  vim.api.nvim_buf_set_name(scratch, vim.fn.tempname() .. '.psl')
  local config = vim.tbl_extend('force', vim.lsp.config.psl, { name = 'psl-health', on_exit = function() end })
  local id = vim.lsp.start(config, { bufnr = scratch, reuse_client = function() return false end })
  local client = id and vim.lsp.get_client_by_id(id)
  local answers = client and vim.wait(5000, function() return client.initialized end, 20)
  if answers then
    vim.health.ok(('`%s` answers'):format(table.concat(config.cmd, ' ')))
  else
    vim.health.error(('`%s` does not answer'):format(table.concat(config.cmd, ' ')), { 'see :Psl log' })
  end
  if client then
    client:stop(not answers)
  end
  vim.api.nvim_buf_delete(scratch, { force = true })
end

local function check_messages()
  local shown = vim.diagnostic.config()
  if not (shown.virtual_text or shown.virtual_lines) then
    vim.health.info('CTRL-W d shows the message of a problem, vim.diagnostic.config({ virtual_text = true }) all beside their lines')
  end
end

local function check_buffers()
  local open = vim.tbl_filter(function(bufnr)
    return vim.api.nvim_buf_is_loaded(bufnr) and vim.bo[bufnr].filetype == 'psl'
  end, vim.api.nvim_list_bufs())
  for _, bufnr in ipairs(open) do
    local name = vim.fn.bufname(bufnr)
    if require('psl.client').of(bufnr) then
      vim.health.ok(name .. ' is attached')
    else
      vim.health.warn(name .. ' has no language server', { ':Psl restart' })
    end
  end
end

function M.check()
  if vim.fn.has('nvim-0.11') == 0 then
    vim.fn['health#report_start']('psl')
    return vim.fn['health#report_warn']('Neovim before 0.11 has highlighting, indentation, diagnostics and hover only')
  end
  vim.health.start('psl')
  vim.health.ok(('Neovim %s'):format(vim.version()))
  if vim.filetype.match({ filename = 'a.psl' }) == 'psl' then
    vim.health.ok('*.psl files have the filetype psl')
  else
    vim.health.error('*.psl files do not have the filetype psl')
  end
  check_binary()
  if vim.fn.executable(vim.lsp.config.psl.cmd[1]) == 1 then
    check_server()
    check_buffers()
  end
  check_messages()
  if vim.treesitter.language.add('psl') then
    vim.health.ok('tree-sitter has a parser for psl')
  else
    vim.health.info('tree-sitter has no parser for psl: the syntax file highlights instead')
  end
end

return M
