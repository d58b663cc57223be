"""The answer in sentences: what is established, what is not known, and what both rest on."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from math import log
from typing import NamedTuple

import numpy as np
from django.utils.text import get_text_list

from benchagent.formats.vocabulary import METRICS
from benchdb.compare.content import Difference
from benchdb.compare.page_parts.differences import show_values
from benchdb.compare.table.grid import Grid
from benchdb.wording.changes import direction_of, effect_in_words, largest_difference, metric_noun
from benchdb.wording.numbers import plural
from benchdb.wording.sizes import unbroken
from benchdb.wording.words import upper

from .cells_behind import by_test, in_cells, largest_cell
from .estimates import ESTABLISHED, MetricEstimates, RatioEstimate

OF_SPEED = ("throughput", "rate", "elapsed")
MORE = 1.25  # times as large is the difference in a cell that is named, on a logarithmic scale
MOST_ROUNDS = 1000  # that anybody would measure
MOST_NAMED = 3  # established differences in the first sentence
MOST_VALUES = 4  # of a difference in the warning
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
        *_say_equal(table, found, equal),
        *_say_undecided(table, undecided),
        *_say_untested(table, found, untested),
    ]
    if found.why:
        return MetricAnswer([AnswerPart(f"Nothing can be compared with {table.content.baseline}.")], [found.why], "")
    if established:
        lead = _say_established(table, found, established, alone=len(established) == len(found.estimates))
    else:
        lead, *further = [AnswerPart(further[0])], *further[1:]
    lead += _say_failures(found)
    parts = [*([] if alone else [AnswerPart(f"{upper(metric_noun(found.metric))}: ")]), *lead]
    return MetricAnswer(
        [part._replace(text=unbroken(part.text)) for part in parts],
        [*map(unbroken, further)],
        unbroken(_basis(table, found)),
    )


def _say_established(
    table: Grid, found: MetricEstimates, established: Sequence[RatioEstimate], *, alone: bool
) -> list[AnswerPart]:
    """`btrfs is 2.5× slower than ext2 (1.7× to 3.6×), most in random write, 4 KiB records: 20× (12× to 35×).`

    If all others differ in one direction, the baseline is fastest or slowest. A value whose interval is beyond those of
    all others is so, too: the intervals hold together.
    """
    baseline, spans = table.content.baseline, []
    best, worst = ("fastest", "slowest") if found.metric in OF_SPEED else ("best", "worst")
    extremes = _extremes(found)
    directions = {each.kind for each in established}
    if alone and len(established) > 1 and len(directions) == 1 and "better" not in extremes.values():
        spans.append(AnswerPart(f"{baseline} is {worst if directions == {'better'} else best}: "))
        extremes = {}
    superlatives = {label: best if kind == "better" else worst for label, kind in extremes.items()}
    order = {best: 0, worst: 1}
    established = sorted(established, key=lambda each: order.get(superlatives.get(each.label, ""), 2))
    named = len(superlatives) if len(superlatives) == 2 and len(established) > MOST_NAMED else MOST_NAMED
    for number, each in enumerate(established[:named]):
        than = f" than {baseline}" if number == 0 else ""
        spans += [
            *([AnswerPart("; ")] if number else []),
            *_say_one(table, found.metric, each, than, superlatives.get(each.label, "")),
        ]
    rest = Counter(each.kind for each in established[named:])
    more = " and ".join(f"{rest[kind]} more {kind}" for kind in ESTABLISHED if rest[kind])
    return [*spans, AnswerPart(f"; {more}." if more else ".")]


def _extremes(found: MetricEstimates) -> dict[str, str]:
    """The value that is better than all others, and the one that is worse, as labels with the kind of their verdict."""
    if found.failures or not found.together or len(found.estimates) < 2:  # failures leave means of other cells
        return {}
    if any(each.low is None for each in found.estimates):
        return {}
    logs = np.log(np.array([[each.low, each.high] for each in found.estimates], dtype=float))
    low, high = logs.T if METRICS[found.metric].higher_is_better else -logs.T[::-1]
    first, last = int(low.argmax()), int(high.argmin())
    extremes = {}
    if found.estimates[first].kind == "better" and low[first] > np.delete(high, first).max():
        extremes[found.estimates[first].label] = "better"
    if found.estimates[last].kind == "worse" and high[last] < np.delete(low, last).min():
        extremes[found.estimates[last].label] = "worse"
    return extremes


def _say_one(table: Grid, metric: str, each: RatioEstimate, than: str, superlative: str) -> list[AnswerPart]:
    """One established difference, and the cells behind it: in which tests it is, or where it is largest.

    If some tests are better and others worse, these come before the mean.
    """
    if each.ratio is None:
        total = each.counts.total()
        return [
            AnswerPart(
                f"{each.label} is {each.kind}{than} in {each.counts[each.kind]} of {plural(total, 'cell')}", each.kind
            )
        ]
    words = effect_in_words(metric, each.ratio, each.low, each.high)
    interval = f" ({words.interval})" if words.interval else ""
    own, than = _in_full(table, each.label), f" than {_in_full(table, table.content.baseline)}" if than else ""
    opposite = "worse" if each.kind == "better" else "better"
    tests = by_test(table, metric, each)
    if {each.kind, opposite} <= tests.keys():
        return [
            AnswerPart(f"{own} {words.verb} {tests[each.kind].change}{than} in {tests[each.kind].where}", each.kind),
            AnswerPart(", but "),
            AnswerPart(f"{tests[opposite].change} in {tests[opposite].where}", opposite),
            AnswerPart(f"; {words.phrase} on average{interval}"),
        ]
    is_so = f"is {superlative}:{'' if words.verb == 'is' else f' it {words.verb}'}" if superlative else words.verb
    spans = [AnswerPart(f"{own} {is_so} {words.phrase}{than}", each.kind), AnswerPart(interval)]
    if than and {each.kind, ""} <= tests.keys():
        others = f", {tests[''].change} in {tests[''].where}"
        spans.append(AnswerPart(f", {tests[each.kind].size} in {tests[each.kind].where}{others}"))
    elif than and (largest := largest_cell(table, each, each.kind)) is not None and (where := table.words(largest)):
        verdict = table.verdict(largest)
        if verdict.ratio and abs(log(verdict.ratio)) > MORE * each.distance:
            size = effect_in_words(metric, verdict.ratio, verdict.low, verdict.high).size
            spans.append(AnswerPart(f", most in {where}: {size}"))  # its interval would not hold for the largest
    if than and (others := in_cells(table, metric, each, opposite)):
        spans += [AnswerPart(", but "), AnswerPart(others, opposite)]
    return spans


def _say_failures(found: MetricEstimates) -> list[AnswerPart]:
    """` btrfs failed in 6 of 18 cells: No space left on device.`"""
    spans = []
    for label, (number, of_all, words) in [*found.failures.items()][:MOST_NAMED]:
        spans.append(AnswerPart(f" {label} failed in {number} of {plural(of_all, 'cell')}", "worse"))
        spans.append(AnswerPart(f": {words.rstrip('.')}." if words else "."))
    left = len(found.failures) - MOST_NAMED
    return [*spans, *([AnswerPart(f" Cells of {left} more failed.")] if left > 0 else [])]


def _say_equal(table: Grid, found: MetricEstimates, equal: Sequence[RatioEstimate]) -> list[str]:
    """`ext3 and ext4 equal ext2 within 5 %.`; what differs by more behind an equal mean is said of each."""
    said = []
    baseline, margin = table.content.baseline, f"within {100 * table.content.margin:g} %"
    differing = {
        each.label: [text for kind in ESTABLISHED if (text := in_cells(table, found.metric, each, kind))]
        for each in equal
    }
    if plain := [label for label, words in differing.items() if not words and label not in found.failures]:
        verb = "equals" if len(plain) == 1 else "equal"
        said.append(f"{get_text_list(plain, 'and')} {verb} {baseline} {margin}.")
    for label, words in differing.items():
        if words:
            verb = direction_of(found.metric).verb
            said.append(f"{label} equals {baseline} {margin} on average, but {verb} {', and '.join(words)}.")
        elif label in found.failures:
            said.append(f"Where it did not fail, {label} equals {baseline} {margin}.")
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


def _basis(table: Grid, found: MetricEstimates) -> str:
    """`Throughput: geometric mean of 9 cells; read measured memory and is left out. Intervals are 95 % for all …`"""
    over = {0: "no mean, because not all have the same cells", 1: "one cell each"}
    fewer = [f"{each.label} of {len(each.members)}" for each in found.estimates if found.failures.get(each.label)]
    mean = f"geometric mean of {', '.join([plural(found.cells, 'cell'), *fewer])}"
    parts = [over.get(found.cells, mean) + MEASURED[found.measured]]
    names, cells = found.in_memory
    if names or cells:
        what = get_text_list([*names, *([plural(cells, "more cell" if names else "cell")] if cells else [])], "and")
        parts.append(
            f"{what} measured memory, at least in part, and {'is' if len(names) + cells == 1 else 'are'} left out"
        )
    if found.unpaired:
        cells_in_words = f"{plural(found.unpaired, 'cell')} that not every {table.content.factor.label} has"
        parts.append(f"{cells_in_words} {'is' if found.unpaired == 1 else 'are'} left out")
    known = [each for each in found.estimates if each.low is not None]
    number = "both" if len(known) == 2 else f"all {len(known)}"
    together = f" for {number} answers together" if found.together and len(known) > 1 else ""
    intervals = f"Intervals are 95 %{together}." if known else "No interval is known."
    ns = {group.n for group in table.content.groups if group.n}
    of_one_run = " of one run" if all(len(cell.runs) == 1 for cell in table.cells) else ""
    n = f", {ns.pop()}{of_one_run}" if len(ns) == 1 else ""
    return f"{upper(metric_noun(found.metric))}{n}: {'; '.join(parts)}. {intervals}"


def warning_of(table: Grid, most: int = MOST_VALUES) -> str:
    """The first severe difference besides the factor, with `most` values, and the number of others; "" without one."""
    severe = [difference for difference in table.content.differences if difference.severe]
    if not severe:
        return ""
    more = len(table.content.differences) - 1
    others = f"; {plural(more, 'more difference')}" if more else ""
    said = _in_words(severe[0]) if len(severe[0].values) <= most else f"{severe[0].label} too"
    return f"Not only the {table.content.factor.label} differs: {said}{others}."


def _in_full(table: Grid, label: str) -> str:
    """`xfs (laptop-b)`: a value of the factor with that of the worst severe difference, if it has a single one."""
    severe = next((difference for difference in table.content.differences if difference.severe), None)
    values = [value.value for value in severe.values if label in value.where] if severe else []
    return f"{label} ({values[0]})" if len(values) == 1 else label


def _in_words(difference: Difference) -> str:
    values = ", ".join(f"{each.value} ({each.who})" for each in show_values(difference.values))
    return f"{difference.label} {values}"
