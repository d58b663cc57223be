"""`@pytest.mark.needs(what, package=…)`: skips a test if the machine lacks something, with the name of its package.

`what` is a command, a key of `OTHER`, or files beside the project such as `../shared/seeds/*.txt`. With CI=true a test
fails instead if a package would help, because we equip that machine. The test also fails without files of `../shared`
if that folder exists. Without things that nobody can install (root, loop devices), the test is always skipped.
"""

import ctypes
import os
import shutil
import subprocess
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest

# Real outputs and articles, read in place and never copied. Most machines lack them.
SHARED = Path(__file__).resolve().parents[3] / "shared"
_SHARED_PREFIX = "../shared/"
# Administrators' commands are not in an ordinary user's PATH.
SEARCH_PATH = os.pathsep.join([os.environ.get("PATH", os.defpath), "/usr/local/sbin", "/usr/sbin", "/sbin"])
# Debian's Chromium without windows, which takes a third less of the processor for the same tests; Chromium in Debian
# and in Ubuntu; a browser installed by hand.
CHROMIUM_NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")


def find_command(*names: str) -> str | None:
    """The path of the first of these commands that is installed."""
    return next((path for name in names if (path := shutil.which(name, path=SEARCH_PATH))), None)


def _loop_devices() -> bool:
    return os.geteuid() == 0 and Path("/dev/loop-control").exists()


def _memory_controller() -> bool:
    """Whether this process may make a control group that limits memory; either version."""
    for folder in (Path("/sys/fs/cgroup/memory"), Path("/sys/fs/cgroup")):
        if os.access(folder, os.W_OK) and (folder / "memory.stat").exists():
            return True
    return False


def _network_namespaces() -> bool:
    if not (unshare := find_command("unshare")):
        return False
    return subprocess.run([unshare, "--net", "true"], capture_output=True, check=False).returncode == 0


def _device_mapper() -> bool:
    if not (dmsetup := find_command("dmsetup")):
        return False
    return subprocess.run([dmsetup, "version"], capture_output=True, check=False).returncode == 0


def _io_uring() -> bool:
    """Whether the kernel lets this process use io_uring; many containers forbid it."""
    libc = ctypes.CDLL(None, use_errno=True)
    file: int = libc.syscall(425, 1, ctypes.create_string_buffer(120))  # io_uring_setup, with empty parameters
    if file >= 0:
        os.close(file)
    return file >= 0


def postgres_with_fdw() -> Path | None:
    """The programs of the newest PostgreSQL of the system that has `postgres_fdw`; BENCHDB_POSTGRES names others."""
    given = os.environ.get("BENCHDB_POSTGRES")
    found = sorted(Path("/usr/lib/postgresql").glob("*/lib/postgres_fdw.so"), key=lambda path: int(path.parts[-3]))
    return Path(given) if given else found[-1].parent.parent / "bin" if found else None


OTHER: dict[str, Callable[[], bool]] = {
    "root": lambda: os.geteuid() == 0,
    "an ordinary user": lambda: os.geteuid() != 0,
    "chromium": lambda: find_command(*CHROMIUM_NAMES) is not None,
    "io_uring": _io_uring,
    "loop devices": _loop_devices,
    "device mapper": _device_mapper,
    "memory controller": _memory_controller,
    "network namespaces": _network_namespaces,
    "postgres_fdw": lambda: postgres_with_fdw() is not None,
}


@cache
def available(what: str) -> bool:
    """Whether this machine has `what`."""
    if what.startswith(_SHARED_PREFIX):
        return any(SHARED.glob(what.removeprefix(_SHARED_PREFIX)))
    return OTHER[what]() if what in OTHER else find_command(what) is not None


def reason(what: str, package: str | None) -> str:
    """The reason why a test did not run, with the remedy."""
    return f"needs {what}" + (f": apt-get install {package}" if package else "")


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    """Skip or fail before any fixture is made. pytest lists the skips, counted by reason, at the end (`-ra`)."""
    for marker in item.iter_markers("needs"):
        require(*marker.args, **marker.kwargs)


def require(what: str, package: str | None = None) -> None:
    """Return if the machine has `what`; else skip or fail the running test (see above)."""
    if available(what):
        return
    expected = package or (what.startswith(_SHARED_PREFIX) and SHARED.is_dir())
    if expected and os.environ.get("CI") == "true":
        pytest.fail(f"{reason(what, package)} (not skipped, because CI=true)", pytrace=False)
    pytest.skip(reason(what, package))
