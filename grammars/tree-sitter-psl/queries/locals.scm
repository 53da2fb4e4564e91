; A written register keeps its color, so it is not a reference here.

(program) @local.scope

[(declared_register) (declared_constant)] @local.definition

[(register) (constant)] @local.reference
