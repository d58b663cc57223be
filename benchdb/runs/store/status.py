"""The finished and the remaining work of the workers, for administrators."""

from __future__ import annotations

import json
import zlib
from collections.abc import Mapping
from dataclasses import asdict, dataclass

from django.db.models import Count, Q

from benchagent.formats import PARSER_VERSION
from benchdb.runs.facts import terms as facts
from benchdb.runs.models import FINISHED, Parse, RunState, State
from benchdb.stats import STATISTICS_VERSION


@dataclass(frozen=True, slots=True)
class StatisticsWork:
    """Runs with statistics of the newest version, and finished runs with older ones."""

    version: int
    done: int
    outdated: int


@dataclass(frozen=True, slots=True)
class ParserWork:
    """Runs that the newest parser has not looked at, and those that it could not read again."""

    version: str
    unread: int
    refused: int


@dataclass(frozen=True, slots=True)
class WorkStatus:
    """The number of runs, in total and by state, and the work on their statistics and raw output."""

    runs: int
    states: Mapping[str, int]
    statistics: StatisticsWork
    parsers: ParserWork


def status() -> WorkStatus:
    """The numbers of runs in each state, with older statistics, and read by older parsers.

    Three queries, each over all runs: too expensive for public pages.
    """
    newest = Q(statistics_version__gte=STATISTICS_VERSION)
    finished = Q(state__in=FINISHED)
    runs = RunState.objects.aggregate(
        total=Count("pk"),
        outdated=Count("pk", filter=finished & ~newest),
        **{state.value: Count("pk", filter=Q(state=state)) for state in State},
    )
    refused = Q(checked_by=PARSER_VERSION) & ~Q(refusal="")
    parses = Parse.objects.aggregate(refused=Count("pk", filter=refused))
    done = runs["total"] - runs["outdated"] - runs["received"] - runs["computing"]
    return WorkStatus(
        runs["total"],
        {state.value: runs[state.value] for state in State},
        StatisticsWork(STATISTICS_VERSION, done, runs["outdated"]),
        ParserWork(PARSER_VERSION, unread=Parse.objects.unread().count(), refused=parses["refused"]),
    )


def page_of_status(counts: WorkStatus) -> dict[str, object]:
    """The page of these counts."""
    waiting = counts.states["received"] + counts.states["computing"]
    # The context of runs/status.html; `unread` and `refused` are None if there are no such runs.
    return {
        "status": counts,
        "working": bool(counts.statistics.outdated or waiting),
        "version": _version(counts),
        "states": [facts.fact(state, f"{count:,}") for state, count in counts.states.items()],
        "unread": f"{counts.parsers.unread:,}" if counts.parsers.unread else None,
        "refused": f"{counts.parsers.refused:,}" if counts.parsers.refused else None,
        "section": "",
    }


def _version(counts: WorkStatus) -> str:
    """A digest of all counts, by which a waiting page notices changes."""
    return f"{zlib.crc32(json.dumps(asdict(counts)).encode()):08x}"
