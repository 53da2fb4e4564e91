-- Helpers for the sessions in Neovim: each step prints "ok NAME" or "not ok NAME: REASON".
local M = { failures = 0 }

function M.step(name, body)
  local ok, why = pcall(body)
  M.failures = M.failures + (ok and 0 or 1)
  io.stdout:write(ok and ('ok %s\n'):format(name) or ('not ok %s: %s\n'):format(name, tostring(why)))
end

--- Waits until `condition` returns a value, and returns it.
function M.await(what, condition)
  local value
  vim.wait(20000, function()
    value = condition()
    return value
  end, 20)
  return assert(value or nil, 'no ' .. what .. ' after 20 s')
end

function M.errors()
  return vim.diagnostic.get(0, { severity = vim.diagnostic.severity.ERROR })
end

--- Ends Neovim, with exit code 1 if a step failed.
function M.finish()
  vim.cmd(M.failures == 0 and 'qall!' or 'cquit! 1')
end

return M
