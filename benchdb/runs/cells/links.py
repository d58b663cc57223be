"""Addresses of the sources of a number: the page of its result, and its line of raw output."""

from __future__ import annotations

import json
from functools import lru_cache
from urllib.parse import quote_plus, urlencode

from django.urls import reverse

from benchdb.runs.queries import Measured, ValuePlace
from benchdb.wording.sizes import print_size

from .cell import Cell

LINES_A_PAGE = 5000


@lru_cache(maxsize=1024)
def raw_href(run_id: str, artifact: str) -> str:
    """The page of an artifact."""
    return reverse("raw", args=[run_id, artifact])


def line_href(run_id: str, source: ValuePlace) -> str:
    """A line of an artifact; a long artifact has several pages."""
    line = source["line"]
    if line <= LINES_A_PAGE:
        return f"{raw_href(run_id, source['artifact'])}#L{line}"
    first = (line - 1) // LINES_A_PAGE * LINES_A_PAGE + 1
    return f"{raw_href(run_id, source['artifact'])}?{urlencode({'from': first})}#L{line}"


@lru_cache(maxsize=1024)
def run_href(run_id: str) -> str:
    """The page of a run."""
    return reverse("run", args=[run_id])


def result_href(run_id: str, ordinal: int) -> str:
    """The page of one result: its figures and its values by round."""
    return f"{run_href(run_id)}results/{ordinal}/"


def surface_href(run_id: str, test: str, metric: str) -> str:
    """The surface of one test of a run."""
    return f"{_page('surface')}?{urlencode({'run': run_id, 'test': test, 'metric': metric})}"


def trend_href(result: Measured) -> str:
    """The trend of this result: the same workload on the same machine, over time."""
    return trend_of(str(result.run_id), result)


def trend_of(run_id: str, of: Measured | Cell) -> str:
    """The trend of a quantity; fields that are None stay open."""
    names = [("test", of.test), ("metric", of.metric)]
    sizes = [("file_size", of.file_size), ("record_size", of.record_size)]
    pairs = [("run", run_id), *((name, text) for name, text in names if text)]
    pairs += [(name, print_size(size)) for name, size in sizes if size is not None]
    pairs += [("threads", str(of.threads))] if of.threads is not None else []
    if of.params:
        pairs.append(("params", json.dumps(of.params, sort_keys=True, separators=(",", ":"))))
    return f"{_page('trend')}?{'&'.join([f'{name}={_quoted(value)}' for name, value in pairs])}"


@lru_cache
def _page(name: str) -> str:
    return reverse(name)


_quoted = lru_cache(maxsize=4096)(quote_plus)  # a table has a link for each cell, made of few different words
