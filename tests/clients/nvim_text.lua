-- Writes how Neovim shows the open file without a server, as JSON to $OUT: for each line the indent, the result of indentexpr and
-- the syntax group of each byte; and the link of each syntax group.

local lines = {}
for number = 1, vim.fn.line('$') do
  local groups = {}
  for column = 1, #vim.fn.getline(number) do
    groups[column] = vim.fn.synIDattr(vim.fn.synID(number, column, 1), 'name')
  end
  vim.v.lnum = number
  local expected = vim.api.nvim_eval(vim.bo.indentexpr)
  lines[number] = { text = vim.fn.getline(number), indent = vim.fn.indent(number), expected = expected, groups = groups }
end

local links = {}
for group, target in vim.fn.execute('highlight'):gmatch('(%w+)%s+xxx%s+links to (%w+)') do
  links[group] = target
end

local out = { filetype = vim.bo.filetype, syntax = vim.b.current_syntax, lines = lines, links = links }
io.open(os.getenv('OUT'), 'w'):write(vim.fn.json_encode(out))
vim.cmd('qall!')
