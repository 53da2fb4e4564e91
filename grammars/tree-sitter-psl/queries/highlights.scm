; Generated from grammars/highlights.scm and grammars/colors.toml.

["registers" "constants" "system" "watch" "causal_attn" "true" "false" "reverse"] @keyword
["where" "where_lm" "where_rm" "and" "not" "in" "repeat" "until" "NO_CHANGE" "until NO_CHANGE"] @keyword

[(register) (variable)] @variable
(written_register) @property
(declared_register) @variable
(short_name) @string.special
(role) @attribute
(constant) @constant
(declared_constant) @constant
(attended_cell) @variable.parameter
(updated_cell) @variable.builtin
(function) @function.builtin
(number) @number
[(string) (open_string) (text)] @string

["==" "!=" "=" "@" (hole)] @operator
["{" "}" "[" "]" "(" ")"] @punctuation.bracket
[":" ","] @punctuation.delimiter

(label) @comment.documentation
[(comment) (reason)] @comment
[(directive_name) (test_name) (code) (count) "json" "any" "row" "=>"] @keyword.directive
