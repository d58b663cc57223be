"""The number every stored summary carries.

Raise it when any stored figure or warning could come out differently for the same values. The server then
recomputes all summaries and keeps those of the version before.
"""

from __future__ import annotations

STATISTICS_VERSION = 2
