-- What is said to the language server, and what is shown of its errors.
local M = {}

function M.notify(message, level)
  vim.notify('psl: ' .. message, level or vim.log.levels.ERROR)
end

function M.show_error(err)
  M.notify(err.message)
end

--- Says once why a PSL file has no language server, where that is so.
function M.check_command()
  local command = vim.lsp.config.psl.cmd[1]
  if vim.fn.executable(command) == 0 then
    vim.notify_once(
      ("psl: cannot run '%s', so PSL files have no language server. Put it on PATH, or name it with "):format(command)
        .. "vim.lsp.config('psl', { cmd = { '/path/to/psl', 'lsp' } })",
      vim.log.levels.WARN
    )
  end
end

--- The client of a buffer, or nil.
function M.of(bufnr)
  return vim.lsp.get_clients({ name = 'psl', bufnr = bufnr })[1]
end

--- Has the server carry out a command about a buffer. `done` gets the result, or nil where an error was shown.
function M.execute(command, arguments, bufnr, done)
  local client = M.of(bufnr)
  if not client then
    return M.notify('no language server is attached to this buffer')
  end
  arguments = vim.tbl_extend('force', { uri = vim.uri_from_bufnr(bufnr) }, arguments)
  client:request('workspace/executeCommand', { command = command, arguments = { arguments } }, function(err, result)
    if err then
      M.show_error(err)
    end
    done(result)
  end, bufnr)
end

return M
