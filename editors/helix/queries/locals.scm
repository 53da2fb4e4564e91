; A reference takes its definition's colour. A written register keeps its own: it is not a reference here.

(program) @local.scope

(declared_register) @local.definition.variable
(declared_constant) @local.definition.constant

[(register) (constant)] @local.reference
