"""Documents and files of the largest sizes that the server takes, in the bytes that an agent or a person sends."""

import gzip
import json
import random
from collections.abc import Sequence
from typing import Any

from tests.bench.outputs import long_table
from tests.bench.pages import TESTS
from tests.support.documents import KIB, Section, artifact, document

FILE_SYSTEMS = ("ext4", "xfs", "btrfs", "f2fs")
GRID = 141  # sizes along each axis of the largest surface: 19,881 places
TABLE_SIZES = 96  # × 13 tests × 4 runs = 4,992 results, 5,000 at most
DRAWN = 24  # of them in the largest picture of a table: 1,500 marks at most
IMPORT_BYTES = 32 * 1024 * 1024 - 4096  # 32 MiB at most
IMPORT_ROWS, ROW_BYTES = 7_690, 144  # of iozone's table with 13 results a row: 100,000 results a file at most
LINE = "what a tool printed, line after line, with 1234567 kB/s\n"
RAW_BYTES = 120 * 1000 * 1000  # of one artifact; a document has at most 128 MiB when inflated


def columns(tests: int, sizes: list[tuple[int, int]], rounds: int, seed: int = 0) -> Section:
    """Results as columns: each of the first tests with each (file size, record size), with values of 8 bytes."""
    random_ = random.Random(seed)
    places = [(test, *size) for test in TESTS[:tests] for size in sizes]
    values = [round(1e8 * random_.lognormvariate(0, 0.02), 3) for _ in range(rounds * len(places))]
    count = len(places)
    return {
        "test": [test for test, _, _ in places],
        "metric": ["throughput"] * count,
        "unit": ["B/s"] * count,
        "file_size": [file_size for _, file_size, _ in places],
        "record_size": [record_size for _, _, record_size in places],
        "offsets": [rounds * i for i in range(count + 1)],
        "values": values,
    }


def grid(file_sizes: int, record_sizes: int) -> list[tuple[int, int]]:
    """So many sizes of files and of records, all different."""
    return [(64 * KIB * (i + 1), 4 * KIB * (j + 1)) for i in range(file_sizes) for j in range(record_sizes)]


def with_columns(tests: int, sizes: list[tuple[int, int]], rounds: int, **sections: Any) -> Section:
    """A document with these columns, and no raw output."""
    made = document(rounds=rounds, results=[], artifacts=[], **sections)
    return {**made, "results": columns(tests, sizes, rounds, seed=rounds)}


def most_values() -> Section:
    """Two million values: 1,950 results of 1,000 rounds."""
    return with_columns(13, grid(10, 15), 1_000)


def most_results() -> Section:
    """99,405 results of 13 rounds: five surfaces of 19,881 places."""
    return with_columns(5, grid(GRID, GRID), 13)


def most_objects() -> Section:
    """The first of these with a list of results, as small clients send them."""
    made = with_columns(13, grid(10, 14), 1_000)
    sent, rounds = made["results"], 1_000
    names = ("test", "metric", "unit", "file_size", "record_size")
    objects = [
        {**{name: sent[name][i] for name in names}, "values": sent["values"][rounds * i : rounds * (i + 1)]}
        for i in range(len(sent["test"]))
    ]
    return {**made, "results": objects}


def most_raw_output() -> Section:
    """One artifact of 120 MB."""
    return document(artifacts=[artifact("iozone.txt", LINE * (RAW_BYTES // len(LINE)))])


def of_a_table(rounds: int) -> list[Section]:
    """Four runs with 4,992 results together, on four file systems."""
    sizes = grid(1, TABLE_SIZES)
    return [with_columns(13, sizes, rounds, file_system=name) for name in FILE_SYSTEMS]


def query_of(runs: Sequence[Section], record_sizes: int = 0) -> str:
    """The query of a table with the results of these runs, all or those of the first record sizes."""
    chosen = "&".join(f"run={made['run_id']}" for made in runs)
    tests = "&".join(f"test={test}" for test in TESTS)
    taken = "".join(f"&record_size={4 * KIB * (i + 1)}" for i in range(record_sizes))
    axes = "rows=record_size&columns=test&split=file_system&factor=file_system&metric=throughput"
    return f"{chosen}&{tests}{taken}&{axes}"


def file_to_import() -> bytes:
    """A table of iozone with as many results as one file may have, and other lines up to 32 MiB."""
    text = long_table(IMPORT_ROWS * ROW_BYTES)
    return (text + LINE * ((IMPORT_BYTES - len(text)) // len(LINE))).encode()


def packed(made: Section) -> bytes:
    """The document as an agent sends it."""
    return gzip.compress(json.dumps(made, separators=(",", ":")).encode(), 1)
