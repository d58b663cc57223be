"""Paths that other users can change are refused to root; those that only root can change are not."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from benchagent.errors import UnsafeDirectory
from benchagent.system.open_directory import opened
from benchagent.system.other_users import refuse_unsafe, why_unsafe, without_links
from tests.agents.support.stranger import UID, reachable

pytestmark = pytest.mark.needs("root", package=None)


@pytest.fixture
def base() -> Iterator[Path]:
    with reachable() as directory:
        yield directory


def test_a_directory_of_root_is_safe(base: Path) -> None:
    (base / "work").mkdir()
    assert why_unsafe(base / "work", own=True) is None
    assert why_unsafe(base / "work/not/there", own=True) is None
    assert why_unsafe(Path("/tmp")) is None, "nobody can rename what is others' there"


def test_with_the_sticky_bit_others_still_add_entries() -> None:
    assert why_unsafe(Path("/tmp"), own=True) == "others may write into /tmp (mode 1777)"


@pytest.mark.parametrize("mode", [0o777, 0o775, 0o1777])
def test_a_directory_that_others_may_write_into(base: Path, mode: int) -> None:
    (base / "work").mkdir()
    (base / "work").chmod(mode)
    assert why_unsafe(base / "work", own=True) == f"others may write into {base}/work (mode {mode:o})"
    below = None if mode == 0o1777 else f"others may write into {base}/work (mode {mode:o})"
    assert why_unsafe(base / "work/below") == below


@pytest.mark.parametrize("below", ["", "a", "a/b"])
def test_a_directory_of_another_user_anywhere_on_the_way(base: Path, below: str) -> None:
    (base / "theirs/a").mkdir(parents=True)
    os.chown(base / "theirs", UID, UID)
    assert why_unsafe(base / "theirs" / below) == f"{base}/theirs belongs to another user"


def test_a_link_of_another_user(base: Path) -> None:
    """Its owner can let it lead elsewhere in a directory where only the owner may replace it."""
    (base / "real").mkdir()
    (base / "theirs").symlink_to(base / "real")
    os.lchown(base / "theirs", UID, UID)
    assert why_unsafe(base / "theirs") == f"{base}/theirs belongs to another user"


def test_a_link_of_root_is_followed(base: Path) -> None:
    (base / "real/inside").mkdir(parents=True)
    (base / "link").symlink_to("real")
    (base / "again").symlink_to(base / "link/../link")
    assert without_links(base / "again/inside") == base / "real/inside"
    os.chown(base / "real", UID, UID)
    assert why_unsafe(base / "again/inside") == f"{base}/real belongs to another user"


def test_links_in_a_circle_end(base: Path) -> None:
    (base / "a").symlink_to("b")
    (base / "b").symlink_to("a")
    assert why_unsafe(base / "a") is None
    with pytest.raises(OSError, match="symbolic links"), opened(base / "a/x"):
        pass


def test_the_message_names_the_remedy(base: Path) -> None:
    os.chown(base, UID, UID)
    with pytest.raises(UnsafeDirectory, match=r"belongs to another user\. Run it as an ordinary user") as error:
        refuse_unsafe(base)
    assert error.value.exit_code == 16


def test_an_ordinary_user_is_refused_nothing(base: Path) -> None:
    os.chown(base, UID, UID)
    os.seteuid(UID)
    try:
        assert why_unsafe(base, own=True) is None
    finally:
        os.seteuid(0)


def test_entries_are_removed_where_the_directory_was_opened(base: Path) -> None:
    for name in ("mine", "other"):
        (base / name / "folder/inside").mkdir(parents=True)
        (base / name / "file").touch()
    with opened(base / "mine") as mine:
        (base / "mine").rename(base / "moved")
        (base / "mine").symlink_to("other")
        (base / "moved/link").symlink_to(base / "other")
        for name in mine.names():
            mine.remove(name)
    assert os.listdir(base / "moved") == []
    assert sorted(os.listdir(base / "other")) == ["file", "folder"]
