-- What tree-sitter makes of the open file in Neovim, as JSON in the file $OUT: whether it colours the buffer, and for each
-- line its fold level and for each byte the name of the last capture.

local buffer = vim.api.nvim_get_current_buf()
local tree = vim.treesitter.get_parser(buffer):parse(true)[1]
local query = vim.treesitter.query.get('psl', 'highlights')
local lines = {}
-- Neovim finds folds in the background; every program ends in one.
vim.wait(20000, function() return vim.fn.foldlevel('$') > 0 end, 20)
for number = 1, vim.fn.line('$') do
  local text = vim.fn.getline(number)
  lines[number] = { text = text, fold = vim.fn.foldlevel(number), captures = vim.split(('-'):rep(#text), '') }
end
-- Later captures win; none of what is coloured goes over a line's end.
for id, node in query:iter_captures(tree:root(), buffer) do
  local row, first, last_row, last = node:range()
  if query.captures[id] ~= 'spell' and row == last_row then
    for column = first + 1, last do
      lines[row + 1].captures[column] = query.captures[id]
    end
  end
end

local active = vim.treesitter.highlighter.active[buffer] ~= nil
io.open(os.getenv('OUT'), 'w'):write(vim.json.encode({ active = active, lines = lines }))
vim.cmd('qall!')
