-- What the server's semantic tokens look like: as tree-sitter's captures do. grammars/colours.toml has the reasons.
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

--- Links the highlight groups of the tokens, where the user or the colour scheme has not set them.
function M.link()
  for token, capture in pairs(M.captures) do
    local group = ('@lsp.%s.%s.psl'):format(token:find('.', 1, true) and 'typemod' or 'type', token)
    vim.api.nvim_set_hl(0, group, { link = ('@%s.psl'):format(capture), default = true })
  end
end

return M
