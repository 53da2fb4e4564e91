-- Requests to the language server, and messages about its errors.
local M = {}

function M.notify(message, level)
  vim.notify('psl: ' .. message, level or vim.log.levels.ERROR)
end

function M.show_error(err)
  M.notify(err.message)
end

--- Warns once if the language server cannot be run.
function M.check_command()
  local command = vim.lsp.config.psl.cmd[1]
  if vim.fn.executable(command) == 0 then
    vim.notify_once(
      ("psl: cannot run '%s', the language server for PSL files: put it on the PATH, or set its path with "):format(command)
        .. "vim.lsp.config('psl', { cmd = { '/path/to/psl', 'lsp' } })",
      vim.log.levels.WARN
    )
  end
end

--- The client of a buffer, or nil.
function M.of(bufnr)
  return vim.lsp.get_clients({ name = 'psl', bufnr = bufnr })[1]
end

--- Runs a command of the server on a buffer. `done` gets the result, or nil after an error was shown.
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
