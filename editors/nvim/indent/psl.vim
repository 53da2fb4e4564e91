" Indents like `psl fmt`, relative to the nearest statement or declaration above.

if exists('b:did_indent')
  finish
endif
let b:did_indent = 1

setlocal indentexpr=PslIndent(v:lnum)
setlocal indentkeys=0=where,0=repeat,0=until,0=causal_attn,0},0),],<:>,!^F,o,O
setlocal nosmartindent
let b:undo_indent = 'setlocal indentexpr< indentkeys< smartindent<'

if exists('*PslIndent')
  finish
endif

let s:comment = '^\s*\%(#\|//\)'
let s:statement = '^\s*\%(where\|where_lm\|where_rm\|repeat\|until\|causal_attn\|[cC]ausal_[aA]ttn\|CAUSAL_ATTN\)\>'
let s:declaration = '^\s*\%(registers\|constants\|system\|watch\)\s*\%(:\|{\|\[\|$\)'

" A line without strings and comments.
function s:code(lnum) abort
  let strings = '"\%(\\.\|[^"\\]\)*\%("\|$\)\|''\%(\\.\|[^''\\]\)*\%(''\|$\)'
  return substitute(substitute(getline(a:lnum), strings, '_', 'g'), '\%(#\|//\).*', '', '')
endfunction

" The number of brackets that these lines open and do not close.
function s:open_brackets(first, last) abort
  let depth = 0
  for lnum in range(a:first, a:last)
    let code = s:code(lnum)
    let depth += len(substitute(code, '[^\[{]', '', 'g')) - len(substitute(code, '[^\]}]', '', 'g'))
  endfor
  return depth
endfunction

" The nearest line above that starts a statement or a declaration, or 0.
function s:head(lnum) abort
  let lnum = prevnonblank(a:lnum - 1)
  while lnum > 0 && getline(lnum) !~# s:statement && getline(lnum) !~# s:declaration
    let lnum = prevnonblank(lnum - 1)
  endwhile
  return lnum
endfunction

" A comment is indented like the code below it, or stays with the code above.
function s:comment_indent(lnum) abort
  let next = nextnonblank(a:lnum + 1)
  while next > 0 && getline(next) =~# s:comment
    let next = nextnonblank(next + 1)
  endwhile
  let closes = next > 0 && getline(next) =~# '^\s*\%(until\>\|[}\]]\)'
  let inside = PslIndent(a:lnum, '')
  return next == 0 || closes || indent(a:lnum) == inside ? inside : PslIndent(next)
endfunction

" The indent of a line, or of the given text on that line.
function PslIndent(lnum, ...) abort
  let text = a:0 ? a:1 : getline(a:lnum)
  if text =~# s:comment
    return s:comment_indent(a:lnum)
  endif
  let head = s:head(a:lnum)
  if text =~# s:declaration || head == 0
    return 0
  endif
  let start = getline(head)
  let margin = indent(head)
  let step = shiftwidth()
  if text =~# s:statement
    let level = margin + (start =~# '^\s*repeat\>' ? step : 0)
    return start =~# s:declaration ? 0 : text =~# '^\s*until\>' ? max([level - step, 0]) : level
  endif
  let closes = text =~# '^\s*[}\]]'
  let in_brackets = s:open_brackets(head, a:lnum - 1) > (closes ? 1 : 0)
  if start =~# s:declaration
    return in_brackets ? step : 0
  endif
  " `until` and `causal_attn` take one line, but the conditions of `until` may continue on the next.
  let continues = start =~# '^\s*\%(repeat\|where\)' || closes || in_brackets
        \ || s:code(prevnonblank(a:lnum - 1)) =~# '\%(\<until\|\<and\)\s*$'
  return margin + (continues ? step : 0) + (in_brackets ? step : 0)
endfunction
