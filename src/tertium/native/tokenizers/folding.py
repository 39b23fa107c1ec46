"""
Reduce text to lower-case ASCII letters, digits and spaces, a byte each.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from tertium.native.columns import Points
from tertium.native.kernels import kernel

KELVIN = 0x212A


@kernel
def fold(points: Points, kelvin: bool, folded: NDArray[np.uint8]) -> None:
    """
    Lower A to Z, keep a to z and 0 to 9, and make everything else a space.

    Args:
        points: Code points.
        kelvin: Whether the Kelvin sign becomes a k, as in Unicode's lower case.
        folded: As long as ``points``; written to.
    """
    for position in range(len(points)):
        point = np.int64(points[position])
        lowered = point | 32
        if 97 <= lowered <= 122:
            folded[position] = lowered
        elif 48 <= point <= 57:
            folded[position] = point
        elif kelvin and point == KELVIN:
            folded[position] = 107
        else:
            folded[position] = 32
