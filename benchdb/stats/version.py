"""The version number stored with every summary.

Raise it when any stored figure or warning could come out differently for the same values. The server then
recomputes all summaries and keeps those of the previous version.
"""

from __future__ import annotations

STATISTICS_VERSION = 3
