" PSL, the Production System Language. The syntax is set at the end of this file, so that Neovim does not load its own syntax of
" the same name, for the Property Specification Language.

if exists('b:current_syntax')
  finish
endif

syntax case match
syntax iskeyword @,48-57,_

" ---- Conditions and assignments. Of two items that match at the same place, the later one wins. ----

syntax match pslConstant /\<\h\w*\>/
syntax match pslConstant /-\?\<\d\+\%(\.\d\+\)\?\>/
syntax region pslConstant oneline start=/"/ skip=/\\./ end=/"\|$/
syntax region pslConstant oneline start=/'/ skip=/\\./ end=/'\|$/
syntax match pslHole /?/
syntax match pslHole /?\ze\s*\[/ nextgroup=pslCell skipwhite
syntax match pslRegisterRead /\<\h\w*\ze\s*\[/ nextgroup=pslCell skipwhite
syntax match pslRegisterWritten /\<\h\w*\ze\s*\[\s*[N?]\s*\]\s*=\%([^=]\|$\)/ nextgroup=pslCell skipwhite
syntax region pslCell contained oneline transparent start=/\[/ end=/\]\|$/ contains=pslCellRead,pslCellUpdated,pslHole
syntax keyword pslCellRead contained n
syntax keyword pslCellUpdated contained N

syntax match pslOperator /[!=]=\|=/
syntax match pslOperator /@/ nextgroup=pslFunction skipwhite
syntax keyword pslFunction contained pos_increment pos_decrement

syntax keyword pslKeyword where where_lm where_rm and not in repeat until NO_CHANGE
syntax match pslKeyword /\c\<causal_attn\>/ nextgroup=pslCausal skipwhite
syntax match pslCausal contained /:/ nextgroup=pslCausalValue skipwhite
syntax keyword pslCausalValue contained true false reverse

" ---- Declarations. The name before a colon is declared. ----

syntax keyword pslKeyword registers nextgroup=pslRegisters skipwhite skipempty
syntax region pslRegisters contained transparent start=/:\?\_s*{/ end=/}/ contains=pslRegisterDeclared,pslToShortName,@pslComments
syntax match pslRegisterDeclared contained /\<\h\w*\>/
syntax region pslRegisterDeclared contained oneline start=/"/ skip=/\\./ end=/"\|$/
syntax region pslRegisterDeclared contained oneline start=/'/ skip=/\\./ end=/'\|$/
syntax match pslToShortName contained /:\%(\_s*{\)\@!/ nextgroup=pslShortName skipwhite skipempty
syntax match pslShortName contained /\<\h\w*\>/
syntax region pslShortName contained oneline start=/"/ skip=/\\./ end=/"\|$/
syntax region pslShortName contained oneline start=/'/ skip=/\\./ end=/'\|$/

syntax keyword pslKeyword constants nextgroup=pslConstants skipwhite skipempty
syntax region pslConstants contained transparent start=/:\?\_s*{/ end=/}/ contains=pslConstantDeclared,pslToValue,@pslComments
syntax match pslConstantDeclared contained /\<\h\w*\>/
syntax match pslConstantDeclared contained /-\?\<\d\+\%(\.\d\+\)\?\>/
syntax region pslConstantDeclared contained oneline start=/"/ skip=/\\./ end=/"\|$/
syntax region pslConstantDeclared contained oneline start=/'/ skip=/\\./ end=/'\|$/
syntax match pslToValue contained /:\%(\_s*{\)\@!/ nextgroup=pslString,pslNumber skipwhite skipempty
syntax match pslNumber contained /-\?\<\d\+\%(\.\d\+\)\?\>/
syntax region pslString contained oneline start=/"/ skip=/\\./ end=/"\|$/
syntax region pslString contained oneline start=/'/ skip=/\\./ end=/'\|$/

syntax keyword pslKeyword system nextgroup=pslSystem skipwhite skipempty
syntax region pslSystem contained transparent start=/:\?\_s*{/ end=/}/ contains=pslRole,pslToRegister,@pslComments
syntax keyword pslRole contained symbol position output parse eop
syntax match pslToRegister contained /:\%(\_s*{\)\@!/ nextgroup=pslRegisterNamed skipwhite skipempty
syntax match pslRegisterNamed contained /\<\h\w*\>/

syntax keyword pslKeyword watch nextgroup=pslWatch skipwhite skipempty
syntax region pslWatch contained transparent start=/:\?\_s*\[/ end=/\]/ contains=pslRegisterNamed,@pslComments

" ---- Comments. The comment above a production or a repeat block is its label. Directives may come between them. ----

syntax cluster pslComments contains=pslComment,pslDirective
syntax match pslComment /\%(#\|\/\/\).*/
syntax match pslLabel /^\s*\zs\%(#\|\/\/\)@\@!.*\ze\n\%(\s*\%(#\|\/\/\)@.*\n\)*\s*\%(where\|where_lm\|where_rm\|repeat\)\>/
syntax match pslDirective /\%(#\|\/\/\)@.*/ contains=pslDirectiveString,pslDirectiveLaw,pslDirectiveInput,pslDirectiveAllow
syntax region pslDirectiveString contained oneline start=/"/ skip=/\\./ end=/"\|$/
syntax region pslDirectiveString contained oneline start=/'/ skip=/\\./ end=/'\|$/
syntax match pslDirectiveLaw contained transparent /@\s*law\>.*/ contains=pslLawString
syntax region pslLawString contained oneline start=/"/ skip=/\\./ end=/"\|$/ contains=pslLawVariable
syntax region pslLawString contained oneline start=/'/ skip=/\\./ end=/'\|$/ contains=pslLawVariable
syntax match pslLawVariable contained /[[:space:]"']\@1<=\$\h\w*\ze\%(\.\.\d*\)\?[[:space:]"']/
syntax match pslDirectiveInput contained transparent /@\s*input\>.*/ contains=pslDirectiveWord,pslRegisterNamed
syntax match pslDirectiveAllow contained transparent /@\s*allow\%(-file\)\?\>.*/ contains=pslDirectiveReason
syntax match pslDirectiveWord contained /@\s*input\>/
syntax match pslDirectiveReason contained /:.*/

" A statement stops the search for the start of a declaration.
syntax sync linebreaks=1
syntax sync match pslSync grouphere NONE /^\s*\%(where\|where_lm\|where_rm\|repeat\|until\|causal_attn\)\>/
syntax sync match pslSync grouphere pslRegisters /^\s*registers\s*:\?\s*{/
syntax sync match pslSync grouphere pslConstants /^\s*constants\s*:\?\s*{/
syntax sync match pslSync grouphere pslSystem /^\s*system\s*:\?\s*{/
syntax sync match pslSync grouphere pslWatch /^\s*watch\s*:\?\s*\[/

highlight default link pslRegisterWritten Identifier
highlight default link pslRegisterRead Normal
highlight default link pslRegisterNamed pslRegisterRead
highlight default link pslRegisterDeclared Normal
highlight default link pslCellRead Normal
highlight default link pslCellUpdated Special
highlight default link pslConstant Constant
highlight default link pslConstantDeclared Constant
highlight default link pslString String
highlight default link pslNumber Number
highlight default link pslKeyword Statement
highlight default link pslCausalValue pslKeyword
highlight default link pslFunction Function
highlight default link pslOperator Operator
highlight default link pslHole pslOperator
highlight default link pslRole Type
highlight default link pslShortName SpecialChar
highlight default link pslDirective PreProc
highlight default link pslDirectiveWord pslDirective
highlight default link pslDirectiveString pslString
highlight default link pslLawString pslString
highlight default link pslLawVariable pslRegisterRead
highlight default link pslDirectiveReason pslComment
highlight default link pslLabel SpecialComment
highlight default link pslComment Comment

let b:current_syntax = 'psl'
