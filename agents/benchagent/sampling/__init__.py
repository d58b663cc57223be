"""Samples the machine ten times a second while a tool runs: devices, pressure, memory, processors, the file system.

Used by `measuring`. The series of a round are part of its record; docs/inside.md describes them.
"""

from __future__ import annotations

from .own import own_over_time, own_series
from .sampler import Sampler, sampling

__all__ = ["Sampler", "own_over_time", "own_series", "sampling"]
