"""Tables that earlier releases froze, as tables of today."""

from typing import Any

import pytest
from django.contrib.auth.models import User
from hypothesis import given
from hypothesis import strategies as st

from benchdb.compare.content_json import from_json, to_json
from benchdb.compare.query.dimensions import dimension
from benchdb.compare.table.charts.panels import figure_chart
from benchdb.compare.table.content import TableContent
from benchdb.compare.table.grid import grid_of
from benchdb.compare.table.kind import upgraded
from tests.support.comparing.exported import a_table

UNITS = (1, 2**10, 2**20, 2**30, 2**40)


def older(content: TableContent) -> dict[str, Any]:
    """The content as `benchdb.table/2` had it."""
    document: dict[str, Any] = {**to_json(content), "schema": "benchdb.table/2"}
    groups = [{**_without(group), "rows": [*map(_without, group["rows"])]} for group in document["groups"]]
    findings = [{**finding, "kind": None, "values": None} for finding in document["findings"]]
    return {**document, "heads": [*map(_without, document["heads"])], "groups": groups, "findings": findings}


def _without(part: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in part.items() if name != "values"}


def test_all_but_words_is_found_again(owner: User) -> None:
    content = a_table(owner)

    found = from_json(older(content))

    assert isinstance(found, TableContent)
    assert (found.schema, found.query) == (content.schema, content.query)
    assert [each.text for each in found.findings] == [each.text for each in content.findings]
    assert grid_of(found).numbers == grid_of(content).numbers
    assert figure_chart(grid_of(found)) == figure_chart(grid_of(content))
    assert [head.values for head in found.heads] == [dict.fromkeys(head.parts) for head in content.heads]


def test_a_newer_document_stays_as_it_is(owner: User) -> None:
    document = to_json(a_table(owner))

    assert upgraded(document) is document


@given(st.integers(1, 999), st.sampled_from(UNITS), st.sampled_from(["record_size", "file_size", "raid_chunk"]))
def test_sizes_are_the_bytes_of_their_labels(number: int, unit: int, name: str) -> None:
    assert number_in(name, dimension(name).print(number * unit)) == number * unit


@pytest.mark.parametrize(
    ("name", "label", "number"),
    [
        ("threads", "8", 8),
        ("threads", "no number of threads", None),
        ("parameter:depth", "depth 8", 8),
        ("parameter:chunk_size", "chunk size 64 KiB", 65536),
        ("parameter:fsync", "no fsync", None),
        ("file_system", "ext4", None),
        ("kernel", "6.1", None),
    ],
)
def test_labels_without_a_number_have_none(name: str, label: str, number: float | None) -> None:
    assert number_in(name, label) == number


def number_in(name: str, label: str) -> object:
    lists = dict.fromkeys(("groups", "findings", "warnings", "notes", "run_list"), ())
    document = upgraded({"schema": "benchdb.table/2", "heads": [{"parts": {name: label}}], **lists})
    return document["heads"][0]["values"][name]
