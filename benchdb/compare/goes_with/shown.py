"""What goes with the differences of a permalink, from its content (compare/goes_with_frozen.html). Pure functions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import inf

from benchdb.compare.table.content import ChangedQuantity, GoesWithPair, TableContent
from benchdb.runs.totals.quantities import QUANTITIES, Per, Quantity, Work
from benchdb.wording.numbers import plural
from benchdb.wording.words import upper

from .compared import ComparedQuantity
from .page import MOST_SENTENCES, PERCENT_OF_MARGIN, line_of
from .words import sentence_of

_BY_NAME = {quantity.name: quantity for quantity in QUANTITIES}


def show_frozen(content: TableContent) -> dict[str, object] | None:
    """What goes with the differences of a shared table; None if its runs have no samples of the machine."""
    if content.goes_with is None:
        return None
    left_out = content.goes_with.left_out
    return {
        "rivals": [_rival(pair) for pair in content.goes_with.pairs],
        "left_out": f"Not compared: {plural(left_out, 'further pair')}." if left_out else "",
        "margin": PERCENT_OF_MARGIN,
    }


def _rival(pair: GoesWithPair) -> dict[str, object]:
    work = Work(pair.work)
    changed = [*_compared(pair.quantities)]
    effects = [each for each in changed if not each.quantity.condition]
    more = pair.changed - len(changed)
    # A rival: its cells with a difference in words, what changed, and the table of it. `more` changed besides.
    return {
        "label": pair.rival,
        "baseline": pair.baseline,
        "different": _different(pair),
        "sentences": [upper(sentence_of(each, work)) for each in effects[:MOST_SENTENCES]],
        "conditions": [sentence_of(each, work) for each in changed if each.quantity.condition],
        "tested": pair.tested,
        "lines": [line_of(each, work) for each in changed],
        "more": f"{more} more changed with less certainty." if more else "",
    }


def _different(pair: GoesWithPair) -> str:
    """`5 of 6 cells`: those with a difference; "" if there is none."""
    if not pair.different:
        return ""
    cells = plural(pair.cells, "cell")
    return cells if pair.different == pair.cells else f"{pair.different} of {cells}"


def _compared(quantities: Sequence[ChangedQuantity]) -> Iterator[ComparedQuantity]:
    for rank, each in enumerate(quantities, start=1):
        yield ComparedQuantity(
            quantity=_BY_NAME.get(each.name) or _unknown(each),
            baseline=each.baseline,
            rival=each.rival,
            ratio=each.ratio,
            low=0.0 if each.low is None else each.low,
            high=inf if each.high is None else each.high,
            p=each.p,
            p_adjusted=each.p_adjusted,
            rank=rank,
        )


def _unknown(each: ChangedQuantity) -> Quantity:
    """A quantity of another version of BenchDB."""
    per = Per.WORK if each.per in [work.value for work in Work] else Per(each.per)
    return Quantity(each.name, each.name.replace("_", " "), each.name, per, each.unit, 0.0)
