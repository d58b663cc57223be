"""The content of articles' pages besides figures: every file names what there is."""

from __future__ import annotations

import tomllib

import pytest

from benchdb.publications.data_files import read, slugs
from benchdb.publications.page_files import FOLDER, page_file


@pytest.mark.parametrize("slug", slugs()[:-1])
def test_every_file_names_tables_and_runs_that_there_are(slug: str) -> None:
    file, keys = page_file(slug), [table.key for table in page_file(slug).tables]

    assert {run for table in file.tables for run in table.runs} <= set(read(slug).facts["runs"])
    assert {each["table"] for each in file.observations} <= {*keys}
    assert len({*keys}) == len(keys)
    assert tomllib.loads((FOLDER / f"{slug}.toml").read_text()).keys() <= {"tables", "observations", "means"}
