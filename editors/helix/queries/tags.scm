(label) @definition.function
(declared_register) @definition.type
(declared_constant) @definition.constant
