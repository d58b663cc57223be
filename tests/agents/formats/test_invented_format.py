"""A new format is one folder: agent, import and run page use it without a change to any other file."""

import sys
from collections.abc import Iterator
from pathlib import Path
from textwrap import dedent

import pytest
from django.contrib.auth.models import User

from benchagent import formats
from benchagent.cli import main
from benchagent.formats.discovery import discovered, folder_names
from benchdb.ingest.imports.unpack import GivenFile
from benchdb.runs.models import Run
from benchdb.runs.store.summaries import compute_summaries
from tests.support.html import read
from tests.support.imports import begun, signed_in, stored
from tests.support.store import stored_rows

READER = '''
    """Output of pagewalk: a rate in pages a second."""

    import re

    from benchagent.formats.model import Parsed, ResultKey
    from benchagent.formats.reading.collector import Collector
    from benchagent.formats.reading.text import split_lines

    TOOL = "pagewalk"
    RATE = re.compile("walked ([0-9]+) pages a second")


    def recognises(text):
        return text.startswith("pagewalk 0.7")


    def parse(text, parser_version):
        collector = Collector()
        for number, line in enumerate(split_lines(text), start=1):
            if rate := RATE.fullmatch(line):
                collector.value(ResultKey("page_walk", "rate"), float(rate[1]), number)
            elif not line.startswith("pagewalk "):
                collector.unread(number, line)
        return Parsed(TOOL, "0.7", None, collector.results(), collector.warnings(), parser_version)
'''
PACKAGE = """
    from .reader import TOOL, parse, recognises

    RANK = 70
"""
OUTPUT = "pagewalk 0.7\nwalked 4321 pages a second\nwalked 4327 pages a second\n"


@pytest.fixture(autouse=True)
def _pagewalk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Add the format's folder, in another directory of the package's search path."""
    folder = tmp_path / "more_formats" / "pagewalk"
    folder.mkdir(parents=True)
    (folder / "__init__.py").write_text(dedent(PACKAGE))
    (folder / "reader.py").write_text(dedent(READER))
    monkeypatch.setattr(formats, "__path__", [*formats.__path__, str(folder.parent)])
    registry = discovered(folder_names(formats.__path__))
    monkeypatch.setattr(formats, "all_formats", lambda: registry)
    yield
    for name in [name for name in sys.modules if name.startswith("benchagent.formats.pagewalk")]:
        del sys.modules[name]
    del formats.pagewalk


def test_the_agent_reads_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "output.txt").write_text(OUTPUT)

    for options in ([], ["--tool", "pagewalk"]):
        assert main(["parse", *options, str(tmp_path / "output.txt")]) == 0
        lines = capsys.readouterr().out.splitlines()
        assert lines[0] == "pagewalk 0.7, 1 result"
        assert lines[2].split() == ["page_walk", "rate", "4321", "4327", "op/s"]


def test_the_server_imports_it_and_its_run_has_a_page(owner: User) -> None:
    browser = signed_in(owner)

    draft = begun(owner, GivenFile("walk.txt", OUTPUT.encode()))
    preview = read(browser.get(draft.get_absolute_url()))
    assert "pagewalk 0.7" in preview.text
    rows = [[cell.text for cell in row] for row in preview.tables["Results of walk.txt"]]
    assert (rows[1:], rows[2][0]) == ([["line 2 walked 4321 pages a second"], rows[2]], "Page walk")

    [run_id] = stored(draft).run_ids
    compute_summaries(run_id)
    run = Run.objects.get(pk=run_id)
    assert (run.tool, run.round_count) == ("pagewalk", 2)
    assert [row["values"] for row in stored_rows(run.pk, 1) if row["test"] == "page_walk"] == [[4321.0, 4327.0]]

    page = read(browser.get(f"/runs/{run_id}/"))
    assert "Page walk" in page.text
    assert "4324" in page.text.replace("\u202f", "").replace(",", "")  # the mean
