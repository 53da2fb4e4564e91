(production) @function.around
(production (assignment)+ @function.inside)

[(registers) (constants) (system) (watch) (repeat)] @class.around
(repeat (production)+ @class.inside)

[(comment) (label)]+ @comment.around
