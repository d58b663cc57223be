"""`make bench-formats`: how long outputs take to be read, and whether twice the text takes twice as long.

Beside each reader, in turn, stands the least that any reader of such text does: the text cut into words and its numbers
made floats, or Python's own decoder of JSON or CSV. Exit status 1 where something is not met. Long
texts, of 50 MB, are read in processes of their own. Takes about half an hour; --only measures some.
"""

import argparse
import csv
import json
import re
import resource
import subprocess
import sys
import time
import tracemalloc
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from statistics import median

from benchagent.formats import parse
from tests.bench import outputs
from tests.bench.ratios import Ledger, Ratio

MB = 10**6
SHORT, LONG = 10, 50  # MB
MOST_SECONDS, MOST_MEMORY, MOST_GROWTH = 10, 400 * MB, 6  # of a text of LONG; growth: from SHORT to LONG
_BEGINNING = re.compile(r"[{\[]")
_DECODER = json.JSONDecoder()


def read(text: str) -> int:
    """Read a text and make every result. iozone's reader makes those of a long table only on access."""
    return sum(len(result.values) for result in parse(text).results)


def words(text: str) -> list[float]:
    """Every number of a text, with Python's own means."""
    return [float(word) for word in text.split() if word[0].isdigit() and word.replace(".", "", 1).isdigit()]


def cells(text: str) -> list[list[str]]:
    """Every cell of a CSV file."""
    return list(csv.reader(text.split("\n")))


def values(text: str) -> list[object]:
    """Every JSON document of a text."""
    found, position = list[object](), 0
    while beginning := _BEGINNING.search(text, position):
        document, position = _DECODER.raw_decode(text, beginning.start())
        found.append(document)
    return found


@dataclass(frozen=True)
class Output:
    """How to make an output of about a number of bytes, the least work for it, and what its reader must meet.

    The time to read `size` MB is at most `times` that of the least work, and the memory `memory` bytes a character.
    `is_long`: whether its reader must meet the bounds of long texts.
    """

    make: Callable[[int], str]
    least: Callable[[str], object]
    size: int
    times: float
    memory: float
    is_long: bool = False


OUTPUTS = {
    "iozone, tables of many runs": Output(partial(outputs.repeated, "iozone-auto_full_rows.txt"), words, 10, 11, 6),
    "iozone, throughput of many runs": Output(
        partial(outputs.repeated, "iozone-throughput_all_tests.txt"), words, 10, 11, 6
    ),
    "iozone, one table of distinct sizes": Output(outputs.long_table, words, 10, 30, 50, True),
    "bonnie++, CSV lines": Output(outputs.bonnie_lines, cells, 10, 10, 25, True),
    "fio, JSON+": Output(outputs.fio_json_plus, values, 10, 35, 8, True),
    "IOR, JSON": Output(partial(outputs.varied, "ior-json_repetitions.json"), values, 2, 60, 12),
    "Filebench": Output(partial(outputs.varied, "filebench-seed_micro.txt"), words, 2, 20, 18, True),
    "time": Output(partial(outputs.varied, "time-session.txt"), words, 2, 60, 9),
    "elbencho, CSV": Output(outputs.elbencho_csv, cells, 2, 60, 80),
    "github-action-benchmark": Output(outputs.github_list, values, 2, 90, 50),
    "Bencher": Output(outputs.bencher, values, 2, 90, 65),
}
IN_A_SECOND = ("iozone, tables of many runs", "iozone, throughput of many runs")


def seconds(call: Callable[[], object]) -> float:
    started = time.thread_time()
    call()
    return time.thread_time() - started


def time_of(ledger: Ledger, name: str, repetitions: int) -> None:
    output = OUTPUTS[name]
    text, half = output.make(output.size * MB), output.make(output.size * MB // 2)
    read(half)
    whole, halves, least = [], [], []
    for _ in range(repetitions):
        whole.append(seconds(lambda: read(text)))
        halves.append(seconds(lambda: read(half)))
        least.append(seconds(lambda: output.least(text)))
    per_10_mb = median(whole) / len(text) * 10 * MB
    ledger.say(f"{name}, {len(text) / MB:.1f} MB: {median(whole):.2f} s, {per_10_mb:.1f} s for 10 MB")
    if name in IN_A_SECOND:
        ledger.check("  in less than a second", median(whole) < 1, f"{min(whole):.2f}–{max(whole):.2f} s")
    ratios = [a / b for a, b in zip(whole, least, strict=True)]
    ledger.bound(Ratio(f"  read / its {output.least.__name__} only", ratios), most=output.times)
    growth = Ratio("  read / half of it read", [a / b for a, b in zip(whole, halves, strict=True)])
    ledger.enter(growth, "≤ 2.4", lambda ratio: ratio.median <= 2.4)


def memory_of(ledger: Ledger, name: str) -> None:
    output, peaks = OUTPUTS[name], list[float]()
    for size in (MB, 2 * MB):
        text = output.make(size)
        tracemalloc.start()
        read(text)
        peaks.append(tracemalloc.get_traced_memory()[1] / len(text))
        tracemalloc.stop()
    found = f"{peaks[0]:.1f} and {peaks[1]:.1f} bytes a character, ≤ {output.memory:g}"
    ledger.check("  memory", peaks[1] <= min(1.2 * peaks[0], output.memory), found)


def once(name: str, size: int) -> None:
    """Print how many seconds a text of this many MB takes, and the greatest memory of this process in bytes."""
    text = OUTPUTS[name].make(size * MB)
    print(seconds(lambda: read(text)), resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024, flush=True)


def in_own_process(name: str, size: int) -> tuple[float, int]:
    """The seconds and bytes that `once` prints in a process that has used no memory before."""
    command = [sys.executable, "-m", "tests.bench.formats", "--once", str(size), "--only", name]
    taken, peak = subprocess.run(command, check=True, capture_output=True, text=True).stdout.split()
    return float(taken), int(peak)


def long_of(ledger: Ledger, name: str, repetitions: int) -> None:
    pairs = [(in_own_process(name, LONG), in_own_process(name, SHORT)) for _ in range(repetitions)]
    ledger.bound(Ratio(f"  {LONG} MB, seconds", [whole for (whole, _), _ in pairs]), most=MOST_SECONDS)
    peak = max(peak for (_, peak), _ in pairs)
    ledger.check(f"  {LONG} MB, memory with the text", peak <= MOST_MEMORY, f"{peak / MB:.0f} MB")
    growth = [whole / part for (whole, _), (part, _) in pairs]
    ledger.bound(Ratio(f"  {LONG} MB / {SHORT} MB", growth), most=MOST_GROWTH)


def main() -> int:
    """Measure, print, and list unmet requirements."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repetitions", type=int, default=11, help="of each measurement (11)")
    parser.add_argument("--only", default="", help="outputs with this word in their name")
    parser.add_argument("--once", type=int, metavar="MB", help="read one text of this size, and print time and memory")
    arguments = parser.parse_args()
    chosen = [name for name in OUTPUTS if arguments.only.lower() in name.lower()]
    if arguments.once:
        for name in chosen:
            once(name, arguments.once)
        return 0
    ledger = Ledger()
    for name in chosen:
        time_of(ledger, name, arguments.repetitions)
        memory_of(ledger, name)
        if OUTPUTS[name].is_long:
            long_of(ledger, name, max(6, arguments.repetitions // 2))
    ledger.say("\n" + ("all met" if not ledger.unmet else "not met:\n  " + "\n  ".join(ledger.unmet)))
    return 1 if ledger.unmet else 0


if __name__ == "__main__":
    sys.exit(main())
