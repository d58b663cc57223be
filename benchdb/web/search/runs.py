"""Matches among the facts and labels of runs, and among runs themselves."""

from __future__ import annotations

from urllib.parse import urlencode

from django.db.models import BigIntegerField, Count, F, Value
from django.db.models.functions import Cast
from django.urls import reverse

from benchdb.catalog.component_addresses import ComponentKind, component_address, raid_address, say_raid
from benchdb.http.requests import Reader
from benchdb.replica.reading import reading
from benchdb.runs.listing.counting import EXACT, say_count, with_words
from benchdb.runs.listing.table import workload_of
from benchdb.runs.models import Run, RunState
from benchdb.wording.numbers import plural
from benchdb.wording.times import known_time

from .found import MOST_LINES, FoundLine, FoundSection, FurtherMatches, all_in, patterns

# Name of a fact → its label, the path of its column, and the kind of its page; without one, the list of runs.
MODELS = {
    "cpu": ("CPU", "facets__environment__cpu_model", None),
    "disk": ("disk", "facets__target__disk_model", ComponentKind.DISK),
    "kernel": ("kernel", "facets__environment__kernel_release", ComponentKind.KERNEL),
    "os": ("system", "facets__environment__os_name", None),
    "file_system": ("file system", "facets__target__file_system", ComponentKind.FILE_SYSTEM),
    "raid_level": ("RAID layout", "facets__target__raid_level", ComponentKind.RAID),
    "tool": ("tool", "facets__tool", ComponentKind.TOOL),
}
RAID = "raid_level"

# Labels among those of the listed runs, whose SQL is the inner query.
_LABELS = """
SELECT l.key, l.value, count(*) FROM ({listed}) listed, jsonb_each_text(listed.labels) l
WHERE l.key || '=' || l.value ILIKE ALL(%s)
GROUP BY 1, 2 ORDER BY 3 DESC, 1, 2 LIMIT %s
"""


def models(words: list[str], user: Reader) -> FoundSection:
    """Hardware, kernels and tools by the number of runs; one query."""
    listed = RunState.objects.listed_for(user).order_by()
    chunk, no_chunk = F("facets__target__raid_chunk"), Cast(Value(None), BigIntegerField())
    first, *others = [
        listed.filter(all_in(words, path))
        .annotate(kind=Value(name), value=F(path), chunk=chunk if name == RAID else no_chunk)
        .values("kind", "value", "chunk")
        .annotate(runs=Count("run"))
        for name, (_, path, _) in MODELS.items()
    ]
    rows = first.union(*others, all=True).order_by("-runs", "value", "chunk")[:MOST_LINES]
    lines = [_model(row["kind"], row["value"], row["chunk"], row["runs"]) for row in rows]
    return FoundSection("Models, kernels, file systems", lines)


def _model(name: str, value: str, chunk: int | None, runs: int) -> FoundLine:
    label, _, kind = MODELS[name]
    note = f"{label}, {plural(runs, 'run')}"
    if kind is None:
        return FoundLine(f"{reverse('runs')}?{urlencode({name: value})}", value, note)
    if kind is ComponentKind.RAID:
        return FoundLine(raid_address(value, chunk), say_raid(value, chunk), note)
    return FoundLine(component_address(kind, value), value, note)


def labels(words: list[str], user: Reader) -> FoundSection:
    """Labels of runs that the reader may list, by name and value; one query."""
    listed, parameters = RunState.objects.listed_for(user).values("labels").query.sql_with_params()
    with reading().cursor() as cursor:
        cursor.execute(_LABELS.format(listed=listed), [*parameters, patterns(words), MOST_LINES])
        rows = cursor.fetchall()
    lines = [
        FoundLine(f"{reverse('runs')}?{urlencode({'label': f'{key}={value}'})}", f"{key} {value}", plural(runs, "run"))
        for key, value, runs in rows
    ]
    return FoundSection("Labels", lines)


def machines(words: list[str], user: Reader) -> FoundSection:
    """Machines with runs that the reader may list, by name and CPU; one query."""
    listed = RunState.objects.listed_for(user)
    listed = listed.filter(all_in(words, "facets__machine__name", "facets__environment__cpu_model"))
    by_machine = listed.values(machine=F("facets__machine"), name=F("facets__machine__name")).annotate(
        runs=Count("run")
    )
    found = by_machine.order_by("name", "machine")[:MOST_LINES]
    lines = [
        FoundLine(reverse("machine", args=[row["machine"]]), row["name"], plural(row["runs"], "run")) for row in found
    ]
    return FoundSection("Machines", lines)


def runs(words: list[str], user: Reader) -> FoundSection:
    """The newest runs that contain all words, and their number; three queries, or one."""
    # Ids first: if few runs match, PostgreSQL would scan all runs from the newest to find them.
    rows = list(with_words(words).values_list("pk", flat=True))
    states = RunState.objects.listed_for(user).filter(facets__in=rows).order_by("-run")
    count = states[: EXACT + 1].count()
    with_run = states.select_related("run__machine", "run__environment", "run__target")
    lines = [_run_line(state.run) for state in with_run.defer("run__rounds", "run__extra")[:MOST_LINES]]
    href = f"{reverse('runs')}?{urlencode({'q': ' '.join(words)})}"
    more = FurtherMatches(f"All {say_count(count)} runs that match", href)
    return FoundSection("Runs", lines, more if count > MOST_LINES else None)


def _run_line(run: Run) -> FoundLine:
    at = known_time(run.started_at, run.finished_at)
    parts = (workload_of(run), run.machine.name, run.environment.kernel_release or "kernel unknown")
    where = ", ".join(filter(None, parts))
    return FoundLine(run.get_absolute_url(), f"{run.tool} on {run.target.file_system or 'unknown'}", where, at)
