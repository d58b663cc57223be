"""Reads parameters of a workload as numbers and lists, and computes the bytes that a sweep over sizes writes."""

from __future__ import annotations

from collections.abc import Sequence

from benchagent.toml.tables import Parameters

WRITING = frozenset({"write", "rewrite", "random_write", "record_rewrite", "fwrite", "frewrite"})


def sizes(parameters: Parameters, key: str) -> list[int]:
    """The sizes under `key`, in bytes; a single size is a list of one, an absent one an empty list."""
    value = parameters.get(key, [])
    return [int(size) for size in (value if isinstance(value, list) else [value])]


def names(parameters: Parameters, key: str) -> list[str]:
    """The texts under `key`; an empty list if there is no list."""
    value = parameters.get(key, [])
    return [str(name) for name in value] if isinstance(value, list) else []


def number(parameters: Parameters, key: str, default: int = 0) -> int:
    """The whole number under `key`; `default` if the parameter is absent or something else."""
    value = parameters.get(key, default)
    return value if isinstance(value, int) else default


def swept_bytes(parameters: Parameters, files: Sequence[int], records: Sequence[int], tests: Sequence[str]) -> int:
    """Bytes that these tests write in files of these sizes, once for each record size that is not larger."""
    writing = sum(test in WRITING for test in tests)
    pairs = sum(size for size in files for record in records if record <= size)
    return pairs * writing * (1 if parameters.get("shared_file") else number(parameters, "threads", 1))
