# Adds 1 to a binary number. The head starts on the last digit.
carry 1 carry 0 L
carry 0 done  1 L
carry _ done  1 L
