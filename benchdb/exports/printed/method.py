"""Sentences about the method of figures and the meaning of marks. Only marks that occur are explained."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from benchagent.verdicts import VERDICTS
from benchdb.compare.content import ComparedContent
from benchdb.compare.verdicts.sentences import warnings_of_all
from benchdb.exports.contents import Content
from benchdb.exports.origin import Origin
from benchdb.runs.cells.cell import Cell
from benchdb.runs.cells.cell_context import MEMORY_MEANING, has_tail_mark, tags
from benchdb.runs.cells.verdict import CellVerdict

from .document import BEST
from .kinds import exported_kind

STATISTICS = {
    "mean": "mean",
    "median": "median",
    "minimum": "smallest value",
    "maximum": "largest value",
    "sd": "standard deviation (n − 1)",
    "cv": "coefficient of variation (standard deviation ÷ mean)",
}
TESTS = {
    "welch_on_logarithms": "Welch's t test on logarithms of the values",
    "paired_by_campaign": "the paired t test on logarithms of the runs' means of each campaign",
    "welch_on_moments": "Welch's t test on mean, standard deviation and n",
}
CORRECTIONS = {
    "benjamini_hochberg": "Benjamini and Hochberg (false-discovery rate)",
    "holm": "Holm (family-wise error rate)",
}
KINDS = {kind: f"{of.sign} {of.word}" for kind, of in VERDICTS.items()}
LONGER, LESS = VERDICTS["worse"].sign, VERDICTS["better"].sign
TAIL = f"p99.9 {LONGER}: the slowest operations take longer than those of the baseline; {LESS}: less time."
TAGS = {
    **{mark: f"{mark}: {meaning.lower()}." for mark, meaning in MEMORY_MEANING.items()},
    "CLK": "CLK: less than 100 ticks of the tool's clock.",
    "!": "!: see the notes.",
}


def method(content: Content, cells: Collection[Cell], origin: Origin) -> list[str]:
    """The sentences that a reader needs to use the figures, with their source."""
    return [*_figures(content, cells), *tests(content, cells), versions(content), *source(origin)]


def source(origin: Origin) -> list[str]:
    """The address, and whether its numbers can change."""
    return [f"Source: {origin.address}", origin.sentence]


def versions(content: Content) -> str:
    """`BenchDB 0.1.0, statistics version 2.`"""
    return f"BenchDB {content.benchdb_version}, statistics version {content.statistics_version}."


def _figures(content: Content, cells: Collection[Cell]) -> list[str]:
    statistic = content.statistic if isinstance(content, ComparedContent) else "mean"
    several = any(len(cell.runs) > 1 for cell in cells)
    repeated = "rounds of a run, and over runs where several meet in a cell" if several else "rounds"
    spread = "; ± is the standard deviation (n − 1)" if statistic == "mean" else ""
    sentences = [f"Figures: {STATISTICS[statistic]} over n {repeated}{spread}."]
    if statistic != "mean" and _kinds(cells):
        sentences.append("Verdicts compare means.")
    return sentences


def tests(content: Content, cells: Collection[Cell]) -> list[str]:
    """Tests, correction and margin of the verdicts; nothing if there are no verdicts."""
    if not isinstance(content, ComparedContent) or not _kinds(cells):
        return []
    used = {verdict.method for verdict in _verdicts_of(cells)}
    tests = " or ".join(text for name, text in TESTS.items() if name in used)
    if not tests:
        return ["No verdicts: nothing could be tested."]
    correction, level = CORRECTIONS[content.correction], _percent(content.level)
    kind = exported_kind(content)
    return [
        f"Verdicts against {kind.baseline(content)}: ratio {_means(used)}, {tests}, "
        f"p corrected over the whole {kind.noun} after {correction} at {level}; "
        f"equal within the margin: 90 % interval of the ratio within ± {_percent(content.margin)}. "
        "Shown intervals are 95 % and not corrected."
    ]


def _means(methods: Collection[str | None]) -> str:
    """Which means the ratios are of."""
    if "welch_on_moments" not in methods:
        return "of geometric means"
    others = {"welch_on_logarithms", "paired_by_campaign"} & set(methods)
    return "of geometric means, of means without values" if others else "of means"


def of_all_verdicts(cells: Iterable[Cell]) -> list[str]:
    """The warnings of all verdicts, each once: `Within one run: …`."""
    return warnings_of_all(_verdicts_of(cells))


def legend(content: Content, cells: Collection[Cell]) -> list[str]:
    """The marks that occur, with their meaning."""
    occurring, kind = _kinds(cells), exported_kind(content)
    sentences = []
    if occurring:
        signs = [text for name, text in KINDS.items() if name in occurring]
        sentences.append(f"Against {kind.baseline(content)}: {', '.join(signs)}.")
    if any(cell.best for cell in cells):
        sentences.append(f"{kind.best_of(content)}, or tied for it: {BEST}.")
    if any(map(has_tail_mark, cells)):
        sentences.append(TAIL)
    marks = {tag.text for cell in cells for tag in tags(cell)}
    return [*sentences, *(text for tag, text in TAGS.items() if tag in marks)]


def _kinds(cells: Iterable[Cell]) -> set[str]:
    return {verdict.kind for verdict in _verdicts_of(cells)} & set(KINDS)


def _verdicts_of(cells: Iterable[Cell]) -> Iterable[CellVerdict]:
    return (cell.verdict for cell in cells if cell.verdict is not None)


def _percent(share: float) -> str:
    return f"{100 * share:.4g} %"
