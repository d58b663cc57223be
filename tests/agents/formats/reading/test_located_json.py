"""The reader of JSON compared with Python's own decoder, and its lines with the text's."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchagent.formats.model import FormatError
from benchagent.formats.reading.located_json import Counts, Leaf, Node, read_object

_NAMES = st.text(st.characters(whitelist_categories=("Lu", "Ll", "Nd"), whitelist_characters=' {}[]:,"/'), max_size=5)
_NUMBERS = st.integers(0, 10**19)
_KEYS = st.one_of(st.just("bins"), _NAMES, st.integers(0, 10**18).map(str))
_VALUES = st.recursive(
    st.one_of(_NUMBERS, st.floats(allow_nan=False, allow_infinity=False), st.booleans(), st.none(), _NAMES),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3),
        st.dictionaries(_KEYS, inner, max_size=3),
        st.dictionaries(_NUMBERS.map(str), _NUMBERS, min_size=1, max_size=5),
    ),
    max_leaves=12,
)
_DOCUMENTS = st.dictionaries(_KEYS, _VALUES, max_size=4)


def plain(node: Node, text: str) -> object:
    """The node as Python's decoder has it; each value's line is one in which the text has it."""
    if isinstance(node, Counts):
        counts: dict[str, int] = json.loads(node.text)
        assert f'"{next(iter(counts))}"' in text.split("\n")[node.line - 1]
        return {key: str(count) for key, count in counts.items()}
    if isinstance(node, Leaf):
        assert json.dumps(node.text, ensure_ascii=False)[1:-1] in text.split("\n")[node.line - 1]
        return node.text
    if isinstance(node, list):
        return [plain(each, text) for each in node]
    return {key: plain(each, text) for key, each in node.items()}


def words(value: object) -> object:
    """A value of Python's decoder with its numbers and words as printed."""
    if isinstance(value, dict):
        return {key: words(each) for key, each in value.items()}
    if isinstance(value, list):
        return [words(each) for each in value]
    return value if isinstance(value, str) else json.dumps(value)


@given(_DOCUMENTS, st.sampled_from([None, 0, 2]), st.sampled_from([(",", ":"), (", ", " : ")]))
def test_it_has_what_pythons_decoder_has(
    document: dict[str, object], indent: int | None, separators: tuple[str, str]
) -> None:
    text = json.dumps({"of": document}, indent=indent, separators=separators, ensure_ascii=False)
    found = read_object(f"\n{text} rest", 1, 2)
    assert found.whole
    assert found.end == len(text) + 1
    assert plain(found.root, f"\n{text}") == {"of": words(document)}


@given(_DOCUMENTS, st.data())
def test_what_is_whole_of_a_cut_text_is_read(document: dict[str, object], data: st.DataObject) -> None:
    text = json.dumps({"of": document}, indent=1, ensure_ascii=False)
    cut = text[: data.draw(st.integers(1, len(text) - 1))]
    found = read_object(cut, 0, 1)
    assert not found.whole
    assert found.end == len(cut)


def test_histograms_stay_as_they_are_printed() -> None:
    text = '{"bins" : {\n "1" : 20,\n "30" : 4\n },\n "a" : 1}'
    assert read_object(text, 0, 1).root == {"bins": Counts('{\n "1" : 20,\n "30" : 4\n }', 2), "a": Leaf("1", 5)}


@pytest.mark.parametrize("count", ["01", "1.5", "-1", "null", '"1"', "9" * 19])
def test_objects_of_other_numbers_are_no_histograms(count: str) -> None:
    root = read_object(f'{{"bins": {{"1": 2, "3": {count}}}}}', 0, 1).root
    assert root == {"bins": {"1": Leaf("2", 1), "3": Leaf(count.strip('"'), 1)}}


@pytest.mark.parametrize("fault", ['"3"', ': 4, "5": 6', '{"5": 6}', "]"])
def test_a_fault_in_a_histogram_has_its_place(fault: str) -> None:
    with pytest.raises(FormatError) as refused:
        read_object(f'{{"a": {{\n"1": 2,\n"3": 4 {fault}}}}}', 0, 1)
    assert (refused.value.line, refused.value.column) == (3, 8)


def test_other_objects_of_whole_numbers_are_objects() -> None:
    assert read_object('{"percentile": {"50": 7}}', 0, 1).root == {"percentile": {"50": Leaf("7", 1)}}
