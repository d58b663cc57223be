"""Write a plan that measures a run's workload again, on any machine, from the documents of runs."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from urllib.parse import urlencode
from uuid import UUID

from django.http import QueryDict

from benchagent.tools import again
from benchdb.facts.file_system import FORCE
from benchdb.facts.names import DIGEST
from benchdb.facts.stored import Parameters, StoredProtocol, StoredTarget
from benchdb.http.requests import Reader
from benchdb.runs.models import Artifact, Run, Source, source_of
from benchdb.runs.store.archive import ArchiveFailed, content_of

from .plan_texts import CheckedPlan, FaultyPlan, read_plan

TomlValues = dict[str, object]

BARE = re.compile(r"[A-Za-z0-9_-]+")
HEAD = "# {tool} as in run {run}.\n"
MOST_ROUNDS = 1000
MOST_BESIDE = 8
FILES = "files/"  # before the names of artifacts that the tool read
MOST_FILES = 8
PLAIN_LINES = re.compile(r"[ -~\t]*\n[ -~\t\n]*[ -&(-~\t\n]")  # which a literal string of TOML can hold


@dataclass(frozen=True, slots=True)
class Repetition:
    """A run to measure again, with the targets of the runs `beside` it, in `rounds`; 0 are as many as the run has."""

    run: Run
    beside: Sequence[Run] = ()
    rounds: int = 0

    @property
    def query(self) -> list[tuple[str, str]]:
        """The parameters of an address with the same repetition, without the run."""
        rounds = [("rounds", str(self.rounds))] if self.rounds else []
        return [*(("beside", str(run.pk)) for run in self.beside), *rounds]

    def address(self, path: str) -> str:
        """A path with these parameters."""
        return f"{path}?{urlencode(self.query)}" if self.query else path


def repetition_of(run: Run, query: QueryDict, reader: Reader) -> Repetition:
    """What an address asks for: `beside` are runs, `rounds` is their number. At most one query.

    Runs that the reader may not see, or with another tool or other parameters, are left out.
    """
    text = query.get("rounds", "")
    rounds = int(text) if text.isascii() and text.isdecimal() and len(text) < 5 else 0
    ids = [found for text in query.getlist("beside")[:MOST_BESIDE] if (found := _uuid(text))]
    others = Run.objects.visible_to(reader).with_context().defer("rounds").in_bulk(ids) if ids else {}
    alike = [
        other
        for run_id in dict.fromkeys(ids)
        if (other := others.get(run_id)) and other.pk != run.pk and _workload(other) == _workload(run)
    ]
    return Repetition(run, alike, min(rounds, MOST_ROUNDS))


def _uuid(text: str) -> UUID | None:
    try:
        return UUID(text)
    except ValueError:
        return None


def _workload(run: Run) -> tuple[str, Parameters]:
    return run.tool, run.parameters


class NoPlan(Exception):
    """There is no plan that measures the run again; `reasons` are sentences for people, if there are any to give."""

    def __init__(self, *reasons: str) -> None:
        super().__init__(*reasons)
        self.reasons = reasons


def plan_again(run: Run, beside: Sequence[Run] = (), rounds: int = 0) -> str:
    """A plan in TOML, as the agent reads it: one workload on the target of the run, and on those of the runs beside it.

    Without `rounds`, as many as the run has. Targets are images if their options are known, otherwise there is one, the
    directory of `--directory`. Mount options are left out, because the run lists them with all defaults of its kernel.
    Raises NoPlan if the run has too few facts, as published figures have, or no workload, as mkfs, or if a file that
    its tool read may not be in a plan from a server.
    """
    images = [image_target(each) for each in (run, *beside)]
    known = [image for image in images if image is not None]
    choices = [_distinct(known)] if len(known) == len(images) else []
    return _first_accepted(run, [*choices, [{"kind": "directory"}]], PlanFrame(f"again-{run.tool}", rounds)).text


@dataclass(frozen=True, slots=True)
class PlanFrame:
    """The settings of a plan other than targets and workload. An empty one is taken from the run."""

    name: str
    rounds: int = 0
    order: str = ""
    labels: Mapping[str, str] = field(default_factory=dict)


def plan_on(run: Run, targets: Sequence[TomlValues], frame: PlanFrame) -> CheckedPlan:
    """A plan that measures the workload of the run on these targets. Raises NoPlan as `plan_again` does."""
    return _first_accepted(run, [targets], frame)


def _first_accepted(run: Run, choices: Sequence[Sequence[TomlValues]], frame: PlanFrame) -> CheckedPlan:
    """The plan with the first targets that an agent accepts."""
    if source_of(run) is not Source.MEASURED:
        raise NoPlan
    texts = _texts(run)
    try:
        workload: TomlValues = {"tool": run.tool, **again(run.tool, run.parameters, texts)}
    except ValueError as error:
        raise NoPlan(str(error)) from None
    faults: list[str] = []
    for targets in choices:
        try:
            checked = read_plan(_written(run, workload, targets, frame))
        except FaultyPlan as error:
            faults = error.faults
            continue
        if other := [name for name, shipped in checked.files.items() if texts.get(name) != shipped]:
            raise NoPlan(f"BenchDB ships another {other[0]} than the run had")
        return checked
    raise NoPlan(*(faults if texts else ()))


def _texts(run: Run) -> dict[str, str]:
    """The files that the tool of a run read, by name; those that cannot be read now are left out. At most one query."""
    if not any(name.endswith(DIGEST) for name in run.parameters):
        return {}
    texts: dict[str, str] = {}
    for artifact in Artifact.objects.filter(run=run, name__startswith=FILES)[:MOST_FILES]:
        try:
            texts[artifact.name.removeprefix(FILES)] = content_of(artifact).decode()
        except (ArchiveFailed, UnicodeDecodeError):
            continue
    return texts


def _distinct(targets: Sequence[TomlValues]) -> list[TomlValues]:
    return [target for i, target in enumerate(targets) if target not in targets[:i]]


def needs_root(plan: str) -> bool:
    """Whether the plan formats and mounts images."""
    return any(target.kind != "directory" for target in read_plan(plan).plan.targets)


def image_target(run: Run) -> TomlValues | None:
    """The image that the run was measured on, as a target of a plan; None if facts about it are missing."""
    facts: StoredTarget = run.target.facts
    size = next((layer.get("size") for layer in facts["stack"] if layer["kind"] in ("image", "loop")), None)
    if facts["kind"] != "image" or not size or not run.target.file_system:
        return None
    options = [word for word in (facts["file_system"].get("mkfs_command") or [])[1:] if word not in FORCE]
    target: TomlValues = {"kind": "image", "size": size, "file_system": run.target.file_system, "mkfs_options": options}
    return {name: value for name, value in target.items() if value}


def _written(run: Run, workload: TomlValues, targets: Sequence[TomlValues], frame: PlanFrame) -> str:
    protocol: StoredProtocol = run.protocol
    plan: TomlValues = {
        "name": frame.name,
        "rounds": frame.rounds or max(run.round_count, 1),
        "order": frame.order or protocol["order"],
        "cache": protocol["cache"],
    }
    if frame.labels:
        plan["labels"] = dict(frame.labels)
    if protocol.get("seed"):
        plan["seed"] = protocol["seed"]
    head = HEAD.format(tool=" ".join(filter(None, [run.tool, run.tool_version])), run=run.id)
    of_targets = "".join(f"\n[[targets]]\n{_table(target)}" for target in targets)
    return f"{head}{_table(plan)}{of_targets}\n[[workloads]]\n{_table(workload)}"


def _table(settings: TomlValues) -> str:
    return "".join(f"{_key(name)} = {_value(value)}\n" for name, value in settings.items() if value is not None)


def _key(name: str) -> str:
    return name if BARE.fullmatch(name) else json.dumps(name)


def _value(value: object) -> str:
    """A value in TOML; texts of several lines as they are, other strings, numbers and booleans as in JSON."""
    if isinstance(value, str) and PLAIN_LINES.fullmatch(value) and "'''" not in value:
        return f"'''\n{value}'''"
    if isinstance(value, dict):
        pairs = (f"{_key(name)} = {_value(item)}" for name, item in value.items() if item is not None)
        return "{" + ", ".join(pairs) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(_value, value)) + "]"
    return json.dumps(value, ensure_ascii=False)
