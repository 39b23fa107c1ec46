"""
Know which code points are punctuation, symbols and numbers.

The table beside this file is Unicode 18.0.0, the version of the ``regex`` package under which the reference
tokenizers were measured. It comes with tertium, so that a score does not depend on which Python runs: the
``unicodedata`` of Python 3.11 is four versions older and lacks some 1,500 of these code points.
"""

from __future__ import annotations

import functools
from importlib.resources import files

import numpy as np
from numpy.typing import NDArray

VERSION = "18.0"


@functools.cache
def category_table() -> NDArray[np.uint8]:
    """
    Give for each of the 0x110000 code points the letter P, S or N (as a code point), or 0.
    """
    table = np.zeros(0x110000, np.uint8)
    for line in files(__package__).joinpath("categories.txt").read_text("ascii").splitlines():
        if not line.startswith("#"):
            letter, first, last = line.split()
            table[int(first, 16) : int(last, 16) + 1] = ord(letter)
    table.flags.writeable = False
    return table
