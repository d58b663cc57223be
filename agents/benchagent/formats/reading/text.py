"""Lines of raw text, counted as every editor counts them."""

from __future__ import annotations

from collections.abc import Iterator

_AT_ONCE = 4000  # characters at least


def split_lines(text: str) -> list[str]:
    """Lines without their ends (LF or CR LF). ``str.splitlines`` would also break lines at form feeds and the like."""
    lines = text.split("\n")
    if lines[-1] == "":
        lines.pop()
    return [line[:-1] if line.endswith("\r") else line for line in lines] if "\r" in text else lines


def lines_of(text: str) -> Iterator[str]:
    """The lines one by one: a list of those of a long text takes twice its memory."""
    at = 0
    while at < len(text):
        end = text.find("\n", at + _AT_ONCE) + 1 or len(text)
        yield from split_lines(text[at:end])
        at = end


def lines_with(text: str, *marks: str) -> Iterator[str]:
    """The lines with one of these marks; a line with several marks may come more than once.

    In a text without the marks this takes one search for each of them, whatever the number of lines.
    """
    for mark in marks:
        at = text.find(mark)
        while at >= 0:
            end = text.find("\n", at)
            end = len(text) if end < 0 else end
            line = text[text.rfind("\n", 0, at) + 1 : end]
            yield line[:-1] if line.endswith("\r") else line
            at = text.find(mark, end)
