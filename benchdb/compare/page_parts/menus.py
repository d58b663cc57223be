"""The menus of a comparison."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

Context = dict[str, Any]


WAS = "was"  # the form's parameter that says what these were when the page was made


def menu(name: str, label: str, options: Sequence[tuple[str, str]], chosen: str) -> Context:
    """A field with one value, of these (value, text) pairs."""
    listed = [{"value": value, "text": text, "selected": value == chosen} for value, text in options]
    return {"name": name, "label": label, "options": listed}
