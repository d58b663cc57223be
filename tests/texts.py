"""What several tests ask of a text or of another container."""

from collections.abc import Container

# Words of a hostile server, user or tool, which are no line of ours.
HOSTILE = "::error::w\n::error::x\r\n ::error::y\x1b[31m\x9b31m\u202e##[error]z"


def missing_in(container: Container[object], *expected: object) -> list[object]:
    """Those that the container lacks, so that a failed test names all of them."""
    return [each for each in expected if each not in container]


def obeyed(text: str) -> list[str]:
    """The lines that a terminal or GitHub Actions would obey."""
    lines = text.splitlines()
    return [line for line in lines if not line.isprintable() or line.lstrip().startswith("::") or "##[" in line]
