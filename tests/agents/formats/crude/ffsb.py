"""A second reader of FFSB's output: columns are words between blanks; other lines end with their unit."""

from __future__ import annotations

import re
from collections import Counter
from fractions import Fraction

from tests.agents.formats.crude.comparison import Found, value

BYTES = {"B/sec": 1, "KB/sec": 1024, "MB/sec": 1024**2, "GB/sec": 1024**3}


def cells(text: str) -> Found:
    """Numbers of the output, without counts and shares (Transactions, % Trans, % Op Weight, Total Calls)."""
    counted: Found = Counter()
    for number, line in enumerate(text.split("\n"), start=1):
        words = line.replace("[", " ").replace("]", " ").split()
        if "Throughput:" in line:
            counted[number, "throughput", _bytes(words[-1])] += 1
        elif line.startswith("Benchmark took"):
            counted[number, "elapsed", value(words[2])] += 1
        elif line.endswith("Transactions per Second"):
            counted[number, "rate", value(words[0])] += 1
        elif re.match(r"[0-9.]+% ", line):
            counted[number, "cpu_of_one_core", float(Fraction(words[0].strip("%")) / 100)] += 1
        elif len(words) == 7 and words[1] == ":" and words[4].endswith("%"):
            counted[number, "rate", value(words[3])] += 1
            if words[-1] != "NA":
                counted[number, "throughput", _bytes(words[-1])] += 1
        elif line.startswith("[") and len(words) == 5:
            for metric, word in zip(("latency_min", "latency_mean", "latency_max"), words[1:]):
                counted[number, metric, value(word, Fraction(1, 1000))] += 1
    return counted


def _bytes(word: str) -> float | None:
    [digits, unit] = re.findall(r"[0-9.e+]+|[KMGB/sec]+$", word)
    return value(digits, BYTES[unit])
