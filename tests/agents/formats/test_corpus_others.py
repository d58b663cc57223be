"""dbench, IOR, mdtest and PostMark: every number of every real file is in the results, and vice versa."""

from collections import Counter
from pathlib import Path

import pytest

from benchagent.formats import Parsed, parse
from tests.agents.formats.corpus import corpus_files, read
from tests.agents.formats.crude import dbench, ior, mdtest, postmark
from tests.agents.formats.texts import GOLDEN


def golden_and(tool: str) -> list:
    return [*sorted(GOLDEN.glob(f"{tool}-*")), *corpus_files(tool)]


def found(parsed: Parsed, *names: str) -> Counter:
    """(line, test, metric, these params, number) of every value."""
    return Counter(
        (line, result.test, result.metric, *(result.params.get(name) for name in names), round(value, 6))
        for result in parsed.results
        for value, line in zip(result.values, result.lines, strict=True)
        if value is not None
    )


def told(cells) -> Counter:
    """The second reader's cells in the same form; a zero is no value."""
    return Counter((*names, round(number, 6)) for *names, number in cells if number)


@pytest.mark.parametrize("path", golden_and("postmark"), ids=lambda path: path.name)
def test_postmark(path: Path) -> None:
    parsed = parse(path.read_bytes())
    text = read(path)
    words = [(number, line.split()) for number, line in enumerate(text.split("\n"), start=1)]
    terse = {number for number, row in words if len(row) == 13 and row[0].isdigit() and "." in row[-1]}
    values = {key: count for key, count in found(parsed, "phase").items() if key[0] not in terse}
    assert values == told(postmark.cells(text))
    assert len(terse) * 13 == sum(count for key, count in found(parsed).items() if key[0] in terse)


@pytest.mark.parametrize("path", golden_and("dbench"), ids=lambda path: path.name)
def test_dbench(path: Path) -> None:
    parsed = parse(path.read_bytes())
    values = Counter()
    for result in parsed.results:
        if result.params.get("view") != "running":
            client = result.params.get("client")
            for value, line in zip(result.values, result.lines, strict=True):
                if value is not None:
                    name = None if client is None else str(client)
                    values[line, result.test, result.metric, name, round(value, 6)] += 1
    assert values == told(dbench.cells(read(path)))


@pytest.mark.parametrize("path", corpus_files("mdtest_ior"))
def test_mdtest_and_ior(path: Path) -> None:
    parsed = parse(path.read_bytes())
    if parsed.tool == "ior":
        both, all_told = found(parsed), told(ior.cells(read(path)))
    else:
        both, all_told = found(parsed), told(mdtest.cells(read(path)))
    # Equal max, min and mean are kept once.
    assert {key for key in both if key[-1]} == set(all_told)
    assert all(result.threads for result in parsed.results)
