# The busy beaver with 3 states: 14 steps and 6 ones on a tape of zeros.
A 0 B 1 R
A 1 H 1 R
B 0 C 0 R
B 1 B 1 R
C 0 C 1 L
C 1 A 1 L
