"""The tools that run workloads, one module or one folder each: everything that agent and server know of a tool.

The agent imports TOOLS from here; the server reaches the tools through `benchagent.plan`.
"""

from __future__ import annotations

from .declaration import CommandContext, Switches, TextInPlan, Tool, switches_of_parameters
from .discovery import discovered

TOOLS: dict[str, Tool] = discovered(__path__, __name__)
"""By the names that plans use, in the order in which lists of tools have them."""

__all__ = ["TOOLS", "CommandContext", "Switches", "TextInPlan", "Tool", "switches_of_parameters"]
