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
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from uuid import UUID

import numpy as np
from celery.exceptions import SoftTimeLimitExceeded
from django.db import transaction
from django.db.models import F, Max

from benchagent import formats
from benchagent.formats import FormatError, Parsed
from benchagent.formats.columns import ResultColumns as SentColumns
from benchagent.formats.rounds import Evidence, MergedResult, RoundOutput
from benchagent.formats.uniqueness import Identity
from benchagent.tools import completed
from benchdb.ingest.contract.columns import sent_results
from benchdb.ingest.contract.result_rules import check_results
from benchdb.runs.models import Artifact, Parse, Run, RunState
from benchdb.runs.store.archive import ArchiveFailed, content_of
from benchdb.runs.store.result_arrays import Given, ResultArrays
from benchdb.runs.store.results import merged_results, store_parse, stored_results
from benchdb.runs.store.summaries import StatisticsFailed, adopt_parse

from .failed_rounds import merged

log = logging.getLogger(__name__)

TOOLS = [tool_format.TOOL for tool_format in formats.all_formats().text]
COUNTED = ("device_read_bytes", "device_write_bytes", "logical_bytes")  # evidence that parsers read from the text
_OF_ROUND = re.compile(r"round-(\d{1,6})/")
_OTHER = re.compile(r"^(?:files|logs)/|\.stderr\.txt$")  # artifacts that are not output of the tool


class CannotReparse(Exception):
    """The raw output cannot be read again; the message is the reason."""


@dataclass(frozen=True)
class _StoredResult:
    """A result with its ordinal in the run; `given` are published n, mean and sd."""

    ordinal: int
    result: MergedResult
    given: Given | None = None


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
    run = Run.objects.only("tool", "tool_version", "rounds", "extra", "parameters").get(pk=run_id)
    ordinals, columns = stored_results(run_id, state.current_parse)
    rows = [_StoredResult(*row) for row in zip(ordinals.tolist(), merged_results(columns), columns.given, strict=True)]
    old = {row.result.identity: row for row in rows}
    new = {row.identity: row for row in _with_evidence(merged(_readings(run, rows), run.rounds), old)}

    gone = [key for key, row in old.items() if key not in new and row.result.artifacts]
    changed = [key for key, row in new.items() if key not in old or old[key].result != row]
    if gone or changed:
        number = (Parse.objects.filter(run_id=run_id).aggregate(last=Max("number"))["last"] or 0) + 1
        free = itertools.count(max((row.ordinal for row in rows), default=-1) + 1)
        kept = [_StoredResult(old[key].ordinal if key in old else next(free), row) for key, row in new.items()]
        kept += [row for key, row in old.items() if key not in new and not row.result.artifacts]
        names = Artifact.objects.filter(run_id=run_id).values_list("name", flat=True)
        checked = _checked(kept, len(run.rounds), set(names))
        store_parse(run_id, number, formats.PARSER_VERSION, np.array([row.ordinal for row in kept]), checked)
        adopt_parse(run_id, number, len(kept))
    return len(gone) + len(changed)


def _checked(rows: Sequence[_StoredResult], rounds: int, artifacts: Collection[str]) -> ResultArrays:
    """The columns for the store. Raises CannotReparse if no upload may contain such results."""
    columns = SentColumns.of(row.result for row in rows).as_json()
    sent, faults = sent_results({**columns, "summary": [row.given for row in rows]})
    if sent is not None:
        checked, faults = check_results(sent, rounds, artifacts)
        if checked is not None:
            return checked
    raise CannotReparse(f"the parser gives results that are refused: {faults[0].pointer}: {faults[0].expected}")


def _with_evidence(rows: Iterable[MergedResult], old: Mapping[Identity, _StoredResult]) -> Iterator[MergedResult]:
    """Results with the machine's evidence, which is not in the raw text.

    A new result gets the evidence of the old results from the same artifacts, if these agree.
    """
    by_artifacts: dict[frozenset[str], list[Evidence]] = defaultdict(list)
    for stored in old.values():
        by_artifacts[_artifacts(stored.result)].append(stored.result.evidence)
    for row in rows:
        before = old.get(row.identity)
        beside = by_artifacts[_artifacts(row)] or [{}]
        common = beside[0] if all(evidence == beside[0] for evidence in beside) else {}
        seen = before.result.evidence if before else common
        kept = {name: value for name, value in seen.items() if not (row.evidence and name in COUNTED)}
        yield replace(row, evidence={**kept, **row.evidence})


def _artifacts(result: MergedResult) -> frozenset[str]:
    return frozenset(filter(None, result.artifacts))


def _readings(run: Run, old: Sequence[_StoredResult]) -> list[RoundOutput]:
    """The readings of all artifacts of the run, in the order of the rounds. Raises CannotReparse."""
    if run.tool not in TOOLS:
        raise CannotReparse(f"no parser reads the output of {run.tool}.")
    rounds_of = _rounds_of(run, old)
    if not rounds_of:
        raise CannotReparse("no raw output of its tool is kept.")
    named = frozenset[str]().union(*(_artifacts(row.result) for row in old))
    readings: list[RoundOutput] = []
    artifacts = Artifact.objects.filter(run=run, name__in=rounds_of).order_by("ordinal")
    for artifact in artifacts.iterator(chunk_size=10):
        name, content = artifact.name, _content(artifact)
        rounds = rounds_of[name]
        parsed = _parsed(run, name, content, must=name in named)
        if parsed is not None:
            _check_counts(name, parsed, len(rounds), imported="import" in run.extra)
            parsed = parsed if "import" in run.extra else completed(parsed, run.parameters)
            readings += [RoundOutput(round_, name, parsed, index) for index, round_ in enumerate(rounds)]
    if not readings:
        raise CannotReparse("its raw output holds nothing that our parser of this tool reads.")
    return sorted(readings, key=lambda reading: reading.round)


def _unit(run: Run) -> str | None:
    """The unit that a person stated when the text was imported."""
    unit = run.extra.get("import", {}).get("unit")
    return unit if isinstance(unit, str) else None


def _rounds_of(run: Run, old: Sequence[_StoredResult]) -> dict[str, list[int]]:
    """The rounds of each artifact: by the stored results, else by its name, else the only round.

    Raises CannotReparse if the source of a stored result is missing.
    """
    kept = set(Artifact.objects.filter(run=run).values_list("name", flat=True))
    rounds_of: dict[str, set[int]] = defaultdict(set)
    for row in old:
        for index, name in enumerate(row.result.artifacts):
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


def _parsed(run: Run, name: str, content: bytes, *, must: bool) -> Parsed | None:
    """The parsed text; None if it is unreadable and no result came from it. Raises CannotReparse."""
    try:
        return formats.parse(content, run.tool, name=name, version=run.tool_version, unit=_unit(run))
    except FormatError as error:
        if must:
            raise CannotReparse(f"the raw output {name} can no longer be read: {error}") from None
        return None
    except SoftTimeLimitExceeded:
        raise
    except Exception as error:  # a fault of the parser; this run is unchanged, and other runs are still read
        log.exception("the parser of %s failed on %s", run.tool, name)
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
