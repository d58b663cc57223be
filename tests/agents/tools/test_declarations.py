"""The tests that tools declare are tests that their outputs have."""

import pytest

from benchagent.formats.vocabulary import BONNIE_TESTS, IOZONE_TESTS
from benchagent.tools import TOOLS, headline_tests


@pytest.mark.parametrize(
    ("name", "tests"),
    [("iozone", IOZONE_TESTS), ("bonnie++", BONNIE_TESTS), ("fio", IOZONE_TESTS), ("fsload", IOZONE_TESTS)],
)
def test_declared_tests_exist(name: str, tests: tuple[str, ...]) -> None:
    assert set(TOOLS[name].headline_tests) & set(tests)
    assert set(TOOLS[name].headline_tests) | TOOLS[name].stdio_tests <= set(tests)


def test_stdio_tests_are_those_of_buffered_functions() -> None:
    for name in ("iozone", "fsload"):
        assert TOOLS[name].stdio_tests == {test for test in IOZONE_TESTS if test.startswith("f")}
    assert TOOLS["bonnie++"].stdio_tests == {test for test in BONNIE_TESTS if test.startswith("char_")}


def test_headlines_begin_with_sequential_tests() -> None:
    assert headline_tests()[:2] == ("write", "read")
    assert len(set(headline_tests())) == len(headline_tests())
