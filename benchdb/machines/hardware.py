"""The disks and arrays of an environment: lines of a table, short texts, and changes between two environments."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, TypeVar

from benchdb.facts.dimension import DimensionValue
from benchdb.facts.registry import DEVICE
from benchdb.facts.stored import StoredArray, StoredDevice, StoredEnvironment
from benchdb.runs.facts.terms import provenance_of
from benchdb.wording.sizes import say_size, unbroken

Part = TypeVar("Part")

MOST_NAMED = 2


def disks(environment: StoredEnvironment) -> list[dict[str, object]]:
    """The disks of the machine, equal ones in one line."""
    provenances = environment.get("provenance") or {}
    devices = environment["block_devices"]
    alike: dict[tuple[tuple[str, object], ...], list[int]] = {}
    for index, device in enumerate(devices):
        disk = _disk(device, provenance_of(provenances, f"/block_devices/{index}/model"))
        alike.setdefault(tuple(disk.items()), []).append(index)
    return [
        {"name": _names(devices, indices), "count": len(indices), "disk": dict(disk)} for disk, indices in alike.items()
    ]


def _disk(device: StoredDevice, provenance: str | None) -> dict[str, object]:
    size, settings = device.get("size"), _settings_of(device)
    zone_size = device.get("zone_size")
    zones = f"zones of {say_size(zone_size)}" if zone_size else None
    how = [_kind(device), device.get("transport"), device.get("link"), device.get("zoned"), zones]
    # What disks in one line have in common; None is unknown.
    return {
        "model": _model(device),
        "size": say_size(size) if size else None,
        "how": ", ".join(filter(None, how)),
        "settings": tuple(f"{of.label} {of.print(settings[of.name])}" for of in DEVICE if of.name in settings),
        "provenance": provenance,
    }


def _names(devices: Sequence[StoredDevice], indices: Sequence[int]) -> str:
    """`sda to sdd` for consecutive devices, otherwise all names."""
    names = [devices[index]["name"] for index in indices]
    together = indices[-1] - indices[0] == len(indices) - 1
    return f"{names[0]} to {names[-1]}" if together and len(names) > MOST_NAMED else ", ".join(names)


def arrays(environment: StoredEnvironment) -> list[dict[str, object]]:
    """The arrays of the machine."""
    provenances = environment.get("provenance") or {}
    return [
        # An array in machines/partials/disks.html: `RAID 6 of 12 disks, chunk 128 KiB`.
        {
            "name": array["name"],
            "text": _array(array),
            "provenance": provenance_of(provenances, f"/raid_arrays/{index}/level"),
        }
        for index, array in enumerate(environment.get("raid_arrays") or [])
    ]


def in_short(environment: StoredEnvironment) -> str:
    """`12 × ST4000NM0035 3.64 TiB, 2 × SSD 980 …`; empty if no disk is known."""
    counted = Counter(_named(device) for device in environment["block_devices"])
    texts = [f"{count} × {name}" if count > 1 else name for name, count in counted.most_common()]
    more = f" and {len(texts) - MOST_NAMED} more kinds" if len(texts) > MOST_NAMED else ""
    return ", ".join(texts[:MOST_NAMED]) + more


def changes(before: StoredEnvironment, after: StoredEnvironment) -> list[dict[str, object]]:
    """Added and removed disks and arrays, and changed settings of the others."""
    return [
        *_added_and_removed("disk", before["block_devices"], after["block_devices"], _named),
        *_added_and_removed("array", before.get("raid_arrays") or [], after.get("raid_arrays") or [], _array_named),
        *_settings(before["block_devices"], after["block_devices"]),
    ]


def _added_and_removed(
    label: str, before: Sequence[Part], after: Sequence[Part], name: Callable[[Part], str]
) -> Iterator[dict[str, object]]:
    was, now = (Counter(map(name, devices)) for devices in (before, after))
    for text in (was - now) | (now - was):
        yield {"label": label, "before": _times(was[text], text), "after": _times(now[text], text), "severe": False}


def _times(count: int, text: str) -> str:
    return "none" if not count else text if count == 1 else f"{count} × {text}"


def _settings(before: Sequence[StoredDevice], after: Sequence[StoredDevice]) -> Iterator[dict[str, object]]:
    """Changed settings of devices with the same name and model."""
    earlier = {(device["name"], _named(device)): _settings_of(device) for device in before}
    for device in after:
        old, new = earlier.get((device["name"], _named(device)), {}), _settings_of(device)
        for of in DEVICE:
            if of.name in old and of.name in new and old[of.name] != new[of.name]:
                was, now = of.print(old[of.name]), of.print(new[of.name])
                yield {"label": f"{of.label} of {device['name']}", "before": was, "after": now, "severe": False}


def _settings_of(device: Mapping[str, Any]) -> dict[str, DimensionValue]:
    """The known settings."""
    return {of.name: device[of.name] for of in DEVICE if device.get(of.name) is not None}


def _model(device: StoredDevice) -> str | None:
    """Maker and model; some models already begin with the maker's name."""
    vendor, model = device.get("vendor") or "", device.get("model") or ""
    return (model if model.startswith(vendor) else f"{vendor} {model}").strip() or None


def _kind(device: StoredDevice) -> str | None:
    kinds = {True: "rotating", False: "not rotating", None: None}
    return device.get("kind") if device.get("kind") not in (None, "disk") else kinds[device.get("rotational")]


def _named(device: StoredDevice) -> str:
    """`ST4000NM0035 3.64 TiB`: a disk, independent of its device name."""
    size = device.get("size")
    model = _model(device) or f"{device.get('transport') or 'unknown'} disk"
    return f"{model} {say_size(size)}" if size else model


def _array(array: StoredArray) -> str:
    level = re.sub(r"^raid(?=\d)", "RAID ", str(array.get("level") or "RAID of unknown level"))
    members = f" of {array['members']} disks" if array.get("members") else ""
    chunk_size = array.get("chunk")
    chunk = f", chunk {say_size(chunk_size)}" if chunk_size else ""
    layout = f", {array['layout']}" if array.get("layout") else ""
    return unbroken(f"{level}{members}{chunk}{layout}")


def _array_named(array: StoredArray) -> str:
    return f"{array['name']} {_array(array)}"
