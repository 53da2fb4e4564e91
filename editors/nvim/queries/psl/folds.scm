[
  (registers)
  (constants)
  (system)
  (watch)
  (production)
  (repeat)
] @fold
