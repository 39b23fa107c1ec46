"""
A metric whose module prints when it is imported.
"""

from __future__ import annotations

from miniatures.sound import Sound

print("thank you for importing me")  # noqa: T201


class Printing(Sound):
    """Greet whoever imports it."""
