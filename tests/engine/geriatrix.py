"""Distributions as Geriatrix reads and writes them, read without the engine's code."""

import re
from pathlib import Path

from tests.plugins.missing import SHARED

ENGINE = Path(__file__).parents[2] / "agents" / "engine"
PUBLIC = SHARED / "corpus" / "public" / "geriatrix"
GOLDEN = Path(__file__).parent / "golden" / "geriatrix"
PROFILES = ENGINE / "profiles"
FILES = {"size": "size.txt", "age": "age.txt", "depth": "directory.txt"}


def shares(path: Path) -> dict[int, float]:
    """The share of the files in each class of a distribution."""
    count, *rows = [
        [int(word) for word in line.split()] for line in path.read_text().splitlines() if line[:1].isdigit()
    ]
    assert len(rows) == count[0]
    weights = {value: weight for value, weight, *_ in rows}
    return {value: weight / sum(weights.values()) for value, weight in weights.items()}


def output(name: str) -> dict[str, dict[int, float]]:
    """The requested (IDEAL) and reached (ACTUAL) shares of a real output of Geriatrix."""
    found: dict[str, dict[int, float]] = {"IDEAL": {}, "ACTUAL": {}}
    for value, share, kind in re.findall(r"^(\d+) (\S+) (\w+)$", (GOLDEN / name).read_text(), re.MULTILINE):
        found[kind][int(value)] = float(share)
    return found


def write(path: Path, rows: dict[int, float]) -> Path:
    """Write a distribution with these shares, in millionths."""
    third = " 1" if path.name == "directory.txt" else ""
    lines = [f"{value} {round(share * 1e6)}{third}" for value, share in rows.items()]
    path.write_text("\n".join([str(len(rows)), *lines, "", "Format:", "<number of observations>", ""]))
    return path
