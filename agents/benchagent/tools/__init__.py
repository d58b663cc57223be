"""The tools that run workloads, by the names that plans use. One module each: its command line and where to find it."""

from __future__ import annotations

from . import bonnie, fsload, iozone
from .base import Context, Tool

TOOLS: dict[str, Tool] = {tool.name: tool for tool in (fsload.TOOL, iozone.TOOL, bonnie.TOOL)}

__all__ = ["TOOLS", "Context", "Tool"]
