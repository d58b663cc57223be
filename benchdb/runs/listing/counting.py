"""The number of runs that match, in total and for each value of each facet; one query over the rows of `Facets`.

The counts of a facet respect every filter but the facet's own, so they show what another value of it would add. A row
that fails only the filter of one facet therefore counts for that facet, and for no other.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from django.db.models import Case, CharField, Count, Q, QuerySet, Value, When

from benchdb.http.requests import Reader
from benchdb.replica.reading import reading
from benchdb.runs.models import Facets, RunStateQuerySet
from benchdb.wording.numbers import NARROW_SPACE

from .filters import FACETS, RANGES, Facet
from .query import RunListQuery

SqlValue = str | int | list[str | None]

MOST_OPTIONS = 100  # values of a facet
EXACT = 10_000  # larger counts are shown as "10 000+"
TOTAL = ""  # in place of a facet's name: all matching runs

# The columns for free text search, as paths from `Facets`; and the aliases of the tables in the SQL below.
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


def count(states: RunStateQuerySet, list_query: RunListQuery, reader: Reader) -> Counted:
    """Counts of these states, which `reader` may list."""
    groups, parameters = _groups(states, reader)
    conditions, condition_parameters = _conditions(list_query)
    words = list_query.words.split()
    finds, sought = _finds(list_query)
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
        cursor.execute(sql, [*parameters, *condition_parameters, *condition_parameters, *words, *sought, MOST_OPTIONS])
        counts = cursor.fetchall()
    facets: dict[str, list[tuple[str | None, int]]] = {name: [] for name in FACETS}
    total, rows = 0, []
    for name, value, runs, ids in counts:
        if name == TOTAL:
            total, rows = runs, ids
        else:
            facets[name].append((value, runs))
    return Counted(total, sorted(set(rows)), facets)


def _groups(states: RunStateQuerySet, reader: Reader) -> tuple[str, Sequence[SqlValue]]:
    """SQL that counts the runs with equal facets, state, visibility, labels and relation to `reader`."""
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


def _conditions(list_query: RunListQuery) -> tuple[list[tuple[str, str]], list[SqlValue]]:
    """For each filtered facet the SQL condition that a row fails its filter; and the parameters of all conditions."""
    conditions: list[tuple[str, str]] = []
    parameters: list[SqlValue] = []
    for name, facet in FACETS.items():
        passes, facet_parameters = _passes(facet, list_query)
        if passes:
            conditions.append((name, f"NOT coalesce({' AND '.join(passes)}, false)"))
            parameters += facet_parameters
    return conditions, parameters


def _passes(facet: Facet, list_query: RunListQuery) -> tuple[list[str], list[SqlValue]]:
    """The SQL conditions of a row that passes the filter of a facet, with their parameters."""
    conditions: list[str] = []
    parameters: list[SqlValue] = []
    if values := list_query.facets.get(facet.name):
        none = f"cardinality({facet.column}) = 0" if facet.many else f"{facet.column} IS NULL"
        one_of = f"{facet.column} {'&&' if facet.many else '= ANY'}(%s::text[])"
        conditions.append(f"({one_of} OR {none})" if None in values else f"({one_of})")
        parameters.append([value for value in values if value is not None])
    if facet.name in RANGES:
        for compared, size in zip((">=", "<="), list_query.ranges.get(facet.name, (None, None)), strict=True):
            if size is not None:
                conditions.append(f"{facet.column}::numeric {compared} %s")
                parameters.append(size)
    return conditions, parameters


def _finds(list_query: RunListQuery) -> tuple[str, list[SqlValue]]:
    """SQL that keeps the values of a facet that contain the text in its search field, and the chosen values.

    If people read something else than the value in the database, SQL keeps all values and `panel` searches them.
    """
    sought = {name: text for name, text in list_query.finds.items() if FACETS[name].is_plain}
    one = " AND (v.facet <> %s OR strpos(lower(v.value), lower(%s)) > 0 OR v.value = ANY(%s))"
    parameters: list[SqlValue] = []
    for name, text in sought.items():
        parameters += [name, text, list(list_query.facets.get(name, ()))]
    return one * len(sought), parameters


def _failing(conditions: Sequence[tuple[str, str]]) -> str:
    """SQL for the name of the first facet whose filter a row fails."""
    cases = " ".join(f"WHEN {sql} THEN '{name}'" for name, sql in conditions)
    return f"CASE {cases} END" if cases else "NULL"


def _values() -> str:
    """SQL for the pairs of facet and value to which a row of `placed` adds its runs."""
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
    """SQL for the searched columns joined to one text."""
    columns = (path.rpartition("__") for path in SEARCHED)
    return f"concat_ws(' ', {', '.join(f'{ALIASES[table]}.{column}' for table, _, column in columns)})"


_SEARCHED = _searched()


def with_words(words: Sequence[str]) -> QuerySet[Facets]:
    """The rows that contain every word: those of the runs in a list with these words as its `q`."""
    return Facets.objects.filter(
        *(Q(*((f"{path}__icontains", word) for path in SEARCHED), _connector=Q.OR) for word in words)
    )


def say_count(runs: int) -> str:
    """`9 412`; above `EXACT` `10 000+`."""
    return f"{min(runs, EXACT):,}".replace(",", NARROW_SPACE) + ("+" if runs > EXACT else "")
