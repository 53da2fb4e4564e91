(program) @local.scope

(declared_register) @local.definition.var
(declared_constant) @local.definition.constant

[
  (register)
  (written_register)
  (constant)
] @local.reference
