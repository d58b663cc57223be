"""Contents as JSON: both ways, for every kind, and for any figures."""

import json
from collections.abc import Callable
from dataclasses import fields, replace

import pytest
from django.contrib.auth.models import User
from hypothesis import given
from hypothesis import strategies as st

from benchdb.compare.content import Content
from benchdb.compare.content_json import from_json, to_json
from benchdb.compare.kinds import kind_of
from benchdb.compare.redaction import redacted
from benchdb.compare.table.content import TableContent
from benchdb.exports.formats import FORMATS
from tests.support.comparing.cells import a_cell, a_verdict
from tests.support.comparing.contents import content as a_content
from tests.support.comparing.exported import FROZEN, KINDS, a_table

FIGURES = st.none() | st.floats(allow_nan=False, allow_infinity=False)
TEXTS = st.text(st.characters(exclude_categories=["Cs"]))  # JSON has no surrogates


@pytest.mark.parametrize("evaluated", KINDS)
def test_a_content_is_found_again(owner: User, evaluated: Callable[[User], Content]) -> None:
    content = evaluated(owner)

    document = to_json(content)

    assert list(document) == [field.name for field in fields(content) if field.name != "goes_with"]
    assert from_json(json.loads(json.dumps(document))) == content


@pytest.mark.parametrize("evaluated", KINDS)
def test_so_is_what_a_deletion_leaves(owner: User, evaluated: Callable[[User], Content]) -> None:
    content = evaluated(owner)

    left = redacted(content, {content.runs[0]})

    assert (left is None) == (len(content.runs) == 1)
    assert left is None or from_json(to_json(left)) == left


@given(st.lists(FIGURES, min_size=4, max_size=4), st.lists(FIGURES, max_size=3), TEXTS, st.integers(0, 2**62))
def test_any_figures_and_words_are_found_again(
    figures: list[float | None], values: list[float | None], words: str, size: int
) -> None:
    mean, sd, low, high = figures
    verdict = a_verdict("better", words, low, p=high)
    cell = a_cell(mean=mean, sd=sd, low=low, high=high, values=values, error=words, file_size=size, verdict=verdict)
    table = a_content(["ext4"], [words], {("", "ext4", words): cell})

    assert from_json(to_json(table)) == table


def test_what_is_no_number_is_not_found_again() -> None:
    table = a_content(["ext4"], ["Write"], {("", "ext4", "Write"): a_cell()})
    (group,) = table.groups
    broken = replace(table, groups=[replace(group, rows=[replace(group.rows[0], cells=[a_cell(sd=float("nan"))])])])

    assert from_json(to_json(table)) == table
    assert from_json(to_json(broken)) != broken


def test_the_schema_names_the_kind() -> None:
    table = a_content(["ext4"], ["Write"], {("", "ext4", "Write"): a_cell()})

    assert kind_of(table).content is TableContent
    with pytest.raises(KeyError):
        from_json({**to_json(table), "schema": "benchdb.chart/1"})


def test_a_faulty_document_is_refused() -> None:
    table = a_content(["ext4"], ["Write"], {("", "ext4", "Write"): a_cell()})

    for changes in ({"groups": [{}]}, {"margin": "wide"}, {"runs": None}):
        with pytest.raises(ValueError, match="validation error"):
            from_json({**to_json(table), **changes})


def test_a_table_without_samples_has_the_keys_that_the_first_release_froze(owner: User) -> None:
    """Otherwise the JSON of its permalink would change with the release of the server."""
    content = a_table(owner)

    assert "goes_with" not in to_json(content)
    assert "goes_with" not in json.loads(FORMATS["json"].export(content, FROZEN))
