; A reference takes the color of its definition. A written register keeps its own color, so it is not a reference here.

(program) @local.scope

(declared_register) @local.definition.variable
(declared_constant) @local.definition.constant

[(register) (constant)] @local.reference
