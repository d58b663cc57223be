"""Implied values: capacity and interface of a disk, from the name of its model."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from decimal import Decimal

from benchdb.publications.article_facts import StatementFacts

from .finding import MODELS
from .known import Known, Range
from .statements import cited, objects_of

# The digits that name the capacity in GB. Seagate: ST, 3 for 3.5 inches, capacity, three further digits. IBM Deskstar:
# DTLA-30, 7 or 5 for the speed, capacity.
CAPACITIES = (re.compile(r"ST3(\d{2,4})\d{3}AS?\b"), re.compile(r"DTLA-30[57](\d{3})"))
STEP = Decimal("0.07")  # names round capacities


def capacities(entries: Sequence[StatementFacts]) -> Iterator[Known]:
    """The capacity of each object with a model whose name has one."""
    for entry in entries:
        digits = next((match[1] for form in CAPACITIES if (match := form.search(entry["value"]))), None)
        if entry["quantity"] == "model" and digits:
            size = Decimal(int(digits)) * 10**9
            for name in objects_of(entry):
                found = Range(size, size).widened(STEP)
                yield Known(name, "capacity", (found,), f"{int(digits)} GB by its name", (cited(entry, name),), MODELS)
