"""Reads raw output again with the present parsers. The result is another parse; older parses are kept.

Values, their lines, errors, and the bytes that fsload counted are taken from the raw text. Everything else is carried
over: the duration of the tool, results of preparation and maintenance, the machine's evidence for each result, given
summaries. Results keep their ordinals, so that links stay valid.
"""

from __future__ import annotations

import itertools
import logging
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from uuid import UUID

from celery.exceptions import SoftTimeLimitExceeded
from django.db import transaction
from django.db.models import F, Max
from pydantic import ValidationError

from benchagent import formats
from benchagent.formats import FormatError, Parsed
from benchagent.formats.model import ResultKey
from benchagent.formats.rounds import ResultRow, RoundOutput, key_of
from benchdb.ingest.contract.document import Result
from benchdb.runs.models import Artifact, Parse, Run, RunState
from benchdb.runs.store.archive import ArchiveFailed, content_of
from benchdb.runs.store.summaries import StatisticsFailed, adopt_parse
from benchdb.runs.store.value_places import Places

from .failed_rounds import merged
from .stored_results import as_stored, store_parse, stored_results

log = logging.getLogger(__name__)

TOOLS = [tool_format.TOOL for tool_format in formats.FORMATS]
COUNTED = ("device_read_bytes", "device_write_bytes", "logical_bytes")  # evidence that parsers read from the text
_OF_ROUND = re.compile(r"round-(\d{1,6})/")
_OTHER = re.compile(r"^files/|\.stderr\.txt$")  # artifacts that are not output of the tool


class CannotReparse(Exception):
    """The raw output cannot be read again; the message is the reason."""


@dataclass(frozen=True)
class Reparse:
    """The outcome of a reparse: the number of results that changed, appeared or vanished; 0 if nothing was stored."""

    run_id: UUID
    changed: int = 0
    refusal: str = ""

    def __str__(self) -> str:
        if self.refusal:
            return f"{self.run_id}: not read again: {self.refusal}"
        return f"{self.run_id}: {f'{self.changed} results changed' if self.changed else 'the same as before'}"


def reparse(run_id: UUID) -> Reparse:
    """Read a run's raw output again. Idempotent; if no parse is added, the current parse records the reason."""
    try:
        with transaction.atomic():
            changed = _reparse(run_id)
            if not changed:
                _looked_at(run_id, "")
    except (CannotReparse, StatisticsFailed) as error:
        return refuse(run_id, str(error))
    return Reparse(run_id, changed)


def refuse(run_id: UUID, reason: str) -> Reparse:
    """Record the reason why this run cannot be read again."""
    _looked_at(run_id, reason)
    return Reparse(run_id, refusal=reason)


def _looked_at(run_id: UUID, refusal: str) -> None:
    current = Parse.objects.filter(run_id=run_id, number=F("run__runstate__current_parse"))
    current.update(checked_by=formats.PARSER_VERSION, refusal=refusal)


def _reparse(run_id: UUID) -> int:
    """The number of changed results. Raises CannotReparse and StatisticsFailed."""
    state = RunState.objects.select_for_update().filter(pk=run_id).first()
    if state is None:
        raise CannotReparse("there is no such run.")
    run = Run.objects.only("tool", "rounds", "extra").get(pk=run_id)
    old = {key_of(row): row for row in stored_results(run_id, state.current_parse)}
    read = merged(_readings(run, list(old.values())), run.rounds)
    new = {key_of(row): row for row in map(_checked, _with_evidence(read, old))}
    ordinals = _ordinals(old, new)

    gone = [key for key, row in old.items() if key not in new and row["source"]]
    changed = [key for key, row in new.items() if old.get(key) != {**row, "ordinal": ordinals[key]}]
    if gone or changed:
        number = (Parse.objects.filter(run_id=run_id).aggregate(last=Max("number"))["last"] or 0) + 1
        carried = [(row["ordinal"], row) for key, row in old.items() if key not in new and not row["source"]]
        rows = [*((ordinals[key], row) for key, row in new.items()), *carried]
        store_parse(run_id, number, formats.PARSER_VERSION, rows)
        adopt_parse(run_id, number)
    return len(gone) + len(changed)


def _ordinals(old: Mapping[ResultKey, ResultRow], new: Mapping[ResultKey, ResultRow]) -> dict[ResultKey, int]:
    """Ordinals: those of the current parse for results that it has, and higher ones for new results."""
    free = itertools.count(max((row["ordinal"] for row in old.values()), default=-1) + 1)
    return {key: old[key]["ordinal"] if key in old else next(free) for key in new}


def _checked(row: ResultRow) -> ResultRow:
    """The row as the store has it. Raises CannotReparse if no upload may contain such a result."""
    try:
        return as_stored(Result.model_validate(row))
    except ValidationError as error:
        fault = error.errors()[0]
        location = "/".join(map(str, fault["loc"]))
        raise CannotReparse(
            f"the parser gives a result of {row['test']} that is refused: {location}: {fault['msg']}"
        ) from None


def _with_evidence(rows: list[ResultRow], old: Mapping[ResultKey, ResultRow]) -> Iterator[ResultRow]:
    """Rows with the machine's evidence, which is not in the raw text.

    A new result gets the evidence of the old results from the same artifacts, if these agree.
    """
    by_artifacts: dict[frozenset[str], list[ResultRow | None]] = defaultdict(list)
    for row in old.values():
        by_artifacts[_artifacts(row["source"])].append(row["evidence"])
    for row in rows:
        before = old.get(key_of(row))
        names = row["source"]["artifacts"] if row["source"] else ()
        beside = by_artifacts[frozenset(filter(None, names))] or [None]
        common = beside[0] if all(evidence == beside[0] for evidence in beside) else None
        seen = before["evidence"] if before else common
        counted = row["evidence"] or {}
        kept = {name: value for name, value in (seen or {}).items() if not (counted and name in COUNTED)}
        yield {**row, "evidence": {**kept, **counted} if seen or counted else None}


def _artifacts(source: Places | None) -> frozenset[str]:
    return frozenset(filter(None, source.names)) if source else frozenset()


def _readings(run: Run, old: list[ResultRow]) -> list[RoundOutput]:
    """The readings of all artifacts of the run, in the order of the rounds. Raises CannotReparse."""
    if run.tool not in TOOLS:
        raise CannotReparse(f"no parser reads the output of {run.tool}.")
    rounds_of = _rounds_of(run, old)
    if not rounds_of:
        raise CannotReparse("no raw output of its tool is kept.")
    named = frozenset[str]().union(*(_artifacts(row["source"]) for row in old))
    readings: list[RoundOutput] = []
    artifacts = Artifact.objects.filter(run=run, name__in=rounds_of).order_by("ordinal")
    for artifact in artifacts.iterator(chunk_size=10):
        name, content = artifact.name, _content(artifact)
        rounds = rounds_of[name]
        parsed = _parsed(run.tool, name, content, must=name in named)
        if parsed is not None:
            _check_counts(name, parsed, len(rounds), imported="import" in run.extra)
            readings += [RoundOutput(round_, name, parsed, index) for index, round_ in enumerate(rounds)]
    if not readings:
        raise CannotReparse("its raw output holds nothing that our parser of this tool reads.")
    return sorted(readings, key=lambda reading: reading.round)


def _rounds_of(run: Run, old: list[ResultRow]) -> dict[str, list[int]]:
    """The rounds of each artifact: by the stored results, else by its name, else the only round.

    Raises CannotReparse if the source of a stored result is missing.
    """
    kept = set(Artifact.objects.filter(run=run).values_list("name", flat=True))
    rounds_of: dict[str, set[int]] = defaultdict(set)
    for row in old:
        for index, name in enumerate(row["source"].names if row["source"] else ()):
            if name:
                rounds_of[name].add(index)
    if missing := sorted(rounds_of.keys() - kept):
        raise CannotReparse(f"the raw output {missing[0]}, which results were read from, is not kept.")
    for name in kept - rounds_of.keys():
        match = _OF_ROUND.match(name)
        round_ = int(match[1]) - 1 if match else 0 if len(run.rounds) == 1 else -1
        if 0 <= round_ < len(run.rounds) and not _OTHER.search(name):
            rounds_of[name].add(round_)
    return {name: sorted(rounds) for name, rounds in rounds_of.items()}


def _content(artifact: Artifact) -> bytes:
    """The raw output. Raises CannotReparse if the archive fails."""
    try:
        return content_of(artifact)
    except ArchiveFailed as error:
        raise CannotReparse(f"of the raw output, {error}.") from error


def _parsed(tool: str, name: str, content: bytes, *, must: bool) -> Parsed | None:
    """The parsed text; None if it is unreadable and no result came from it. Raises CannotReparse."""
    try:
        return formats.parse(content, tool)
    except FormatError as error:
        if must:
            raise CannotReparse(f"the raw output {name} can no longer be read: {error}") from None
        return None
    except SoftTimeLimitExceeded:
        raise
    except Exception as error:  # a fault of the parser; this run is unchanged, and other runs are still read
        log.exception("the parser of %s failed on %s", tool, name)
        raise CannotReparse(f"our parser failed on the raw output {name}: {type(error).__name__}: {error}") from error


def _check_counts(name: str, parsed: Parsed, rounds: int, *, imported: bool) -> None:
    """Check that a text of several rounds has a value for each. Raises CannotReparse.

    An imported text has as many rounds as its longest results; shorter results belong to the first rounds.
    """
    longest = max((len(result.values) for result in parsed.results), default=0)
    expected = range(rounds + 1) if imported and longest == rounds else (rounds,)
    for result in parsed.results if rounds > 1 else ():
        if len(result.values) not in expected:
            raise CannotReparse(
                f"{name} belongs to {rounds} rounds, and holds {len(result.values)} values of {result.test}."
            )
