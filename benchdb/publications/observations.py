"""The observations of an article's author beside BenchDB's verdicts. Pure functions of frozen tables."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from benchdb.compare.table.content import Finding, TableContent
from benchdb.compare.table.grid import Grid, grid_of
from benchdb.stats import to_places
from benchdb.wording.changes import change_and_interval, common_metric, range_in_words
from benchdb.wording.sizes import unbroken
from benchdb.wording.words import upper

from .claims import ClaimLine, ClaimOutcome, Claims
from .contexts import AnsweredObservation, ObservationVerdict
from .page_files import ALONE, Observation

SHOWN = 6  # lines of one observation; more are folded
ORDER = {outcome: rank for rank, outcome in enumerate(("fails", "disagrees", "open", "holds", "agrees"))}
FINDINGS = 3  # of one observation
NO_SPREAD = "No sd is printed, so no test is possible."
WORDS = {
    ClaimOutcome.HOLDS: "holds",
    ClaimOutcome.FAILS: "fails",
    ClaimOutcome.OPEN: "open",
    ClaimOutcome.AGREES: "agrees",
    ClaimOutcome.DISAGREES: "disagrees",
}


def answered(
    observations: Sequence[Observation], tables: Mapping[str, tuple[TableContent, str]]
) -> list[AnsweredObservation]:
    """Each observation with its answer; `tables` are content and address by key.

    An observation without its table is left out.
    """
    answered_ones: dict[int, AnsweredObservation] = {}
    for key in dict.fromkeys(observation.table for observation in observations):
        about_table = [(i, observation) for i, observation in enumerate(observations) if observation.table == key]
        if key in tables:
            content, address = tables[key]
            table = grid_of(content)
            answers = Claims(table, [observation.claim for _, observation in about_table]).answers()
            for (i, observation), lines in zip(about_table, answers, strict=True):
                answered_ones[i] = _answer(observation, lines, table, address)
    return [answered_ones[i] for i in sorted(answered_ones)]


def _answer(observation: Observation, lines: Sequence[ClaimLine], table: Grid, address: str) -> AnsweredObservation:
    counts = Counter(line.outcome for line in lines)
    # Lines against the claim come first, so that they are not folded.
    ordered = sorted(lines, key=lambda line: ORDER[line.outcome])
    rows = [_line(line, table, observation, address) for line in ordered]
    return AnsweredObservation(
        text=unbroken(observation.text),
        verdict=verdict(counts),
        range=unbroken(_range(lines, table)),
        address=address,
        table=table.content.title,
        change_head="Spread" if observation.claim.kind in ALONE else "Change",
        intervals=any(line["interval"] for line in rows),
        first=rows[:SHOWN],
        more=rows[SHOWN:],
        findings=list(_findings(observation, lines, table, address)),
    )


def _range(lines: Sequence[ClaimLine], table: Grid) -> str:
    """`Changes: 3 % slower to 2× faster.` for all lines together; "" if no line has a ratio to another cell."""
    ratios = [line.ratio for line in lines if line.ratio is not None and line.against is not None]
    if not ratios:
        return ""
    metric = common_metric(table.measures[line.cell].metric for line in lines)
    if len(ratios) == 1:
        return f"Change: {change_and_interval(metric, ratios[0])[0]}."
    return f"Changes: {range_in_words(metric, min(ratios), max(ratios))}."


def verdict(counts: Mapping[ClaimOutcome, int]) -> ObservationVerdict:
    """The answer to an observation, from the number of lines with each outcome."""
    total = sum(counts.values())
    holds, fails = (counts.get(outcome, 0) for outcome in (ClaimOutcome.HOLDS, ClaimOutcome.FAILS))
    agrees, disagrees = (counts.get(outcome, 0) for outcome in (ClaimOutcome.AGREES, ClaimOutcome.DISAGREES))
    texts = [f"{WORDS[outcome]} in {counts[outcome]}" for outcome in ClaimOutcome if counts.get(outcome)]
    count = f"{upper(', '.join(texts))} of {total}." if total else "None of its cells exists any more."
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
        word = "printed means agree" if not disagrees else "printed means partly agree"
        word = word if agrees else "printed means do not agree"
    return ObservationVerdict(kind, word, count)


def _line(line: ClaimLine, table: Grid, observation: Observation, address: str) -> dict[str, object]:
    alone = line.against is None
    ratio = None if alone else line.ratio
    change, interval = change_and_interval(table.measures[line.cell].metric, ratio, *(line.interval or ()))
    # A line of publications/lines.html; `interval` is empty without one, `outcome` a value of ClaimOutcome.
    return {
        "label": unbroken(_label(line, table, observation)),
        "href": f"{address}#c{table.keys[line.cell]}",
        "printed": _printed(table, line),
        "change": _spread(line) if alone else change or "–",
        "interval": interval,
        "outcome": line.outcome.value,
        "word": WORDS[line.outcome],
    }


def _label(line: ClaimLine, table: Grid, observation: Observation) -> str:
    """`ext4 · random read, 1 MiB → 16 MiB`, `ext4 against ext3 · write, 4 MiB records`."""
    claim = observation.claim
    value, against = table.value_of(line.cell), None if line.against is None else table.value_of(line.against)
    where = table.words(line.cell, *([claim.along] if claim.along else []))
    if against is not None and against != value:
        value = f"{value} against {against}"
    ends = ""
    if claim.along and line.against is not None:
        ends = f"{table.label(line.against, claim.along)} → {table.label(line.cell, claim.along)}"
    return " · ".join(filter(None, [value, ", ".join(filter(None, [where, ends]))]))


def _printed(table: Grid, line: ClaimLine) -> str:
    """The figures as printed in the article: `52 620.10 → 105 651.60 KiB/s`."""
    texts = [table.cells[cell].text.mean for cell in (line.against, line.cell) if cell is not None]
    return f"{' → '.join(texts)} {table.measures[line.cell].unit}"


def _spread(line: ClaimLine) -> str:
    return "–" if line.ratio is None else f"sd {to_places(100 * line.ratio, 2)} %"


def _findings(
    observation: Observation, lines: Sequence[ClaimLine], table: Grid, address: str
) -> Iterable[dict[str, object]]:
    """The findings of the table about the tests and cells of the claim."""
    if observation.claim.kind in ALONE:
        return

    def test_of(cell: int) -> tuple[str | None, str]:
        return table.label(cell, "test") if "test" in table.labels else None, table.measures[cell].metric

    claimed = {cell for line in lines for cell in (line.cell, line.against) if cell is not None}
    tests = {test_of(line.cell) for line in lines}
    count = 0
    for finding in table.content.findings:
        cells = {table.index[key] for key in finding.cells if key in table.index}
        if not cells & claimed or not _is_about(observation, finding):
            continue
        if count < FINDINGS and {*map(test_of, cells)} & tests:  # a finding may be about more tests that change alike
            count += 1
            yield {"text": unbroken(finding.text), "href": f"{address}#c{finding.cells[0]}"}


def _is_about(observation: Observation, finding: Finding) -> bool:
    """Whether a finding is about the claim: its values of the factor, or the effect of a size."""
    if observation.claim.values:
        return not {*observation.claim.values}.isdisjoint(finding.values)
    return finding.kind in ("along", "same_along")
