"""Every folder of the package that names a tool is a format, on disk and in a zip file."""

from __future__ import annotations

import json
import subprocess
import sys
import zipfile
from pathlib import Path

from benchagent import formats
from benchagent.formats import FORMATS
from benchagent.formats.discovery import discovered

PACKAGE = Path(formats.__file__).parent
LIST_FORMATS = """
import json, sys
sys.path.insert(0, sys.argv[1])
from benchagent import formats
assert formats.__file__.startswith(sys.argv[1])
print(json.dumps([[form.TOOL for form in formats.FORMATS], [form.TOOL for form in formats.BINARY_FORMATS]]))
"""


def test_every_folder_but_the_shared_one_is_a_format() -> None:
    folders = {path.parent.name for path in PACKAGE.glob("*/__init__.py")}
    assert {form.__name__.rpartition(".")[2] for form in FORMATS} == folders - {"reading", "packing"}


def test_no_two_formats_have_the_name_of_one_tool() -> None:
    assert len({form.TOOL for form in FORMATS}) == len(FORMATS)


def test_formats_are_ordered_by_rank_and_then_by_tool() -> None:
    assert [(form.RANK, form.TOOL) for form in FORMATS] == sorted((form.RANK, form.TOOL) for form in FORMATS)
    assert FORMATS[-1].TOOL == "time"  # any tool may have run under `time`


def test_discovering_again_imports_nothing_again() -> None:
    assert discovered(formats.__path__) == (FORMATS, formats.BINARY_FORMATS, formats.NAMED_FORMATS)


def test_the_formats_in_a_zip_file_are_discovered(tmp_path: Path) -> None:
    archive = tmp_path / "agent.pyz"
    with zipfile.ZipFile(archive, "w") as file:
        file.write(PACKAGE.parent / "__init__.py", "benchagent/__init__.py")
        for path in PACKAGE.rglob("*.py"):
            file.write(path, f"benchagent/formats/{path.relative_to(PACKAGE).as_posix()}")

    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c", LIST_FORMATS, str(archive)], capture_output=True, text=True, check=False
    )

    assert done.returncode == 0, done.stderr
    tools = [[form.TOOL for form in formats.FORMATS], [form.TOOL for form in formats.BINARY_FORMATS]]
    assert json.loads(done.stdout) == tools
