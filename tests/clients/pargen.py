"""PARGEN with faults, and its first test."""

from paths import PARGEN

TEXT = PARGEN.read_text()
# A misspelled register.
BROKEN = TEXT.replace("prev_region[N] == XQ", "prev_regon[N] == XQ", 1)
# The first test expects another symbol.
FAILING = TEXT.replace('"K L V F G H ."', '"K L V F G G ."', 1)
SWAP = "Q B V D E A D E V B . Q F G H V K L A"
SWAPPED = "K L V F G H .".split()
