"""Whether a cell measured the device or a cache, decided from known facts, with the reason."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum

from benchdb.stats.warning import Numbers

from .access import AT_RANDOM, READS, WRITES, Access
from .direct import Direct

DEVICE_SHARE = 0.9
CACHED_SHARE = 0.1
"""Of the logical bytes, the share that must, or may at most, have passed the device."""
READ_AHEAD_SHARE = 1.1
"""If the device read more than this for reads out of order, read-ahead hides the requests served from memory."""
PAGE = 4096
"""The smallest amount that the page cache reads."""
IN_ORDER = 4.0
"""Read in order, a file this many times the memory came from the device to at least 90 % (measured)."""
DIRTY_SHARE = 0.4
"""Of memory, the most that may wait to be written back: vm.dirty_ratio is 20 %, in some profiles 40 %."""
FITS = 0.8
"""Of memory, the file that it holds beside the kernel and programs, so that each read is served from it. Of a file of
1.06 times the memory a fifth came from the device (measured)."""
SMALL_WRITE = 0.1
"""Linux starts to write back when a tenth of memory is dirty (vm.dirty_background_ratio)."""
CONTROLLER = 2.0
"""A file this many times the controller's cache is large for it."""


class CacheVerdict(StrEnum):
    """The device, a cache or both, as measured by a cell."""

    DEVICE = "device"
    MIXED = "mixed"
    CACHED = "cached"
    UNKNOWN = "unknown"


class CacheReason(StrEnum):
    """The reason for a verdict; `sentences.py` has the texts for it, with the numbers of the judgement."""

    IN_MEMORY = "in_memory"
    DEVICE_BYTES = "device_bytes"
    PARTS_OF_PAGES = "parts_of_pages"
    READ_AHEAD = "read_ahead"
    COMPRESSED = "compressed"
    DAX = "dax"
    DIRECT = "direct"
    DIRECT_UNSURE = "direct_unsure"
    OWN_CACHE = "own_cache"
    ONE_RECORD = "one_record"
    DROPPED = "dropped"
    FLUSHED = "flushed"
    LARGER_THAN_MEMORY = "larger_than_memory"
    PARTLY_IN_MEMORY = "partly_in_memory"
    MEMORY_MAY_HOLD = "memory_may_hold"
    FITS_IN_MEMORY = "fits_in_memory"
    CONTROLLER_CACHE = "controller_cache"
    HOST_MAY_CACHE = "host_may_cache"
    SERVER_MAY_CACHE = "server_may_cache"
    DAEMON_MAY_CACHE = "daemon_may_cache"
    FAST_DEVICE = "fast_device"
    FASTER_THAN = "faster_than"
    SIZE_SAYS_NOTHING = "size_says_nothing"
    SIZE_UNKNOWN = "size_unknown"
    MEMORY_UNKNOWN = "memory_unknown"


@dataclass(frozen=True, slots=True)
class CacheFacts:
    """The known facts about one cell; None is unknown. Sizes in bytes.

    The test. `working_set`: the file size times the number of files. `direct`: what O_DIRECT did. `dropped`: caches
    were dropped, or the file system mounted anew, just before this test. `flushed`: the measured time includes fsync.
    `synchronous`: each write waits for the device. `device_bytes` and `logical_bytes`: bytes moved by the device and
    requested by the test, in the direction of the test, in this cell only.

    Above the device. `memory`: memory for caching, the smaller of the machine's memory and the cgroup's limit;
    `limited`: the cgroup's limit. `page_cache`: the kernel caches pages of this file system for sure. `dax`: it maps
    persistent memory into programs, without pages of its own and without requests to the device. `own_cache`: the file
    system has a cache of its own (ZFS). `compresses`, `copies`: of the data, by the file system.

    Below. `in_memory`: the file system or its disk is memory. `controller_cache`: RAM of a RAID controller.
    `lower_cache`: the reason why another layer below the page cache may cache.
    """

    access: Access
    working_set: int | None = None
    memory: int | None = None
    limited: bool = False
    record_size: int | None = None
    controller_cache: int | None = None
    direct: Direct = Direct.NOT_ASKED
    dropped: bool = False
    flushed: bool = False
    synchronous: bool = False
    page_cache: bool = True
    dax: bool = False
    own_cache: bool = False
    compresses: bool = False
    copies: int = 1
    in_memory: bool = False
    lower_cache: CacheReason | None = None
    device_bytes: float | None = None
    logical_bytes: float | None = None


@dataclass(frozen=True, slots=True)
class CacheJudgement:
    """`numbers` are ratios for the sentence: `share` of device bytes or of what memory may hold, `requests` that may
    have reached the device, `times` the memory or the controller's cache.
    """

    verdict: CacheVerdict
    reason: CacheReason
    numbers: Numbers = field(default_factory=dict)


def cache_verdict(facts: CacheFacts) -> CacheJudgement:
    """Judge one cell: by measured bytes, else by flags, else by sizes; then by caches of lower layers."""
    if facts.in_memory:
        return CacheJudgement(CacheVerdict.CACHED, CacheReason.IN_MEMORY)
    judgement = _by_mapping(facts) or _by_evidence(facts) or _by_flags(facts) or _by_size(facts)
    if judgement.verdict is CacheVerdict.CACHED or judgement.verdict is CacheVerdict.UNKNOWN:
        return judgement
    return _below(facts, judgement) or judgement


def _by_mapping(facts: CacheFacts) -> CacheJudgement | None:
    """Under DAX no counter of the device grows, whatever a test reads and writes."""
    if facts.dax and facts.access is not Access.OTHER:
        return CacheJudgement(CacheVerdict.DEVICE, CacheReason.DAX)
    return None


def _by_evidence(facts: CacheFacts) -> CacheJudgement | None:
    """By the share of the bytes that the device moved.

    A page is read for each part of it, so of random requests for less than a page only the share × record ÷ page can
    have reached the device. Writes of parts of a page may also have been joined; then the share itself is right.
    """
    if facts.device_bytes is None or not facts.logical_bytes:
        return None
    writes = facts.access in WRITES
    share = facts.device_bytes / facts.logical_bytes / (facts.copies if writes else 1)
    part = min(1.0, facts.record_size / PAGE) if facts.record_size and facts.access in AT_RANDOM else 1.0
    least, most = share * part, share if writes else share * part
    reason, numbers = CacheReason.DEVICE_BYTES, {"share": share}
    if part < 1:
        reason, numbers = CacheReason.PARTS_OF_PAGES, {"share": share, "requests": least}
    if least > READ_AHEAD_SHARE and facts.access in READS - {Access.READ}:
        return CacheJudgement(CacheVerdict.UNKNOWN, CacheReason.READ_AHEAD, {"share": share})
    if least >= DEVICE_SHARE:
        return CacheJudgement(CacheVerdict.DEVICE, reason, numbers)
    if facts.compresses:
        return CacheJudgement(CacheVerdict.UNKNOWN, CacheReason.COMPRESSED, {"share": share})
    return CacheJudgement(CacheVerdict.CACHED if most <= CACHED_SHARE else CacheVerdict.MIXED, reason, numbers)


def _by_flags(facts: CacheFacts) -> CacheJudgement | None:
    reading = facts.access in READS
    if facts.access is Access.OTHER:
        return CacheJudgement(CacheVerdict.UNKNOWN, CacheReason.SIZE_SAYS_NOTHING)
    if facts.direct is Direct.HONOURED:
        return CacheJudgement(CacheVerdict.DEVICE, CacheReason.DIRECT)
    if not reading and (facts.synchronous or (facts.flushed and facts.access is not Access.ONE_RECORD)):
        return CacheJudgement(CacheVerdict.DEVICE, CacheReason.FLUSHED)
    if facts.access is Access.ONE_RECORD:
        return CacheJudgement(CacheVerdict.CACHED, CacheReason.ONE_RECORD)
    if facts.own_cache and (facts.dropped or facts.direct is not Direct.NOT_ASKED):
        return CacheJudgement(CacheVerdict.UNKNOWN, CacheReason.OWN_CACHE)
    return _of_empty_caches(facts) if reading and facts.dropped else None


def _of_empty_caches(facts: CacheFacts) -> CacheJudgement:
    """Each byte comes from the device once; a request for a part of a page brings the rest of the page with it."""
    if facts.access is Access.RANDOM_READ and facts.record_size and facts.record_size < PAGE:
        by_size = _by_size(facts)
        if by_size.verdict is not CacheVerdict.DEVICE:
            requests = facts.record_size / PAGE
            numbers = {"share": 1.0, "requests": requests}
            return CacheJudgement(CacheVerdict.MIXED, CacheReason.PARTS_OF_PAGES, numbers)
    return CacheJudgement(CacheVerdict.DEVICE, CacheReason.DROPPED)


def _by_size(facts: CacheFacts) -> CacheJudgement:
    """By the most that memory may hold of the file, and therefore have served, or still hold when the test ends."""
    unsure = CacheJudgement(CacheVerdict.UNKNOWN, facts.lower_cache or CacheReason.DIRECT_UNSURE)
    if not facts.page_cache:
        return CacheJudgement(CacheVerdict.UNKNOWN, facts.lower_cache or CacheReason.SIZE_SAYS_NOTHING)
    if not facts.working_set or not facts.memory:
        missing = CacheReason.MEMORY_UNKNOWN if facts.working_set else CacheReason.SIZE_UNKNOWN
        return unsure if facts.direct is Direct.UNSURE else CacheJudgement(CacheVerdict.UNKNOWN, missing)
    times = facts.working_set / facts.memory
    writing = facts.access in WRITES
    held = min(1.0, (DIRTY_SHARE if writing and not facts.limited else 1.0) / times)
    numbers = {"times": times, "share": held}
    if held <= 1 - DEVICE_SHARE + 1e-9 or (facts.access is Access.READ and times >= IN_ORDER):
        return CacheJudgement(CacheVerdict.DEVICE, CacheReason.LARGER_THAN_MEMORY, numbers)
    if facts.direct is Direct.UNSURE:
        return unsure
    if times <= (SMALL_WRITE if writing else FITS):
        return CacheJudgement(CacheVerdict.CACHED, CacheReason.FITS_IN_MEMORY, numbers)
    if facts.access is Access.READ or held >= DEVICE_SHARE:
        return CacheJudgement(CacheVerdict.UNKNOWN, CacheReason.MEMORY_MAY_HOLD, numbers)
    return CacheJudgement(CacheVerdict.MIXED, CacheReason.PARTLY_IN_MEMORY, numbers)


def _below(facts: CacheFacts, judgement: CacheJudgement) -> CacheJudgement | None:
    """The judgement if a layer under the page cache may have served the cell; else None."""
    seen = facts.lower_cache is CacheReason.DAEMON_MAY_CACHE and facts.device_bytes is not None
    if facts.lower_cache and not seen:  # what a device moved, moved below the daemon
        return CacheJudgement(CacheVerdict.UNKNOWN, facts.lower_cache)
    if facts.controller_cache and facts.working_set and facts.working_set < CONTROLLER * facts.controller_cache:
        times = facts.working_set / facts.controller_cache
        return CacheJudgement(CacheVerdict.MIXED, CacheReason.CONTROLLER_CACHE, {"times": times})
    return None
