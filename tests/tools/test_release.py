"""`make release`: the same files from every clone, with all packages, for a version in CHANGELOG.md."""

import hashlib
import json
import os
import shutil
from pathlib import Path

import pytest
from cyclonedx.schema import SchemaVersion
from cyclonedx.validation.json import JsonStrictValidator

from benchdb import __version__
from benchdb.web.agent.file import AGENTS, archive
from tests.tools.test_requirements import pins
from tools import release

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def lists(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The directory with the files of a release, among them the lists of `make sbom`."""
    out = tmp_path_factory.mktemp("release")
    release.write(out)
    return out


@pytest.mark.parametrize("name", ["server", "frontend"])
def test_the_lists_are_valid_and_have_neither_time_nor_serial_number(lists: Path, name: str) -> None:
    text = (lists / f"{name}.cdx.json").read_text()
    document = json.loads(text)
    version = SchemaVersion.from_version(document["specVersion"])
    assert JsonStrictValidator(version).validate_str(text) is None
    assert "serialNumber" not in document
    assert "timestamp" not in document["metadata"]


def test_the_list_of_the_server_has_the_locked_packages_with_hashes(lists: Path) -> None:
    components = json.loads((lists / "server.cdx.json").read_text())["components"]
    assert {each["name"]: each["version"] for each in components} == pins("requirements.txt")
    assert all(each["hashes"] for component in components for each in component["externalReferences"])


def test_the_list_of_the_front_end_has_what_the_bundle_is_built_from(lists: Path) -> None:
    components = json.loads((lists / "frontend.cdx.json").read_text())["components"]
    wanted = json.loads((ROOT / "frontend" / "package.json").read_text())["dependencies"]
    assert wanted.items() <= {each["name"]: each["version"] for each in components}.items()


def test_the_agent_file_is_the_same_from_another_clone(tmp_path: Path) -> None:
    copy = tmp_path / "agents"
    shutil.copytree(AGENTS, copy, copy_function=shutil.copyfile)
    for path in copy.rglob("*"):
        path.chmod(0o700 if path.is_dir() else 0o600)
        os.utime(path, (0, 0))
    assert archive(copy) == archive(AGENTS)


def test_a_release_has_a_section_in_the_changes() -> None:
    assert release.faults("# Changes\n\n## Unreleased\n") == [f"CHANGELOG.md has no section for {__version__}"]
    assert release.faults(f"# Changes\n\n## {__version__} (2026-11-26)\n") == []


def test_the_sums_are_of_the_files(lists: Path) -> None:
    sums = dict(reversed(line.split("  ")) for line in (lists / "SHA256SUMS").read_text().splitlines())
    names = {path.name for path in lists.iterdir()} - {"SHA256SUMS"}
    assert sums == {name: hashlib.sha256((lists / name).read_bytes()).hexdigest() for name in names}
    assert names == {f"benchagent-{__version__}.pyz", "server.cdx.json", "frontend.cdx.json"}
