"""A second reader of composite.xml: Python's own parser of XML, and the lines in which the same texts stand."""

import re
from collections.abc import Iterator
from xml.etree import ElementTree

SCALES = {"Seconds": ("elapsed", 1), "ms": ("elapsed", 1e-3), "MiB/s": ("throughput", 2**20)}
SCALES |= {"byte/s": ("throughput", 1), "Files/s": ("rate", 1)}


def cells(text: str) -> Iterator[tuple[int, str, float]]:
    """(line, metric, number in base units) of the scales above; zeros too."""
    lines = text.split("\n")
    at = {name: [n for n, line in enumerate(lines, start=1) if f"<{name}>" in line] for name in ("Value", "RawString")}
    index = 0
    for result in ElementTree.fromstring(text.encode()).iter("Result"):
        metric, times = SCALES.get(result.findtext("Scale") or "", ("", 0))
        for entry in result.iter("Entry"):
            name = "RawString" if re.match("[0-9]", entry.findtext("RawString") or "") else "Value"
            for word in (entry.findtext(name) or "").split(":") if metric else ():
                if word:
                    yield at[name][index], metric, float(word) * times
            index += 1
