"""Sentences of whole tables: coverage of the intervals that they print, false changes, and omitted facts."""

import os
from collections import Counter
from collections.abc import Callable, Sequence
from concurrent.futures import Executor
from dataclasses import replace
from functools import partial

import django
import numpy as np

from benchdb.stats.arrays import FloatArray
from tests.bench.statistics.blocks import share, spread
from tests.bench.statistics.claims import ROUNDS, Claim, Share

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "benchdb.settings")
django.setup()

from benchdb.compare.table.findings import table_findings  # noqa: E402 (after the setup of Django)
from benchdb.compare.table.findings.claims import BestClaim, RowClaim, ShapeClaim  # noqa: E402
from benchdb.compare.table.findings.finding import TableFinding  # noqa: E402
from benchdb.compare.table.grid import grid_of  # noqa: E402
from tests.support.comparing.contents import cells as cells_of  # noqa: E402
from tests.support.comparing.contents import content  # noqa: E402

NOISE = 0.05
SHAPE_TABLES = 12_000
SIZES = ("1 MiB", "4 MiB", "16 MiB", "64 MiB")
VALUES = ("ext4", "xfs", "btrfs")
SHAPES = {
    "rising": (1.0, 1.15, 1.3, 1.5),
    "valley": (1.0, 0.5, 0.9, 0.9),
    "valley and back": (1.0, 0.5, 1.0, 1.0),
}
"""Tests by their factors along the record sizes; all others are flat."""


def findings_of(
    rows: Sequence[str], heads: Sequence[str], splits: Sequence[str], logarithms: FloatArray, split: str = "record_size"
) -> list[TableFinding]:
    """The findings of a table of `logarithms` (splits, rows, heads, rounds)."""
    keys = [(split, row, head) for split in splits for row in rows for head in heads]
    values = 1e8 * np.exp(logarithms.reshape(-1, logarithms.shape[-1]))
    measured = [replace(cell, look=1) for cell in cells_of(values)]
    made = content(rows, heads, dict(zip(keys, measured, strict=True)), splits=splits, split=split)
    return table_findings(grid_of(made))


def _count_printed(findings: Sequence[TableFinding], counts: Counter[str]) -> None:
    """Count the changes that the sentences print, and those whose interval contains 1."""
    claims = (claim for finding in findings for claim in finding.claims if not isinstance(claim, BestClaim))
    for change in (change for claim in claims for change in claim.changes):
        counts["intervals"] += 1
        counts["with 1"] += change.low <= 1 <= change.high


EFFECTS: dict[str, Callable[[np.random.Generator, int], FloatArray]] = {
    "all cells +5 %": lambda rng, cells: np.full(cells, 0.05),
    "normal, sd 5 %": lambda rng, cells: 0.05 * rng.standard_normal(cells),
    "a tenth of the cells +10 %": lambda rng, cells: np.where(rng.random(cells) < 0.1, 0.1, 0.0),
}


def _most(effect: str, cells: int, rounds: int, noise: Sequence[float], tables: int, seed: list[int]) -> Counter[str]:
    rng, counts = np.random.default_rng(seed), Counter(tables=tables)
    heads = [f"Test {cell}" for cell in range(cells)]
    for table in range(tables):
        truth = EFFECTS[effect](rng, cells)
        logarithms = noise[table % len(noise)] * rng.standard_normal((1, 2, cells, rounds))
        logarithms[0, 1] += truth[:, np.newaxis]
        findings = findings_of(("ext4", "xfs"), heads, ("",), logarithms)
        _count_printed(findings, counts)
        for finding in findings:
            for claim in finding.claims:
                if isinstance(claim, RowClaim) and claim.changes:
                    true = [np.exp(truth[change.cell % cells]) for change in claim.changes]
                    held = [
                        change.low <= ratio <= change.high for change, ratio in zip(claim.changes, true, strict=True)
                    ]
                    counts["printed"] += 1
                    counts["held"] += all(held)
                    counts["false"] += not all(held)
    return counts


def intervals(pool: Executor, effort: float) -> list[Claim]:
    """The intervals beside "most in": simultaneous over the row."""
    claims, noises = [], {5: (0.03, 0.05), 10: (0.03, 0.05, 0.1)}
    printed: dict[int, Counter[str]] = {n: Counter() for n in noises}
    wide: Counter[str] = Counter()
    for cells in (13, 52):
        for index, effect in enumerate(EFFECTS):
            counts = {
                n: spread(pool, partial(_most, effect, cells, n, noise), round(300 * effort), [n, cells, index])
                for n, noise in noises.items()
            }
            for n, each in counts.items():
                printed[n] += each
            wide += spread(pool, partial(_most, effect, cells, 5, (0.1,)), round(200 * effort), [cells, index])
            claims.append(
                Claim(
                    "findings",
                    f"{cells} cells, {effect}: the intervals beside “most in” hold the true change",
                    {n: share(each, "held", "printed") for n, each in counts.items()},
                    least=0.9,
                )
            )
    return [
        *claims,
        Claim("findings", "the same, noise 10 %: tables with a printed interval that misses the true change",
              {5: share(wide, "false", "tables")}, most=0.05),
        Claim("findings", "the same, noise 10 %: printed intervals that hold it (few tables print one)",
              {5: share(wide, "held", "printed")}),
        Claim("findings", "intervals beside “most in” that contain 1",
              {n: share(each, "with 1", "intervals") for n, each in printed.items()}, most=0.005),
    ]  # fmt: skip


def _steady(common: float, rounds: int, tables: int, seed: list[int]) -> Counter[str]:
    """Tables that say something about the order of rounds; they share this part of the variance, white noise."""
    rng, counts = np.random.default_rng(seed), Counter(tables=tables)
    heads, rows = [f"Test {number}" for number in range(13)], ("ext4", "xfs", "btrfs", "f2fs")
    for _ in range(tables):
        of_rounds = rng.standard_normal((1, len(rows), 1, rounds))
        own = rng.standard_normal((len(SIZES), len(rows), len(heads), rounds))
        logarithms = NOISE * (np.sqrt(common) * of_rounds + np.sqrt(1 - common) * own)
        found = findings_of(rows, heads, SIZES, logarithms)
        counts["told"] += any("value" in each.text for each in found)
    return counts


def steadiness(pool: Executor, effort: float) -> list[Claim]:
    """Sentences about unsteady rounds where nothing but chance makes them so."""
    return [
        Claim(
            "findings",
            f"steady rounds, which share {common:.0%} of the variance: a sentence says that they are not",
            {
                n: share(spread(pool, partial(_steady, common, n), round(1000 * effort), [n, round(10 * common)]),
                         "told", "tables")
                for n in ROUNDS[2:]
            },
            most=0.05,
        )
        for common in (0.0, 0.5, 0.8)
    ]  # fmt: skip


def _shapes(rounds: int, noise: float, tables: int, seed: list[int]) -> Counter[str]:
    rng, counts = np.random.default_rng(seed), Counter(tables=tables)
    heads = [*SHAPES, "flat", "flat too"]
    truth = np.log([[SHAPES.get(head, (1.0,) * 4)[size] for head in heads] for size in range(4)])
    for _ in range(tables):
        logarithms = truth[:, np.newaxis, :, np.newaxis] + noise * rng.standard_normal((4, 3, len(heads), rounds))
        false = wrong = omitted = flat_changes = False
        findings = findings_of(VALUES, heads, SIZES, logarithms)
        _count_printed(findings, counts)
        for finding in findings:
            for claim in finding.claims:
                if isinstance(claim, ShapeClaim):
                    flat, opposite = _of_shape(claim, truth, heads, counts)
                    false, wrong = false | flat, wrong | opposite
                    omitted |= _omits(claim, heads)
                    flat_changes |= bool(claim.changes) and _head(claim, heads) not in SHAPES
        counts["false"] += false
        counts["wrong"] += wrong
        counts["omitted"] += omitted
        counts["flat"] += flat_changes
    return counts


def _of_shape(claim: ShapeClaim, truth: FloatArray, heads: Sequence[str], counts: Counter[str]) -> tuple[bool, bool]:
    """Count what a claim says, and return whether it claims a change where there is none, and the wrong direction."""
    false = wrong = False
    head = _head(claim, heads)
    for change in claim.changes:
        column = change.cell % len(heads)
        true = truth[_size(change.cell, heads), column] - truth[_size(change.against, heads), column]
        counts["changes"] += 1
        counts["covered"] += change.low <= np.exp(true) <= change.high
        wrong |= true * np.log(change.ratio) < 0
        false |= true == 0
    counts["lines"] += 1
    counts[f"right {head}"] += len(claim.changes) == (1 if head == "rising" else 2 if head in SHAPES else 0)
    return false, wrong


def _head(claim: ShapeClaim, heads: Sequence[str]) -> str:
    """The test of the line."""
    return heads[claim.line[0] % len(heads)]


def _size(cell: int, heads: Sequence[str]) -> int:
    """The number of the record size of a cell."""
    return cell // (len(VALUES) * len(heads))


def _omits(claim: ShapeClaim, heads: Sequence[str]) -> bool:
    """Whether a claim about a valley mentions neither its fall nor that one end of the fall is undecided."""
    head = _head(claim, heads)
    falls = any(change.ratio < 1 and _size(change.cell, heads) == 1 for change in claim.changes)
    undecided = any(_size(cell, heads) < 2 for cell in claim.undecided)
    return "valley" in head and not falls and not undecided


def shapes(pool: Executor, effort: float) -> list[Claim]:
    """Sentences about record sizes: flat, rising, a valley, and a valley with the same height on both sides."""
    counts = {n: spread(pool, partial(_shapes, n, NOISE), round(SHAPE_TABLES * effort), [n]) for n in ROUNDS}
    lines = {n: Counter(lines=3 * counts[n]["tables"], right=sum(counts[n][f"right {head}"] for head in SHAPES))
             for n in ROUNDS}  # fmt: skip
    return [
        Claim("findings", "5 tests × 3 rows × 4 record sizes, two tests are flat: one of them is said to change",
              {n: share(counts[n], "flat", "tables") for n in ROUNDS}, most=0.05),
        Claim("findings", "along sizes: a change is claimed between two equal cells",
              {n: share(counts[n], "false", "tables") for n in ROUNDS}, most=0.06),
        Claim("findings", "along sizes: intervals that contain 1",
              {n: share(counts[n], "with 1", "intervals") for n in ROUNDS}, most=0.005),
        Claim("findings", "along sizes: a change is claimed in the wrong direction",
              {n: share(counts[n], "wrong", "tables") for n in ROUNDS}, most=0.02),
        Claim("findings", "along sizes: a sentence about 100 → 50 → 90 or 100 → 50 → 100 omits the fall",
              {n: share(counts[n], "omitted", "tables") for n in ROUNDS}, most=0.02),
        Claim("findings", "along sizes: printed intervals hold the true change",
              {n: share(counts[n], "covered", "changes") for n in ROUNDS}, least=0.93),
        Claim("findings", "along sizes: lines that change whose shape is reported in full",
              {n: Share(lines[n]["right"], 3 * lines[n]["lines"]) for n in ROUNDS}),
    ]  # fmt: skip
