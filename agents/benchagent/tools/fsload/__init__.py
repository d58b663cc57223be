"""fsload, BenchDB's own C engine (agents/engine): its commands, command line, program and the bytes it writes.

The agent uses it as a tool of plans, to age file systems, and to fill them before maintenance tests.
"""

from __future__ import annotations

from benchagent.formats.fsload.work import NO_WORK
from benchagent.formats.vocabulary import IOZONE_STDIO_TESTS
from benchagent.tools.declaration import Tool

from .checked import described_text, text_faults
from .command_line import COLD, arguments, cold
from .completed import completed
from .options import files, read
from .program import explain, find
from .written import bytes_written, seconds

TOOL = Tool(
    name="fsload",
    program="fsload",
    artifact="fsload.jsonl",
    read=read,
    arguments=arguments,
    find=find,
    explain=explain,
    files=files,
    text_faults=text_faults,
    described_text=described_text,
    bytes_written=bytes_written,
    seconds=seconds,
    partial=frozenset({1}),
    progress=True,
    cold=cold,
    cold_option=COLD,
    no_work=NO_WORK,
    completed=completed,
    clock_resolution=1e-9,  # CLOCK_MONOTONIC
    headline_tests=("write", "read", "random_read", "random_write"),
    stdio_tests=frozenset(IOZONE_STDIO_TESTS),
    rank=3,
)
