"""`make bench-formats`: how long outputs of 10 MB take to be read, and whether twice the text takes twice as long.

Beside it, in turn, stands the least that any reader does: the text cut into words and its numbers made floats. Exit
status 1 where something is not met. Takes about two minutes.
"""

from __future__ import annotations

import argparse
import sys
import time
import tracemalloc
from collections.abc import Callable
from pathlib import Path

from benchagent.formats import parse
from tests.bench.ratios import Ledger, Ratio

GOLDEN = Path(__file__).parents[1] / "agents" / "formats" / "golden"
SIZE = 10 * 10**6  # bytes


def repeated(name: str, size: int) -> str:
    """One real output, repeated up to the given size."""
    text = (GOLDEN / name).read_text()
    return text * max(1, size // len(text))


def long_table(size: int) -> str:
    """iozone's table of about the given size, with a different file size in each row: all cells are distinct."""
    text = (GOLDEN / "iozone-auto_full_rows.txt").read_text()
    head, rows = text.split("freread\n", 1)
    row = next(line for line in rows.split("\n") if line.strip())
    sizes = range(64, 64 + size // (len(row) + 1))
    return head + "freread\n" + "\n".join(f"{size:16d}{row[16:]}" for size in sizes) + "\n\niozone test complete.\n"


def read(text: str) -> None:
    """Read a text and make every result. iozone's reader makes those of a long table only on access."""
    for _ in parse(text).results:
        pass


def bare(text: str) -> list[float]:
    """Every number of a text, with Python's own means."""
    return [float(word) for word in text.split() if word[0].isdigit() and word.replace(".", "", 1).isdigit()]


TEXTS: dict[str, Callable[[int], str]] = {
    "iozone, tables of many runs": lambda size: repeated("iozone-auto_full_rows.txt", size),
    "iozone, throughput of many runs": lambda size: repeated("iozone-throughput_all_tests.txt", size),
    "iozone, one table of distinct sizes": long_table,
    "bonnie++, CSV lines": lambda size: repeated("bonnie-b200_32k.csv", size),
}
IN_A_SECOND = ("iozone, tables of many runs", "iozone, throughput of many runs")


def seconds(call: Callable[[], object]) -> float:
    started = time.thread_time()
    call()
    return time.thread_time() - started


def time_of(ledger: Ledger, name: str, repetitions: int) -> None:
    text, half = TEXTS[name](SIZE), TEXTS[name](SIZE // 2)
    read(half)
    whole, halves, floats = [], [], []
    for _ in range(repetitions):
        whole.append(seconds(lambda: read(text)))
        halves.append(seconds(lambda: read(half)))
        floats.append(seconds(lambda: bare(text)))
    ledger.say(f"{name}, {len(text) / 1e6:.1f} MB: {sorted(whole)[repetitions // 2]:.2f} s")
    if name in IN_A_SECOND:
        ledger.check(
            "  in less than a second", sorted(whole)[repetitions // 2] < 1, f"{min(whole):.2f}–{max(whole):.2f} s"
        )
    ratios = [a / b for a, b in zip(whole, floats, strict=True)]
    ledger.say(str(Ratio("  read / its words made floats", ratios)))
    growth = Ratio("  read / half of it read", [a / b for a, b in zip(whole, halves, strict=True)])
    ledger.enter(growth, "≤ 2.4", lambda ratio: ratio.median <= 2.4)


def memory_of(ledger: Ledger, name: str) -> None:
    peaks = []
    for size in (SIZE // 10, SIZE // 5):
        text = TEXTS[name](size)
        tracemalloc.start()
        read(text)
        peaks.append(tracemalloc.get_traced_memory()[1] / len(text))
        tracemalloc.stop()
    measured = f"{peaks[0]:.1f} and {peaks[1]:.1f} bytes a character at 1 and 2 MB"
    ledger.check("  memory", peaks[1] <= 1.2 * peaks[0], measured)


def main() -> int:
    """Measure, print, and list unmet requirements."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repetitions", type=int, default=11, help="of each measurement (11)")
    arguments = parser.parse_args()
    ledger = Ledger()
    for name in TEXTS:
        time_of(ledger, name, arguments.repetitions)
        memory_of(ledger, name)
    ledger.say("\n" + ("all met" if not ledger.unmet else "not met:\n  " + "\n  ".join(ledger.unmet)))
    return 1 if ledger.unmet else 0


if __name__ == "__main__":
    sys.exit(main())
