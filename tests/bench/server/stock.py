"""The data of `make bench`: the reference run, four of them to compare, and selections of their results.

The reference run has 13 tests × 100 cells × 10 rounds, measured by fsload, with the line of raw output for each value.
"""

import random
from collections.abc import Sequence
from itertools import combinations
from typing import Any

from tests.bench.pages import TESTS
from tests.support.documents import GIB, KIB, Section, artifact, document, environment, result

ROUNDS = 10
FILE_SIZES = [GIB << i for i in range(10)]
RECORD_SIZES = [4 * KIB << i for i in range(10)]
CELLS = [(file_size, record_size) for file_size in FILE_SIZES for record_size in RECORD_SIZES]
SHOWN = 4  # record sizes of a comparison
FILE_SYSTEMS = ("ext4", "xfs", "btrfs", "f2fs")
COMPARED = len(FILE_SYSTEMS)
SELECTIONS = [(file_size, sizes) for sizes in combinations(RECORD_SIZES, SHOWN) for file_size in FILE_SIZES]
WORKLOAD = {"tool": "fsload", "tool_version": "0.1.0", "command": ["fsload", "sweep"], "parameters": {}}


def reference(seed: int = 0, **sections: Any) -> Section:
    """The reference run, with values, memory, kernel and RAID chunk that depend on the seed."""
    machine = environment()
    machine["memory"]["total"] = (1 + seed % 64) * GIB
    machine["kernel"]["release"] = f"6.1.{seed}-amd64"
    made = document(
        **{"rounds": ROUNDS, "results": _results(seed), "artifacts": _raw(), "environment": machine, **sections},
        workload=WORKLOAD,
    )
    for array in (*machine["raid_arrays"], *(layer for layer in made["target"]["stack"] if layer["kind"] == "raid")):
        array["chunk"] = (1 + seed) * 4 * KIB
    return made


def references(number: int) -> list[Section]:
    """This many reference runs on several file systems."""
    return [reference(seed, file_system=FILE_SYSTEMS[seed % COMPARED]) for seed in range(number)]


def address(runs: Sequence[Section], selection: int = 0) -> str:
    """The query string of a comparison of these runs: 13 tests × 4 record sizes of one file size.

    There are 2,100 different ones.
    """
    file_size, record_sizes = SELECTIONS[selection % len(SELECTIONS)]
    chosen = [f"run={each['run_id']}" for each in runs]
    chosen += [f"test={each}" for each in TESTS] + [f"record_size={each}" for each in record_sizes]
    shape = "rows=file_system&columns=test&split=record_size&metric=throughput"
    return "&".join([*chosen, f"file_size={file_size}", shape])


def _results(seed: int) -> list[Section]:
    random_ = random.Random(seed)
    names = [f"round-{r + 1}.jsonl" for r in range(ROUNDS)]
    factor = 1 + (seed % COMPARED) / 10
    made = []
    for i, (file_size, record_size) in enumerate(CELLS):
        source = {"artifacts": names, "lines": [25 + i] * ROUNDS}
        for j, test in enumerate(TESTS):
            values = _values(random_, file_size, (60 + 15 * j + i % 37) * 1_024_000 * factor)
            made.append(result(values, test, source=source, file_size=file_size, record_size=record_size))
    return made


def _values(random_: random.Random, size: int, rate: float) -> list[float]:
    """Values around `rate` in B/s with a spread of 2 per cent, as fsload computes them: bytes by whole nanoseconds."""
    return [size * 1e9 / round(size * 1e9 / (rate * random_.lognormvariate(0, 0.02))) for _ in range(ROUNDS)]


def _raw() -> list[Section]:
    return [artifact(f"round-{r + 1}.jsonl", f"what round {r + 1} printed\n") for r in range(ROUNDS)]
