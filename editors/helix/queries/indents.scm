[
  (registers)
  (constants)
  (system)
  (watch)
] @indent

[
  (production)
  (repeat)
] @indent @extend

(until) @outdent

[
  "}"
  "]"
] @outdent
