"""`make bench-statistics`: by simulation, how often the statistics are right, and what they cost. Exit status 1 where
something is not met. Takes about fifteen minutes of two processors.
"""

import argparse
import os
import sys
import time
from collections import Counter
from collections.abc import Callable, Sequence
from concurrent.futures import Executor, ProcessPoolExecutor

import numpy as np
from scipy import stats

from benchdb.stats import Cells, Verdict, compare, geometric_mean, several_runs, summarise
from benchdb.stats.arrays import BoolArray
from benchdb.stats.intervals import Interval
from benchdb.stats.summary.modes import modes
from tests.bench.bare import bare
from tests.bench.ratios import Ledger, Ratio
from tests.bench.statistics.alerts import alerts
from tests.bench.statistics.answers import answers
from tests.bench.statistics.caches import caches
from tests.bench.statistics.cells import cells
from tests.bench.statistics.claims import HEAD, Topic
from tests.bench.statistics.estimand import estimand
from tests.bench.statistics.findings import findings
from tests.bench.statistics.gates import gates
from tests.bench.statistics.order import order
from tests.bench.statistics.pairing import pairing
from tests.bench.statistics.questions import questions
from tests.bench.statistics.rounds import rounds
from tests.bench.statistics.tables import World, simulate
from tests.bench.statistics.tails import tails
from tests.bench.statistics.trends import trends

SEED = 5
SURE = 0.99
SAMPLES = 20_000
# By name; each is one module of this package.
TOPICS: dict[str, Topic] = {
    "alerts": alerts,
    "answers": answers,
    "caches": caches,
    "cells": cells,
    "estimand": estimand,
    "findings": findings,
    "gates": gates,
    "order": order,
    "pairing": pairing,
    "questions": questions,
    "rounds": rounds,
    "tails": tails,
    "trends": trends,
}


def at_most(count: int, of: int) -> float:
    """The upper bound of the share at 99 % confidence (Clopper and Pearson 1934)."""
    return float(stats.beta.ppf(SURE, count + 1, of - count)) if count < of else 1.0


def at_least(count: int, of: int) -> float:
    """The lower bound of the share at 99 % confidence."""
    return 1 - at_most(of - count, of)


def equal_systems(ledger: Ledger, pool: Executor, tables: int) -> None:
    """Tables without differences: the share with false claims, and the share of those with warnings."""
    ledger.say(f"\n{tables} tables of 156 cells in which nothing differs, n = 10, cv 5 to 30 %")
    false_claims(ledger, "independent rounds", simulate(World("independent"), tables, pool, SEED))
    runs = World("several runs", runs=5, run_share=1.0, follows=0.6)
    false_claims(ledger, "5 runs a cell, both of the below", simulate(runs, tables, pool, SEED))
    ledger.say("\nthe same where the rounds mislead: reported, and to be warned of")
    for world in (
        World("rounds follow each other (AR(1), 0.3)", follows=0.3),
        World("rounds follow each other (AR(1), 0.6)", follows=0.6),
        World("runs differ half as much as rounds, one run a cell", run_share=0.5),
        World("runs differ as much as rounds, one run a cell", run_share=1.0),
    ):
        warned(ledger, world.name, simulate(world, tables, pool, SEED))


def false_claims(ledger: Ledger, name: str, counts: Counter[str]) -> None:
    bound = at_most(counts["false"], counts["tables"])
    found = f"{share(counts['false'], counts['tables'])} claim a difference, at most {bound:.2%}; wanted ≤ 6 %"
    ledger.check(name, bound <= 0.06, found)


def warned(ledger: Ledger, name: str, counts: Counter[str]) -> None:
    false = counts["false"]
    ledger.say(f"{name:52} {share(false, counts['tables'])} claim a difference")
    ledger.say(f"  some false cell with drift or autocorrelation      {share(counts['order'], false)}")
    ledger.say(f"  every false cell within one run                    {share(counts['one_run'], false)}")
    ledger.check("  every false cell warned of", counts["flagged"] >= 0.9 * false, share(counts["flagged"], false))


def share(count: int, of: int) -> str:
    return f"{count / of:7.2%} of {of}" if of else "   none"


def true_difference(ledger: Ledger, pool: Executor, tables: int) -> None:
    ledger.say("\none cell of 156 is 10 % faster, noise 3 %, n = 10")
    counts = simulate(World("gain", cv=(0.03, 0.03), gain=0.1), tables, pool, SEED)
    bound = at_least(counts["gained"], counts["tables"])
    found = f"{share(counts['gained'], counts['tables'])} called better, at least {bound:.2%}; wanted ≥ 95 %"
    ledger.check("a true +10 %", bound >= 0.95, found)


def intervals(ledger: Ledger) -> None:
    """The coverage of the 95 % intervals."""
    ledger.say(f"\ncoverage of the 95 % intervals in {SAMPLES} samples; wanted 93.5 to 96.5 %, of the median ≥ 94.5 %")
    rng = np.random.default_rng(SEED)
    for n in (3, 5, 10, 30):
        normal, skewed = rng.normal(100, 10, (SAMPLES, n)), rng.lognormal(0, 0.3, (SAMPLES, n))
        covers(ledger, f"mean, n = {n}, normal, cv 10 %", summarise(normal).mean_interval, 100)
        if n >= 6:
            covers(ledger, f"median, n = {n}, log-normal, cv 30 %", summarise(skewed).median_interval, 1, most=1)
        faster, base = Cells.of_values(1.1 * skewed), Cells.of_values(rng.lognormal(0, 0.05, (SAMPLES, 10)))
        covers(ledger, f"ratio, n = {n} and 10, log-normal, cv 30 and 5 %", compare(faster, base).interval, 1.1)
    cv = np.tile(np.geomspace(0.02, 0.2, 10), SAMPLES // 10)[:, np.newaxis]
    first, second = (Cells.of_values(rng.normal(1, cv, (SAMPLES, 5))) for _ in range(2))
    groups = np.repeat(np.eye(SAMPLES // 10, dtype=bool), 10, axis=1)
    covers(
        ledger, "geometric mean of 10 ratios, n = 5, cv 2 to 20 %", geometric_mean(first, second, groups).interval, 1
    )


def covers(ledger: Ledger, name: str, interval: Interval, truth: float, most: float = 0.965) -> None:
    covered = float(((interval.low <= truth) & (interval.high >= truth)).mean())
    ledger.check(name, (0.945 if most == 1 else 0.935) <= covered <= most, f"{covered:.2%}")


def other_rates(ledger: Ledger) -> None:
    """Error rates that follow from a level and are not visible in the tables."""
    ledger.say(f"\nrates in {SAMPLES} samples, n = 10")
    rng = np.random.default_rng(SEED)

    def rate(name: str, hits: BoolArray, level: float, exact: bool = False) -> None:
        count, of = int(hits.sum()), len(hits)
        ok = at_least(count, of) <= level and (not exact or at_most(count, of) >= level)
        ledger.check(name, ok, f"{share(count, of)}, wanted {'' if exact else '≤ '}{level:.0%}")

    wide, base = (Cells.of_values(rng.lognormal(0, 0.06, (SAMPLES, 10)) * gain) for gain in (1.05, 1.0))
    verdicts = np.array([verdict is Verdict.EQUIVALENT for verdict in compare(wide, base).verdict])
    rate("called equivalent where the difference is the margin", verdicts, 0.05)
    rounds = rng.normal(100, 5, (SAMPLES, 4, 10))
    parts = several_runs(np.full((SAMPLES, 4), 10), rounds.mean(axis=2), rounds.std(axis=2, ddof=1))
    rate("4 equal runs called different, p < 0.05", parts.p < 0.05, 0.05, exact=True)
    for name, draw in (("uniform", rng.random), ("normal", rng.standard_normal)):
        flat = summarise(1000 + draw((SAMPLES, 10)))
        rate(f"{name} values called multimodal, p < 0.05", flat.modes.p < 0.05, 0.05)
        rate(f"{name} values called drifting, p < 0.01", flat.drift.p < 0.01, 0.01)
        rate(f"{name} values called autocorrelated, p < 0.01", flat.autocorrelation.p < 0.01, 0.01)


def cost(ledger: Ledger, repetitions: int) -> None:
    """Summarise 1,300 results of 10 values, in turn with the same figures in plain NumPy and SciPy."""
    ledger.say("\nsummarising 1,300 results of 10 values / the same figures by NumPy and SciPy alone; wanted ≤ 2")
    values = np.random.default_rng(SEED).lognormal(18, 0.1, (1300, 10))
    ordered, n = np.sort(values, axis=1), np.full(1300, 10)
    calls: list[Callable[[], object]] = [
        lambda: summarise(values),
        lambda: bare(values, with_modes=True),
        lambda: bare(values, with_modes=False),
        lambda: modes(ordered, n),
    ]
    seconds = np.empty((repetitions, len(calls)))
    for repetition in range(-3, repetitions):  # the first three do not count; the order alternates
        for turn in range(len(calls)):
            call = (repetition + turn) % len(calls)
            started = time.thread_time()  # excludes other processes
            calls[call]()
            seconds[repetition, call] = time.thread_time() - started
    whole, all_bare, rest_bare, of_modes = seconds.T
    ledger.say(f"summarise {np.median(whole) * 1e3:.2f} ms, of that modes {np.median(of_modes) * 1e3:.2f} ms")
    for name, ratios in (
        ("all figures, our modes on both sides", whole / all_bare),
        ("without modes on either side", (whole - of_modes) / rest_bare),
    ):
        ledger.enter(Ratio(name, ratios.tolist()), "≤ 2", lambda each: each.interval[1] <= 2)


def claims(ledger: Ledger, pool: Executor, names: Sequence[str], effort: float) -> None:
    """Print a table of the claims of each topic, and list those that do not hold."""
    for name in names:
        rows = TOPICS[name](pool, effort)
        ledger.say(f"\n{name}\n\n{HEAD}")
        for claim in rows:
            for row in claim.rows():
                ledger.say(row)
            ledger.unmet += [f"{name}: {claim.text}, n = {rounds}: {claim.found[rounds]}" for rounds in claim.unmet]


def main() -> int:
    """Simulate, print, and list unmet requirements."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tables", type=int, default=5000, help="of each kind (5000)")
    parser.add_argument("--repetitions", type=int, default=101, help="of each measurement of time (101)")
    parser.add_argument("--only", nargs="+", choices=TOPICS, help="topics; without it all, and everything else")
    parser.add_argument("--effort", type=float, default=1.0, help="share of the simulated tables of each topic (1)")
    arguments = parser.parse_args()
    ledger = Ledger()
    with ProcessPoolExecutor(os.cpu_count()) as pool:
        if arguments.only is None:
            everything_else(ledger, pool, arguments)
        claims(ledger, pool, arguments.only or list(TOPICS), arguments.effort)
    ledger.say("\n" + ("all met" if not ledger.unmet else "not met:\n  " + "\n  ".join(ledger.unmet)))
    return 1 if ledger.unmet else 0


def everything_else(ledger: Ledger, pool: Executor, arguments: argparse.Namespace) -> None:
    """False claims, power, coverage, other rates and cost of single statistics, at one number of rounds."""
    cost(ledger, arguments.repetitions)
    equal_systems(ledger, pool, arguments.tables)
    true_difference(ledger, pool, min(2000, arguments.tables))
    intervals(ledger)
    other_rates(ledger)


if __name__ == "__main__":
    sys.exit(main())
