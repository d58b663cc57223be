"""A data file as people write it, and the messages for faulty ones."""

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchdb.publications.data_files import FaultyArticle, read
from benchdb.publications.documents import documents
from benchdb.publications.printed_numbers import read_printed

HEAD = """
slug = "small"
date = 2009-01-01
[environment]
memory.total = 8
[parts.ext4]
target.file_system.type = "ext4"
target.mount.options = ["data=ordered"]
[runs.ext4-old]
like = ["ext4"]
environment.memory.total = 2
labels = {source = "Table 1"}
[text]
facts = [{section = "", line = 1, quote = "everything", of = ["*"]}]
"""
TABLE = """
[[tables]]
key = "times"
run = "{configuration}-{system}"
test = "create"
unit = "s"
parts = [{metric = "elapsed"}, {metric = "user_time"}]
params = {files = 10}
columns = [{label = "ext4", configuration = "ext4", params = {directories = 2}}]
[[tables.rows]]
label = "10 GB"
system = "old"
file_size = "1M"
cells = ["1m0.5s / 0m0.25s"]
"""


def faulty(text: str) -> str:
    with pytest.raises(FaultyArticle) as found:
        documents(read("small", text))
    return str(found.value)


def test_a_figure_is_where_table_column_row_and_part_say() -> None:
    elapsed, user = read("small", HEAD + TABLE).figures
    assert (elapsed.run, elapsed.test, elapsed.metric, elapsed.printed.mean) == (
        "ext4-old",
        "create",
        "elapsed",
        Decimal("60.5"),
    )
    assert (user.metric, user.printed.mean, user.file_size) == ("user_time", Decimal("0.25"), 1 << 20)
    assert user.params == {"files": 10, "directories": 2}


def test_an_empty_part_of_a_cell_was_not_printed() -> None:
    (figure,) = read("small", (HEAD + TABLE).replace("0m0.25s", "")).figures
    assert figure.metric == "elapsed"


def test_a_document_has_the_runs_own_facts_over_those_of_its_parts_and_of_the_article() -> None:
    document = documents(read("small", HEAD + TABLE))["ext4-old"]

    assert document["environment"]["memory"] == {"total": 2}
    assert document["target"]["mount"] == {"options": ["data=ordered"]}
    assert document["labels"] == {"publication": "small", "source": "Table 1"}
    assert document["results"][0]["summary"] == {"mean": 60.5, "step": 0.1}
    assert document["environment"]["provenance"] == {"/memory": "published"}


def test_the_id_of_a_run_is_of_its_content() -> None:
    text = HEAD + TABLE
    (first, again, other) = (
        documents(read("small", each))["ext4-old"]["run_id"] for each in (text, text, text.replace("0.5s", "0.6s"))
    )
    assert first == again != other


@pytest.mark.parametrize(
    ("before", "after", "said"),
    [
        ('"1m0.5s / 0m0.25s"', '"1m0.5s / soon"', "times, 10 GB, ext4: 'soon' is no number that an article prints"),
        ('"1m0.5s / 0m0.25s"', '"1m0.5s"', "times, 10 GB, ext4: zip"),
        ('"1m0.5s / 0m0.25s"', "", "times, 10 GB: 0 cells"),
        ('unit = "s"', 'unit = "op/s"', "elapsed is not measured in op/s"),
        ('file_size = "1M"', 'file_size = "much"', "'much' is no size"),
        ('system = "old"', 'system = "new"', "tables name the runs ext4-new, which the file does not describe"),
        ('like = ["ext4"]', 'like = ["ext5"]', "the run ext4-old is like ext5, which the file does not describe"),
        ("[runs.ext4-old]", "[runs.empty]\n[runs.ext4-old]", "the run empty has no figure"),
        ("[runs.ext4-old]", '[runs.ext4-old]\noutput = "?"', "the output of ext4-old"),
        ('slug = "small"', "slug =", "small.toml: Invalid value"),
    ],
)
def test_a_fault_is_told_with_its_place(before: str, after: str, said: str) -> None:
    text = HEAD + TABLE
    assert before in text
    assert said in faulty(text.replace(before, after, 1))


@given(
    st.decimals(min_value=0, max_value=10**9, places=2, allow_nan=False),
    st.decimals(min_value=0, max_value=10**6, places=2),
)
def test_whatever_an_article_prints_is_read_to_the_last_digit(mean: Decimal, sd: Decimal) -> None:
    found = read_printed(f"{mean:,f} ± {sd:,f}", "KiB/s")
    assert (found.mean, found.sd, found.step) == (mean * 1024, sd * 1024, Decimal("10.24"))
