"""The tables and observations on the page of an article, from `pages/SLUG.toml` (docs/publications.md)."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path

from .places import Facts

FOLDER = Path(__file__).parent / "pages"


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
class PageFile:
    """The page file of one article.

    `observations` are those of the author in our words, each with its table and its claim about cells of this table.
    `means` are the views (the test parameter `view`) that are means over all record sizes and all files larger than so
    many bytes.
    """

    tables: tuple[TableFile, ...]
    observations: tuple[Facts, ...]
    means: Mapping[str, int] = field(default_factory=dict)


@lru_cache
def page_file(slug: str) -> PageFile:
    """The page file of an article, empty if there is none. Raises TypeError for a table with an unknown key."""
    path = FOLDER / f"{slug}.toml"
    entries = tomllib.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}
    tables = tuple(TableFile(**{**table, "runs": tuple(table.get("runs", ()))}) for table in entries.get("tables", []))
    return PageFile(tables, tuple(entries.get("observations", [])), entries.get("means", {}))
