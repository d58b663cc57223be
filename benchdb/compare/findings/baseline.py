"""Each value of the factor against the baseline: in how many cells it is better or worse, and where most."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from math import log
from typing import NamedTuple

from benchdb.runs.numbers import say_change
from benchdb.runs.words import metric_label
from benchdb.stats import Verdict

from .evidence import Answer, Evidence
from .finding import Finding, Tell, listed, say_interval
from .places import Place, Table, upper

TIER, TIER_TRADES = 20, 30
BOTH = (Verdict.BETTER, Verdict.WORSE)


class Asked(NamedTuple):
    """A cell against its baseline's."""

    place: Place
    against: Place
    pair: int
    claim: int


def against_baseline(table: Table, evidence: Evidence) -> Tell:
    """Findings about each value of the factor, by metric; and those about what one metric gains and another loses."""
    asked: dict[tuple[str, str], list[Asked]] = defaultdict(list)
    for rivals in table.rivals.values():
        base = rivals.get(table.baseline)
        for value, place in rivals.items():
            if base is not None and place is not base:
                pair = evidence.pair(place, base)
                asked[value, place.measure.metric].append(Asked(place, base, pair, evidence.claim([pair])))

    def tell() -> Iterator[Finding]:
        nothing = list(_nothing_differs(table, asked))
        yield from nothing or (
            found for (value, metric), own in asked.items() for found in _of_value(table, evidence, value, metric, own)
        )
        yield from _trades(table, evidence, asked)

    return tell


def _kind(evidence: Evidence, each: Asked) -> Verdict:
    """What findings and the table's own verdict both say; inconclusive where they do not agree."""
    own = (each.place.cell.get("verdict") or {}).get("kind")
    found = evidence.direction(each.pair, each.claim)
    return found if found.value == own else Verdict.INCONCLUSIVE


def _nothing_differs(table: Table, asked: dict[tuple[str, str], list[Asked]]) -> Iterator[Finding]:
    every = [each for own in asked.values() for each in own]
    if len(every) > 1 and all((each.place.cell.get("verdict") or {}).get("kind") == "equivalent" for each in every):
        text = f"Nothing differs by more than {100 * table.margin:g} %: all {len(every)} comparisons are equivalent."
        yield Finding(TIER, text, _both_sides(every))


def _of_value(table: Table, evidence: Evidence, value: str, metric: str, own: Sequence[Asked]) -> Iterator[Finding]:
    kinds = {each.pair: _kind(evidence, each) for each in own}
    answers = {each.pair: evidence.answer(each.pair) for each in own}
    better, worse = ([each for each in own if kinds[each.pair] is kind] for kind in BOTH)
    better.sort(key=lambda each: -answers[each.pair].ratio)
    worse.sort(key=lambda each: answers[each.pair].ratio)
    equivalent = sum(kind is Verdict.EQUIVALENT for kind in kinds.values())
    prefix = f"{upper(metric_label(metric))}: " if len(table.labels.get("metric", [])) > 1 else ""
    if not better and not worse:
        if equivalent == len(own) > 1:
            text = f"{prefix}{value} and {table.baseline} do not differ by more than {100 * table.margin:g} %"
            yield Finding(60, f"{text} in any of {len(own)} cells.", _both_sides(own))
        return
    said = [_side(table, "better", better, answers, len(own)), _side(table, "worse", worse, answers, len(own))]
    than = ", and ".join(filter(None, said))
    word = "better" if better else "worse"
    than = than.replace(word, f"{word} than {table.baseline}", 1)
    rest = f"; {equivalent} {'is' if equivalent == 1 else 'are'} equivalent" if equivalent else ""
    told = [*better[:1], *worse[:1]]
    yield Finding(
        TIER,
        f"{prefix}{value} is {than}{rest}.",
        _both_sides([*told, *better, *worse, *own]),
        max(evidence.p_adjusted(each.claim) for each in told),
        max(abs(log(answers[each.pair].ratio)) for each in told),
    )


def _side(table: Table, word: str, found: Sequence[Asked], answers: dict[int, Answer], total: int) -> str:
    """`better in 9 of 13 cells, most in random read (+35 %, 95 % interval …)`."""
    if not found:
        return ""
    answer = answers[found[0].pair]
    most = f"{say_change(answer.ratio)}, {say_interval(answer.low, answer.high)}"
    where = table.words(found[0].place)
    if total == 1:
        return f"{word} ({most})"
    if len(found) == 1:
        return f"{word} in {where} ({most})"
    count = f"all {total}" if len(found) == total else f"{len(found)} of {total}"
    return f"{word} in {count} cells, most in {where} ({most})"


def _both_sides(asked: Sequence[Asked]) -> list[Place]:
    return [place for each in asked for place in (each.place, each.against)]


def _trades(table: Table, evidence: Evidence, asked: dict[tuple[str, str], list[Asked]]) -> Iterator[Finding]:
    """Where one metric of a test gains what another one loses: throughput up, and CPU too."""
    by_test: dict[object, list[Asked]] = defaultdict(list)
    for (value, _), own in asked.items():
        for each in own:
            if "metric" in each.place.parts:
                by_test[value, each.place.without([*table.factor, "metric"])].append(each)
    for (value, _), own in by_test.items():  # type: ignore[misc]
        kinds = {kind: [each for each in own if _kind(evidence, each) is kind] for kind in BOTH}
        if all(kinds.values()):
            gains, losses = (listed(_metric(evidence, each) for each in kinds[kind]) for kind in BOTH)
            told = [*kinds[Verdict.BETTER], *kinds[Verdict.WORSE]]
            where = table.words(told[0].place, "metric")
            text = f"{value} against {table.baseline}{f' in {where}' if where else ''}: better in {gains}"
            yield Finding(
                TIER_TRADES,
                f"{text}, but worse in {losses}.",
                _both_sides(told),
                max(evidence.p_adjusted(each.claim) for each in told),
                max(abs(log(evidence.answer(each.pair).ratio)) for each in told),
            )


def _metric(evidence: Evidence, each: Asked) -> str:
    return f"{metric_label(each.place.measure.metric)} ({say_change(evidence.answer(each.pair).ratio)})"
