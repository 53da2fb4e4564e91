# Decides whether a word of a and b is a palindrome, in the state yes or no. The head starts on the first letter, and the
# word has a blank on each side. Each round removes the first letter, and then the last one if it is the same.
first  a  last_a _  R
first  b  last_b _  R
first  _  yes    _  L
last_a a  last_a a  R
last_a b  last_a b  R
last_a _  test_a _  L
last_b a  last_b a  R
last_b b  last_b b  R
last_b _  test_b _  L
test_a a  back   _  L
test_a b  no     b  L
test_a _  yes    _  R
test_b b  back   _  L
test_b a  no     a  L
test_b _  yes    _  R
back   a  back   a  L
back   b  back   b  L
back   _  first  _  R
