"""The facts of a disk that SMART has, with their units.

Agent and server both import this module, so that a fact means the same on both sides. It imports nothing.
"""

from __future__ import annotations

MOST_FACTS = 96  # of one round: six of each of sixteen disks

SMART: dict[str, str] = {
    "temperature": "°C",
    "percentage_used": "ratio",  # of the endurance that the vendor expects; it can exceed 1
    "media_errors": "count",  # data that the disk could not read or write
    "reallocated_sectors": "count",
    "pending_sectors": "count",  # that the disk will replace if it cannot write them
    "host_write_bytes": "B",
}
