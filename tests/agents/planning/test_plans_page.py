"""docs/plans.md names every field, and its table of old names matches the translation."""

import re
from pathlib import Path

import pytest

from benchagent.filesystems import FILE_SYSTEMS, planned
from benchagent.plan.maintenance import MAINTENANCE_TESTS
from benchagent.plan.model import CACHES, KINDS, MOST_POINTS, MOST_TABLES, ORDERS
from benchagent.plan.vary import FIXED
from benchagent.planning.adaptation import SCHEDULERS
from benchagent.tools.fsload.options import AGE, COMMANDS, COMMON
from tests.agents.tools.parameters import PARAMETERS
from tests.texts import missing_in

PAGE = (Path(__file__).parents[3] / "docs" / "plans.md").read_text()
WORDS = set(re.findall(r"`([^`\n]+)`", PAGE))
PLAN = ("name", "rounds", "time_budget", "precision", "min_rounds", "order", "seed", "cache", "memory", "labels")
TARGET = (
    *("kind", "name", "path", "size", "file_system", "mkfs_options", "mount_options", "tune2fs", "sparse", "direct_io"),
    *("wipe", "read_ahead", "scheduler", "nr_requests", "age"),
)


@pytest.mark.parametrize("word", [*PLAN, *TARGET, *KINDS, *ORDERS, *CACHES, *planned(), *FIXED, *AGE])
def test_names_what_plans_and_targets_have(word: str) -> None:
    assert word in WORDS


@pytest.mark.parametrize("tool", PARAMETERS)
def test_names_the_parameters_of_each_tool(tool: str) -> None:
    rows = " ".join(line for line in PAGE.splitlines() if line.startswith(f"| {tool}:"))
    assert set(PARAMETERS[tool]) <= set(re.findall(r"`(\w+)`", rows))


@pytest.mark.parametrize("command", COMMANDS)
def test_names_the_parameters_of_each_command(command: str) -> None:
    [row] = [line for line in PAGE.splitlines() if line.startswith(f"| `{command}`: ")]
    assert set(COMMANDS[command].parameters) <= set(re.findall(r"`(\w+)`", row))


def test_names_the_parameters_of_all_commands() -> None:
    [row] = [line for line in PAGE.splitlines() if line.startswith("| each of them ")]
    assert set(re.findall(r"`(\w+)`", row)) == set(COMMON)


def test_names_the_tests_of_maintenance() -> None:
    section = PAGE.split("### maintenance")[1].split("\n## ")[0]
    assert re.findall(r"^\| `(\w+)`", section, re.MULTILINE) == list(MAINTENANCE_TESTS)


def test_names_everything_that_is_translated() -> None:
    section = PAGE.split("## Old names")[1].split("\n## ")[0]
    others = {name for name, each in FILE_SYSTEMS.items() if each.gone or each.successor}
    assert {*others, *SCHEDULERS} <= set(re.findall(r"`(\w+)`", section))
    told = set(re.findall(r"`([^`]+)`", section))
    rules = {rule.option for each in FILE_SYSTEMS.values() for rule in each.rules}
    plain = {option for rule in rules if "(" not in rule for option in rule.split("|")}
    assert {option.replace("=.*", "=…") for option in plain} <= told | {"barrier=flush", "barrier=none"}


def test_the_limits_are_those_of_the_reader() -> None:
    assert not missing_in(PAGE, f"{MOST_TABLES} targets", f"{MOST_POINTS:,} points")
