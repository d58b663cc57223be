"""Matches among the labels of runs, and among runs themselves."""

from __future__ import annotations

from urllib.parse import urlencode

from django.db import connection
from django.urls import reverse

from benchdb.http.requests import Reader
from benchdb.replica.reading import reading
from benchdb.runs.listing.counting import EXACT, say_count, with_words
from benchdb.runs.listing.search import of_rows
from benchdb.runs.listing.table import workload_of
from benchdb.runs.models import Run, RunState
from benchdb.wording.numbers import plural
from benchdb.wording.times import known_time

from .found import MOST_LINES, FoundSection

# Labels among those of the listed runs, whose SQL is the inner query.
_LABELS = """
SELECT l.key, l.value, count(*) FROM ({listed}) listed, jsonb_each_text(listed.labels) l
WHERE l.key || '=' || l.value ILIKE ALL(%s)
GROUP BY 1, 2 ORDER BY 3 DESC, 1, 2 LIMIT %s
"""


def labels(words: list[str], user: Reader) -> FoundSection:
    """Labels of runs that the reader may list, by name and value; one query."""
    listed, parameters = RunState.objects.listed_for(user).values("labels").query.sql_with_params()
    patterns = [f"%{connection.ops.prep_for_like_query(word)}%" for word in words]
    with reading().cursor() as cursor:
        cursor.execute(_LABELS.format(listed=listed), [*parameters, patterns, MOST_LINES])
        rows = cursor.fetchall()
    return FoundSection(
        "Labels",
        [
            {
                "href": f"{reverse('runs')}?{urlencode({'label': f'{key}={value}'})}",
                "text": f"{key} {value}",
                "note": plural(runs, "run"),
            }
            for key, value, runs in rows
        ],
    )


def runs(words: list[str], user: Reader) -> FoundSection:
    """The newest runs that contain all words, and their number; three queries, or one."""
    # Ids first: if few runs match, PostgreSQL would scan all runs from the newest to find them.
    rows = list(with_words(words).values_list("pk", flat=True))
    states = of_rows(RunState.objects.listed_for(user), rows).order_by("-run")
    count = states[: EXACT + 1].count()
    with_run = states.select_related("run__machine", "run__environment", "run__target")
    lines = [_run_line(state.run) for state in with_run.defer("run__rounds", "run__extra")[:MOST_LINES]]
    href = f"{reverse('runs')}?{urlencode({'q': ' '.join(words)})}"
    more: dict[str, object] = {"text": f"All {say_count(count)} runs that match", "href": href}
    return FoundSection("Runs", lines, more if count > MOST_LINES else None)


def _run_line(run: Run) -> dict[str, object]:
    parts = (workload_of(run), run.machine.name, run.environment.kernel_release or "kernel unknown")
    return {
        "href": run.get_absolute_url(),
        "text": f"{run.tool} on {run.target.file_system or 'unknown'}",
        "note": ", ".join(filter(None, parts)),
        "at": known_time(run.started_at, run.finished_at),
    }
