"""Reads a plan from TOML and reports every fault with its position. Pure; the server reads plans with it too."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace

from benchagent.errors import PlanError
from benchagent.toml.converters import count, name, one_of, seed, texts_by_name
from benchagent.toml.parser import parse_toml
from benchagent.toml.quantities import parse_duration, parse_ratio, parse_size, with_ram
from benchagent.toml.tables import TomlTable

from .model import (
    CACHES,
    DEFAULT_ORDER,
    DEFAULT_ROUNDS,
    MOST_POINTS,
    MOST_PRECISE_ROUNDS,
    MOST_TABLES,
    ORDER_OF_SIDES,
    ORDERS,
    PREPARATION,
    Plan,
)
from .sides import FIRST_LOOK, ROUNDS, read_gate, read_sides, targets_of
from .vary import expanded
from .workloads import cold_faults, read_workload

__all__ = ["ASSUMED_RAM", "PlanError", "load"]

LONGEST_TEXT = 256 * 1024  # characters
MOST_DOTS = 500  # on a line; the time of Python's TOML reader grows with the square of the parts of a dotted key
ASSUMED_RAM = 2**30  # bytes; good enough to check a plan
LEAST_MEMORY = 16 * 2**20  # bytes; the tools themselves need more
FEWEST_PRECISE = 3  # rounds; an interval from two values is nearly meaningless


@dataclass(frozen=True)
class PlanBounds:
    """The limits that end a plan, as in `Plan`: rounds, time in seconds, or the precision of the results."""

    rounds: int | None
    min_rounds: int
    time_budget: float | None
    precision: float | None


def load(source: str, ram: int | None = None) -> Plan:
    """Read a plan. Raises PlanError with every fault found.

    `ram` is the machine's memory in bytes, for sizes such as "2 * ram"; a memory limit in the plan replaces it.
    """
    if len(source) > LONGEST_TEXT:
        raise PlanError(f"it has more than {LONGEST_TEXT} characters")
    if any(line.count(".") > MOST_DOTS for line in source.splitlines()):
        raise PlanError(f"a line has more than {MOST_DOTS} dots")
    faults: list[str] = []
    try:
        document = _with_memory(parse_toml(source), ram or ASSUMED_RAM)
        plan = _read_plan(TomlTable(document, "", faults), faults)
    except RecursionError:
        raise PlanError("it is nested too deeply") from None
    except ValueError as error:
        raise PlanError(str(error)) from None
    if faults:
        raise PlanError("\n".join(dict.fromkeys(faults)))  # a table with `vary` repeats its faults in each combination
    return plan


def _with_memory(document: Mapping[str, object], ram: int) -> Mapping[str, object]:
    """The document with sizes in place of multiples of `ram`: of the plan's memory limit, else of the machine's."""
    of_machine = with_ram(document, ram)
    memory = TomlTable(of_machine, "", []).read("memory", _memory)
    return of_machine if memory is None else {**with_ram(document, memory), "memory": memory}


def _read_plan(table: TomlTable, faults: list[str]) -> Plan:
    table.require("name")
    plan_name, sides = table.read("name", name), read_sides(table)
    bounds = _read_bounds(table, with_sides=bool(sides.sides))
    tables = expanded(table.tables("targets"), MOST_TABLES)
    targets = [target for single in tables for target in targets_of(single, sides)]
    workloads = [read_workload(single) for single in expanded(table.tables("workloads"), MOST_TABLES)]
    _refuse_twins("targets", [target.name for target in targets], faults)
    _refuse_twins("workloads", [workload.name for workload in workloads] + [PREPARATION], faults)
    if len(targets) * (len(workloads) + 1) > MOST_POINTS:
        faults.append(f"the plan has more than {MOST_POINTS} points")
    cache = table.read("cache", one_of(CACHES)) or "uncontrolled"
    for fault in cold_faults(workloads) if cache == "cold" else ():
        table.fault("cache", fault)
    plan = Plan(
        name=plan_name or "",
        targets=tuple(targets),
        workloads=tuple(workloads),
        order=table.read("order", one_of(ORDERS)) or (ORDER_OF_SIDES if sides.sides else DEFAULT_ORDER),
        seed=table.read("seed", seed) or 0,
        cache=cache,
        labels=table.read("labels", texts_by_name) or {},
        memory=table.read("memory", _memory),
        rounds=bounds.rounds,
        min_rounds=bounds.min_rounds,
        time_budget=bounds.time_budget,
        precision=bounds.precision,
        sides=sides.sides,
    )
    plan = replace(plan, gate=read_gate(table, sides, plan))
    table.refuse_others()
    return plan


def _read_bounds(table: TomlTable, *, with_sides: bool) -> PlanBounds:
    rounds, budget = table.read("rounds", count), table.read("time_budget", parse_duration)
    precision, fewest = table.read("precision", parse_ratio), table.read("min_rounds", count)
    if with_sides:
        rounds, fewest = rounds or ROUNDS, fewest or FIRST_LOOK
    if rounds is None and budget is None:
        rounds = DEFAULT_ROUNDS if precision is None else MOST_PRECISE_ROUNDS
    if fewest is not None and rounds is not None and fewest > rounds:
        table.fault("min_rounds", f"no more than rounds, {rounds}")
    least = FEWEST_PRECISE if precision is not None else 1
    if fewest is not None and fewest < least:
        table.fault("min_rounds", f"at least {least}, where there is a precision")
    if rounds is not None and rounds < least:
        table.fault("rounds", f"at least {least}, where there is a precision")
    usual = max(least, 2) if rounds is None else min(max(least, 2), rounds)
    return PlanBounds(rounds, fewest or usual, budget, precision)


def _memory(value: object) -> int:
    size = parse_size(value)
    if size < LEAST_MEMORY:
        raise ValueError("at least 16 MiB")
    return size


def _refuse_twins(key: str, names: list[str], faults: list[str]) -> None:
    for twin in sorted(candidate for candidate, occurrences in Counter(names).items() if candidate and occurrences > 1):
        why = "; `mkfs` is taken by the preparation" if twin == PREPARATION else ""
        faults.append(f"{key}: two are named {twin!r}; give each its own name{why}")
