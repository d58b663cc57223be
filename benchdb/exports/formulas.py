"""Text that a spreadsheet would take for a formula. CSV and TSV put a quote before it (OWASP, CSV injection)."""

from __future__ import annotations

from typing import Any

FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")


def defused(value: Any) -> Any:
    """The value; text that begins like a formula gets a quote before it, which keeps it text."""
    return f"'{value}" if isinstance(value, str) and value.lstrip(" ").startswith(FORMULA) else value
