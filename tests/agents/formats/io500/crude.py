"""A second reader of IO500's results: numbers before a unit or after `score`, each once."""

from collections.abc import Iterator

UNITS = {
    "GiB/s": ("throughput", 2**30),
    "GB/s": ("throughput", 2**30),
    "kIOPS": ("rate", 1000),
    "kiops": ("rate", 1000),
}
KEYS = {"score", "throughput-stonewall", "rate-stonewall", "MD", "BW"}


def cells(text: str) -> Iterator[tuple[int, str, float]]:
    """(line, metric, number in base units); zeros too."""
    section = ""
    for number, line in enumerate(text.split("\n"), start=1):
        words = line.split()
        if line.startswith("[") and ": time" in line:
            place = words.index(":", words.index("seconds") - 3) - 1
            metric, times = UNITS[words[place]]
            yield number, metric, float(words[place - 1]) * times
        elif "Bandwidth" in words and not line.startswith("[SCOREX"):
            yield number, "throughput", float(words[words.index("Bandwidth") + 1]) * 2**30
            yield number, "rate", float(words[words.index("IOPS") + 1]) * 1000
        elif line.startswith("["):
            section = line.strip("[]")
        elif len(words) == 3 and words[1] == "=" and words[0] in KEYS and section != "SCOREX":
            is_bandwidth = section.startswith("ior") if section != "SCORE" else words[0] == "BW"
            yield number, "throughput" if is_bandwidth else "rate", float(words[2]) * (2**30 if is_bandwidth else 1000)
