"""Linux software RAID (md), from /sys/block/mdN/md. Hardware RAID is invisible; a person declares it."""

from __future__ import annotations

from benchagent.inventory.facts import Facts
from benchagent.inventory.source import Source

from .block import name_of

PARITY_LAYOUTS = {  # mdadm's names by the kernel's numbers for raid5 and raid6
    0: "left-asymmetric",
    1: "right-asymmetric",
    2: "left-symmetric",
    3: "right-symmetric",
    4: "parity-first",
    5: "parity-last",
    8: "ddf-zero-restart",
    9: "ddf-N-restart",
    10: "ddf-N-continue",
}
ACTIVITIES = {
    "resync": "resyncing",
    "recover": "recovering",
    "reshape": "reshaping",
    "check": "checking",
    "repair": "repairing",
}


def raid_arrays(source: Source) -> list[Facts]:
    """All running arrays in the shape of `environment.raid_arrays`."""
    devices = (source.resolve(f"/sys/block/{name}") for name in source.names("/sys/block"))
    return [{"name": name_of(device), **geometry(source, device)} for device in devices if is_array(source, device)]


def states(source: Source) -> list[Facts]:
    """Whether the arrays are complete and idle, in the shape of `state_before.arrays`.

    The states of all arrays of the machine, because the rebuild of an array on the same disks slows down the others.
    """
    devices = (source.resolve(f"/sys/block/{name}") for name in source.names("/sys/block"))
    return [
        {"kind": "raid", "name": name_of(device), "state": state(source, device), "done": progress(source, device)}
        for device in devices
        if is_array(source, device)
    ]


def is_array(source: Source, device: str) -> bool:
    """Whether the device is an array. A stopped array has no level; a container of firmware RAID only holds arrays."""
    return source.line(f"{device}/md/level") not in (None, "container")


def geometry(source: Source, device: str) -> Facts:
    """`{level, chunk, layout, members}`: chunk in bytes, None for levels without chunks; intended number of members."""
    level = source.line(f"{device}/md/level")
    return {
        "level": level,
        "chunk": source.integer(f"{device}/md/chunk_size") or None,
        "layout": layout(level, source.integer(f"{device}/md/layout")),
        "members": source.integer(f"{device}/md/raid_disks"),
    }


def layout(level: str | None, number: int | None) -> str | None:
    """mdadm's name of a layout.

    The number of raid10 has near copies in the low byte, far in the next, and an offset bit.
    """
    if number is None:
        return None
    if level in ("raid5", "raid6"):
        return PARITY_LAYOUTS.get(number)
    if level == "raid10":
        near, far, offset = number & 0xFF, number >> 8 & 0xFF, number >> 16 & 1
        copies = [f"near={near}"] if near > 1 else []
        if far > 1:
            copies.append(f"{'offset' if offset else 'far'}={far}")
        return ", ".join(copies) or None
    return None


def state(source: Source, device: str) -> str | None:
    """`healthy`, or the problems and activities, such as `degraded, recovering`.

    The kernel's array_state alternates between clean and active with every write, so these two values are ignored.
    """
    array_state = source.line(f"{device}/md/array_state")
    if array_state is None:
        return None
    words = []
    if source.integer(f"{device}/md/degraded"):
        words.append("degraded")
    action = source.line(f"{device}/md/sync_action") or "idle"
    if action in ACTIVITIES:
        words.append(ACTIVITIES[action])
    if array_state in ("inactive", "readonly", "suspended", "broken"):
        words.append(array_state)
    return ", ".join(words) or "healthy"


def progress(source: Source, device: str) -> float | None:
    """The finished share of a resync, recovery or check, from `123 / 456` sectors; None if there is none."""
    done, slash, whole = (source.line(f"{device}/md/sync_completed") or "").partition(" / ")
    if not slash or not done.isdecimal() or not whole.isdecimal() or not int(whole):
        return None
    return round(min(int(done) / int(whole), 1), 4)


def details(source: Source, device: str) -> Facts:
    """Settings that affect the write speed of an array, `{metadata, bitmap, stripe_cache_size, …}`, if they exist."""
    bitmap = source.line(f"{device}/md/bitmap/location")
    facts = {
        "metadata": source.line(f"{device}/md/metadata_version"),
        "bitmap": bitmap if bitmap is None or bitmap in ("none", "file") else "internal",
        "consistency_policy": source.line(f"{device}/md/consistency_policy"),
        "stripe_cache_size": source.integer(f"{device}/md/stripe_cache_size"),
    }
    metadata = facts["metadata"]
    if metadata is not None and str(metadata).startswith("external:"):
        facts["metadata"] = "external"  # the rest names another array of this machine
    return {key: value for key, value in facts.items() if value is not None}
