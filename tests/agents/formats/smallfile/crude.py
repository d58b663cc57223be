"""A second reader of smallfile's closing numbers and of its JSON's, by the names before them."""

from collections.abc import Iterator

TEXT = {"files/sec": ("rate", 1), "MiB/sec": ("throughput", 2**20), "elapsed time": ("elapsed", 1)}
JSON = {'"filesPerSec"': ("rate", 1), '"MiBps"': ("throughput", 2**20), '"elapsed"': ("elapsed", 1)}


def cells(text: str) -> Iterator[tuple[int, str, float]]:
    """(line, metric, number in base units) of all threads; zeros too."""
    for number, line in enumerate(text.split("\n"), start=1):
        name, _, figure = line.partition(" = " if " = " in line else ":")
        if name.strip() in TEXT:
            metric, times = TEXT[name.strip()]
            yield number, metric, float(figure) * times
        elif name.strip() in JSON and line.startswith("        ") and line[8] == '"':
            metric, times = JSON[name.strip()]
            yield number, metric, float(figure.strip(" ,")) * times
