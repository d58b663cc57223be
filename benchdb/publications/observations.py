"""What an article's author observed, beside what BenchDB finds in the same figures. Pure functions of frozen tables."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from benchdb.compare.content import Content
from benchdb.compare.table.findings.finding import say_interval
from benchdb.compare.table.findings.table_cells import TableCells
from benchdb.stats import to_places
from benchdb.wording.numbers import say_change
from benchdb.wording.sizes import unbroken
from benchdb.wording.words import upper

from .claims import Claims, Line, Outcome
from .page_files import ALONE, Observation

Context = dict[str, Any]

SHOWN = 6  # lines of one observation; more are folded
ORDER = {outcome: place for place, outcome in enumerate(("fails", "disagrees", "open", "holds", "agrees"))}
FINDINGS = 3  # of one observation
NO_SPREAD = "No sd is printed, so nothing can be tested."
WORDS = {
    Outcome.HOLDS: "holds",
    Outcome.FAILS: "fails",
    Outcome.OPEN: "open",
    Outcome.AGREES: "agrees",
    Outcome.DISAGREES: "disagrees",
}


def answered(observations: Sequence[Observation], tables: Mapping[str, tuple[Content, str]]) -> list[Context]:
    """Each observation with its answer; `tables` are content and address by key. One without its table is left out."""
    found: dict[int, Context] = {}
    for key in dict.fromkeys(each.table for each in observations):
        own = [(place, each) for place, each in enumerate(observations) if each.table == key]
        if key in tables:
            content, address = tables[key]
            table = TableCells(content)
            answers = Claims(table, [each.claim for _, each in own]).answers()
            for (place, each), lines in zip(own, answers, strict=True):
                found[place] = _answer(each, lines, table, content, address)
    return [found[place] for place in sorted(found)]


def _answer(
    observation: Observation, lines: Sequence[Line], table: TableCells, content: Content, address: str
) -> Context:
    counts = Counter(line.outcome for line in lines)
    # What speaks against the claim comes first: it must not be folded.
    told = [_line(line, table, observation, address) for line in sorted(lines, key=lambda line: ORDER[line.outcome])]
    return {
        "text": unbroken(observation.text),
        **verdict(counts),
        "range": unbroken(_range(lines)),
        "address": address,
        "table": content["title"],
        "change_head": "Spread" if observation.claim.kind in ALONE else "Change",
        "intervals": any(line["interval"] for line in told),
        "first": told[:SHOWN],
        "more": told[SHOWN:],
        "findings": list(_findings(observation, lines, content, address)),
    }


def _range(lines: Sequence[Line]) -> str:
    """`Changes from −3.4 % to +101 %.` of the lines together; "" where a sentence would say no more than one line."""
    ratios = [line.ratio for line in lines if line.ratio is not None and line.against is not None]
    if not ratios:
        return ""
    low, high = say_change(min(ratios)), say_change(max(ratios))
    return f"Change {low}." if len(ratios) == 1 else f"Changes from {low} to {high}."


def verdict(counts: Mapping[Outcome, int]) -> Context:
    """`{kind, word, count}` of an observation, from how many lines came to what."""
    total = sum(counts.values())
    holds, fails = (counts.get(each, 0) for each in (Outcome.HOLDS, Outcome.FAILS))
    agrees, disagrees = (counts.get(each, 0) for each in (Outcome.AGREES, Outcome.DISAGREES))
    said = [f"{WORDS[each]} in {counts[each]}" for each in Outcome if counts.get(each)]
    count = f"{upper(', '.join(said))} of {total}." if total else "None of its cells is there any more."
    if holds or fails or not agrees + disagrees:
        if holds and fails:
            kind, word = "part", "confirmed in part"
        elif fails:
            kind, word = "contradicted", "contradicted"
        elif holds:
            kind, word = "confirmed", "confirmed" if holds == total else "confirmed where it can be decided"
        else:
            kind, word = "open", "open"
    else:
        count = f"{count} {NO_SPREAD}"
        kind = "untested"
        word = "printed means agree" if not disagrees else "printed means agree in part"
        word = word if agrees else "printed means do not agree"
    return {"kind": kind, "word": word, "count": count}


def _line(line: Line, table: TableCells, observation: Observation, address: str) -> Context:
    alone = line.against is None
    return {
        "label": unbroken(_label(line, table, observation)),
        "href": f"{address}#c{line.place.key}",
        "printed": _printed(line),
        "change": _spread(line) if alone else say_change(line.ratio) or "–",
        "interval": say_interval(*line.interval).removeprefix("95 % interval ") if line.interval else "",
        "outcome": line.outcome.value,
        "word": WORDS[line.outcome],
    }


def _label(line: Line, table: TableCells, observation: Observation) -> str:
    """`ext4 · random read, 1 MiB → 16 MiB`, `ext4 against ext3 · write, 4 MiB records`."""
    claim = observation.claim
    value, against = table.value(line.place), None if line.against is None else table.value(line.against)
    where = table.words(line.place, *([claim.along] if claim.along else []))
    if against is not None and against != value:
        value = f"{value} against {against}"
    ends = ""
    if claim.along and line.against is not None:
        ends = f"{line.against.parts[claim.along]} → {line.place.parts[claim.along]}"
    return " · ".join(filter(None, [value, ", ".join(filter(None, [where, ends]))]))


def _printed(line: Line) -> str:
    """`52 620.10 → 105 651.60 KiB/s`: the figures as the article has them."""
    texts = [place.cell["text"]["mean"] for place in (line.against, line.place) if place is not None]
    return f"{' → '.join(texts)} {line.place.measure.unit}"


def _spread(line: Line) -> str:
    return "–" if line.ratio is None else f"sd {to_places(100 * line.ratio, 2)} %"


def _findings(observation: Observation, lines: Sequence[Line], content: Content, address: str) -> Iterable[Context]:
    """The table's own findings that speak of these tests, in cells that the claim is about."""
    if observation.claim.kind in ALONE:
        return
    own = {place.key for line in lines for place in (line.place, line.against) if place is not None}
    tests = {(line.place.parts.get("test"), line.place.measure.metric) for line in lines}
    places = {place.key: place for place in TableCells(content).places}
    found = 0
    for finding in content["findings"]:
        told = [places[key] for key in finding["cells"] if key in places]
        meant = {(place.parts.get("test"), place.measure.metric) for place in told}
        if not told or not any(place.key in own for place in told) or not _is_about(observation, finding["text"]):
            continue
        if found < FINDINGS and (meant <= tests or (observation.claim.kind == "unmoved" and meant & tests)):
            found += 1
            yield {"text": unbroken(finding["text"]), "href": f"{address}#c{finding['cells'][0]}"}


def _is_about(observation: Observation, text: str) -> bool:
    """Whether a finding speaks of what the claim is about: its values of the factor, or what a size does."""
    subject = text.partition(" is ")[0].rpartition(": ")[2]
    return subject in observation.claim.values if observation.claim.values else "depend" in text or " from " in text
