# Moves right and left forever.
A 0 B 0 R
B 0 A 0 L
