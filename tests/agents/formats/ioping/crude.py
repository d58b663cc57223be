"""A second reader of ioping's statistics: the words of three lines, and the names of its JSON."""

from collections.abc import Iterator

SECONDS = {"ns": 1e-9, "us": 1e-6, "ms": 1e-3, "s": 1.0}
SIZES = {"B": 1, "KiB": 2**10, "MiB": 2**20, "GiB": 2**30, "mb": 2**20}
METRICS = ("latency_min", "latency_mean", "latency_max", "latency_mean")
JSON = {"iops": "rate", "bps": "throughput", "min": "latency_min", "avg": "latency_mean", "max": "latency_max"}


def cells(text: str) -> Iterator[tuple[int, str, float]]:
    """(line, metric, number in base units); zeros too."""
    in_statistics = False
    for number, line in enumerate(text.split("\n"), start=1):
        words = line.replace(",", "").split()
        if "requests completed in" in line:
            rate = words.index("iops")
            has_letter = words[rate - 1] == "k"
            yield number, "rate", float(words[rate - 2]) * 1000 if has_letter else float(words[rate - 1])
            yield number, "throughput", float(words[rate + 1]) * SIZES[words[rate + 2].partition("/")[0]]
        elif "min/avg/max/mdev =" in line and "rtt" not in line:
            printed = [part.split() for part in line.partition("=")[2].split("/")]
            for metric, figure in zip(METRICS, printed, strict=True):
                yield number, metric, float(figure[0]) * SECONDS[(figure[1:] or printed[-1][1:])[0]]
        elif '": {' in line:
            in_statistics = '"stat"' in line
        elif in_statistics and (name := words[0].strip('":')) in JSON:
            yield number, JSON[name], float(words[1]) * (1e-9 if JSON[name].startswith("lat") else 1)
        elif in_statistics and name == "mdev":
            yield number, "latency_mean", float(words[1]) * 1e-9
