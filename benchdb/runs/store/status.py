"""What the workers have done and what is left, for those who run the server."""

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
    """Counts of runs: how far each is, which have older statistics, which an older parser has read.

    Three queries, each over all runs: not for a page that everybody loads.
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


def status_context(found: dict[str, Any]) -> dict[str, Any]:
    """The context of `runs/status.html`."""
    statistics, parsers = found["statistics"], found["parsers"]
    waiting = found["states"]["received"] + found["states"]["computing"]
    return {
        "section": "",
        "status": found,
        "working": bool(statistics["outdated"] or waiting),
        "version": version_of(found),
        "states": [facts.fact(state, f"{count:,}") for state, count in found["states"].items()],
        "unread": f"{parsers['unread']:,}" if parsers["unread"] else None,
        "refused": f"{parsers['refused']:,}" if parsers["refused"] else None,
    }


def version_of(found: dict[str, Any]) -> str:
    """Another text whenever a count is another, for a page that waits."""
    return f"{zlib.crc32(json.dumps(found).encode()):08x}"
