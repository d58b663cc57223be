"""Lines of raw text, counted as every editor counts them."""

from __future__ import annotations


def split_lines(text: str) -> list[str]:
    """Lines without their ends (LF or CR LF). ``str.splitlines`` would also break at form feeds and the like."""
    lines = text.split("\n")
    if lines[-1] == "":
        lines.pop()
    return [line[:-1] if line.endswith("\r") else line for line in lines]
