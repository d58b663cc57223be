"""Parses TOML with the standard library or, below Python 3.11, with tomli, the agent's only other dependency."""

from __future__ import annotations

import sys

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib


def parse_toml(text: str) -> dict[str, object]:
    """Parse the text. Raises ValueError with the position of the first syntax error."""
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise ValueError(f"This is not TOML: {error}") from None
