"""The content of articles' pages besides figures: every file is valid, and faulty ones are refused."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchdb.publications import page_files
from benchdb.publications.data_files import read, slugs
from benchdb.publications.page_files import KINDS, ArticleClaim, PageFile, page_file

TABLE = '[[tables]]\nkey = "t"\ntitle = "T"\nselect = ""\n'


@pytest.mark.parametrize("slug", slugs())
def test_every_file_reads_and_names_runs_that_there_are(slug: str) -> None:
    file = page_file(slug)

    assert {run for table in file.tables for run in table.runs} <= set(read(slug).facts["runs"])
    assert {each.claim.kind for each in file.observations} <= set(KINDS)


def test_an_article_without_figures_has_no_file() -> None:
    assert page_file("t2-2008") == PageFile((), ())


@pytest.mark.parametrize(
    "text",
    [
        TABLE + TABLE,
        TABLE + 'colour = "red"\n',
        TABLE + '[[observations]]\ntext = "x"\ntable = "u"\nkind = "up"\nalong = "record_size"\n',
        TABLE + '[[observations]]\ntext = "x"\ntable = "t"\nkind = "sideways"\nalong = "record_size"\n',
        "[[tabels]]\n",
    ],
)
def test_a_faulty_file_is_refused(text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "faulty.toml").write_text(text)
    monkeypatch.setattr(page_files, "FOLDER", tmp_path)
    with pytest.raises((ValueError, TypeError)):
        page_file.__wrapped__("faulty")


@pytest.mark.parametrize("kind", KINDS)
def test_a_claim_needs_what_it_is_about(kind: str) -> None:
    with pytest.raises(ValueError, match="along, values or share"):
        ArticleClaim(kind)
