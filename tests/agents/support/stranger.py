"""Another user of the machine, who tries to make root's agent remove files that do not belong to the agent."""

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

NAME, UID = "nobody", 65534

# Replaces DIR/.benchagent, at a random moment after its creation, by a directory in which `files` is a link. Where the
# sticky bit forbids that, it puts the directory there while the agent's is away, and takes it away at a random moment.
SWAP = """
import os, random, sys, time
from contextlib import suppress
uid = int(sys.argv[5])
os.setgroups([]), os.setgid(uid), os.setuid(uid)
directory, victim, rounds, longest = sys.argv[1], sys.argv[2], int(sys.argv[3]), float(sys.argv[4])
os.chdir(directory)
sticky = os.stat(".").st_mode & 0o1000
print("ready", flush=True)
for number in range(rounds):
    while True:
        with suppress(OSError):
            sticky or os.stat(".benchagent")
            time.sleep(random.uniform(0, longest))
            sticky or os.rename(".benchagent", f"moved-{number}")
            os.mkdir(".benchagent")
            os.symlink(victim, ".benchagent/files")
            break
    print("swapped", flush=True)
    if sticky and number + 1 < rounds:
        time.sleep(random.uniform(0, longest))
        os.rename(".benchagent", f"moved-{number}")
"""


@contextmanager
def reachable() -> Iterator[Path]:
    """An empty directory of root that other users can reach, unlike those of pytest."""
    with TemporaryDirectory(prefix="benchagent-test-") as name:
        os.chmod(name, 0o755)
        yield Path(name)


def owned_by_stranger(path: Path) -> Path:
    """Create a directory that belongs to the other user."""
    path.mkdir()
    os.chown(path, UID, UID)
    return path


def treasure(path: Path) -> list[str]:
    """Create a directory of root with files and a subdirectory; returns its names."""
    (path / "folder").mkdir(parents=True, mode=0o700)
    for name in ("passwords", "thesis", "folder/deep"):
        (path / name).write_text("precious")
    return names(path)


def names(path: Path) -> list[str]:
    """The names of everything below a directory."""
    return sorted(str(each.relative_to(path)) for each in path.rglob("*"))


@contextmanager
def swapping(directory: Path, victim: Path, rounds: int = 1, longest: float = 0.0) -> Iterator[subprocess.Popen[str]]:
    """The other user, who waits for the agent's directory in `directory` and swaps it; prints a line each time."""
    # It becomes the other user by itself, because that user may not reach the interpreter of a clone below /root.
    command = [sys.executable, "-c", SWAP, str(directory), str(victim), str(rounds), str(longest), str(UID)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd="/") as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
        try:
            yield process
        finally:
            process.kill()
