"""The tests of `make test`, and those that only `make test-all` runs, as `tests/tiers.toml` says.

`--tier fast` leaves out the tests of that file, `--tier slow` runs only these, and without the option all run. Files
that take long begin first, and files that share a server run in one process, so that it starts once.

The objects of fifteen thousand collected tests are never garbage, and looking for it among them takes a sixth of the
time of small tests. So no garbage is collected while they are made, and later collections leave them out.
"""

import gc
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from xdist.scheduler import LoadFileScheduling

FILE = Path(__file__).parents[1] / "tiers.toml"
_read = pytest.StashKey[dict[str, Any]]()


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the option."""
    parser.addoption("--tier", choices=["fast", "slow"], help="only the tests of one tier, see tests/tiers.toml")


def pytest_configure(config: pytest.Config) -> None:
    """Read the file."""
    config.stash[_read] = tomllib.loads(FILE.read_text())


def pytest_collection() -> None:
    """Collect no garbage while tests are collected."""
    gc.disable()


@pytest.hookimpl(trylast=True)
def pytest_collection_finish() -> None:
    """Leave what was made until now out of all further collections."""
    gc.collect()
    gc.freeze()
    gc.enable()


def names(nodeid: str) -> Iterator[str]:
    """What would name a test in the file: itself, with and without parameters, its class, its file, its folders."""
    yield nodeid
    path, *inside = nodeid.partition("[")[0].split("::")
    for end in range(len(inside), -1, -1):
        yield "::".join([path, *inside[:end]])
    yield from map(str, Path(path).parents)


def slow_tests(read: dict[str, Any]) -> set[str]:
    """What the file lists as slow. Raises KeyError if an entry has no processor time or reason."""
    return {
        name + (f"[{case}]" if case else "")
        for entry in read["slow"]
        if entry["seconds"] and entry["reason"]
        for name in entry["tests"]
        for case in entry.get("cases", [""])
    }


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out the other tier's tests, and put the files that take longest in front."""
    read = config.stash[_read]
    slow = slow_tests(read)
    tier = config.getoption("tier")
    _refuse_unknown(slow, items, config)
    if tier:
        other = [item for item in items if slow.isdisjoint(names(item.nodeid)) is (tier == "slow")]
        config.hook.pytest_deselected(items=other)
        left_out = set(other)
        items[:] = [item for item in items if item not in left_out]
    seconds = read["longest_files"]
    items.sort(key=lambda item: -next((seconds[name] for name in names(item.nodeid) if name in seconds), 0))


def _refuse_unknown(slow: set[str], items: list[pytest.Item], config: pytest.Config) -> None:
    """A test that was renamed must not come back to the fast tier unnoticed."""
    if any("::" in argument for argument in config.args) or any(map(config.getoption, ("keyword", "markexpr"))):
        return
    found = {name for item in items for name in names(item.nodeid)}
    if lost := {name for name in slow - found if name.partition("::")[0] in found}:
        raise pytest.UsageError(f"{FILE.name} names tests that do not exist: {', '.join(sorted(lost))}")


class FilesScheduling(LoadFileScheduling):  # type: ignore[misc]
    """The tests of a file run in one process, and so do those of files that share a server."""

    def _split_scope(self, nodeid: str) -> str:
        sharing: list[str] = self.config.stash[_read]["sharing_a_server"]
        return next((name for name in names(nodeid) if name in sharing), nodeid.partition("::")[0])


@pytest.hookimpl(optionalhook=True, tryfirst=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> LoadFileScheduling | None:
    """Used for `--dist loadfile`."""
    return FilesScheduling(config, log) if config.getvalue("dist") == "loadfile" else None
