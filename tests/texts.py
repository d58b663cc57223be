"""What several tests ask of a text or of another container."""

from __future__ import annotations

from collections.abc import Container


def missing_in(container: Container[object], *expected: object) -> list[object]:
    """Those that the container lacks, so that a failed test names all of them."""
    return [each for each in expected if each not in container]
