"""The facets by which runs can be filtered. Each is a line in a table; its name is its query string parameter.

The names are those of the dimensions of a comparison (docs/comparisons.md), so that filters are the same in both.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from benchagent.formats.vocabulary import test_label
from benchdb.runs.facts.storage_stack import say_layers
from benchdb.wording.sizes import parse_size, print_size, say_size

NO_MACHINES: Mapping[str, str] = {}


@dataclass(frozen=True)
class Facet:
    """`column` is SQL over the tables of `facet_rows`: a text, or with `many` an array of texts.

    `absent` is the text for a missing value; `kind` the form in the query string: text, number (4) or size (64K).
    `at_run`: the value may differ between runs that share a row of `Facets`, and `counting` reads it from their states.
    """

    name: str
    label: str
    column: str
    group: str
    absent: str = "unknown"
    kind: str = "text"
    many: bool = False
    at_run: bool = False
    say: Callable[[str], str] = str

    @property
    def word(self) -> str:
        """The parameter for a missing value."""
        return "unknown" if self.absent == "unknown" else "none"

    def print(self, value: str | None, machines: Mapping[str, str] = NO_MACHINES) -> str:
        """The text of a value on pages; `machines` are the names of machines by id."""
        if value is None:
            return self.absent
        if self.name == "machine":
            return machines.get(value, f"machine {value}")
        return say_size(int(value)) if self.kind == "size" else self.say(value)

    def parameter(self, value: str | None) -> str:
        """The parameter for a value."""
        if value is None:
            return self.word
        return print_size(int(value)) if self.kind == "size" else value

    def read(self, text: str) -> str | None:
        """The value of a parameter, None for a missing value. Raises ValueError for an impossible one."""
        if text == self.word:
            return None
        if self.kind == "size":
            return str(parse_size(text))
        if self.kind == "number" and not (text.isascii() and text.isdigit() and len(text) < 10):
            raise ValueError(f"{text!r} is neither a whole number nor {self.word}")
        return text


_ALL = (
    Facet("tool", "tool", "f.tool", "Workload"),
    Facet("test", "test", "f.tests::text[]", "Workload", absent="none", many=True, say=test_label),
    Facet("tool_version", "tool version", "f.tool_version", "Workload"),
    Facet("cache", "cache regime", "f.cache_regime", "Workload"),
    Facet("source", "source", "f.source", "Workload"),
    Facet("article", "article", "f.article", "Workload", absent="no article"),
    Facet("file_system", "file system", "t.file_system::text", "File system"),
    Facet("block_size", "block size", "t.block_size::text", "File system", kind="size"),
    Facet("mkfs_options", "mkfs options", "coalesce(nullif(t.mkfs_options, ''), 'defaults')", "File system"),
    Facet("mount_option", "mount option", "t.mount_options::text[]", "File system", absent="none known", many=True),
    Facet("raid_level", "RAID level", "t.raid_level::text", "Storage", absent="no RAID"),
    Facet("raid_chunk", "RAID chunk", "t.raid_chunk::text", "Storage", absent="no chunk", kind="size"),
    Facet("raid_members", "RAID members", "t.raid_members::text", "Storage", absent="no RAID", kind="number"),
    Facet("layers", "layers", "t.layers::text", "Storage", say=say_layers),
    Facet("disk", "disk", "t.disk_model::text", "Storage"),
    Facet("transport", "disk transport", "t.transport::text", "Storage"),
    Facet("scheduler", "scheduler", "t.scheduler::text", "Storage"),
    Facet("read_ahead", "read-ahead", "t.read_ahead::text", "Storage", kind="size"),
    Facet("machine", "machine", "f.machine_id::text", "Machine"),
    Facet("cpu", "CPU", "e.cpu_model::text", "Machine"),
    Facet("cpu_threads", "CPU threads", "e.cpu_threads::text", "Machine", kind="number"),
    Facet("memory", "memory", "e.memory::text", "Machine", kind="size"),
    Facet("governor", "frequency governor", "e.governor::text", "Machine"),
    Facet("virtualization", "virtualization", "e.virtualization::text", "Machine"),
    Facet("kernel", "kernel", "e.kernel_release::text", "Machine"),
    Facet("os", "distribution", "e.os_name::text", "Machine"),
    Facet("label", "label", "", "Run", absent="no label", many=True, at_run=True),
    Facet("state", "state", "", "Run", at_run=True),
    Facet("visibility", "visibility", "", "Run", at_run=True),
    Facet("owner", "owner", "", "Run", at_run=True, say=lambda owner: "mine" if owner == "me" else owner),
)
FACETS = {facet.name: facet for facet in _ALL}
# Facets that also take a range: `memory_min`, `memory_max`.
RANGES = ("memory", "raid_chunk")
