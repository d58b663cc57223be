"""The tables and observations on the page of an article, from `pages/SLUG.toml` (docs/publications.md)."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent / "pages"
ALONG = ("unmoved", "up", "down")
BETWEEN = ("better", "worse", "equal", "best", "order")
ALONE = ("spread_below",)
KINDS = (*ALONG, *BETWEEN, *ALONE)


@dataclass(frozen=True)
class TableFile:
    """A table of an article as a selection without its runs.

    `runs` are keys of the publication's runs; empty means all. A table that is not `inline` is not printed in the
    article: BenchDB makes it from the same figures, for observations across tables.
    """

    key: str
    title: str
    select: str
    runs: tuple[str, ...] = ()
    inline: bool = True
    note: str = ""


@dataclass(frozen=True)
class ArticleClaim:
    """A claim about cells of one table; docs/publications.md defines when each kind holds.

    `where` selects cells by test, metric, … (as stored, or as in the table). `values` and `against` are labels of the
    factor.
    """

    kind: str
    along: str = ""
    values: tuple[str, ...] = ()
    against: tuple[str, ...] = ()
    where: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    ratio: tuple[float, float] | None = None
    share: float = 0.0

    def __post_init__(self) -> None:
        wanted = {**dict.fromkeys(ALONG, "along"), **dict.fromkeys(BETWEEN, "values"), "spread_below": "share"}
        if self.kind not in wanted or not getattr(self, wanted[self.kind]):
            raise ValueError(f"a claim is one of {', '.join(KINDS)}, with along, values or share: {self}")


@dataclass(frozen=True)
class Observation:
    """An observation of the author, in our words, and its claim about the cells of a table."""

    text: str
    table: str
    claim: ArticleClaim


@dataclass(frozen=True)
class PageFile:
    """The page file of one article.

    `means` are the views (the test parameter `view`) that are means over all record sizes and all files larger than so
    many bytes.
    """

    tables: tuple[TableFile, ...]
    observations: tuple[Observation, ...]
    means: Mapping[str, int] = field(default_factory=dict)


@lru_cache
def page_file(slug: str) -> PageFile:
    """The page file of an article, empty if there is none. Raises TypeError or ValueError for a faulty file."""
    path = FOLDER / f"{slug}.toml"
    entries = tomllib.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}
    tables = tuple(TableFile(**_frozen(table)) for table in entries.pop("tables", []))
    observations = tuple(_observation(**fields) for fields in entries.pop("observations", []))
    means = dict(entries.pop("means", {}))
    keys = [table.key for table in tables]
    unknown = [observation.table for observation in observations if observation.table not in keys]
    if entries or unknown or len(set(keys)) < len(keys):
        raise ValueError(f"{path.name}: unknown {sorted(entries)}, no tables {unknown}, or one key twice in {keys}")
    return PageFile(tables, observations, means)


def _observation(text: str, table: str, **claim: object) -> Observation:
    return Observation(text, table, ArticleClaim(**_frozen(claim)))


def _frozen(fields: Mapping[str, object]) -> dict[str, Any]:
    """The fields with tuples instead of lists, also one level down."""
    return {
        name: tuple(value)
        if isinstance(value, list)
        else {key: tuple(values) for key, values in value.items()}
        if isinstance(value, dict)
        else value
        for name, value in fields.items()
    }
