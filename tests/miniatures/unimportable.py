"""
Fail on import, as a library with a missing shared object does.
"""

raise RuntimeError("no shared object")
