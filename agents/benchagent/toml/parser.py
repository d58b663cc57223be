"""TOML, from the standard library or, below Python 3.11, from tomli: the one thing beside the standard library."""

from __future__ import annotations

import sys
from typing import Any

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib


def parse_toml(text: str) -> dict[str, Any]:
    """Raises ValueError with the place where the text is no TOML."""
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise ValueError(f"This is not TOML: {error}") from None
