"""The tools that run workloads, one module or one folder each: everything that agent and server know of a tool.

The functions are for tools that may not be among TOOLS, because the agent can only read their output.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from benchagent.formats.model import Parsed
from benchagent.system.discovery import discovered

from .declaration import CommandContext, Switches, TextInPlan, Tool, switches_of_parameters

TOOLS: dict[str, Tool] = discovered(__path__, __name__, Tool, "TOOL")
"""By the names that plans use, in the order in which lists of tools have them."""

__all__ = [
    "TOOLS",
    "CommandContext",
    "Switches",
    "TextInPlan",
    "Tool",
    "again",
    "completed",
    "headline_tests",
    "switches_of",
    "switches_of_parameters",
]


def headline_tests() -> tuple[str, ...]:
    """The tests that a list of runs shows first, in the order of the tools that declare them."""
    return tuple(dict.fromkeys(test for tool in TOOLS.values() for test in tool.headline_tests))


def switches_of(name: str, command: Sequence[str], parameters: Mapping[str, object], test: str) -> Switches:
    """The switches that apply to a test of this tool; those of its parameters if the agent does not run the tool."""
    tool = TOOLS.get(name)
    return (tool.switches if tool else switches_of_parameters)(command, parameters, test)


def completed(parsed: Parsed, parameters: Mapping[str, object]) -> Parsed:
    """What was read of a tool's output, with the parameters of its run that the output lacks."""
    tool = TOOLS.get(parsed.tool)
    return tool.completed(parsed, parameters) if tool else parsed


def again(name: str, parameters: Mapping[str, object], texts: Mapping[str, str]) -> Mapping[str, object]:
    """The parameters of a plan that repeats a run of this tool; `texts` are the files that it read, by name.

    Raises ValueError with the reason if that is impossible.
    """
    tool = TOOLS.get(name)
    return tool.again(parameters, texts) if tool else parameters
