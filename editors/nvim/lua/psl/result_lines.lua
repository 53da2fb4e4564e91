-- Formats the results of the server's commands as lines.
local M = {}

-- A missing value is null.
local function given(value)
  if value ~= vim.NIL then
    return value
  end
end

--- The result of a test. The name may be missing.
function M.of_test(name, test)
  local got = given(test.continuation)
  local named = type(name) == 'string' and name .. ': ' or ''
  local lines = { ('%s %s%s'):format(test.passed and '✓' or '✗', named, got or test.error) }
  if got and not test.passed then
    table.insert(lines, '  expected ' .. test.gold)
  end
  table.insert(lines, given(test.explanation) and '  ' .. test.explanation)
  return lines
end

--- The result of a run on a prompt or of a test.
function M.of_run(name, result)
  local lines = { result.continuation .. (result.stopped == 'max-new' and ' …' or '') }
  if result.gold then
    lines = M.of_test(name, result)
  end
  table.insert(lines, result.note and 'note: ' .. result.note)
  return lines
end

--- The results of all tests of a program.
function M.of_tests(tests)
  local lines = {}
  for _, test in ipairs(tests) do
    vim.list_extend(lines, M.of_test(test.name, test))
  end
  return #lines > 0 and lines or { 'This program has no tests.' }
end

--- The weight blocks of a layer.
function M.of_weights(text, layer)
  local summary = vim.json.decode(text)
  local found = summary.layers[layer]
  local lines = { ('layer %d  %s'):format(layer, given(found.label) or '') }
  vim.list_extend(lines, found.blocks)
  table.insert(lines, ('vectors of %d: %d registers of %d'):format(summary.vector, #summary.registers, summary.vocabulary))
  return lines
end

return M
