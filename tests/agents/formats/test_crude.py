"""Each tool with a second reader beside its tests: it and the parser find the same numbers in every text.

Reads the project's texts and those below the directory BENCHDB_OUTPUTS, in folders by tool: public ones are not copied.
"""

import os
from collections import Counter
from importlib import import_module
from pathlib import Path

import pytest

from benchagent.formats import FormatError, Parsed, decoded, parse
from tests.agents.formats.texts import GOLDEN

TOOLS = sorted(path.parent.name for path in Path(__file__).parent.glob("*/crude.py"))
OUTPUTS = os.environ.get("BENCHDB_OUTPUTS")
PRINT_TWICE = {"io500"}  # its scripts of 2018 repeat the phases at the end
OWN = [pytest.param(tool, path, id=path.name) for tool in TOOLS for path in sorted(GOLDEN.glob(f"{tool}-*"))]
PUBLIC = [path for tool in TOOLS for path in sorted(Path(OUTPUTS, tool).glob("*"))] if OUTPUTS else []


def digits(number: float) -> str:
    """Nine digits; the same for floats that differ in their last bit, also halfway between two such numbers."""
    return f"{number * (1 + 1e-11):.9g}"


def found(parsed: Parsed) -> Counter:
    """(line, metric, number) of every value."""
    return Counter(
        (line, result.metric, digits(value))
        for result in parsed.results
        for value, line in zip(result.values, result.lines)
        if value is not None
    )


def told(tool: str, text: str) -> Counter:
    """What the second reader finds, in the same form; a zero is no value."""
    reader = import_module(f"tests.agents.formats.{tool}.crude")
    return Counter((line, metric, digits(number)) for line, metric, number in reader.cells(text) if number)


@pytest.mark.parametrize(("tool", "path"), OWN)
def test_both_find_the_same_numbers(tool: str, path: Path) -> None:
    text = decoded(path.read_bytes())
    numbers = told(tool, text)
    assert found(parse(text)) == numbers
    assert numbers


def test_every_tool_has_a_text() -> None:
    assert {path.values[0] for path in OWN} == set(TOOLS)


def test_both_find_the_same_numbers_in_public_texts() -> None:
    for path in PUBLIC:
        text = decoded(path.read_bytes())
        try:
            numbers = found(parse(text, path.parent.name))
        except FormatError as error:
            numbers = Counter()
            print(path, error)
        print(path, numbers.total())
        others = told(path.parent.name, text)
        if path.parent.name in PRINT_TWICE:
            assert {number[1:] for number in numbers} == {number[1:] for number in others}, path
        else:
            assert numbers == others, path
