"""A second, cruder reader of the articles, independent of our data files: lines of figures in reading order.

`python -m tests.publications.crude SLUG` prints the content of `transcription/SLUG.txt`. The texts are beside the
project and never part of it.
"""

import re
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

from tests.plugins.missing import SHARED

TEXTS = SHARED / "seeds"
TRANSCRIPTION = Path(__file__).parent / "transcription"

_FIGURE = re.compile(r"(?:\S+ )?\d[\d,]*\.\d\d")


def text_with(words: str) -> list[str] | None:
    """The lines of the article that has these words; None if it is missing."""
    for path in sorted(TEXTS.glob("*.txt")):
        text = path.read_text(encoding="utf-8").replace("\N{NO-BREAK SPACE}", " ")
        if words in text:
            return [line.strip() for line in text.splitlines()]
    return None


def iozone(lines: list[str]) -> Iterator[str]:
    """`table 2 | Reiser4 | mean sd mean sd …`: every line that is a number, with or without a name before it."""
    table = name = ""
    figures: list[str] = []
    for line in [*lines, "Table 10 – end"]:
        if head := re.match(r"Table (\d+) – ", line):
            if name:
                yield f"table {table} | {name} | {' '.join(figures)}"
            table, name, figures = head[1], "", []
        elif _FIGURE.fullmatch(line):
            *named, figure = line.split(" ")
            if named:
                if name:
                    yield f"table {table} | {name} | {' '.join(figures)}"
                name, figures = named[0], []
            figures.append(figure)


def raid(lines: list[str]) -> Iterator[str]:
    """Times in reading order by step; the rows of the summary table; the fields of the CSV lines without words."""
    step, times = "", []
    for line in lines:
        begun = {"Timings for ext4 mkfs": "mkfs", "Timings for ext4 fsck": "fsck", "Read-ahead settings": ""}
        new = next((step_name for words, step_name in begun.items() if line.startswith(words)), None)
        kind = line.split(" ")[0] if line in ("Create time", "Delete time") else None
        if new is not None or (kind and not step.startswith(kind)) or re.fullmatch(r"\d+(GB|[MG]iB file,)", line):
            if times:
                yield f"{step} | {' '.join(times)}"
                times = []
            step = new if new is not None else kind if kind else " ".join([*step.split(" ")[:2], line][:3])
            if re.fullmatch(r"\d+GB", line):
                step = f"{step.split(' ')[0]} {line}"
        line_times = re.findall(r"(?:^|[ ,#])(?:real|user|sys) +(\d+m[\d.]+s)", line)
        times += line_times
    yield from _bonnie(lines)


def _bonnie(lines: list[str]) -> Iterator[str]:
    steps = ("Block Output", "Block Input", "Random seeks", "Create Sequ", "Delete Sequ")
    for index, line in enumerate(lines):
        if line.startswith(steps):
            yield f"bonnie {line.split(',')[0].split(' 8GB')[0]} | " + " ".join(
                re.findall(r"\d+", " ".join(_until_next(lines, index + 2, steps)))
            )
        if ",8G:32k," in line:
            fields = [*line.split(","), *lines[index + 1].split(",")[1:]]
            yield f"csv {fields[0]} | " + " ".join(fields[2:14] + fields[15:])


def _until_next(lines: list[str], place: int, heads: tuple[str, ...]) -> Iterator[str]:
    for line in lines[place:]:
        if line.startswith(heads) or line.startswith("Bonnie CSV"):
            return
        yield line


def ffsb(lines: list[str]) -> Iterator[str]:
    """`4 threads MB/sec | ext3 ext4 xfs`: three numbers after each unit."""
    threads = ""
    for index, line in enumerate(lines):
        if re.fullmatch(r"\d+ threads", line):
            threads = line
        if line in ("MB/sec", "Percent CPU usage") and threads:
            yield f"{threads} {line} | {' '.join(lines[index + 1 : index + 4])}"


def comparison(lines: list[str]) -> Iterator[str]:
    """Rows of the table, and every number of the text that is followed by a unit or is in a sentence about iozone."""
    whole = " ".join(lines)
    for line in lines:
        if row := re.fullmatch(r"(btrfs|ext4|xfs|f2fs)\t([\d.]+)\t([\d.]+)", line):
            yield f"table 1 {row[1]} | {row[2]} {row[3]}"
    for word, start in (("write", "For the Iozone writing test"), ("read", "For the reading tests")):
        part = whole[whole.index(start) :].split("xfs performed extremely" if word == "write" else "For the fastest")[0]
        yield f"text {word} | {' '.join(re.findall(r'[0-9]{7}', part))}"
    computer = whole[whole.index("Filebench gave") : whole.index("DISCUSSION")]
    yield f"text computer | {' '.join(re.findall(r'([0-9.]+) (?:[KM]B/s)', computer))}"


READERS: dict[str, tuple[str, Callable[[list[str]], Iterator[str]]]] = {
    "iozone-2009": ("I Feel the Need for Speed", iozone),
    "raid-2009": ("Infortrend EonStor", raid),
    "ffsb-2007": ("Large File Sequential Write", ffsb),
    "comparison-2024": ("Moro Bamber", comparison),
}


def read_text(slug: str) -> list[str] | None:
    """The lines of figures of an article; None if its text is missing."""
    words, reader = READERS[slug]
    lines = text_with(words)
    return None if lines is None else list(reader(lines))


def transcribed(slug: str) -> dict[str, list[str]]:
    """The committed transcription: the words before the last bar, and the figures after it."""
    lines = (TRANSCRIPTION / f"{slug}.txt").read_text(encoding="utf-8").splitlines()
    return {" ".join(head.split()): figures.split() for head, _, figures in (line.rpartition("|") for line in lines)}


if __name__ == "__main__":
    print("\n".join(read_text(sys.argv[1]) or []))
