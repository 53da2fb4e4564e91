(register_entry
  (declared_register) @name) @definition.variable

(constant_entry
  (declared_constant) @name) @definition.constant

((label) @name
  .
  (directive)*
  .
  [(production) (repeat)] @definition.function)

[(register) (written_register)] @name @reference.variable
(constant) @name @reference.constant
