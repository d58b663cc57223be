"""A second reader of github-action-benchmark's JSON: Python's own decoder, and the lines in which a value stands."""

import json
from collections.abc import Iterator

UNITS = {"ops/sec": ("rate", 1), "req/s": ("rate", 1), "MiB/s": ("throughput", 2**20), "ms": ("elapsed", 1e-3)}
UNITS |= {"ns/iter": ("latency_mean", 1e-9), "ns": ("elapsed", 1e-9), "us": ("elapsed", 1e-6)}


def cells(text: str) -> Iterator[tuple[int, str, float]]:
    """(line, metric, number in base units) of the units above."""
    root = json.loads(text[text.index("{" if "BENCHMARK_DATA" in text else "[") :].strip().rstrip(";"))
    benches = root
    if isinstance(root, dict):
        runs = [run for runs in root["entries"].values() for run in runs]
        benches = [bench for run in runs for bench in run["benches"]]
    numbers = iter([number for number, line in enumerate(text.split("\n"), start=1) if '"value":' in line])
    for bench in benches:
        number, (metric, times) = next(numbers), UNITS.get(bench["unit"], ("", 0))
        if metric:
            yield number, metric, float(bench["value"]) * times
