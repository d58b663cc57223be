"""Record a machine as a tree that `Source` reads, so that any hardware can be a test case, without what is private.

Takes down what the inventory asks for and nothing else.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable
from pathlib import Path

from benchagent.inventory.declared import to_toml
from benchagent.inventory.environment import environment
from benchagent.inventory.facts import Facts
from benchagent.inventory.source import PathFacts, Source, command_name
from benchagent.inventory.target import target

from .anonymous import Anonymous

PATHS = "/paths.json"
DECLARED = "/etc/benchagent/config.toml"


class Recorder(Source):
    """A machine, running or recorded; remembers everything it is asked."""

    def __init__(self, source: Source) -> None:
        super().__init__(source.root, declared=source.declared)
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

    def _note(self, path: str) -> None:
        real = self._real(path)
        if os.path.isdir(self._place(real)):
            self.directories.add(real)
        elif os.path.exists(self._place(real)):
            self.files.setdefault(real, "")

    def _real(self, path: str) -> str:
        """The path without links, each link on the way noted. /proc/self differs by process and is taken as it is."""
        here = "/"
        for part in path.strip("/").split("/"):
            step = os.path.join(here, part)
            if os.path.islink(self._place(step)) and step != "/proc/self":
                here = super().resolve(step)
                self.links[step] = os.path.relpath(here, os.path.dirname(step))
            else:
                here = step
        return here


def record(source: Source, paths: Iterable[str], directory: Path) -> dict[str, str]:
    """Record the machine, and the targets that `paths` are on, into `directory`, which is empty or does not exist.

    Gives each path's name in the tree. Raises FileNotFoundError where there is no such path, OSError where the
    directory cannot be written.
    """
    recorder = Recorder(source)
    environment(recorder, _as_it_is)
    for path in paths:
        target(path, recorder, _as_it_is)
    anonymous = Anonymous(source)
    tree = RecordedTree(directory, anonymous)
    tree.make(recorder)
    return {path: anonymous.text(source.resolve(path)) for path in paths}


def _as_it_is(text: str) -> str:
    return text


class RecordedTree:
    """Writes what was recorded; every name and every text goes through `Anonymous`, so that they still fit."""

    def __init__(self, directory: Path, anonymous: Anonymous) -> None:
        self._directory, self._anonymous = directory, anonymous

    def make(self, recorder: Recorder) -> None:
        self._directory.mkdir(parents=True, exist_ok=True)
        for path in sorted(recorder.directories):
            self._place(path + "/").mkdir(parents=True, exist_ok=True)
        for path, content in sorted(recorder.files.items()):
            if path == PATHS:
                continue  # of the recorded tree; ours has what was asked of it
            kept = self._anonymous.file(path, content, list(recorder.paths))
            if kept is not None:
                self._place(path).write_text(kept, encoding="utf-8")
        for path, leads_to in sorted(recorder.links.items()):
            self._place(path).symlink_to(self._anonymous.text(leads_to))
        facts: Facts = {self._anonymous.text(path): found._asdict() for path, found in recorder.paths.items()}
        self._place(PATHS).write_text(json.dumps(facts, indent=1) + "\n", encoding="utf-8")
        if recorder.declared is not None and recorder.declared.by_kind:
            text = self._anonymous.text(to_toml(recorder.declared))
            self._place(DECLARED).write_text(text, encoding="utf-8")

    def _place(self, path: str) -> Path:
        place = self._directory / self._anonymous.name(path).strip("/")
        place.parent.mkdir(parents=True, exist_ok=True)
        return place
