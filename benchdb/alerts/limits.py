"""The numbers that decide how sure a second measurement is; docs/alerts.md has the error rates."""

from __future__ import annotations

ROUNDS = 12
"""The rounds of a second measurement."""
MARGIN = 0.01
"""A change below this notifies nobody, however sure it is."""
