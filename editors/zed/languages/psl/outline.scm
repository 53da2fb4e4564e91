(registers "registers" @name) @item
(constants "constants" @name) @item
(register_entry (declared_register) @name) @item
(constant_entry (declared_constant) @name) @item

((label) @name . (directive)* . (production) @item)
((label) @name . (directive)* . (repeat) @item)
