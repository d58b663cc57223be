"""How many runs match, and how many with each value of each facet: one query, which goes through `Facets` row by row.

The counts of a facet respect every filter but its own, so that they say what another value of it would add. A row that
fails the filter of one facet alone therefore counts for that facet, and for no other.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from django.db.models import Case, CharField, Count, Q, QuerySet, Value, When

from benchdb.replica.reading import reading
from benchdb.runs.models import Facets, RunStateQuerySet
from benchdb.wording.numbers import NARROW_SPACE

from .filters import FACETS, RANGES, Facet
from .query import Asked

MOST_OPTIONS = 100  # values of a facet
EXACT = 10_000  # counts beyond are not told exactly
TOTAL = ""  # stands in the place of a facet's name for all that match

# What free text is looked for in, from `Facets`; and what the SQL below calls the tables.
SEARCHED = (
    *("environment__cpu_model", "environment__kernel_release", "environment__os_name", "machine__name", "tool"),
    *("target__file_system", "target__disk_model", "target__transport", "target__layers"),
)
ALIASES = {"": "f", "machine": "m", "environment": "e", "target": "t"}

_SQL = """
WITH g AS ({groups}),
placed AS (
  SELECT g.facets_id, g.runs, {columns}, {missed} AS missed, {failing} AS failing
  FROM g
  JOIN runs_facets f ON f.id = g.facets_id
  JOIN catalog_machine m ON m.id = f.machine_id
  JOIN catalog_environment e ON e.id = f.environment_id
  JOIN catalog_target t ON t.id = f.target_id
  WHERE {where}
),
counted AS (
  SELECT v.facet, v.value, sum(p.runs)::bigint AS runs, array_agg(p.facets_id) FILTER (WHERE v.facet = '') AS rows
  FROM placed p CROSS JOIN LATERAL ({values}) v(facet, value)
  WHERE (p.missed = 0 OR p.missed = 1 AND p.failing = v.facet){found}
  GROUP BY v.facet, v.value
)
SELECT facet, value, runs, rows
FROM (SELECT *, row_number() OVER (PARTITION BY facet ORDER BY runs DESC, value) AS place FROM counted) ranked
WHERE place <= %s
ORDER BY facet, runs DESC, value
"""


@dataclass(frozen=True)
class Counted:
    """The runs that match, the ids of their `Facets`, and for each facet its most frequent values with their runs."""

    total: int = 0
    rows: list[int] = field(default_factory=list)
    facets: dict[str, list[tuple[str | None, int]]] = field(default_factory=dict)


def count(states: RunStateQuerySet, asked: Asked, reader: Any) -> Counted:
    """Counts of these states, which are those that `reader` may list."""
    groups, parameters = _groups(states, reader)
    conditions, own = _conditions(asked)
    words = asked.words.split()
    finds, sought = _finds(asked)
    where = [f"strpos(lower({_SEARCHED}), lower(%s)) > 0"] * len(words)
    sql = _SQL.format(
        groups=groups,
        columns=", ".join(f"{facet.column} AS {facet.name}" for facet in FACETS.values()),
        missed=" + ".join(f"({sql})::int" for _, sql in conditions) or "0",
        failing=_failing(conditions),
        where=" AND ".join(["true", *where]),
        values=_VALUES,
        found=finds,
    )
    with reading().cursor() as cursor:
        cursor.execute(sql, [*parameters, *own, *own, *words, *sought, MOST_OPTIONS])
        found = cursor.fetchall()
    facets: dict[str, list[tuple[str | None, int]]] = {name: [] for name in FACETS}
    total, rows = 0, []
    for name, value, runs, ids in found:
        if name == TOTAL:
            total, rows = runs, ids
        else:
            facets[name].append((value, runs))
    return Counted(total, sorted(set(rows)), facets)


def _groups(states: RunStateQuerySet, reader: Any) -> tuple[str, Sequence[Any]]:
    """SQL of the runs, put together where they have the same facets and the same of what is each run's own."""
    mine = Case(When(owner=reader, then=Value("me")), default=Value("others")) if reader.is_authenticated else None
    grouped = (
        states.annotate(mine=mine or Value("others", CharField()))
        .values("facets_id", "state", "visibility", "labels", "mine")
        .annotate(runs=Count("pk"))
        .order_by()
    )
    sql, parameters = grouped.query.sql_with_params()
    return (
        "SELECT facets_id, state, visibility, mine AS owner, runs,"
        " ARRAY(SELECT l.key || '=' || l.value FROM jsonb_each_text(labels) l) AS labels"
        f" FROM ({sql}) s"
    ), parameters


def _conditions(asked: Asked) -> tuple[list[tuple[str, str]], list[Any]]:
    """For each facet that is asked for, SQL that is true where a row fails it; and the parameters of all of them."""
    found: list[tuple[str, str]] = []
    parameters: list[Any] = []
    for name, facet in FACETS.items():
        parts, own = _fits(facet, asked)
        if parts:
            found.append((name, f"NOT coalesce({' AND '.join(parts)}, false)"))
            parameters += own
    return found, parameters


def _fits(facet: Facet, asked: Asked) -> tuple[list[str], list[Any]]:
    parts: list[str] = []
    parameters: list[Any] = []
    if values := asked.facets.get(facet.name):
        none = f"cardinality({facet.column}) = 0" if facet.many else f"{facet.column} IS NULL"
        parts.append(f"({facet.column} {'&&' if facet.many else '= ANY'}(%s::text[])")
        parts[-1] += f" OR {none})" if None in values else ")"
        parameters.append([value for value in values if value is not None])
    if facet.name in RANGES:
        for compared, size in zip((">=", "<="), asked.ranges.get(facet.name, (None, None)), strict=True):
            if size is not None:
                parts.append(f"{facet.column}::numeric {compared} %s")
                parameters.append(size)
    return parts, parameters


def _finds(asked: Asked) -> tuple[str, list[Any]]:
    """SQL that leaves of a facet the values that contain what was looked for among them, and those that are chosen.

    Where people read something else than the database has, all values come, and `panel` looks among them.
    """
    sought = {name: text for name, text in asked.finds.items() if FACETS[name].is_plain}
    one = " AND (v.facet <> %s OR strpos(lower(v.value), lower(%s)) > 0 OR v.value = ANY(%s))"
    parameters = [[name, text, list(asked.facets.get(name, ()))] for name, text in sought.items()]
    return one * len(sought), [each for own in parameters for each in own]


def _failing(conditions: Sequence[tuple[str, str]]) -> str:
    """SQL for the first facet that a row fails."""
    cases = " ".join(f"WHEN {sql} THEN '{name}'" for name, sql in conditions)
    return f"CASE {cases} END" if cases else "NULL"


def _values() -> str:
    """SQL for the pairs of facet and value that a row of `placed` counts for."""
    single = ", ".join(f"('{facet.name}', p.{facet.name})" for facet in FACETS.values() if not facet.many)
    several = (
        f" UNION ALL SELECT '{facet.name}', unnest(CASE WHEN cardinality(p.{facet.name}) = 0"
        f" THEN ARRAY[NULL::text] ELSE p.{facet.name} END)"
        for facet in FACETS.values()
        if facet.many
    )
    return f"VALUES ('{TOTAL}', NULL::text), {single}" + "".join(several)


_VALUES = _values()


def _searched() -> str:
    """SQL for all that free text is looked for in, as one text."""
    places = (path.rpartition("__") for path in SEARCHED)
    return f"concat_ws(' ', {', '.join(f'{ALIASES[table]}.{column}' for table, _, column in places)})"


_SEARCHED = _searched()


def with_words(words: Sequence[str]) -> QuerySet[Facets]:
    """The rows in which every word stands: those of the runs that a list shows with these words as its `q`."""
    return Facets.objects.filter(
        *(Q(*((f"{path}__icontains", word) for path in SEARCHED), _connector=Q.OR) for word in words)
    )


def say_count(runs: int) -> str:
    """`9 412`, and beyond what is told exactly `10 000+`."""
    return f"{min(runs, EXACT):,}".replace(",", NARROW_SPACE) + ("+" if runs > EXACT else "")
