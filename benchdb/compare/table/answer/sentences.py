"""The answer in sentences: what is established, what is not known, and what both rest on."""

from __future__ import annotations

from collections.abc import Sequence
from math import log
from typing import NamedTuple

from django.utils.text import get_text_list

from benchdb.compare.content import Difference
from benchdb.compare.page_parts.differences import show_values
from benchdb.compare.table.grid import Grid, lower
from benchdb.wording.changes import effect_in_words, largest_difference, metric_noun
from benchdb.wording.numbers import plural
from benchdb.wording.sizes import unbroken
from benchdb.wording.words import upper

from .estimates import MetricEstimates, RatioEstimate

OF_SPEED = ("throughput", "rate", "elapsed")
MORE = 1.25  # times as large is the difference in a cell that is named, on a logarithmic scale
MOST_ROUNDS = 1000  # that anybody would measure
MOST_NAMED = 3  # established differences in the first sentence
MEASURED = {
    "device": "",
    "unknown": "; whether they measured the device or memory is not known",
    "cached": ", which measured memory, at least in part",
}


class AnswerPart(NamedTuple):
    """A part of a sentence; `kind` is that of a verdict if the part says one, else ""."""

    text: str
    kind: str = ""


class MetricAnswer(NamedTuple):
    """The sentences about a metric: the first in parts, the others, and what they rest on."""

    lead: list[AnswerPart]
    further: list[str]
    basis: str

    @property
    def text(self) -> str:
        """All of it but the basis, as plain text."""
        return " ".join(["".join(span.text for span in self.lead), *self.further])


def answer_of(table: Grid, found: MetricEstimates, *, alone: bool) -> MetricAnswer:
    """The sentences about the estimates of a metric, whose name they begin with unless it is `alone`."""
    established = sorted((each for each in found.estimates if each.established), key=lambda each: -each.distance)
    undecided, equal, untested = (
        [each for each in found.estimates if each.kind == kind] for kind in ("inconclusive", "equivalent", "none")
    )
    further = [
        *_say_equal(table, equal),
        *_say_undecided(table, undecided),
        *_say_untested(table, found, untested),
    ]
    if found.why:
        return MetricAnswer([AnswerPart(f"Nothing can be compared with {table.content.baseline}.")], [found.why], "")
    if established:
        lead = _say_established(table, found, established, alone=len(established) == len(found.estimates))
    else:
        lead, *further = [AnswerPart(further[0])], *further[1:]
    parts = [*([] if alone else [AnswerPart(f"{upper(metric_noun(found.metric))}: ")]), *lead]
    return MetricAnswer(
        [part._replace(text=unbroken(part.text)) for part in parts], [*map(unbroken, further)], unbroken(_basis(found))
    )


def _say_established(
    table: Grid, found: MetricEstimates, established: Sequence[RatioEstimate], *, alone: bool
) -> list[AnswerPart]:
    """`btrfs is 2.5× slower than ext2 (1.7× to 3.6×), most in random write, 4 KiB records: 20× (12× to 35×).`

    If all others differ in one direction, the baseline is fastest or slowest.
    """
    baseline, spans = table.content.baseline, []
    directions = {each.kind for each in established}
    if alone and len(established) > 1 and len(directions) == 1:
        best, worst = ("fastest", "slowest") if found.metric in OF_SPEED else ("best", "worst")
        spans.append(AnswerPart(f"{baseline} is {worst if directions == {'better'} else best}: "))
    for number, each in enumerate(established[:MOST_NAMED]):
        than = f" than {baseline}" if number == 0 else ""
        spans += [*([AnswerPart("; ")] if number else []), *_say_one(table, found.metric, each, than)]
    left = len(established) - MOST_NAMED
    return [*spans, AnswerPart(f"; {left} more differ." if left > 0 else ".")]


def _say_one(table: Grid, metric: str, each: RatioEstimate, than: str) -> list[AnswerPart]:
    """One established difference, with the cell where it is largest."""
    if each.ratio is None:
        total = each.counts.total()
        return [
            AnswerPart(
                f"{each.label} is {each.kind}{than} in {each.counts[each.kind]} of {plural(total, 'cell')}", each.kind
            )
        ]
    words = effect_in_words(metric, each.ratio, each.low, each.high)
    spans = [
        AnswerPart(f"{each.label} {words.verb} {words.phrase}{than}", each.kind),
        AnswerPart(f" ({words.interval})" if words.interval else ""),
    ]
    verdict = table.cells[each.most].verdict if each.most is not None else None
    where = table.words(each.most) if each.most is not None else ""
    if than and where and verdict is not None and verdict.ratio and abs(log(verdict.ratio)) > MORE * each.distance:
        size = effect_in_words(metric, verdict.ratio, verdict.low, verdict.high).size
        spans.append(AnswerPart(f", most in {where}: {size}"))  # its interval would not hold for the largest of several
    return spans


def _say_equal(table: Grid, equal: Sequence[RatioEstimate]) -> list[str]:
    """`ext3 and ext4 equal ext2 within 5 %.`; what differs behind an equal mean is said of each."""
    said = []
    margin = f"within {100 * table.content.margin:g} %"
    if plain := [each.label for each in equal if not _differing(each)]:
        verb = "equals" if len(plain) == 1 else "equal"
        said.append(f"{get_text_list(list(plain), 'and')} {verb} {table.content.baseline} {margin}.")
    for each in equal:
        if _differing(each):
            differing = " and ".join(_differing(each))
            said.append(
                f"{each.label} equals {table.content.baseline} {margin} on average, "
                f"but is {differing} of {plural(each.counts.total(), 'cell')}."
            )
    return said


def _differing(each: RatioEstimate) -> list[str]:
    return [f"{kind} in {each.counts[kind]}" for kind in ("better", "worse") if each.counts[kind]]


def _say_undecided(table: Grid, undecided: Sequence[RatioEstimate]) -> list[str]:
    """`No difference from ext2 is shown for ext3 and xfs; if there is one, it is below 45 %.`"""
    if not undecided:
        return []
    ends = [(each.low, each.high) for each in undecided if each.low and each.high]
    bound = largest_difference(min(low for low, _ in ends), max(high for _, high in ends)) if ends else ""
    largest = f"; if there is one, it is below {bound}" if bound else ""
    names = get_text_list([each.label for each in undecided], "and")
    return [
        f"No difference from {table.content.baseline} is shown for {names}{largest}.",
        *_say_rounds(table, undecided),
    ]


def _say_rounds(table: Grid, undecided: Sequence[RatioEstimate]) -> list[str]:
    """`About 24 more rounds would decide xfs.`; without one near a decision, those for the precision of the margin."""
    decided = {each.label: each.rounds_to_decide for each in undecided if each.rounds_to_decide}
    if decided and max(decided.values()) <= MOST_ROUNDS:
        return [f"About {_rounds(max(decided.values()))} would decide {get_text_list([*decided], 'and')}."]
    precise = [each.rounds_for_precision for each in undecided if each.rounds_for_precision]
    if not precise or max(precise) > MOST_ROUNDS:
        return []
    margin = f"± {100 * table.content.margin:g} %"
    return [f"About {_rounds(max(precise))} of each would determine the ratio within {margin}."]


def _rounds(number: int) -> str:
    """`24 more rounds`, with two significant digits."""
    return plural(int(float(f"{number:.2g}")), "more round")


def _say_untested(table: Grid, found: MetricEstimates, untested: Sequence[RatioEstimate]) -> list[str]:
    """What the figures say without a test: `Not tested as a whole, against ext4: xfs is 9.0 % faster.`"""
    said = []
    for each in untested:
        differing = f" is {' and '.join(_differing(each))} of" if _differing(each) else ":"
        words = None if each.ratio is None else effect_in_words(found.metric, each.ratio)
        if words is None:
            said.append(f"{each.label}{differing} {plural(each.counts.total(), 'cell')}")
        else:
            said.append(f"{each.label} {words.verb} {words.phrase}" if each.ratio != 1 else f"{each.label} is equal")
    return [f"Not tested as a whole, against {table.content.baseline}: {'; '.join(said)}."] if said else []


def _basis(found: MetricEstimates) -> str:
    """`Throughput: geometric mean of 9 cells; Read measured memory and is left out. Intervals are 95 % for all …`"""
    over = {0: "no mean, because not all have the same cells", 1: "one cell each"}
    parts = [over.get(found.cells, f"geometric mean of {plural(found.cells, 'cell')}") + MEASURED[found.measured]]
    if found.in_memory:
        tests = [found.in_memory[0], *map(lower, found.in_memory[1:])]
        parts.append(
            f"{get_text_list(list(tests), 'and')} measured memory and {'is' if len(tests) == 1 else 'are'} left out"
        )
    known = [each for each in found.estimates if each.low is not None]
    together = f" for all {len(known)} answers together" if found.together and len(known) > 1 else ""
    intervals = f"Intervals are 95 %{together}." if known else "No interval is known."
    return f"{upper(metric_noun(found.metric))}: {'; '.join(parts)}. {intervals}"


def warning_of(table: Grid) -> str:
    """The first severe difference besides the factor, and the number of others; "" without one."""
    severe = [difference for difference in table.content.differences if difference.severe]
    if not severe:
        return ""
    more = len(table.content.differences) - 1
    others = f"; {plural(more, 'more difference')}" if more else ""
    return f"Not only the {table.content.factor.label} differs: {_in_words(severe[0])}{others}."


def _in_words(difference: Difference) -> str:
    values = ", ".join(f"{each.value} ({each.who})" for each in show_values(difference.values))
    return f"{difference.label} {values}"
