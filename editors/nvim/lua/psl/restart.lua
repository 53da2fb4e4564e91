-- Restarts the language server on request and after a crash, within a limit.
local M = {}

local LIMIT, WITHIN_MS = 3, 3 * 60 * 1000
local SIGTERM = 15 -- Neovim sends it to a server that does not stop.

local crashes = {}
local requested = false

local function start()
  vim.lsp.enable('psl')
end

local function may_start_again()
  local now = vim.uv.now()
  crashes = vim.tbl_filter(function(time)
    return now - time < WITHIN_MS
  end, crashes)
  table.insert(crashes, now)
  return #crashes <= LIMIT
end

--- Handles the exit of the server.
function M.after_exit(code, signal)
  local crashed = code ~= 0 or (signal ~= 0 and signal ~= SIGTERM)
  if not (requested or crashed) or vim.v.exiting ~= vim.NIL then
    return
  end
  if requested or may_start_again() then
    requested = false
    start()
  else
    local message = 'the language server crashed %d times within 3 minutes: start it with :Psl restart'
    require('psl.client').notify(message:format(#crashes))
  end
end

--- Stops the server if it runs, and starts a new one.
function M.restart()
  crashes = {}
  local clients = vim.lsp.get_clients({ name = 'psl' })
  if #clients == 0 then
    return start()
  end
  requested = true
  for _, client in ipairs(clients) do
    client:stop()
    vim.defer_fn(function()
      if not client:is_stopped() then
        client:stop(true)
      end
    end, 2000)
  end
end

return M
