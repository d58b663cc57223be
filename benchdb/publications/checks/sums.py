"""Implied values: the parts of a whole make the whole."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import reduce
from itertools import product

from benchdb.publications.article_facts import StatementFacts

from .finding import SUMS
from .known import Known, Range, read_value, show_readings
from .statements import cited, objects_of


def sums(entries: Sequence[StatementFacts]) -> Iterator[Known]:
    """The sum of all statements that are `part_of` an object, for each quantity."""
    wholes = dict.fromkeys((entry["part_of"], entry["quantity"]) for entry in entries if "part_of" in entry)
    for whole, quantity in wholes:
        parts = [entry for entry in entries if (entry.get("part_of"), entry["quantity"]) == (whole, quantity)]
        ranges = [read_value(entry["value"], quantity, rounded=entry.get("rounded", False))[0] for entry in parts]
        totals = tuple(reduce(Range.plus, reading) for reading in product(*ranges))
        used = tuple(cited(entry, name) for entry in parts for name in objects_of(entry))
        formula = " + ".join(entry["value"] for entry in parts)
        yield Known(whole, quantity, totals, f"{formula} = {show_readings(quantity, totals)}", used, SUMS)
