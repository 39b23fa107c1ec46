"""
Read how much memory a process and all that it started hold, so that one that grows without end can be stopped.

What is resident is looked at, and not the address space: Java and numba reserve far more of that than they ever use, and
a limit that the system itself enforces (``RLIMIT_AS``) would keep them from starting.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

PROCESSES = Path("/proc")


def resident(group: int) -> int:
    """
    Add up the resident memory of a process group.

    Args:
        group: Id of the process that leads it; what it starts belongs to it.

    Returns:
        Bytes; 0 where the group has ended, or where the system does not tell.
    """
    if (PROCESSES / "self" / "stat").is_file():
        return sum(_resident(entry.name, group) for entry in os.scandir(PROCESSES) if entry.name.isdecimal())
    if shutil.which("ps") is None:
        return 0
    told = subprocess.run(["ps", "-axo", "pgid=,rss="], capture_output=True, text=True, check=False).stdout
    return _listed(told, group)


def _resident(process: str, group: int) -> int:
    try:
        line = (PROCESSES / process / "stat").read_text(encoding="utf-8", errors="replace")
    except OSError:  # it has ended since the folder was read
        return 0
    # The name stands in brackets and may hold anything; after it: state, parent, group ... and pages as the 22nd.
    fields = line.rpartition(")")[2].split()
    return int(fields[21]) * os.sysconf("SC_PAGE_SIZE") if int(fields[2]) == group else 0


def _listed(told: str, group: int) -> int:
    rows = (line.split() for line in told.splitlines())
    return sum(int(row[1]) * 1024 for row in rows if len(row) == 2 and row[0] == str(group))
