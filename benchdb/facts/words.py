"""Facts in the words of a page."""

from __future__ import annotations

import re
from collections.abc import Sequence

from benchagent.formats.vocabulary import is_size
from benchdb.wording.numbers import plural
from benchdb.wording.sizes import say_size
from benchdb.wording.words import a_second

from .stored import StoredCpuCache, StoredModule, StoredNode

SIZES = {"chunk", "read_ahead", "cache"}
DIGEST = re.compile("[0-9a-f]{64}")


def say_setting(name: str, value: object) -> str:
    """The value of a setting with a free name: `yes`, `64 KiB`, `0.25`, `20000/s`."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, tuple):
        return ", ".join(say_setting(name, item) for item in value) or "none"
    if isinstance(value, int) and (is_size(name) or name in SIZES):
        return say_size(value)
    if isinstance(value, str) and DIGEST.fullmatch(value):
        return f"{value[:12]}…"  # enough to tell two files apart
    return a_second(name, f"{value:.4g}" if isinstance(value, float) else str(value))


def say_share(share: float) -> str:
    """`61 %`."""
    return f"{100 * share:.0f} %"


def say_hz(frequency: float) -> str:
    """`2.9 GHz`."""
    return f"{frequency / 1e9:.3g} GHz"


def say_yes(value: bool) -> str:
    """`yes`, `no`."""
    return "yes" if value else "no"


def say_ratio(ratio: float) -> str:
    """`0.25 times`, `4 times`."""
    return f"{ratio:.2g} times" if ratio < 100 else f"{ratio:.0f} times"


def say_modules(modules: Sequence[StoredModule]) -> str:
    """`4 × 8 GiB DDR4 at 2666 MT/s`."""
    return ", ".join(_module(module) for module in modules)


def _module(module: StoredModule) -> str:
    size, kind, rate = module.get("size"), module.get("type"), module.get("transfer_rate")
    parts = [f"{module['count']} × {say_size(size) if size else 'unknown size'}", kind or ""]
    return " ".join(filter(None, [*parts, f"at {rate / 1e6:.0f} MT/s" if rate else ""]))


def say_caches(caches: Sequence[StoredCpuCache]) -> str:
    """`L1 data 32 × 32 KiB, L3 8 × 8 MiB`."""
    return ", ".join(_cache(cache) for cache in caches)


def _cache(cache: StoredCpuCache) -> str:
    kind = cache.get("type")
    name = f"L{cache['level']}" + (f" {kind}" if kind not in (None, "unified") else "")
    size = cache.get("size")
    text = say_size(size) if size else "of unknown size"
    shared = f", shared by {cache['shared_by_threads']}" if (cache.get("shared_by_threads") or 0) > 2 else ""
    return f"{name} {cache['count']} × {text}{shared}" if cache.get("count") else f"{name} {text}{shared}"


def say_nodes(nodes: Sequence[StoredNode]) -> str:
    """`1 node`, `2 nodes of 16 threads and 32 GiB, distances 10 21`."""
    first = nodes[0]
    memory = first.get("memory")
    parts = [f"{first['threads']} threads"] if first.get("threads") else []
    parts += [say_size(memory)] if memory else []
    distances = " ".join(map(str, first.get("distances") or []))
    details = f" of {' and '.join(parts)}" if parts else ""
    return f"{plural(len(nodes), 'node')}{details}" + (
        f", distances {distances}" if len(nodes) > 1 and distances else ""
    )
