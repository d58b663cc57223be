"""A data file read: TOML in, an `Article` out. docs/publications.md describes the file."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from benchagent.formats.vocabulary import METRICS

from .numbers import UNITS, Printed, Unreadable, read_printed, read_size

DATA = Path(__file__).parent / "data"
Facts = dict[str, Any]

_PLACE = ("run", "test", "metric", "unit", "file_size", "record_size", "threads", "params", "n")


class FaultyArticle(ValueError):
    """The data file cannot be read; the text says where and why."""


@dataclass(frozen=True)
class Figure:
    """One figure of a table: the run and the result it is of, and what is printed. `row`, `column`: the table's own."""

    table: str
    row: str
    column: str
    run: str
    test: str
    metric: str
    unit: str
    printed: Printed
    n: int | None = None
    file_size: int | None = None
    record_size: int | None = None
    threads: int | None = None
    params: Mapping[str, Any] = field(default_factory=dict)

    @property
    def key(self) -> tuple[Any, ...]:
        """What it measures, whatever table it stands in."""
        return (self.test, self.metric, self.file_size, self.record_size, self.threads, tuple(self.params.items()))


@dataclass(frozen=True)
class Article:
    """`facts` is the file as it is; `figures` are those of its tables, in order."""

    slug: str
    facts: Facts
    figures: tuple[Figure, ...]

    def of_run(self, run: str) -> list[Figure]:
        """The figures of one run."""
        return [figure for figure in self.figures if figure.run == run]


def slugs() -> list[str]:
    """The articles there are, in the order of the list."""
    return [article.slug for article in sorted(map(read, _files()), key=lambda article: article.facts["ordinal"])]


def _files() -> list[str]:
    return [path.stem for path in DATA.glob("*.toml")]


def read(slug: str, text: str | None = None) -> Article:
    """The article of this slug; `text` stands in for its file. Raises FaultyArticle."""
    try:
        facts = tomllib.loads((DATA / f"{slug}.toml").read_text(encoding="utf-8") if text is None else text)
    except FileNotFoundError:
        raise FaultyArticle(f"There is no article {slug}; there are {', '.join(sorted(_files()))}.") from None
    except tomllib.TOMLDecodeError as error:
        raise FaultyArticle(f"{slug}.toml: {error}") from None
    figures = [figure for table in facts.get("tables", []) for figure in _figures(slug, table)]
    facts["runs"] = {key: _whole(facts, key, own) for key, own in facts.get("runs", {}).items()}
    if unknown := sorted({figure.run for figure in figures} - set(facts.get("runs", {}))):
        raise FaultyArticle(
            f"{slug}.toml: tables name the runs {', '.join(unknown)}, which the file does not describe."
        )
    return Article(slug, facts, tuple(figures))


def _whole(facts: Facts, key: str, run: Facts) -> Facts:
    """A run with the parts that it is `like`, its own facts over theirs. Raises FaultyArticle."""
    whole: Facts = {}
    for name in run.get("like", []):
        if name not in facts.get("parts", {}):
            raise FaultyArticle(
                f"{facts['slug']}.toml: the run {key} is like {name}, which the file does not describe."
            )
        whole = merged(whole, facts["parts"][name])
    return merged(whole, {name: part for name, part in run.items() if name != "like"})


def merged(base: Facts, own: Facts) -> Facts:
    """`own` laid over `base`, object by object; lists are replaced whole."""
    found = dict(base)
    for name, value in own.items():
        before = found.get(name)
        found[name] = merged(before, value) if isinstance(before, dict) and isinstance(value, dict) else value
    return found


def _figures(slug: str, table: Facts) -> Iterator[Figure]:
    for row in table["rows"]:
        if len(row["cells"]) != len(table["columns"]):
            raise FaultyArticle(f"{slug}.toml, {table['key']}, {row['label']}: {len(row['cells'])} cells")
        for column, cell in zip(table["columns"], row["cells"], strict=True):
            try:
                yield from _cell(table, row, column, cell)
            except (ValueError, KeyError) as error:
                place = f"{table['key']}, {row['label']}, {column['label']}"
                raise FaultyArticle(f"{slug}.toml, {place}: {error}") from None


def _cell(table: Facts, row: Facts, column: Facts, cell: str) -> Iterator[Figure]:
    """The figures of a cell: none where the article left it empty, one a part where it has parts between slashes."""
    parts = row.get("parts") or column.get("parts") or table.get("parts") or [{}]
    if not cell:
        return
    for part, text in zip(parts, (text.strip() for text in cell.split("/")), strict=True):
        if not text:
            continue
        place: Facts = {}
        for source in (table, column, row, part):
            params = {**place.get("params", {}), **source.get("params", {})}
            place |= {name: source[name] for name in _PLACE if name in source}
            place["params"] = params
        # Of `{configuration}-{system}`, one stands in the column and one in the row.
        place["run"] = place["run"].format(**column, **{name: row[name] for name in row if name not in column})
        yield _figure(table["key"], row["label"], column["label"], place, text)


def _figure(table: str, row: str, column: str, place: Facts, text: str) -> Figure:
    metric, unit = place["metric"], place["unit"]
    if METRICS[metric].unit != UNITS[unit][0]:
        raise Unreadable(f"{metric} is not measured in {unit}")
    return Figure(
        table=table,
        row=row,
        column=column,
        run=place["run"],
        test=place["test"],
        metric=metric,
        unit=unit,
        printed=read_printed(text, unit),
        n=place.get("n"),
        file_size=read_size(place["file_size"]) if "file_size" in place else None,
        record_size=read_size(place["record_size"]) if "record_size" in place else None,
        threads=place.get("threads"),
        params=place["params"],
    )
