"""The facts of the workload: tool, cache regime and origin of the figures."""

from __future__ import annotations

from benchagent.formats.vocabulary import test_label

from .fact import Fact, Filter, Page
from .guarding import Guard, Weight
from .run import Run

GROUP = "Workload"


def of_tool(run: Run) -> str:
    """The tool: versions, parameters and command lines are compared only within one."""
    return run.tool


def of_program(run: Run) -> str:
    """The tool, with the file system if each file system has a program of its own (mkfs, checks)."""
    return f"{run.tool} of {run.target.file_system}" if run.tool in ("mkfs", "maintenance") else run.tool


def publication_of(run: Run) -> str | None:
    """The article that published the run; None for runs that were measured or imported."""
    note = run.extra.get("publication")
    return note["slug"] if note else None


def source_of(run: Run) -> str:
    """The origin of the figures: an article, an imported file or an agent. `Source` has the words."""
    return "published" if "publication" in run.extra else "imported" if "import" in run.extra else "measured"


WORKLOAD = (
    Fact("tool", "tool", column="tool", place=True, filter=Filter(group=GROUP),
         guard=Guard(weight=Weight.TOOL, severe=True), page=Page("tools", compared=False)),
    Fact("test", "test", say=test_label, absent="none", filter=Filter(group=GROUP, sql="f.tests::text[]", many=True)),
    Fact("tool_version", "tool version", column="tool_version", filter=Filter(group=GROUP),
         guard=Guard(weight=Weight.MEASURING, severe=True, of_kind=of_program)),
    Fact("cache", "cache regime", column="cache_regime", filter=Filter(group=GROUP),
         guard=Guard(weight=Weight.CACHE, severe=True)),
    Fact("source", "source", source_of, filter=Filter(group=GROUP, sql="f.source")),
    Fact("publication", "article", publication_of, absent="measured", place=True, filed=False,
         filter=Filter(group=GROUP, sql="f.article", name="article", absent="no article")),
)  # fmt: skip
