"""Read the data file of an article (TOML, described in docs/publications.md) into an `Article`."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from functools import lru_cache
from pathlib import Path

from benchagent.formats.vocabulary import METRICS
from benchdb.facts.stored import Parameters

from .places import Facts, NoPlace, sourced_facts
from .printed_numbers import UNITS, PrintedNumber, UnreadableNumber, read_printed, read_size

DATA = Path(__file__).parent / "data"

_FIGURE_FACTS = (
    "run",
    "test",
    "metric",
    "unit",
    "file_size",
    "record_size",
    "threads",
    "params",
    "n",
    "object",
    "about",
)


class FaultyArticle(ValueError):
    """The data file has a fault; the message names its position and the reason."""


@dataclass(frozen=True)
class ArticleFigure:
    """One printed figure of a table, with its run and result; `row` and `column` are labels of the table."""

    table: str
    row: str
    column: str
    run: str
    test: str
    metric: str
    unit: str
    printed: PrintedNumber
    n: int | None = None
    file_size: int | None = None
    record_size: int | None = None
    threads: int | None = None
    params: Parameters = field(default_factory=dict)
    object: str = ""
    about: Decimal = Decimal(0)


@dataclass(frozen=True)
class Article:
    """The data file: `facts` are its contents, `figures` the figures of its tables in order.

    `sourced` are its facts with their places in the text.
    """

    slug: str
    facts: Facts
    figures: tuple[ArticleFigure, ...]
    sourced: list[Facts]

    def of_run(self, run: str) -> list[ArticleFigure]:
        """The figures of one run."""
        return [figure for figure in self.figures if figure.run == run]


def slugs() -> list[str]:
    """The slugs of all articles, in the order of the list."""
    return [article.slug for article in sorted(map(read, _files()), key=lambda article: article.facts["ordinal"])]


def _files() -> list[str]:
    return [path.stem for path in DATA.glob("*.toml")]


@lru_cache
def generated(slug: str) -> Facts:
    """The `findings` and `answers` beside the data file (`tools/article_findings.py`); empty without a file."""
    path = DATA / f"{slug}.json"
    found: Facts = json.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}
    return {"findings": [], "answers": [], **found}


def read(slug: str, text: str | None = None) -> Article:
    """The article with this slug, from `text` instead of its file if given. Raises FaultyArticle."""
    try:
        source = (DATA / f"{slug}.toml").read_text(encoding="utf-8") if text is None else text
        facts = tomllib.loads(source)
    except FileNotFoundError:
        raise FaultyArticle(f"There is no article {slug}; there are {', '.join(sorted(_files()))}.") from None
    except tomllib.TOMLDecodeError as error:
        raise FaultyArticle(f"{slug}.toml: {error}") from None
    try:
        sourced = sourced_facts(facts)
    except NoPlace as error:
        raise FaultyArticle(f"{slug}.toml: {error}") from None
    figures = [figure for table in facts.get("tables", []) for figure in _figures(slug, table)]
    facts["runs"] = {key: _whole(facts, key, run) for key, run in facts.get("runs", {}).items()}
    if unknown := sorted({figure.run for figure in figures} - set(facts.get("runs", {}))):
        raise FaultyArticle(
            f"{slug}.toml: tables name the runs {', '.join(unknown)}, which the file does not describe."
        )
    return Article(slug, facts, tuple(figures), sourced)


def _whole(facts: Facts, key: str, run: Facts) -> Facts:
    """A run merged over the `parts` in its `like`. Raises FaultyArticle."""
    whole: dict[str, object] = {}
    for name in run.get("like", []):
        if name not in facts.get("parts", {}):
            raise FaultyArticle(
                f"{facts['slug']}.toml: the run {key} is like {name}, which the file does not describe."
            )
        whole = merged(whole, facts["parts"][name])
    return merged(whole, run)


def merged(base: Mapping[str, object], over: Mapping[str, object]) -> dict[str, object]:
    """`base` with the values of `over`, object by object; lists are replaced as a whole."""
    result = dict(base)
    for name, value in over.items():
        before = result.get(name)
        result[name] = merged(before, value) if isinstance(before, dict) and isinstance(value, dict) else value
    return result


def _figures(slug: str, table: Facts) -> Iterator[ArticleFigure]:
    for row in table["rows"]:
        if len(row["cells"]) != len(table["columns"]):
            raise FaultyArticle(f"{slug}.toml, {table['key']}, {row['label']}: {len(row['cells'])} cells")
        for column, cell in zip(table["columns"], row["cells"], strict=True):
            try:
                yield from _cell(table, row, column, cell)
            except (ValueError, KeyError) as error:
                cell_name = f"{table['key']}, {row['label']}, {column['label']}"
                raise FaultyArticle(f"{slug}.toml, {cell_name}: {error}") from None


def _cell(table: Facts, row: Facts, column: Facts, cell: str) -> Iterator[ArticleFigure]:
    """The figures of a cell: none for an empty cell, several for parts between slashes."""
    parts = row.get("parts") or column.get("parts") or table.get("parts") or [{}]
    if not cell:
        return
    for part, text in zip(parts, (text.strip() for text in cell.split("/")), strict=True):
        if not text:
            continue
        sources = (table, column, row, part)
        facts = {name: fact for source in sources for name, fact in source.items() if name in _FIGURE_FACTS}
        facts["params"] = {name: value for source in sources for name, value in source.get("params", {}).items()}
        # The parts of `{configuration}-{system}` are facts of the column and the row.
        facts["run"] = facts["run"].format(**{**row, **column})
        facts["object"] = facts.get("object", "").format(**{**row, **column, **facts})
        yield _figure(table["key"], row["label"], column["label"], facts, text)


def _figure(table: str, row: str, column: str, facts: Facts, text: str) -> ArticleFigure:
    metric, unit = facts["metric"], facts["unit"]
    if METRICS[metric].unit != UNITS[unit][0]:
        raise UnreadableNumber(f"{metric} is not measured in {unit}")
    return ArticleFigure(
        table=table,
        row=row,
        column=column,
        run=facts["run"],
        test=facts["test"],
        metric=metric,
        unit=unit,
        printed=read_printed(text, unit),
        n=facts.get("n"),
        file_size=read_size(facts["file_size"]) if "file_size" in facts else None,
        record_size=read_size(facts["record_size"]) if "record_size" in facts else None,
        threads=facts.get("threads"),
        params=facts["params"],
        object=facts["object"],
        about=Decimal(str(facts.get("about", 0))),
    )
