"""A second reader of bonnie++ and Bonnie: counts commas from the end of a line, and words from the right of a row.

It ignores versions, names, widths and headers. A table row whose numbers are also together in a CSV line is from the
same run, and is left out.
"""

from __future__ import annotations

import re
from collections import Counter
from fractions import Fraction

from tests.agents.formats.crude.comparison import Found, value

LARGE = ["throughput"] * 5 + ["rate"]
SMALL = ["rate"] * 6
UNIT = {"k": 1024, "m": 1024**2, "g": 1024**3}
SECONDS = {"us": Fraction(1, 10**6), "ms": Fraction(1, 1000), "s": Fraction(1)}
LATENCY = re.compile(r"(\d+)(us|ms|s)")
CELL = re.compile(r"\d+(\.\d+)?[kmg]?|\++")


def cells(text: str) -> Found:
    """(line, metric, value) of every number, after removing quotes and indents."""
    lines = [re.sub(r"^[> ]+", "", line.rstrip("\r")).rstrip("\\ ") for line in text.split("\n")]
    counted: Found = Counter()
    seen: list[set[str]] = []
    for number, pieces in csv_lines(lines):
        seen.append(set("".join(pieces).split(",")))
        counted.update(of_csv(number, pieces))
    for number, line in enumerate(lines, start=1):
        if "," not in line:
            counted.update(of_row(number, line, seen))
    return counted


def csv_lines(lines: list[str]) -> list[tuple[int, list[str]]]:
    """Lines with many commas, each joined with its continuation lines if it has too few."""
    joined: list[tuple[int, list[str]]] = []
    used = 0
    for number, line in enumerate(lines, start=1):
        if number <= used or line.count(",") < 10 or "format_version" in line:
            continue
        pieces = [line]
        while "".join(pieces).count(",") < (44 if re.match(r"\d\.\d\d", line) else 26):
            pieces.append(lines[number + len(pieces) - 1].replace("\\n", ""))
        used = number + len(pieces) - 1
        joined.append((number, pieces))
    return joined


def of_csv(line: int, pieces: list[str]) -> Found:
    """Numbers of a CSV line: the last twelve fields are latencies if one has a unit; files come before them."""
    fields = spread(line, pieces)
    counted: Found = Counter()
    if len(fields) > 40:
        fields, times = fields[:-12], fields[-12:]
        for at, text in times:
            if text:
                digits, unit = LATENCY.fullmatch(text).groups()  # type: ignore[union-attr]
                counted[at, "latency_max", value(digits, SECONDS[unit])] += 1
        small, large = fields[-12:], fields[-29:-17]
    else:
        small, large = fields[-12:], fields[-25:-13]
    for pairs, metrics in ((large, LARGE), (small, SMALL)):
        for index, (at, text) in enumerate(pairs):
            if text:
                metric = "cpu_of_one_core" if index % 2 else metrics[index // 2]
                counted[at, metric, scaled(text, metric)] += 1
    return counted


def spread(line: int, pieces: list[str]) -> list[tuple[int, str]]:
    """Fields with the line in which each begins; a field broken over two lines is one field."""
    fields = [(line, "")]
    for at, piece in enumerate(pieces):
        first, *others = piece.split(",")
        start, text = fields[-1]
        fields[-1] = (start if text else line + at, text + first)
        fields += [(line + at, field) for field in others]
    return fields


def scaled(text: str, metric: str) -> float | None:
    if "+" in text:
        return None
    if metric == "cpu_of_one_core":
        return float(Fraction(text) / 100)
    if metric == "rate":
        return value(text)
    return value(text.rstrip("kmg"), UNIT.get(text[-1], 1024))


def of_row(line: int, text: str, seen: list[set[str]]) -> Found:
    """Numbers of a row of pairs, or of latencies, if no CSV line contains them."""
    words = text.split()
    counted: Found = Counter()
    if words[:1] == ["Latency"]:
        times = [match for word in words[1:] if (match := LATENCY.fullmatch(word))]
        if not any({match[0] for match in times} <= run for run in seen):
            counted.update((line, "latency_max", value(match[1], SECONDS[match[2]])) for match in times)
        return counted
    at = next((index for index, word in enumerate(words) if re.match(r"\d+[MG](:|$)|\d+$|\d+:\d+", word)), len(words))
    numbers = words[at + 1 :]
    if len(numbers) < 3 or not all(CELL.fullmatch(word) for word in numbers):
        return counted
    digits = {word.rstrip("kmg").split(".")[0] for word in numbers if "+" not in word}
    if any(digits <= {field.split(".")[0] for field in run} for run in seen):
        return counted
    small = not re.search("[MG]", words[at]) and not any("." in word for word in numbers[1::2])
    files = str(int(words[at].split(":")[0].split("/")[0]) * 1024) if small else ""
    for index, word in enumerate(numbers[: len(numbers) // 2 * 2]):
        last = index >= len(numbers) - 2 and len(numbers) >= 8
        metric = "cpu_of_one_core" if index % 2 else "rate" if small or (last and len(numbers) != 10) else "throughput"
        counted[line, metric, None if word == files and not index % 2 else scaled(word, metric)] += 1
    return counted
