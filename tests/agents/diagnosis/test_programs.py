"""Tools, compiler and file system programs: missing ones are listed with their packages."""

from pathlib import Path

import pytest

from benchagent.diagnosis import DiagnosisFinding, FindingState
from benchagent.diagnosis import programs as module
from benchagent.diagnosis.finding import lacking
from benchagent.diagnosis.programs import programs
from benchagent.system import programs as system_programs
from benchagent.tools.fsload import build as engine
from tests.agents.tools.fsload.test_build import script


@pytest.fixture
def bare(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A machine without any program; the test may put some into the directory."""
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(system_programs, "ADMIN_PATHS", str(tmp_path))
    monkeypatch.setattr(engine, "MADE", tmp_path / "none")
    monkeypatch.delenv("BENCHAGENT_FSLOAD", raising=False)
    monkeypatch.setenv("BENCHAGENT_STATE", str(tmp_path / "state"))
    return tmp_path


def found() -> dict[str, DiagnosisFinding]:
    return {finding.what: finding for finding in programs()}


def test_what_is_missing_is_named_with_its_packages(bare: Path) -> None:
    remedies = {name: finding.remedy for name, finding in found().items() if finding.state is FindingState.MISSING}
    assert remedies["bonnie++"] == "Debian and Fedora: bonnie++"
    assert remedies["iozone"] == "in Debian's non-free; Debian: iozone3; Fedora: build it from its source"
    assert remedies["cc"] == "Debian: gcc, libc6-dev; Fedora: gcc, glibc-devel"
    assert remedies["losetup"] == "Debian: mount; Fedora: util-linux-core"
    assert remedies["xfs"].startswith("no mkfs.xfs, xfs_repair")
    assert remedies["xfs"].endswith("Debian and Fedora: xfsprogs")
    assert "no C compiler" in remedies["fsload"]


def test_what_few_plans_want_is_optional(bare: Path) -> None:
    states = {name: finding.state for name, finding in found().items()}
    assert {states[name] for name in ("ext2", "ext3", "ext4", "xfs", "btrfs")} == {FindingState.MISSING}
    assert {states[name] for name in ("f2fs", "jfs", "reiserfs", "nilfs2", "hfsplus")} == {FindingState.OPTIONAL}


def test_an_fsload_that_is_there_needs_no_compiler(bare: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    script(bare / "fsload", "#!/bin/sh\n")
    monkeypatch.setenv("BENCHAGENT_FSLOAD", "fsload")
    states = {name: finding.state for name, finding in found().items()}
    assert (states["fsload"], states["cc"]) == (FindingState.OK, FindingState.OPTIONAL)


def test_what_is_there_is_shown_with_its_place(bare: Path) -> None:
    script(bare / "bonnie++", "#!/bin/sh\n")
    assert found()["bonnie++"].detail == str(bare / "bonnie++")


@pytest.mark.parametrize("known", [True, False])
def test_a_file_system_wants_programs_and_the_kernel(bare: Path, monkeypatch: pytest.MonkeyPatch, known: bool) -> None:
    monkeypatch.setattr(module, "known_to_kernel", lambda _type: known)
    for name in ("mkfs.btrfs", "btrfs"):
        script(bare / name, "#!/bin/sh\n")
    btrfs, ext4 = found()["btrfs"], found()["ext4"]
    assert btrfs.detail == ("mkfs.btrfs, btrfs, the kernel" if known else "this kernel cannot mount it")
    assert btrfs.state is (FindingState.OK if known else FindingState.MISSING)
    assert not btrfs.packages
    assert ext4.packages == {"debian": ("e2fsprogs",), "fedora": ("e2fsprogs",)}


def test_packages_have_each_distributions_name() -> None:
    assert lacking("x", "y", "", "mount", "xfsprogs").packages == {
        "debian": ("mount", "xfsprogs"),
        "fedora": ("util-linux-core", "xfsprogs"),
    }
    assert lacking("x", "y", "do it").packages == {}
