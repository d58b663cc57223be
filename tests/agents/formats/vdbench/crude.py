"""A second reader of vdbench's flat file: the columns of the averages, by the words in their names."""

from collections.abc import Iterator

OPERATIONS = {"mkdir", "rmdir", "create", "open", "close", "delete", "getattr", "setattr", "access", "copy", "move"}


def cells(text: str) -> Iterator[tuple[int, str, float]]:
    """(line, metric, number in base units); zeros too."""
    names: list[str] = []
    for number, line in enumerate(text.split("\n"), start=1):
        words = line.split()
        if words[:1] == ["tod"]:
            names = [word.lower() for word in words]
        elif names and "avg_" in line:
            row = dict(zip(names, words, strict=True))
            mixed = (row.get("rdpct"), row.get("seekpct")) not in [
                (share + end, seek + rest)
                for share in ("0", "100")
                for seek in ("0", "100")
                for end in ("", ".0000")
                for rest in ("", ".0000")
            ]
            for name, word in row.items():
                kind, _, rest = name.partition("_")
                if kind in OPERATIONS:
                    wanted = rest in ("rate", "resp", "resp_max") and float(row[f"{kind}_rate"])
                elif kind in ("read", "write"):
                    wanted = rest in ("rate", "resp", "max", "resp_max") and mixed and float(row[f"{kind}_resp"])
                elif kind == "mb":
                    wanted = mixed and float(row[f"{rest}_resp"])
                else:
                    wanted = name in ("rate", "mb/sec", "resp", "resp_max")
                if wanted and word not in ("n/a", "NaN"):
                    yield number, *converted(name, float(word))


def converted(name: str, figure: float) -> tuple[str, float]:
    if name.startswith("mb"):
        return "throughput", figure * 2**20
    if name.endswith("max"):
        return "latency_max", figure / 1000
    return ("latency_mean", figure / 1000) if name.endswith("resp") else ("rate", figure)
