-- Links the server's semantic tokens to tree-sitter's captures, by the table in grammars/colors.toml.
local M = {}

M.captures = {
  ['property.modification'] = 'property',
  ['variable'] = 'variable',
  ['variable.declaration'] = 'variable',
  ['parameter'] = 'variable.parameter',
  ['typeParameter'] = 'variable.builtin',
  ['enumMember'] = 'constant',
  ['enumMember.declaration'] = 'constant',
  ['string'] = 'string',
  ['number'] = 'number',
  ['keyword'] = 'keyword',
  ['function'] = 'function.builtin',
  ['operator'] = 'operator',
  ['property'] = 'attribute',
  ['string.declaration'] = 'string.special.symbol',
  ['macro'] = 'keyword.directive',
  ['comment.documentation'] = 'comment.documentation',
  ['comment'] = 'comment',
}

--- Links the highlight groups of the tokens, unless the user or the color scheme has set them.
function M.link()
  for token, capture in pairs(M.captures) do
    local group = ('@lsp.%s.%s.psl'):format(token:find('.', 1, true) and 'typemod' or 'type', token)
    vim.api.nvim_set_hl(0, group, { link = ('@%s.psl'):format(capture), default = true })
  end
end

return M
