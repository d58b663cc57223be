"""NOTICE lists all third-party parts of the browser bundle and the agent file."""

from __future__ import annotations

import io
import zipfile

from benchdb.web.agent.file import agent_file
from tools.notice import NOTICE, notice


def test_the_file_is_up_to_date() -> None:
    assert NOTICE.read_text() == notice(), "run .venv/bin/python tools/notice.py"


def test_every_package_of_the_agent_file_is_named() -> None:
    with zipfile.ZipFile(io.BytesIO(agent_file().data)) as archive:
        packages = {name.partition("/")[0] for name in archive.namelist() if "/" in name}

    assert packages == {"benchagent", "tomli"}
    assert "\ntomli " in NOTICE.read_text()


def test_the_large_packages_of_the_bundle_are_named() -> None:
    text = NOTICE.read_text()
    for title in ("bootstrap 5", "plotly.js 4", "@plotly/d3 3"):
        assert f"\n{title}" in text, title
