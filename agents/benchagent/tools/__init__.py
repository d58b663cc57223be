"""The tools that run workloads, one module or one folder each: everything that agent and server know of a tool.

The agent imports TOOLS from here; the server reaches the tools through `benchagent.plan`.
"""

from __future__ import annotations

from benchagent.system.discovery import discovered

from .declaration import CommandContext, Switches, TextInPlan, Tool, switches_of_parameters

TOOLS: dict[str, Tool] = discovered(__path__, __name__, Tool, "TOOL")
"""By the names that plans use, in the order in which lists of tools have them."""

__all__ = ["TOOLS", "CommandContext", "Switches", "TextInPlan", "Tool", "switches_of_parameters"]
