(production) @function.around

(production
  (assignment)+ @function.inside)

[
  (registers)
  (constants)
  (system)
  (watch)
  (repeat)
] @class.around

(repeat
  (production)+ @class.inside)

[
  (comparison)
  (assignment)
] @parameter.inside

[
  (register_entry)
  (constant_entry)
  (role_entry)
] @entry.inside

(directive
  prompt: [(string) (pattern)]) @test.around

[
  (comment)
  (label)
] @comment.inside

[
  (comment)
  (label)
]+ @comment.around
