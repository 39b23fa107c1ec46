"""
A metric whose module imports its library at once.
"""

from __future__ import annotations

import jiwer

from miniatures.sound import Sound


class Heavy(Sound):
    """Load the library that it does not even use."""

    library = "jiwer"
    used = jiwer.wer
