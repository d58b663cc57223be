"""Whether a cell measured the device or a cache, decided from known facts, with the reason."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum

from benchdb.stats.warning import Numbers

from .access import Access

DEVICE_SHARE = 0.9
CACHED_SHARE = 0.1
"""Of the logical bytes, the share that must, or may at most, have passed the device."""
LARGE = 2.0
"""Of a file this many times the cache, little is left in the cache: the usual rule of benchmarkers."""
LARGE_AT_RANDOM = 10.0
"""Random reads hit a cache in proportion to its share of the file; ten times leaves a tenth."""
SMALL_WRITE = 0.1
"""Linux starts to write back when a tenth of memory is dirty (vm.dirty_background_ratio)."""


class CacheVerdict(StrEnum):
    """The device, a cache or both, as measured by a cell."""

    DEVICE = "device"
    MIXED = "mixed"
    CACHED = "cached"
    UNKNOWN = "unknown"


class CacheReason(StrEnum):
    """The reason for a verdict; `sentences.py` has the texts for it, with the numbers of the judgement."""

    DEVICE_BYTES = "device_bytes"
    DIRECT = "direct"
    ONE_RECORD = "one_record"
    DROPPED = "dropped"
    FLUSHED = "flushed"
    LARGER_THAN_MEMORY = "larger_than_memory"
    PARTLY_IN_MEMORY = "partly_in_memory"
    FITS_IN_MEMORY = "fits_in_memory"
    CONTROLLER_CACHE = "controller_cache"
    HOST_MAY_CACHE = "host_may_cache"
    SIZE_SAYS_NOTHING = "size_says_nothing"
    SIZE_UNKNOWN = "size_unknown"
    MEMORY_UNKNOWN = "memory_unknown"


@dataclass(frozen=True, slots=True)
class CacheFacts:
    """The known facts about one cell; None is unknown. Sizes in bytes.

    `working_set`: the file size times the number of files. `memory`: memory for caching, the smaller of the machine's
    memory and the cgroup's limit. `controller_cache`: RAM of a RAID controller. `direct`: O_DIRECT. `dropped`: caches
    were dropped, or the file system mounted anew, just before this test. `flushed`: the measured time includes fsync
    or every write is synchronous. `host_may_cache`: a layer below the kernel's page cache may cache too: the host of
    a guest, or the file under a loop device that is not direct. `device_bytes` and `logical_bytes`: bytes moved
    by the device and requested by the test, in the direction of the test, in this cell only.
    """

    access: Access
    working_set: int | None = None
    memory: int | None = None
    controller_cache: int | None = None
    direct: bool = False
    dropped: bool = False
    flushed: bool = False
    host_may_cache: bool = False
    device_bytes: float | None = None
    logical_bytes: float | None = None


@dataclass(frozen=True, slots=True)
class CacheJudgement:
    """`numbers` are ratios for the sentence: `share` of device bytes, `times` the memory or controller cache."""

    verdict: CacheVerdict
    reason: CacheReason
    numbers: Numbers = field(default_factory=dict)


def cache_verdict(facts: CacheFacts) -> CacheJudgement:
    """Judge one cell: by measured bytes, else by flags, else by sizes; then by caches of lower layers."""
    judgement = _by_evidence(facts) or _by_flags(facts) or _by_size(facts)
    if judgement.verdict is CacheVerdict.CACHED or judgement.verdict is CacheVerdict.UNKNOWN:
        return judgement
    return _below(facts) or judgement


def _by_evidence(facts: CacheFacts) -> CacheJudgement | None:
    if facts.device_bytes is None or not facts.logical_bytes:
        return None
    share = facts.device_bytes / facts.logical_bytes
    verdict = CacheVerdict.MIXED
    if share >= DEVICE_SHARE:
        verdict = CacheVerdict.DEVICE
    elif share <= CACHED_SHARE:
        verdict = CacheVerdict.CACHED
    return CacheJudgement(verdict, CacheReason.DEVICE_BYTES, {"share": share})


def _by_flags(facts: CacheFacts) -> CacheJudgement | None:
    reading = facts.access in (Access.READ, Access.RANDOM_READ)
    if facts.access is Access.OTHER:
        return CacheJudgement(CacheVerdict.UNKNOWN, CacheReason.SIZE_SAYS_NOTHING)
    if facts.direct:
        return CacheJudgement(CacheVerdict.DEVICE, CacheReason.DIRECT)
    if facts.access is Access.ONE_RECORD:
        return CacheJudgement(CacheVerdict.CACHED, CacheReason.ONE_RECORD)
    if reading and facts.dropped:
        return CacheJudgement(CacheVerdict.DEVICE, CacheReason.DROPPED)
    if not reading and facts.flushed:
        return CacheJudgement(CacheVerdict.DEVICE, CacheReason.FLUSHED)
    return None


def _by_size(facts: CacheFacts) -> CacheJudgement:
    if not facts.working_set:
        return CacheJudgement(CacheVerdict.UNKNOWN, CacheReason.SIZE_UNKNOWN)
    if not facts.memory:
        return CacheJudgement(CacheVerdict.UNKNOWN, CacheReason.MEMORY_UNKNOWN)
    times = facts.working_set / facts.memory
    large = LARGE_AT_RANDOM if facts.access is Access.RANDOM_READ else LARGE
    small = SMALL_WRITE if facts.access is Access.WRITE else 1.0
    if times >= large:
        return CacheJudgement(CacheVerdict.DEVICE, CacheReason.LARGER_THAN_MEMORY, {"times": times})
    if times <= small:
        return CacheJudgement(CacheVerdict.CACHED, CacheReason.FITS_IN_MEMORY, {"times": times})
    return CacheJudgement(CacheVerdict.MIXED, CacheReason.PARTLY_IN_MEMORY, {"times": times})


def _below(facts: CacheFacts) -> CacheJudgement | None:
    """The judgement if a layer under the page cache may have served the cell; else None."""
    if facts.host_may_cache:
        return CacheJudgement(CacheVerdict.UNKNOWN, CacheReason.HOST_MAY_CACHE)
    if facts.controller_cache and facts.working_set and facts.working_set < LARGE * facts.controller_cache:
        times = facts.working_set / facts.controller_cache
        return CacheJudgement(CacheVerdict.MIXED, CacheReason.CONTROLLER_CACHE, {"times": times})
    return None
