(registers "}" @end) @indent
(constants "}" @end) @indent
(system "}" @end) @indent
(watch "]" @end) @indent
(production) @indent
(repeat (until) @end) @indent
