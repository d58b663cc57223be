"""Long outputs for `make bench-formats`, made of real ones, with numbers as different as a user's."""

import csv
import json
import random
import re
from collections.abc import Callable
from pathlib import Path

GOLDEN = Path(__file__).parents[1] / "agents" / "formats" / "golden"
_DECIMAL = re.compile(r"(?<![\w.])([0-9]{1,9})\.([0-9]{1,9})(?![\w.]*\.)")
_VARIANTS = 200
_BUCKETS = [((64 + index % 64) << bits) + (1 << bits >> 1) for bits in range(1, 20) for index in range(64)]  # of fio


def repeated(name: str, size: int) -> str:
    """One real output, repeated up to the given size."""
    text = (GOLDEN / name).read_text()
    return text * max(1, size // len(text))


def varied(name: str, size: int) -> str:
    """One real output, repeated up to the given size. 200 of the copies have different digits behind their points."""
    text, drawn = (GOLDEN / name).read_text(), random.Random(1)

    def other(match: re.Match[str]) -> str:
        return f"{match[1]}." + "".join(drawn.choice("123456789") for _ in match[2])

    copies = max(1, size // len(text))
    variants = [_DECIMAL.sub(other, text) for _ in range(min(_VARIANTS, copies))]
    return "".join(variants[copy % len(variants)] for copy in range(copies))


def long_table(size: int) -> str:
    """iozone's table of about the given size, with a different file size in each row: all cells are distinct."""
    head, rows = (GOLDEN / "iozone-auto_full_rows.txt").read_text().split("freread\n", 1)
    row = next(line for line in rows.split("\n") if line.strip())
    sizes = range(64, 64 + size // (len(row) + 1))
    return head + "freread\n" + "\n".join(f"{size:16d}{row[16:]}" for size in sizes) + "\n\niozone test complete.\n"


def bonnie_lines(size: int) -> str:
    """CSV lines of bonnie++ with the same settings; the results of 5000 of them differ."""
    fields, drawn = (GOLDEN / "bonnie-b200_32k.csv").read_text().strip().split(","), random.Random(1)
    settings = {*range(9), *range(21, 26)}

    def another(_: int) -> str:
        cells = (f"{drawn.randrange(1, 10**6)}{'us' * field.endswith('us')}" for field in fields)
        return ",".join(
            field if at in settings else cell for at, (field, cell) in enumerate(zip(fields, cells, strict=True))
        )

    lines = _up_to(min(size, 5000 * 300), another)
    return "\n".join(lines[number % len(lines)] for number in range(size // len(lines[0]))) + "\n"


def fio_json_plus(size: int) -> str:
    """One document of fio with many jobs, each with four histograms of 600 buckets."""
    document, drawn = json.loads((GOLDEN / "fio-json_plus.json").read_text()), random.Random(1)
    job = document["jobs"][0]

    def another(number: int) -> str:
        job["jobname"] = job["job options"]["name"] = f"job{number}"
        for direction in (job["read"], job["write"]):
            direction.update({key: drawn.uniform(100, 10000) for key in ("bw_mean", "iops_mean", "iops")})
            for latencies in (direction["clat_ns"], direction["lat_ns"]):
                first = drawn.randrange(len(_BUCKETS) - 600)
                latencies["bins"] = {str(key): drawn.randrange(1, 100_000) for key in _BUCKETS[first : first + 600]}
        return json.dumps(job, indent=2, separators=(",", " : "))

    document["jobs"] = []
    head, tail = json.dumps(document, indent=2, separators=(",", " : ")).split("[]", 1)
    return f"{head}[\n" + ",\n".join(_up_to(size, another)) + f"\n]{tail}\n"


def github_list(size: int) -> str:
    """A list of github-action-benchmark with different names and numbers."""
    drawn = random.Random(1)
    units = {"ops/sec": 90_000, "MiB/s": 9_000, "ms": 900, "ns/iter": 10**7}

    def item(number: int) -> str:
        unit = drawn.choice(sorted(units))
        value = round(drawn.uniform(1, units[unit]), 3)
        named = {"name": f"bench_{number}/write/{drawn.choice('abcdef')}", "unit": unit, "value": value}
        return json.dumps({**named, "extra": f"iterations: {drawn.randrange(1000)}"}, indent=2)

    return "[\n" + ",\n".join(_up_to(size, item)) + "\n]\n"


def bencher(size: int) -> str:
    """A report in Bencher's format with different names and numbers."""
    drawn = random.Random(1)

    def item(number: int) -> str:
        mean = drawn.uniform(1e3, 1e7)
        latency = {"value": round(mean, 3), "lower_value": round(mean * 0.9, 3), "upper_value": round(mean * 1.1, 3)}
        measures = {"latency": latency, **({"throughput": {"value": round(1e9 / mean, 2)}} if number % 2 else {})}
        return f'"suite::bench_{number}": {json.dumps(measures, indent=2)}'

    return "{\n" + ",\n".join(_up_to(size, item)) + "\n}\n"


def elbencho_csv(size: int) -> str:
    """elbencho's CSV file with rows whose files, sizes and results differ."""
    with (GOLDEN / "elbencho-sweep.csv").open() as file:
        columns, *rows = csv.reader(file)
    drawn = random.Random(1)
    files, file_size, first = columns.index("files"), columns.index("file size"), columns.index("time ms [first]")

    def row(number: int) -> str:
        cells = list(drawn.choice(rows))
        cells[files], cells[file_size] = str(1 + number % 50), str((1 + number % 7) << 20)
        cells[first:] = [
            str(max(1, int(int(c) * drawn.uniform(0.5, 1.5)))) if c.isdigit() else c for c in cells[first:]
        ]
        return ",".join(cells)

    return ",".join(columns) + "\n" + "\n".join(_up_to(size, row)) + "\n"


def _up_to(size: int, piece: Callable[[int], str]) -> list[str]:
    """Pieces 0, 1, … with about as many characters as ``size``."""
    pieces: list[str] = []
    length = 0
    while length < size:
        pieces.append(piece(len(pieces)))
        length += len(pieces[-1]) + 2
    return pieces
