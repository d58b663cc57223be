"""What the storage of a target means for caches: its file system, and every layer below it."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping

from benchagent.filesystems import named
from benchdb.facts.layers import IN_MEMORY
from benchdb.facts.stored import Scalar, StoredEnvironment, StoredLayer, StoredTarget
from benchdb.stats import Access, CacheFacts, CacheReason, Direct, compresses, direct_access

# Clients that read from the server each time, unless an option makes them cache.
UNCACHED_CLIENTS = re.compile(r"9p|virtiofs|vboxsf|prl_fs|fuse(?:blk)?(?:\..*)?")
FUSE = re.compile(r"fuse(?:blk)?(?:\..*)?")
MEMORY_DISK = re.compile(r"z?ram\d+|nullb\d+")
DAX = frozenset(("dax", "dax=always"))
# Disks that another machine serves from its memory or disks.
REMOTE = re.compile(r"iscsi|fc|nvme-(?!pcie).*")
REMOTE_DISK = re.compile(r"(?:nbd|rbd|drbd)\d+.*")
COPIES = {"dup": 2, "raid1": 2, "raid10": 2, "raid1c3": 3, "raid1c4": 4}


def storage_facts(environment: StoredEnvironment, target: StoredTarget) -> CacheFacts:
    """The facts that hold for every test on this target."""
    memory, stack = environment["memory"], target["stack"]
    options = target["mount"].get("options") or []
    kind, total, usable = target["file_system"]["type"], memory["total"], memory.get("usable")
    declared = named(kind)
    limited = bool(usable and total and usable < total) and not declared.own_cache
    return CacheFacts(
        access=Access.OTHER,
        memory=(usable if limited else None) or total or usable,
        limited=limited,
        controller_cache=next((c["cache"] for c in environment.get("controllers", []) if c.get("cache")), None),
        synchronous="sync" in options,
        page_cache=not UNCACHED_CLIENTS.fullmatch(kind or ""),
        dax=declared.dax and not DAX.isdisjoint(options),
        own_cache=declared.own_cache,
        compresses=_compresses(target),
        copies=_copies(target),
        in_memory=any(map(_is_memory, stack)),
        lower_cache=_lower_cache(environment, target),
    )


def direct_on(target: StoredTarget, access: Access, record_size: int | None) -> Direct:
    """What O_DIRECT does on this target. The file system under an overlay is not known."""
    if any(layer["kind"] == "overlay" for layer in target["stack"]):
        return Direct.UNSURE
    return _direct(target["file_system"]["type"], target["mount"].get("options") or [], access, record_size)


def _direct(file_system: str | None, options: Collection[str], access: Access, record_size: int | None) -> Direct:
    declared = named(file_system)
    return direct_access(
        options,
        access,
        record_size,
        honoured=declared.direct,
        block=declared.direct_block,
        buffered=declared.data_journal,
        unsure=declared.direct_unsure,
        waits=declared.direct_waits,
    )


def syncs(target: StoredTarget) -> bool:
    """Whether fsync and O_SYNC wait for the device: ZFS can be told to answer at once."""
    return _details(target).get("sync") != "disabled"


def _details(target: StoredTarget) -> Mapping[str, object]:
    details = (target.get("extra") or {}).get("file_system")
    return details if isinstance(details, dict) else {}


def _compresses(target: StoredTarget) -> bool:
    unless_off, options = named(target["file_system"]["type"]).compresses, target["mount"].get("options") or []
    return _details(target).get("compression") != "off" if unless_off else compresses(options)


def _copies(target: StoredTarget) -> int:
    """How often the file system writes data to the devices whose bytes the agent adds up."""
    if named(target["file_system"]["type"]).data_journal in (target["mount"].get("options") or []):
        return 2
    return COPIES.get(str(_details(target).get("data_profile")), 1)


def _lower_cache(environment: StoredEnvironment, target: StoredTarget) -> CacheReason | None:
    """The layer below the page cache that may cache, the one farthest from this kernel first; None if there is none."""
    stack = target["stack"]
    if any(map(_is_remote, stack)):
        return CacheReason.SERVER_MAY_CACHE
    if FUSE.fullmatch(target["file_system"]["type"] or ""):
        return CacheReason.DAEMON_MAY_CACHE
    if environment["virtualization"]["kind"] not in (None, "none") or any(map(_buffered_loop, stack)):
        return CacheReason.HOST_MAY_CACHE
    return CacheReason.FAST_DEVICE if any(map(_caching_device, stack)) else None


def _facts(layer: StoredLayer) -> Mapping[str, Scalar]:
    return layer.get("facts") or {}


def _is_memory(layer: StoredLayer) -> bool:
    return layer["kind"] in IN_MEMORY or bool(MEMORY_DISK.fullmatch(layer.get("name") or ""))


def _is_remote(layer: StoredLayer) -> bool:
    remote = REMOTE.fullmatch(layer.get("transport") or "") or REMOTE_DISK.fullmatch(layer.get("name") or "")
    return layer["kind"] == "network" or bool(remote)


def _buffered_loop(layer: StoredLayer) -> bool:
    """A loop device whose file goes through the page cache of the file system below, or its file on one that may."""
    if layer["kind"] == "image":
        below = _facts(layer).get("file_system")
        options = str(_facts(layer).get("mount_options") or "").split(",")
        return below is not None and _direct(str(below), options, Access.READ, None) is not Direct.HONOURED
    return layer["kind"] == "loop" and not _facts(layer).get("direct_io")


def _caching_device(layer: StoredLayer) -> bool:
    """bcache, dm-cache, dm-writecache (also LVM's), a cache device of ZFS."""
    facts = _facts(layer)
    cached = layer["kind"] == "bcache" or bool(facts.get("cached")) or facts.get("role") == "cache"
    return cached or (layer["kind"] == "zfs" and "cache" in str(facts.get("vdevs")))
