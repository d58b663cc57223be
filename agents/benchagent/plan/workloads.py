"""Reads the workloads of a plan: tools with their parameters, and maintenance.

A plan from any source can name these and nothing else; it can never contain a command.
"""

from __future__ import annotations

from benchagent.toml.converters import name, one_of
from benchagent.toml.quantities import parse_duration
from benchagent.toml.tables import Parameters, TomlTable
from benchagent.tools import TOOLS, TextInPlan, fsload
from benchagent.tools.values import number

from .maintenance import MAINTENANCE, read_maintenance
from .model import PREPARATION, TIMEOUT, Workload
from .vary import full_name


def workload_names() -> tuple[str, ...]:
    """The allowed values of a workload's `tool`; those that come with the agent are last."""
    others = (tool for tool in TOOLS if tool != fsload.TOOL.name)
    return (*others, MAINTENANCE, fsload.TOOL.name)


def read_workload(table: TomlTable) -> Workload:
    """Read one [[workloads]] table; faults are added to the table."""
    table.require("tool")
    tool = table.read("tool", one_of(workload_names()))
    base = table.read("name", name)
    timeout = table.read("timeout", parse_duration) or TIMEOUT
    if tool is None:
        return Workload(base or "", "")
    parameters = read_maintenance(table) if tool == MAINTENANCE else TOOLS[tool].read(table)
    seconds = own_seconds(tool, parameters) or 0
    if seconds >= timeout:
        together = "" if seconds == parameters.get("seconds") else f"; all tests take {seconds:g} s"
        table.fault("seconds", f"less than the timeout, {timeout:g} s{together}")
    table.refuse_others()
    return Workload(full_name(table, base or tool), tool, parameters, timeout)


def cold_faults(workloads: list[Workload]) -> list[str]:
    """What a plan with cold caches must have instead of these workloads' parameters; each fault once."""
    tools = [(TOOLS[workload.tool], workload.parameters) for workload in workloads if workload.tool in TOOLS]
    faults = (tool.cold_fault(parameters) for tool, parameters in tools)
    return list(dict.fromkeys(fault for fault in faults if fault is not None))


def file_parameters(tool: str, parameters: Parameters) -> dict[str, bool]:
    """The parameters that name files beside the plan; True for a text, False for an archive."""
    return TOOLS[tool].files(parameters) if tool in TOOLS else {}


def text_in_plan(tool: str, parameters: Parameters) -> TextInPlan | None:
    """The text of a file that is in the parameters themselves, if any."""
    return TOOLS[tool].text_in_plan(parameters) if tool in TOOLS else None


def own_seconds(tool: str, parameters: Parameters) -> float | None:
    """The time that one round takes by the parameters themselves; None if something else ends it."""
    return TOOLS[tool].seconds(parameters) if tool in TOOLS else None


def bytes_written(workload: Workload, memory: int | None) -> int | None:
    """Bytes that one round writes to files; None if the number depends on the time or on files beside the plan.

    `memory` is the capacity of the caches in bytes. File systems write more: journals, tables, copies.
    """
    if workload.tool == PREPARATION:
        return 0  # only the file system's own tables, little compared with the files written later
    if workload.tool == MAINTENANCE:
        return number(workload.parameters, "fill")
    tool = TOOLS.get(workload.tool)
    return tool.bytes_written(workload.parameters, memory) if tool else None
