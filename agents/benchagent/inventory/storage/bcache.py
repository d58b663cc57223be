"""bcache: a fast device in front of a slow one. The kernel puts a directory `bcache` on all three that belong to it."""

from __future__ import annotations

import posixpath

from benchagent.inventory.facts import Facts
from benchagent.inventory.source import Source

from .block import active_scheduler, lower_devices


def is_cached(source: Source, device: str) -> bool:
    """Whether this is the device that both together make up."""
    return posixpath.basename(device).startswith("bcache") and source.exists(f"{device}/bcache")


def role(source: Source, device: str) -> str | None:
    """`cache` or `backing` for the devices that it is made of, None for others."""
    if source.exists(f"{device}/bcache/cache_replacement_policy"):
        return "cache"
    return "backing" if source.exists(f"{device}/bcache/cache_mode") else None


def settings(source: Source, device: str) -> Facts:
    """How it caches. How full and how dirty the cache is changes by writing and is left out."""
    caches = [each for each in lower_devices(source, device) if role(source, each) == "cache"]
    cache = f"{caches[0]}/bcache" if caches else ""
    policy = source.line(f"{cache}/cache_replacement_policy") if cache else None
    return {
        "cache_mode": active_scheduler(source.line(f"{device}/bcache/cache_mode")),
        "sequential_cutoff": source.line(f"{device}/bcache/sequential_cutoff"),
        "writeback_percent": source.integer(f"{device}/bcache/writeback_percent"),
        "bucket_size": source.line(f"{cache}/bucket_size") if cache else None,
        "replacement_policy": active_scheduler(policy),
    }
