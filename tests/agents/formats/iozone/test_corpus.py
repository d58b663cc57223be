"""Every iozone file of the corpus: the parsed numbers are exactly those that a crude reader finds."""

import re
import struct
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from benchagent.formats import FormatError, Parsed, parse
from benchagent.formats.model import Result
from tests.agents.formats.corpus import PUBLIC, corpus_files, paths
from tests.agents.formats.crude.iozone import TESTS, report_cells
from tests.agents.formats.texts import golden
from tests.plugins.missing import require

SHEETS = (".xls", ".wks")
NO_UNIT = {  # texts without a unit, and the unit that they were measured in
    "Cloudxtreme__cdx_docs__raid-perf.txt": "Output is in Kbytes/sec",
    "toby1984__iozone-renderer__iozone.txt": "Output is in kBytes/sec",
    "unknown__beegfs-notes__excel-single-cell.txt": "OPS Mode. Output is in operations per second.",
}
HEADER_ONLY = "windows-3.414-header-only.txt"  # it is refused
ENDS = (9, 18, 27, 36, 45, 54, 63, 73, 83, 92, 101, 110, 119)  # of the columns, counted from the end of reclen
OF_READERS = {
    "initial writers": "write",
    "rewriters": "rewrite",
    "readers": "read",
    "re-readers": "reread",
    "random readers": "random_read",
    "random writers": "random_write",
}
OF_REPORTS = dict(
    zip(
        [
            "writer",
            "re-writer",
            "reader",
            "re-reader",
            "random_read",
            "random_write",
            "backward_read",
            "record_rewrite",
            "stride_read",
            "fwrite",
            "re-fwrite",
            "fread",
            "re-fread",
        ],
        TESTS,
        strict=True,
    )
)
Number = tuple[str, str, float]  # test, view or metric, as printed


def texts() -> list:
    return [param for param in corpus_files("iozone") if not str(param.id).endswith((*SHEETS, HEADER_ONLY))]


def sheets() -> list:
    return [param for param in corpus_files("iozone") if str(param.id).endswith(SHEETS)] or corpus_files("iozone")


def whole(path: Path) -> str:
    """The text, with its unit added if its author omitted it."""
    unit = NO_UNIT.get(path.name)
    return (f"{unit}\n" if unit else "") + path.read_bytes().decode("utf-8", "replace")


def found(parsed: Parsed) -> Counter[Number]:
    return Counter(
        (result.test, str(result.params.get("view", result.metric)), round(printed(result, value), 4))
        for result in parsed.results
        for value in result.values
        if value is not None
    )


def printed(result: Result, value: float) -> float:
    return {"throughput": value / 1024, "cpu_of_one_core": value * 100, "latency_mean": value * 1e6}.get(
        result.metric, value
    )


def seen(text: str) -> Counter[Number]:
    """The numbers of the tables and blocks, and those that are only in the reports."""
    metric = "rate" if "ops/sec" in text or "operations per second" in text else "throughput"
    tables = Counter((test, metric, number) for test, number in numbers_of_tables(text) if number)
    blocks = Counter(numbers_of_blocks(text.replace("=3D", "=").replace("=\n", " "), metric))
    rows = {tuple(map(int, words)) for words in re.findall(r"^ +([0-9]+) +([0-9]+)(?= |$)", text, re.MULTILINE)}
    reports = Counter(
        (report(title), metric, float(cell))
        for (title, file_size, record_size), cell in report_cells(text).items()
        if float(cell) and (file_size // 1024, record_size // 1024) not in rows
    )
    return tables + blocks + reports


def report(title: str) -> str:
    return OF_REPORTS[title.lower().removesuffix(" report").replace(" ", "_")]


def numbers_of_tables(text: str) -> Iterator[tuple[str, float]]:
    header = -1
    for line in text.split("\n"):
        if "reclen" in line:
            header = re.search("kB", line, re.IGNORECASE).end() + 8  # type: ignore[union-attr]
        match = re.match(r"(?:r[0-9]+)? +[0-9]+ +[0-9]+(?= |$)", line)
        if header < 0 or not match or match.end() != header:
            continue
        words = list(re.finditer(r"[0-9]+", line[header:]))
        if len(words) == len(TESTS):
            yield from ((test, float(word[0])) for test, word in zip(TESTS, words, strict=True))
        else:
            yield from ((TESTS[ENDS.index(word.end())], float(word[0])) for word in words if word.end() in ENDS)


def numbers_of_blocks(text: str, metric: str) -> Iterator[Number]:
    test = "write"
    for line in text.split("\n"):
        if match := re.search(r"(Children|Parent) sees? throughput for +\d+ ([a-z -]+?)\s*=\s*([\d.]+)", line):
            test = OF_READERS[match[2]]
            yield test, metric if match[1] == "Children" else "parent", float(match[3])
        elif match := re.search(r"(Min|Max|Avg) throughput per \w+\s*=\s*([\d.]+)", line):
            yield test, match[1].lower(), float(match[2])
        elif match := re.search(r"Wall time +([\d.]+) +CPU time +([\d.]+) +CPU +utilization +([\d.]+) %", line):
            yield test, "elapsed", float(match[1])
            yield test, "cpu_time", float(match[2])
            yield test, "cpu_of_one_core", float(match[3])


@pytest.mark.parametrize("path", texts())
def test_what_was_read_is_what_stands_there(path: Path) -> None:
    text = whole(path)
    parsed = parse(text)
    assert found(parsed) == seen(text)
    assert len(parsed.results) == len(tuple(parsed.results))


@pytest.mark.parametrize("path", texts())
def test_reports_say_the_same_as_what_was_read(path: Path) -> None:
    text = whole(path)
    values = {(result.test, result.file_size, result.record_size): result.values for result in parse(text).results}
    for (title, file_size, record_size), cell in report_cells(text).items():
        if float(cell):
            factor = 1 if "operations per second" in text else 1024
            assert float(cell) * factor in values[report(title), file_size, record_size]


def test_a_report_has_cells() -> None:
    """The test above has numbers to compare."""
    text = golden("iozone-cpu_report_auto.txt")
    assert any(float(cell) for cell in report_cells(text).values())


@pytest.mark.parametrize("path", texts())
def test_min_xfer_is_what_the_slowest_moved(path: Path) -> None:
    text = whole(path)
    if "Min xfer" not in text or "=3D" in text:
        return
    sizes = [float(number) for number in re.findall(r"Min xfer\s*=\s*([\d.]+)", text)]
    slowest = [result for result in parse(text).results if result.params.get("view") == "min"]
    unit = 4096 if "ops/sec" in text else 1024
    assert len(slowest) - len(sizes) in (0, 1)  # a text may end between the two lines
    assert [result.evidence["logical_bytes"] / unit for result, _ in zip(slowest, sizes, strict=False)] == sizes


@pytest.mark.parametrize("path", [path for path in paths("iozone") if path.name in NO_UNIT], ids=lambda path: path.name)
def test_a_unit_that_is_not_stated_is_asked_for(path: Path) -> None:
    with pytest.raises(FormatError, match="unit is not stated"):
        parse(path.read_bytes())


def test_labels_before_rows_keep_them_apart() -> None:
    path = PUBLIC / "iozone" / "Cloudxtreme__cdx_docs__raid-perf.txt"
    if not path.exists():
        require("../shared/corpus/*/*/*")
    results = [result for result in parse(whole(path)).results if result.test == "write"]
    assert [(dict(result.params), len(result.values)) for result in results] == [
        *(({"label": label}, 1) for label in ("r0", "r1", "r5", "r10")),
        ({}, 4),
    ]


@pytest.mark.parametrize("path", sheets())
def test_a_spreadsheet_holds_what_was_read(path: Path) -> None:
    data = path.read_bytes()
    assert found(parse(data)) == Counter(numbers_of_sheet(data))


def numbers_of_sheet(data: bytes) -> Iterator[Number]:
    """Every number below a title, found by the headings of records."""
    titles = {
        int.from_bytes(match[1], "little"): match[2].decode().strip()
        for match in re.finditer(rb"\x04\x00\x08\x01(..)\x00\x00\x00\x00\x00.([A-Z][A-Za-z -]+ Report)\x00", data, re.S)
    }
    cells = {
        struct.unpack("<HH", match[1]): struct.unpack("<d", match[2])[0]
        for match in re.finditer(rb"\x03\x00\x0f\x00(.{4})\x00\x00\x00(.{8})", data, re.S)
    }
    for (row, column), number in cells.items():
        title = max(candidate for candidate in titles if candidate < row)
        if column and row > title + 1 and number:
            yield report(titles[title]), "throughput", round(number, 4)


@pytest.mark.parametrize("name", ["after-tune.IOZone-1m"])
def test_a_spreadsheet_and_its_text_say_the_same(name: str) -> None:
    text = PUBLIC / "iozone" / f"Parsa2820__BeeGFS-Benchmark__{name}.log"
    if not text.exists():
        require("../shared/corpus/*/*/*")
    sheet = text.with_suffix(".xls")
    assert found(parse(sheet.read_bytes())) == found(parse(text.read_bytes()))
