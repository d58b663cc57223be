"""What the page of an article shows besides its figures: `pages/SLUG.toml` (docs/publications.md)."""

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

    `runs` are keys of the publication's runs, all of them where it is empty. One that is not `inline` is not printed
    in the article: BenchDB makes it of the same figures, for the observations that go across tables.
    """

    key: str
    title: str
    select: str
    runs: tuple[str, ...] = ()
    inline: bool = True
    note: str = ""


@dataclass(frozen=True)
class Claim:
    """What an observation claims of cells of one table; docs/publications.md says when each kind holds.

    `where` keeps the cells whose test, metric, … (as stored, or as the table shows it) is one of these. `values` and
    `against` are labels of the factor.
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
    """What an author observed, in our words, and the claim that it makes of the cells of a table."""

    text: str
    table: str
    claim: Claim


@dataclass(frozen=True)
class PageFile:
    """The file of one article. `unnumbered` says why it has no table, where it has none."""

    tables: tuple[TableFile, ...]
    observations: tuple[Observation, ...]


@lru_cache
def page_file(slug: str) -> PageFile:
    """The file of an article, empty where there is none. Raises TypeError or ValueError for a faulty one."""
    path = FOLDER / f"{slug}.toml"
    found = tomllib.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}
    tables = tuple(TableFile(**_frozen(each)) for each in found.pop("tables", []))
    observations = tuple(_observation(each) for each in found.pop("observations", []))
    keys = [table.key for table in tables]
    unknown = [each.table for each in observations if each.table not in keys]
    if found or unknown or len(set(keys)) < len(keys):
        raise ValueError(f"{path.name}: unknown {sorted(found)}, no tables {unknown}, or one key twice in {keys}")
    return PageFile(tables, observations)


def _observation(found: Mapping[str, Any]) -> Observation:
    claim = {name: value for name, value in found.items() if name not in ("text", "table")}
    return Observation(found["text"], found["table"], Claim(**_frozen(claim)))


def _frozen(found: Mapping[str, Any]) -> dict[str, Any]:
    """With tuples for lists, also one level down."""
    return {
        name: tuple(value)
        if isinstance(value, list)
        else {key: tuple(some) for key, some in value.items()}
        if isinstance(value, dict)
        else value
        for name, value in found.items()
    }
