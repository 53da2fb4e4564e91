# The busy beaver with 2 states: 6 steps and 4 ones on a tape of zeros.
A 0 B 1 R
A 1 B 1 L
B 0 A 1 L
B 1 H 1 R
