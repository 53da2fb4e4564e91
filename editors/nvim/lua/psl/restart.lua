-- Starts the language server again when it breaks off, though not for ever, and when asked to.
local M = {}

local LIMIT, WITHIN_MS = 3, 3 * 60 * 1000
local SIGTERM = 15 -- Neovim's own way to end a server that does not stop.

local crashes = {}
local wanted = false

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

--- What to do when the server has ended.
function M.after_exit(code, signal)
  local crashed = code ~= 0 or (signal ~= 0 and signal ~= SIGTERM)
  if not (wanted or crashed) or vim.v.exiting ~= vim.NIL then
    return
  end
  if wanted or may_start_again() then
    wanted = false
    start()
  else
    local message = 'the language server broke off %d times within 3 minutes and stays off; :Psl restart starts it'
    require('psl.client').notify(message:format(#crashes))
  end
end

--- Ends the server, if it runs, and starts it.
function M.restart()
  crashes = {}
  local clients = vim.lsp.get_clients({ name = 'psl' })
  if #clients == 0 then
    return start()
  end
  wanted = true
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
