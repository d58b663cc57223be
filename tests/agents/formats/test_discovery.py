"""Every folder of the package that names a tool is a format, on disk and in a zip file."""

import json
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from benchagent import formats
from benchagent.formats import FormatError, TextFormat
from benchagent.formats.discovery import discovered, folder_names

PACKAGE = Path(formats.__file__).parent
LIST_FORMATS = """
import json, sys
sys.path.insert(0, sys.argv[1])
from benchagent import formats
assert formats.__file__.startswith(sys.argv[1])
print(json.dumps([[form.TOOL for form in kind] for kind in formats.all_formats()]))
"""
TEXT = formats.all_formats().text
LIST_LOADED = """
import json, sys
from benchagent.formats import FormatError, parse
try:
    parse("nothing", sys.argv[1])
except FormatError:
    print(json.dumps([name for name in sys.modules if name.startswith("benchagent.formats.")]))
"""


def test_every_folder_but_the_shared_one_is_a_format() -> None:
    folders = {path.parent.name for path in PACKAGE.glob("*/__init__.py")}
    assert {form.__name__.rpartition(".")[2] for form in TEXT} == folders - {"reading", "packing"}


def test_no_two_formats_have_the_name_of_one_tool() -> None:
    assert len({form.TOOL for form in TEXT}) == len(TEXT)


def test_formats_are_ordered_by_rank_and_then_by_tool() -> None:
    assert [(form.RANK, form.TOOL) for form in TEXT] == sorted((form.RANK, form.TOOL) for form in TEXT)
    assert TEXT[-1].TOOL == "time"  # any tool may have run under `time`


def test_discovering_again_imports_nothing_again() -> None:
    assert discovered(folder_names(formats.__path__)) == formats.all_formats()


@pytest.mark.parametrize("tool", ["fsload", "iozone", "fio"])
def test_a_named_tool_loads_no_other_reader(tool: str) -> None:
    done = subprocess.run(
        [sys.executable, "-c", LIST_LOADED, tool],
        env={"PYTHONPATH": str(PACKAGE.parents[1])},
        capture_output=True,
        text=True,
        check=True,
    )
    loaded = {name.rpartition(".")[0] for name in json.loads(done.stdout) if name.endswith(".reader")}
    # The mixes of fsload have the names of FFSB's operations.
    assert loaded - {"benchagent.formats.ffsb"} == {f"benchagent.formats.{tool}"}


@pytest.mark.parametrize("form", TEXT, ids=lambda form: form.TOOL)
def test_every_tool_can_be_named(form: TextFormat) -> None:
    with pytest.raises(FormatError) as refused:
        formats.parse("nothing of any tool\n", form.TOOL)
    assert "there is no format" not in refused.value.message


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
    assert json.loads(done.stdout) == [[form.TOOL for form in kind] for kind in formats.all_formats()]
