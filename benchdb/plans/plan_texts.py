"""Check plans before they are queued, with the parser and rules of the agent; read shipped plans."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import cache, lru_cache
from itertools import takewhile
from pathlib import Path

from django.conf import settings

from benchagent.plan.model import Plan
from benchagent.plan.reading import PlanError, load
from benchagent.plan.served import MOST_TEXT, faults_of, file_names

MOST_FILES = 512 * 1024  # bytes of all files of a plan; an agent takes answers of one MiB


class FaultyPlan(Exception):
    """The plan cannot be queued; `faults` are sentences, each with its position."""

    def __init__(self, faults: list[str]) -> None:
        self.faults = faults
        super().__init__("The plan has faults: " + "; ".join(faults))


@dataclass(frozen=True)
class CheckedPlan:
    """A plan that agents accept; `files` are the texts of the shipped files in it, by name."""

    plan: Plan
    text: str
    files: dict[str, str] = field(default_factory=dict)

    @property
    def size(self) -> int:
        """The bytes of the plan and its files."""
        return sum(len(text.encode()) for text in (self.text, *self.files.values()))


@cache
def shipped_plans() -> dict[str, str]:
    """The texts of the plans that BenchDB ships, by name; a small plan follows its large one."""
    files = sorted(_folder().glob("*.toml"), key=lambda path: path.stem.removesuffix("-small") + path.stem)
    return {path.stem: path.read_text(encoding="utf-8") for path in files}


def shipped_text(name: str) -> str | None:
    """The text of a shipped plan; None if there is no plan with this name."""
    return shipped_plans().get(name)


def what_it_measures(text: str) -> str:
    """The first sentence of the comment at the start of a plan; empty without a comment."""
    lines = takewhile(lambda line: line.startswith("#"), text.splitlines())
    comment = " ".join(line.removeprefix("#").strip() for line in lines)
    return re.split(r"(?<=[^A-Z]\.) ", comment, maxsplit=1)[0]  # after “ext4.”, not after “L. S.”


def read_plan(text: str) -> CheckedPlan:
    """The plan after all checks of an agent. Raises FaultyPlan with every fault."""
    text = text.replace("\r\n", "\n")  # browsers send CRLF from forms
    if len(text) > MOST_TEXT:
        raise FaultyPlan([f"it has {len(text)} characters; expected at most {MOST_TEXT}"])
    if "\x00" in text:
        raise FaultyPlan(["it holds a NUL character; expected text"])
    try:
        plan = load(text)
    except PlanError as error:
        raise FaultyPlan(str(error.args[0]).splitlines()) from None
    except RecursionError:
        raise FaultyPlan(["it is nested too deeply"]) from None
    faults: list[str] = []
    files: dict[str, str] = {}
    for name in file_names(plan):
        content = _shipped_file(name)
        if content is None:
            faults.append(f"{name}: a queued plan can name only files that BenchDB ships, which this is none of")
        else:
            files[name] = content
    if sum(len(content.encode()) for content in files.values()) > MOST_FILES:
        faults.append(f"its files are larger than {MOST_FILES} bytes together")
    faults = [*faults_of(plan, files), *faults]
    if faults:
        raise FaultyPlan(faults)
    return CheckedPlan(plan, text, files)


@lru_cache(maxsize=64)
def planned(text: str) -> Plan | None:
    """The plan in a text; None if it has faults."""
    try:
        return read_plan(text).plan
    except FaultyPlan:
        return None


def _folder() -> Path:
    return Path(settings.BASE_DIR) / "agents" / "plans"


def _shipped_file(name: str) -> str | None:
    """The text of a file beside the shipped plans; None for other files."""
    folder = _folder().resolve()
    path = (folder / name).resolve()
    return None if folder not in path.parents or not path.is_file() else path.read_text(encoding="utf-8")
