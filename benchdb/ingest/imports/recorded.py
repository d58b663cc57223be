"""The facts about a machine that mmtests keeps beside the logs of each iteration: kernel, distribution, memory.

Only files with a fixed form are read, and only what no one needs to interpret. The name of the host and the addresses
of its network, which are in the same files, are not kept.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping

from benchagent.formats.mmtests import beside_logs
from benchdb.facts.entries import LARGEST

from .unpack import GivenFile

RecordedFacts = dict[str, str | int]
"""Facts of the environment by their JSON Pointers."""

LONGEST = 2**20  # bytes searched of a file; `tests-sysstate` begins with the facts

_UNAME = re.compile(r"Linux [!-~]{1,200} ([!-~]{1,200}) #[ -~]{1,400}")  # uname -a
_OS = re.compile(r"^(ID|VERSION_ID|PRETTY_NAME)=([\"']?)([ !#-&(-\[\]-~]{1,200})\2$", re.M)  # os-release(5)
_OS_POINTERS = {"ID": "/os/id", "VERSION_ID": "/os/version", "PRETTY_NAME": "/os/name"}
_ARCHITECTURE = re.compile(r"^arch :: ([A-Za-z0-9_]{1,40})$", re.M)
_MEMORY = re.compile(r"^file start :: /proc/meminfo\nMemTotal: {1,40}([0-9]{1,15}) kB$", re.M)


def take_recorded(
    files: Iterable[GivenFile],
) -> tuple[list[GivenFile], dict[str, RecordedFacts], list[tuple[str, str]]]:
    """The files that hold no such facts, the facts by the folder of the run, and the facts left out with the reasons.

    A fact that differs between the iterations of a run is left out. Without any other file, none has facts of a run.
    """
    files = list(files)
    others: list[GivenFile] = []
    found: dict[str, dict[str, dict[str | int, None]]] = {}
    for file in files:
        place = beside_logs(file.name)
        facts = _facts_of(place[1], file.content) if place else {}
        if place is None or not facts:
            others.append(file)
            continue
        of_run = found.setdefault(place[0], {})
        for pointer, value in facts.items():
            of_run.setdefault(pointer, {})[value] = None
    if not others:
        return files, {}, []
    recorded = {
        folder: {pointer: next(iter(values)) for pointer, values in of_run.items() if len(values) == 1}
        for folder, of_run in found.items()
    }
    differing = [
        (folder, f"{pointer} differs between the iterations: {', '.join(map(str, values))}"[:400])
        for folder, of_run in found.items()
        for pointer, values in of_run.items()
        if len(values) > 1
    ]
    return others, recorded, differing


def _facts_of(name: str, content: bytes) -> RecordedFacts:
    """The facts in a file with this name; none in others, or if it has another form."""
    reader = _READERS.get(name)
    return reader(content[:LONGEST].decode("utf-8", "replace")) if reader else {}


def _kernel(text: str) -> RecordedFacts:
    match = _UNAME.fullmatch(text.strip())
    return {"/kernel/name": "Linux", "/kernel/release": match[1]} if match else {}


def _distribution(text: str) -> RecordedFacts:
    return {_OS_POINTERS[name]: value.strip() for name, _, value in _OS.findall(text) if value.strip()}


def _state(text: str) -> RecordedFacts:
    architecture, memory = _ARCHITECTURE.search(text), _MEMORY.search(text)
    total = int(memory[1]) * 1024 if memory else 0
    return {
        **({"/cpu/architecture": architecture[1]} if architecture else {}),
        **({"/memory/total": total} if 0 < total <= LARGEST else {}),
    }


_READERS: Mapping[str, Callable[[str], RecordedFacts]] = {
    "kernel.version": _kernel,
    "os-release": _distribution,
    "tests-sysstate": _state,
}
