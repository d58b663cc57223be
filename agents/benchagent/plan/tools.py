"""The tools for the server, which may import of the agent only its formats and its plan language."""

from __future__ import annotations

from benchagent.tools import TOOLS, Tool

__all__ = ["Tool", "headline_tests", "tool_named"]


def tool_named(name: str) -> Tool | None:
    """The tool with this name; None if the agent does not run it and can only read its output."""
    return TOOLS.get(name)


def headline_tests() -> tuple[str, ...]:
    """The tests that a list of runs shows first, in the order of the tools that declare them."""
    return tuple(dict.fromkeys(test for tool in TOOLS.values() for test in tool.headline_tests))
