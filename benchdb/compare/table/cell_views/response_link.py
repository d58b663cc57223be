"""The link from a table to the response curves of its runs."""

from __future__ import annotations

from django.urls import reverse

from benchdb.compare.guard.levels import LOADS, possible_levels
from benchdb.compare.query.selection import encode
from benchdb.compare.table.complete import Choices
from benchdb.runs.quantities.loads import LEAST_LEVELS, THROUGHPUTS


def response_of(choices: Choices) -> str | None:
    """The address of the curves of the table's runs; None if they have no levels of load, or no latencies."""
    quantities, asked = choices.quantities, choices.asked
    mask = quantities.having("test", choices.places["test"])
    metrics = quantities.values("metric", mask)
    throughput = next((name for name in THROUGHPUTS if name in metrics), None)
    if throughput is None or not any(str(name).startswith("latency_") for name in metrics):
        return None
    levels = possible_levels(choices.runs, quantities, mask & quantities.having("metric", [throughput]))
    if not any(levels.get(name, 0) >= LEAST_LEVELS for name in LOADS):
        return None
    kept = {name: values for name, values in asked.filters.items() if name not in ("metric", "params", *levels)}
    runs = [("run", str(run)) for run in asked.runs] + [("campaign", str(each)) for each in asked.campaigns]
    return f"{reverse('response')}?{encode([*runs, *((name, value) for name in kept for value in kept[name])])}"
