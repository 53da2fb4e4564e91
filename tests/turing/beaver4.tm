# The busy beaver with 4 states: 107 steps and 13 ones on a tape of zeros.
A 0 B 1 R
A 1 B 1 L
B 0 A 1 L
B 1 C 0 L
C 0 H 1 R
C 1 D 1 L
D 0 D 1 R
D 1 A 0 R
