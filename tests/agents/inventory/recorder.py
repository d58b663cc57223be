"""Record a machine as a tree: `PYTHONPATH=agents python -m tests.agents.inventory.recorder [PATH …] > NEW.tree`.

Takes down what the inventory reads and nothing else. Read the tree and take out what is private before committing it.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterable
from pathlib import Path

from benchagent.inventory import Source, environment, target
from benchagent.inventory.source import PathFacts, command_name

from .trees import pack


class Recorder(Source):
    """The running machine; remembers everything it is asked."""

    def __init__(self) -> None:
        super().__init__("/")
        self.files: dict[str, str] = {}
        self.links: dict[str, str] = {}
        self.directories: set[str] = set()
        self.paths: dict[str, PathFacts] = {}

    def text(self, path: str) -> str | None:
        found = super().text(path)
        if found is not None:
            self.files[self._real(path)] = found
        return found

    def names(self, path: str) -> list[str]:
        found = super().names(path)
        for name in found:
            self._note(f"{self._real(path)}/{name}")
        return found

    def exists(self, path: str) -> bool:
        found = super().exists(path)
        if found:
            self._note(path)
        return found

    def resolve(self, path: str) -> str:
        self._real(path)
        return super().resolve(path)

    def path(self, path: str) -> PathFacts | None:
        found = super().path(path)
        if found is not None:
            self.paths[path] = found
        return found

    def output(self, *command: str, accept: Iterable[int] = (0,)) -> str | None:
        found = super().output(*command, accept=accept)
        if found is not None:
            self.files["/commands/" + command_name(command)] = found
        return found

    def tree(self) -> str:
        paths = json.dumps({path: facts._asdict() for path, facts in self.paths.items()}, indent=1)
        return pack({**self.files, "/paths.json": paths}, self.links, self.directories)

    def _note(self, path: str) -> None:
        real = self._real(path)
        if os.path.isdir(real):
            self.directories.add(real)
        elif os.path.exists(real):
            self.files.setdefault(real, "")

    def _real(self, path: str) -> str:
        """The path without links, each link on the way noted. /proc/self differs by process and is taken as it is."""
        here = "/"
        for part in path.strip("/").split("/"):
            step = os.path.join(here, part)
            if os.path.islink(step) and step != "/proc/self":
                here = os.path.realpath(step)
                self.links[step] = os.path.relpath(here, os.path.dirname(step))
            else:
                here = step
        return here


if __name__ == "__main__":
    recorder = Recorder()
    environment(recorder)
    for wanted in sys.argv[1:] or [str(Path.cwd())]:
        target(wanted, recorder)
    print(recorder.tree(), end="")
