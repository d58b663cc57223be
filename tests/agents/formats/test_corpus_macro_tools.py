"""Every output of FFSB, Filebench, fdtree and Geriatrix: the parsed numbers are those of the text, line by line."""

from pathlib import Path

import pytest

from benchagent.formats import FormatError, parse
from benchagent.formats.uniqueness import identity, repeated
from tests.agents.formats.corpus import corpus_files, read
from tests.agents.formats.crude import fdtree, ffsb, filebench, geriatrix
from tests.agents.formats.crude.comparison import differences

READERS = {"fdtree": fdtree, "ffsb": ffsb, "filebench": filebench, "geriatrix": geriatrix}
# The amount of numbers in the corpus, to detect a reader that finds nothing.
LEAST = {"fdtree": 9, "ffsb": 8, "filebench": 21, "geriatrix": 1}


@pytest.mark.parametrize("path", corpus_files(*READERS))
def test_the_numbers_of_the_text_are_those_of_the_parse(path: Path) -> None:
    tool = path.parent.name
    expected = READERS[tool].cells(read(path))
    if not expected:
        with pytest.raises(FormatError, match="not its output"):
            parse(path.read_bytes())
        return
    parsed = parse(path.read_bytes())
    assert parsed.tool == tool
    assert differences(parsed, expected) == ({}, {})
    assert sum(expected.values()) >= LEAST[tool]


def of_params(**params: object) -> object:
    return identity("mix", "rate", None, None, None, params)


def test_one_and_one_point_zero_are_the_same_param_and_true_is_another() -> None:
    assert of_params(files=1) == of_params(files=1.0)
    assert of_params(files=1) != of_params(files=True)
    assert of_params(files=0) != of_params(files=False)


def test_large_whole_numbers_are_compared_exactly() -> None:
    assert of_params(bytes=2**53) == of_params(bytes=float(2**53))
    assert of_params(bytes=2**53 + 1) != of_params(bytes=float(2**53))


def test_the_order_of_params_does_not_matter() -> None:
    assert of_params(a=1, b="x") == of_params(b="x", a=1)
    assert of_params(a=1) != of_params(b=1)


@pytest.mark.parametrize(
    ("identities", "expected"),
    [([], {}), ([("a",), ("b",)], {}), ([("a",), ("b",), ("a",), ("a",), ("b",)], {2: 0, 3: 0, 4: 1})],
)
def test_repeated_results_are_named_with_the_first(identities: list[tuple[str]], expected: dict[int, int]) -> None:
    assert repeated(identities) == expected
