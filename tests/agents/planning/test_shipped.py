"""Shipped plans are found by name, in a clone and in the zip archive."""

import argparse
import io
import shutil
import zipfile
from pathlib import Path

import pytest

from benchagent.plan.reading import load
from benchagent.planning import shipped
from benchagent.planning.files import with_files
from benchagent.planning.shipped import plan_argument

PLANS = Path(__file__).parents[3] / "agents" / "plans"
NAMES = sorted(path.relative_to(PLANS).with_suffix("").as_posix() for path in PLANS.rglob("*.toml"))


@pytest.fixture
def zipped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An agent from a zip archive; yields the state directory."""
    archive = shutil.make_archive(str(tmp_path / "agent"), "zip", PLANS.parent, "plans")
    file = zipfile.ZipFile(io.BytesIO(Path(archive).read_bytes()))
    monkeypatch.setattr(shipped.resources, "files", lambda _package: zipfile.Path(file))
    monkeypatch.setenv("BENCHAGENT_STATE", str(tmp_path / "state"))
    return tmp_path / "state"


@pytest.mark.parametrize("name", NAMES)
def test_every_shipped_plan_is_found_and_valid(name: str) -> None:
    path = plan_argument(name)
    assert path == PLANS / f"{name}.toml"
    assert with_files(load(path.read_text()), path.parent).points()


@pytest.mark.parametrize("name", NAMES)
def test_out_of_a_zip_they_are_unpacked_with_their_files(zipped: Path, name: str) -> None:
    path = plan_argument(name)
    assert path.is_relative_to(zipped / "plans")
    assert with_files(load(path.read_text()), path.parent).points()
    assert plan_argument(name) == path
    assert len(list((zipped / "plans").iterdir())) == 1


def test_a_file_goes_before_a_shipped_plan(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "demo").touch()
    assert plan_argument("demo") == Path("demo")


@pytest.mark.parametrize("name", ["nothing", "../demo", "/demo", "demo.toml", ""])
def test_another_name_is_refused_with_those_there_are(name: str) -> None:
    with pytest.raises(argparse.ArgumentTypeError, match="demo, directory"):
        plan_argument(name)


def test_a_file_that_cannot_be_looked_at_is_no_defect() -> None:
    with pytest.raises(argparse.ArgumentTypeError, match=r"cannot read x+: File name too long"):
        plan_argument("x" * 300)


def test_a_state_directory_that_cannot_be_written_is_named(zipped: Path) -> None:
    zipped.touch()
    with pytest.raises(argparse.ArgumentTypeError, match=r"cannot unpack the shipped plans: .*BENCHAGENT_STATE"):
        plan_argument("demo")
