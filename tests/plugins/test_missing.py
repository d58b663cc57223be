"""Tests that lack something are skipped, or fail on a machine that should have it."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.plugins import missing
from tests.plugins.missing import available, require


@pytest.fixture
def shared(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder beside the project with one article and no corpus, on a machine of CI."""
    (tmp_path / "shared" / "seeds").mkdir(parents=True)
    (tmp_path / "shared" / "seeds" / "001_raid.txt").write_text("1")
    (tmp_path / "shared" / "corpus").mkdir()
    monkeypatch.setattr(missing, "SHARED", tmp_path / "shared")
    monkeypatch.setenv("CI", "true")
    available.cache_clear()
    yield tmp_path / "shared"
    available.cache_clear()


def test_files_that_are_there_are_enough(shared: Path) -> None:
    require("../shared/seeds/*.txt")


@pytest.mark.parametrize("what", ["../shared/corpus/*/*/*", "../shared/seeds/002_*.txt", "../shared/other/*"])
def test_a_missing_folder_or_file_fails_in_ci(shared: Path, what: str) -> None:
    with pytest.raises(pytest.fail.Exception, match="not skipped, because CI=true"):
        require(what)


def test_elsewhere_it_is_a_skip(shared: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("CI")
    with pytest.raises(pytest.skip.Exception, match=r"needs \.\./shared/corpus"):
        require("../shared/corpus/*/*/*")


def test_without_the_shared_folder_it_is_a_skip_in_ci_too(shared: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(missing, "SHARED", shared.parent / "absent")
    with pytest.raises(pytest.skip.Exception):
        require("../shared/seeds/*.txt")


def test_a_missing_package_fails_in_ci_and_a_missing_device_does_not(shared: Path) -> None:
    with pytest.raises(pytest.fail.Exception, match="apt-get install some-package"):
        require("no-such-command", package="some-package")
    with pytest.raises(pytest.skip.Exception):
        require("no-such-command")


@pytest.mark.needs("../shared/corpus/own/*/*")
@pytest.mark.needs("../shared/corpus/public/*/*")
@pytest.mark.needs("../shared/seeds/*.txt")
def test_corpus_and_articles_are_beside_the_project() -> None:
    """Tests with a parameter for each file do not run without files; this one fails in CI then."""
