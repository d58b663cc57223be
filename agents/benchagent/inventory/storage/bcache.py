"""bcache: a fast device in front of a slow one.

The kernel adds a directory `bcache` to the sysfs directories of the cached, the caching and the backing device.
"""

from __future__ import annotations

import posixpath

from benchagent.inventory.facts import Facts
from benchagent.inventory.source import Source

from .block import active_scheduler, lower_devices


def is_cached(source: Source, device: str) -> bool:
    """Whether this is the device that consists of cache and backing device."""
    return posixpath.basename(device).startswith("bcache") and source.exists(f"{device}/bcache")


def role(source: Source, device: str) -> str | None:
    """`cache` or `backing` for the devices below a bcache device; None for others."""
    if source.exists(f"{device}/bcache/cache_replacement_policy"):
        return "cache"
    return "backing" if source.exists(f"{device}/bcache/cache_mode") else None


def settings(source: Source, device: str) -> Facts:
    """The settings of the cache, without its fill level and dirty share, which change with every write."""
    caches = [lower for lower in lower_devices(source, device) if role(source, lower) == "cache"]
    cache = f"{caches[0]}/bcache" if caches else ""
    policy = source.line(f"{cache}/cache_replacement_policy") if cache else None
    return {
        "cache_mode": active_scheduler(source.line(f"{device}/bcache/cache_mode")),
        "sequential_cutoff": source.line(f"{device}/bcache/sequential_cutoff"),
        "writeback_percent": source.integer(f"{device}/bcache/writeback_percent"),
        "bucket_size": source.line(f"{cache}/bucket_size") if cache else None,
        "replacement_policy": active_scheduler(policy),
    }
