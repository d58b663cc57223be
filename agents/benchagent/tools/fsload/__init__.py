"""fsload, BenchDB's own C engine (agents/engine): its commands, command line, program and the bytes it writes.

The agent uses it as a tool of plans, to age file systems, and to fill them before maintenance tests.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from benchagent.formats.fsload.work import NO_WORK
from benchagent.formats.model import Parsed
from benchagent.formats.vocabulary import IOZONE_STDIO_TESTS
from benchagent.tools.declaration import Tool

from .checked import described_text, text_faults
from .command_line import COLD, arguments, cold
from .options import files, read
from .program import explain, find
from .written import bytes_written, seconds

DIGITS = 8


def completed(parsed: Parsed, parameters: Mapping[str, object]) -> Parsed:
    """The results with a part of the digest of the source tree's archive, or of the distributions of `age`.

    The profiles of `mix` and `wml` need none: fsload prints them.
    """
    digests = {
        key: str(value)[:DIGITS] for key, value in parameters.items() if key.endswith("_sha256") and key not in _PRINTED
    }
    names = {key: key[: -len("_sha256")] for key in digests}
    return replace(
        parsed,
        results=tuple(
            result._replace(params={**result.params, **added})
            if (added := {key: digest for key, digest in digests.items() if names[key] in result.params})
            else result
            for result in parsed.results
        ),
    )


_PRINTED = ("profile_sha256", "file_sha256")


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
