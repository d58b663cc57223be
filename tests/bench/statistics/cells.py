"""Cells that cannot be compared, and the direction of changes, over whole simulated tables."""

import os
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import Executor
from dataclasses import replace
from functools import partial

import django
import numpy as np

from benchdb.stats.arrays import FloatArray
from tests.bench.statistics.blocks import share, spread
from tests.bench.statistics.claims import ROUNDS, Claim

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "benchdb.settings")
django.setup()

from benchdb.compare.table.content import TableContent  # noqa: E402 (after the setup of Django)
from benchdb.compare.table.content import cells as cells_of  # noqa: E402
from benchdb.compare.table.findings import table_findings  # noqa: E402
from benchdb.compare.table.findings.claims import BestClaim, Change, RowClaim, ShapeClaim  # noqa: E402
from benchdb.compare.table.grid import Grid, grid_of  # noqa: E402
from benchdb.compare.table.judge import judge  # noqa: E402
from benchdb.compare.verdicts.pairs import stack  # noqa: E402
from benchdb.runs.cells.cell import Cell  # noqa: E402
from benchdb.runs.cells.verdict import CellVerdict  # noqa: E402
from tests.support.comparing.contents import CACHED, CPU, LATENCY, THROUGHPUT, content  # noqa: E402
from tests.support.comparing.contents import cells as cells_from  # noqa: E402

SYSTEMS = ("ext4", "xfs", "btrfs")
SIZES = ("1 MiB", "4 MiB", "16 MiB")
TESTS = ("Write", "Read", "fread", "Random read", "Random write")
MEASURES = {"Write": THROUGHPUT, "Read": THROUGHPUT, "Write p99": LATENCY, "Read p99": LATENCY, "Write CPU": CPU}
NOISE = 0.05
TABLES = 1000
CACHED_CELLS = 3  # of a table; they are 2 to 50 times as fast
SMALLEST, LARGEST = np.log(1.02), np.log(1e5)  # true changes, in either direction

Labels = tuple[str, str, str]


def cells(pool: Executor, effort: float) -> list[Claim]:
    """Claims about cached cells among device cells, and about changes."""
    tables = round(TABLES * effort)
    unlike = {n: spread(pool, partial(_unlike, n), tables, [n]) for n in ROUNDS}
    sizes = {n: spread(pool, partial(_sizes, n), tables, [n]) for n in ROUNDS}
    return [
        *(
            Claim(
                "cells",
                f"tables in which {CACHED_CELLS} of 45 cells measured memory: {text}",
                {n: share(unlike[n], what, "tables") for n in ROUNDS},
                most=0.005,
            )
            for what, text in (
                ("verdict", "one of them has a verdict, or against it"),
                ("best", "a cell beside one of them is best"),
                ("finding", "a finding counts one of them"),
                ("mean", "one has a share in a geometric mean"),
            )
        ),
        Claim(
            "cells",
            "the same: the other cells have their verdicts and means",
            {n: share(unlike[n], "others", "tables") for n in ROUNDS},
            least=0.995,
        ),
        *(
            Claim(
                "cells",
                f"true changes from 2 % to × 100 000, better or worse: {text}",
                {n: share(sizes[n], what, of) for n in ROUNDS},
                most=0.001,
            )
            for what, of, text in (
                ("word", "called", "the verdict contradicts the metric's direction"),
                ("sign", "changes", "a change has the wrong direction"),
                ("interval", "changes", "its interval contains 1"),
            )
        ),
    ]


# Cells that cannot be compared


def _unlike(rounds: int, tables: int, seed: list[int]) -> Counter[str]:
    """Tables in which some cells measured memory, all others the device."""
    rng, counts = np.random.default_rng(seed), Counter(tables=tables)
    keys = [(size, system, test) for size in SIZES for system in SYSTEMS for test in TESTS]
    for _ in range(tables):
        logarithms = NOISE * rng.standard_normal((len(keys), rounds)) + 0.1 * rng.standard_normal((len(keys), 1))
        places = rng.choice(len(keys), CACHED_CELLS, replace=False).tolist()
        logarithms[places] += rng.uniform(np.log(2), np.log(50), (CACHED_CELLS, 1))
        table = _table(keys, logarithms)
        table |= {keys[place]: replace(table[keys[place]], cache=CACHED) for place in places}
        cached = {keys[place] for place in places}
        made = grid_of(content(SYSTEMS, TESTS, table, splits=SIZES))
        counts.update(_of_judged(made, _indices(made, cached)))
        counts["finding"] += any(_counted(made, _indices(made, cached)))
    return counts


def _indices(made: Grid, cells_: set[Labels]) -> set[int]:
    """The cells with these labels of record size, file system and test."""
    places = ((SIZES.index(size), SYSTEMS.index(system), TESTS.index(test)) for size, system, test in cells_)
    return {made.index[f"{group}-{row}-{column}"] for group, row, column in places}


def _of_judged(made: Grid, cached: set[int]) -> dict[str, bool]:
    """What the verdicts, marks and geometric means of a table say about cells that cannot be compared."""
    judged = judge(made, stack(made.cells))
    contests = made.rivals.tolist()
    mixed = [rivals for rivals in contests if 0 < len(cached & {*rivals}) < len(rivals)]
    # A pair is barred if exactly one of the two measured memory.
    barred = [rival for rivals in contests for rival in rivals[1:] if (rival in cached) != (rivals[0] in cached)]
    kinds = [verdict.kind != "none" for verdict in judged.verdicts.values()]
    clean = sum(not cached & {*rivals} for rivals in contests)
    of_means = [mean for means in judged.means for mean in (means.device, means.cached) if mean]
    return {
        "verdict": any(judged.verdicts[cell].kind != "none" for cell in barred),
        "best": any(rival in judged.best for rivals in mixed for rival in rivals),
        "mean": any(mean.cells > clean for mean in of_means) or any(means.cached for means in judged.means),
        "others": sum(kinds) == len(kinds) - len(barred) and [mean.cells for mean in of_means] == [clean] * 2,
    }


def _counted(made: Grid, cached: set[int]) -> Iterator[bool]:
    """Of each claim, whether it is about a cell of a pair that cannot be compared."""
    barred = cached ^ {rival for rivals in made.rivals.tolist() if rivals[0] in cached for rival in rivals[1:]}
    for finding in table_findings(made):
        for claim in finding.claims:
            match claim:
                case RowClaim():
                    yield bool(barred & {*claim.better, *claim.worse})
                case BestClaim():
                    won = (made.rivals[made.place[cell]].tolist() for cells_ in claim.won.values() for cell in cells_)
                    yield any(0 < len(cached & {*rivals}) < len(SYSTEMS) for rivals in won)
                case ShapeClaim():
                    yield 0 < len(cached & {*claim.line}) < len(claim.line)


def _table(keys: Sequence[Labels], logarithms: FloatArray) -> dict[Labels, Cell]:
    measured = (replace(cell, look=1) for cell in cells_from(1e8 * np.exp(logarithms)))
    return dict(zip(keys, measured, strict=True))


# Direction


def _sizes(rounds: int, tables: int, seed: list[int]) -> Counter[str]:
    """Tables of throughputs, latencies and processor times with changes of all sizes in both directions."""
    rng, counts = np.random.default_rng(seed), Counter(tables=tables)
    keys = [("", system, test) for system in SYSTEMS for test in MEASURES]
    for _ in range(tables):
        truth = np.zeros((len(SYSTEMS), len(MEASURES)))
        size = np.exp(rng.uniform(np.log(SMALLEST), np.log(LARGEST), truth[1:].shape))
        truth[1:] = rng.choice([-1.0, 1.0], size.shape) * size
        logarithms = truth.reshape(-1, 1) + 0.03 * rng.standard_normal((truth.size, rounds))
        made = content(SYSTEMS, [*MEASURES], _table(keys, logarithms), measures=MEASURES)
        _count_verdicts(made, truth, counts)
        _count_findings(made, truth, counts)
    return counts


def _count_verdicts(made: TableContent, truth: FloatArray, counts: Counter[str]) -> None:
    for placed in cells_of(made):
        verdict = placed.cell.verdict
        if verdict is None or verdict.kind not in ("better", "worse") or verdict.ratio is None:
            continue
        _, row, column = map(int, placed.key.split("-"))
        upward = [*MEASURES.values()][column].higher_is_better
        counts["called"] += 1
        counts["word"] += (verdict.kind == "better") != ((truth[row, column] > 0) == upward)
        _count_change(verdict, float(truth[row, column]), counts)


def _count_findings(made: TableContent, truth: FloatArray, counts: Counter[str]) -> None:
    grid = grid_of(made)
    claims = (claim for finding in table_findings(grid) for claim in finding.claims if isinstance(claim, RowClaim))
    for change in (change for claim in claims for change in claim.changes):
        _, row, column = grid.at[change.cell].tolist()
        _count_change(change, float(truth[row, column]), counts)


def _count_change(change: CellVerdict | Change, truth: float, counts: Counter[str]) -> None:
    """Count a change in another direction than the true logarithm, and an interval with 1."""
    ratio, low, high = (1.0 if each is None else each for each in (change.ratio, change.low, change.high))
    counts["changes"] += 1
    counts["sign"] += (ratio > 1) != (truth > 0)
    counts["interval"] += low <= 1 <= high
