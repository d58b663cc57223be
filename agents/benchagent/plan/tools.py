"""The tools for the server, which may import of the agent only its formats and its plan language."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from benchagent.formats.model import Parsed
from benchagent.tools import TOOLS, Switches, Tool, switches_of_parameters

__all__ = ["Switches", "Tool", "again", "completed", "headline_tests", "switches_of", "tool_named"]


def tool_named(name: str) -> Tool | None:
    """The tool with this name; None if the agent does not run it and can only read its output."""
    return TOOLS.get(name)


def headline_tests() -> tuple[str, ...]:
    """The tests that a list of runs shows first, in the order of the tools that declare them."""
    return tuple(dict.fromkeys(test for tool in TOOLS.values() for test in tool.headline_tests))


def switches_of(name: str, command: Sequence[str], parameters: Mapping[str, object], test: str) -> Switches:
    """The switches that apply to a test of this tool; those of its parameters if the agent does not run the tool."""
    tool = tool_named(name)
    return (tool.switches if tool else switches_of_parameters)(command, parameters, test)


def completed(parsed: Parsed, parameters: Mapping[str, object]) -> Parsed:
    """What was read of a tool's output, with the parameters of its run that the output lacks."""
    tool = tool_named(parsed.tool)
    return tool.completed(parsed, parameters) if tool else parsed


def again(name: str, parameters: Mapping[str, object], texts: Mapping[str, str]) -> Mapping[str, object]:
    """The parameters of a plan that repeats a run of this tool; `texts` are the files that it read, by name.

    Raises ValueError with the reason if that is impossible.
    """
    tool = tool_named(name)
    return tool.again(parameters, texts) if tool else parameters
