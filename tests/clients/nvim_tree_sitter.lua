-- Writes how tree-sitter shows the open file in Neovim, as JSON to $OUT: whether it highlights the buffer, and for each line
-- the fold level and the last capture of each byte.

local buffer = vim.api.nvim_get_current_buf()
local tree = vim.treesitter.get_parser(buffer):parse(true)[1]
local query = vim.treesitter.query.get('psl', 'highlights')
local lines = {}
-- Neovim computes folds in the background. Every program ends in a fold.
vim.wait(20000, function() return vim.fn.foldlevel('$') > 0 end, 20)
for number = 1, vim.fn.line('$') do
  local text = vim.fn.getline(number)
  lines[number] = { text = text, fold = vim.fn.foldlevel(number), captures = vim.split(('-'):rep(#text), '') }
end
-- Later captures win. No colored node spans several lines.
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
