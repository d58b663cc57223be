"""The tools for the server, which may import of the agent only its formats and its plan language."""

from __future__ import annotations

from benchagent.tools import TOOLS, Tool

__all__ = ["Tool", "tool_named"]


def tool_named(name: str) -> Tool | None:
    """The tool with this name; None if the agent does not run it and can only read its output."""
    return TOOLS.get(name)
