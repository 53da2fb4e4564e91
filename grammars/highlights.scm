; Each kind of word has its own node, so no two patterns match the same word. The captures are the rows of colors.toml.

["registers" "constants" "system" "watch" "causal_attn" "true" "false" "reverse"] @keyword
["where" "where_lm" "where_rm" "and" "not" "in" "repeat" "until" "NO_CHANGE" "until NO_CHANGE"] @keyword

[(register) (variable)] @register-read
(written_register) @register-written
(declared_register) @register-declared
(short_name) @short-name
(role) @role
(constant) @constant
(declared_constant) @constant-declared
(attended_cell) @cell-n
(updated_cell) @cell-N
(function) @function
(number) @number
[(string) (open_string) (text)] @string

["==" "!=" "=" "@" (hole)] @operator
["{" "}" "[" "]" "(" ")"] @punctuation.bracket
[":" ","] @punctuation.delimiter

(label) @label
[(comment) (reason)] @comment
[(directive_name) (test_name) (code) (count) "json" "any" "row" "=>"] @directive
