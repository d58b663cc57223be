"""Records a machine as a tree that `Source` reads, without private facts, so that any hardware can be a test case.

The tree contains only the files and outputs that the inventory reads.
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
from benchagent.system.other_users import refuse_unsafe

from .anonymous import Anonymous

PATHS = "/paths.json"
DECLARED = "/etc/benchagent/config.toml"


class Recorder(Source):
    """A running or recorded machine as a source that records every access."""

    def __init__(self, source: Source) -> None:
        super().__init__(source.root, declared=source.declared)
        self.files: dict[str, str] = {}
        self.links: dict[str, str] = {}
        self.directories: set[str] = set()
        self.paths: dict[str, PathFacts] = {}

    def text(self, path: str) -> str | None:
        content = super().text(path)
        if content is not None:
            self.files[self._real(path)] = content
        return content

    def names(self, path: str) -> list[str]:
        names = super().names(path)
        for name in names:
            self._note(f"{self._real(path)}/{name}")
        return names

    def exists(self, path: str) -> bool:
        exists = super().exists(path)
        if exists:
            self._note(path)
        return exists

    def resolve(self, path: str) -> str:
        self._real(path)
        return super().resolve(path)

    def path(self, path: str) -> PathFacts | None:
        facts = super().path(path)
        if facts is not None:
            self.paths[path] = facts
        return facts

    def output(self, *command: str, accept: Iterable[int] = (0,)) -> str | None:
        output = super().output(*command, accept=accept)
        if output is not None:
            self.files["/commands/" + command_name(command)] = output
        return output

    def _note(self, path: str) -> None:
        real = self._real(path)
        if os.path.isdir(self._place(real)):
            self.directories.add(real)
        elif os.path.exists(self._place(real)):
            self.files.setdefault(real, "")

    def _real(self, path: str) -> str:
        """The path without links; records each link on the way except /proc/self, which differs by process."""
        current = "/"
        for component in path.strip("/").split("/"):
            step = os.path.join(current, component)
            if os.path.islink(self._place(step)) and step != "/proc/self":
                current = super().resolve(step)
                self.links[step] = os.path.relpath(current, os.path.dirname(step))
            else:
                current = step
        return current


def record(source: Source, paths: Iterable[str], directory: Path) -> dict[str, str]:
    """Record the machine and the targets of `paths` into `directory`, which must be empty or not exist.

    Returns the name of each path in the tree. Raises FileNotFoundError if a path does not exist, OSError if the
    directory cannot be written, UnsafeDirectory if this user is root and others can replace it.
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
    """Writes the recorded files; names and texts all pass through `Anonymous`, so that they stay consistent."""

    def __init__(self, directory: Path, anonymous: Anonymous) -> None:
        self._directory, self._anonymous = directory, anonymous

    def make(self, recorder: Recorder) -> None:
        refuse_unsafe(self._directory, own=True)
        self._directory.mkdir(parents=True, exist_ok=True)
        refuse_unsafe(self._directory, own=True)
        for path in sorted(recorder.directories):
            self._place(path + "/").mkdir(parents=True, exist_ok=True)
        for path, content in sorted(recorder.files.items()):
            if path == PATHS:
                continue  # that of the source tree; the new one has the recorded paths
            public = self._anonymous.file(path, content, list(recorder.paths))
            if public is not None:
                self._place(path).write_text(public, encoding="utf-8")
        for path, leads_to in sorted(recorder.links.items()):
            self._place(path).symlink_to(self._anonymous.text(leads_to))
        facts: Facts = {self._anonymous.text(path): status._asdict() for path, status in recorder.paths.items()}
        self._place(PATHS).write_text(json.dumps(facts, indent=1) + "\n", encoding="utf-8")
        if recorder.declared is not None and recorder.declared.by_kind:
            text = self._anonymous.text(to_toml(recorder.declared))
            self._place(DECLARED).write_text(text, encoding="utf-8")

    def _place(self, path: str) -> Path:
        place = self._directory / self._anonymous.name(path).strip("/")
        place.parent.mkdir(parents=True, exist_ok=True)
        return place
