-- Types the lines of the file $LINES key by key, with Enter after each, and prints how many had a list of completions at the end.
-- Neovim lists completions only for keys that arrive one by one.

local typing
local function wait(milliseconds)
  vim.defer_fn(function()
    coroutine.resume(typing)
  end, milliseconds)
  coroutine.yield()
end

typing = coroutine.create(function()
  while #vim.lsp.get_clients() == 0 do
    wait(20)
  end
  vim.api.nvim_input('i')
  local listed = 0
  for _, line in ipairs(vim.fn.readfile(os.getenv('LINES'))) do
    for key in line:gmatch('.') do
      vim.api.nvim_input(key)
      wait(10)
    end
    -- The list comes after an answer of the server, or not at all.
    wait(200)
    listed = listed + vim.fn.pumvisible()
    vim.api.nvim_input('<CR>')
    wait(10)
  end
  io.stdout:write(('%d listed\n'):format(listed))
  vim.api.nvim_input('<Esc>:wqall!<CR>')
end)
coroutine.resume(typing)
