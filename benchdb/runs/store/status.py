"""The finished and the remaining work of the workers, for administrators."""

from __future__ import annotations

import json
import zlib
from typing import Any

from django.db.models import Count, Q

from benchagent.formats import PARSER_VERSION
from benchdb.runs.facts import terms as facts
from benchdb.runs.models import Parse, RunState, State
from benchdb.stats import STATISTICS_VERSION


def status() -> dict[str, Any]:
    """The numbers of runs in each state, with older statistics, and read by older parsers.

    Three queries, each over all runs: too expensive for public pages.
    """
    newest = Q(statistics_version__gte=STATISTICS_VERSION)
    finished = Q(state__in=[State.READY, State.FAILED])
    runs = RunState.objects.aggregate(
        total=Count("pk"),
        outdated=Count("pk", filter=finished & ~newest),
        **{state.value: Count("pk", filter=Q(state=state)) for state in State},
    )
    refused = Q(checked_by=PARSER_VERSION) & ~Q(refusal="")
    parses = Parse.objects.aggregate(refused=Count("pk", filter=refused))
    return {
        "runs": runs["total"],
        "states": {state.value: runs[state.value] for state in State},
        "statistics": {
            "version": STATISTICS_VERSION,
            "done": runs["total"] - runs["outdated"] - runs["received"] - runs["computing"],
            "outdated": runs["outdated"],
        },
        "parsers": {
            "version": PARSER_VERSION,
            "unread": Parse.objects.unread().count(),
            "refused": parses["refused"],
        },
    }


def status_context(counts: dict[str, Any]) -> dict[str, Any]:
    """The context of `runs/status.html`."""
    statistics, parsers = counts["statistics"], counts["parsers"]
    waiting = counts["states"]["received"] + counts["states"]["computing"]
    return {
        "section": "",
        "status": counts,
        "working": bool(statistics["outdated"] or waiting),
        "version": version_of(counts),
        "states": [facts.fact(state, f"{count:,}") for state, count in counts["states"].items()],
        "unread": f"{parsers['unread']:,}" if parsers["unread"] else None,
        "refused": f"{parsers['refused']:,}" if parsers["refused"] else None,
    }


def version_of(counts: dict[str, Any]) -> str:
    """A digest of all counts, by which a waiting page notices changes."""
    return f"{zlib.crc32(json.dumps(counts).encode()):08x}"
