"""The disks and arrays of an environment: lines of a table, short texts, and changes between two environments."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from benchdb.runs.facts.terms import provenance_of
from benchdb.wording.sizes import say_size, unbroken

HardwareFacts = Mapping[str, Any]
HardwareChange = dict[str, str]

MOST_NAMED = 2
# Settings of a device with their labels.
SETTINGS = {
    "scheduler": "scheduler",
    "read_ahead": "read-ahead",
    "nr_requests": "queue length",
    "queue_depth": "queue depth",
    "write_cache": "write cache",
    "firmware": "firmware",
}


def disks(environment: HardwareFacts) -> list[dict[str, Any]]:
    """The context of machines/partials/disks.html, with equal disks in one line.

    `[{name, count, model, size, how, settings: [texts], provenance}]`.
    """
    provenances = environment.get("provenance") or {}
    devices = environment["block_devices"]
    alike: dict[str, list[int]] = {}
    lines: dict[str, dict[str, Any]] = {}
    for index, device in enumerate(devices):
        line = _line(device, provenance_of(provenances, f"/block_devices/{index}/model"))
        alike.setdefault(repr(line), []).append(index)
        lines[repr(line)] = line
    return [{"name": _names(devices, indices), "count": len(indices), **lines[key]} for key, indices in alike.items()]


def _line(device: HardwareFacts, provenance: str | None) -> dict[str, Any]:
    return {
        "model": _model(device),
        "size": say_size(device["size"]) if device.get("size") else None,
        "how": ", ".join(filter(None, [_kind(device), device.get("transport"), device.get("link")])),
        "settings": [f"{label} {_say(name, device[name])}" for name, label in SETTINGS.items() if _set(device, name)],
        "provenance": provenance,
    }


def _names(devices: Sequence[HardwareFacts], indices: Sequence[int]) -> str:
    """`sda to sdd` for consecutive devices, otherwise all names."""
    names = [devices[index]["name"] for index in indices]
    together = indices[-1] - indices[0] == len(indices) - 1
    return f"{names[0]} to {names[-1]}" if together and len(names) > MOST_NAMED else ", ".join(names)


def arrays(environment: HardwareFacts) -> list[dict[str, Any]]:
    """`[{name, text, provenance}]`: `RAID 6 of 12 disks, chunk 128 KiB`."""
    provenances = environment.get("provenance") or {}
    return [
        {
            "name": array["name"],
            "text": _array(array),
            "provenance": provenance_of(provenances, f"/raid_arrays/{index}/level"),
        }
        for index, array in enumerate(environment.get("raid_arrays") or [])
    ]


def in_short(environment: HardwareFacts) -> str:
    """`12 × ST4000NM0035 3.64 TiB, 2 × SSD 980 …`; empty if no disk is known."""
    counted = Counter(_named(device) for device in environment["block_devices"])
    texts = [f"{count} × {name}" if count > 1 else name for name, count in counted.most_common()]
    more = f" and {len(texts) - MOST_NAMED} more kinds" if len(texts) > MOST_NAMED else ""
    return ", ".join(texts[:MOST_NAMED]) + more


def changes(before: HardwareFacts, after: HardwareFacts) -> list[HardwareChange]:
    """`[{label, before, after}]`: added and removed disks and arrays, and changed settings of the others."""
    return [
        *_added_and_removed("disk", before["block_devices"], after["block_devices"], _named),
        *_added_and_removed("array", before.get("raid_arrays") or [], after.get("raid_arrays") or [], _array_named),
        *_settings(before["block_devices"], after["block_devices"]),
    ]


def _added_and_removed(
    label: str, before: Sequence[HardwareFacts], after: Sequence[HardwareFacts], name: Any
) -> Iterator[HardwareChange]:
    was, now = (Counter(map(name, devices)) for devices in (before, after))
    for text in (was - now) | (now - was):
        yield {"label": label, "before": _times(was[text], text), "after": _times(now[text], text)}


def _times(count: int, text: str) -> str:
    return "none" if not count else text if count == 1 else f"{count} × {text}"


def _settings(before: Sequence[HardwareFacts], after: Sequence[HardwareFacts]) -> Iterator[HardwareChange]:
    """Changed settings of devices with the same name and model."""
    earlier = {(device["name"], _named(device)): device for device in before}
    for device in after:
        old = earlier.get((device["name"], _named(device)), {})
        for name, label in SETTINGS.items():
            if _set(old, name) and _set(device, name) and old[name] != device[name]:
                yield {
                    "label": f"{label} of {device['name']}",
                    "before": _say(name, old[name]),
                    "after": _say(name, device[name]),
                }


def _set(device: HardwareFacts, name: str) -> bool:
    return device.get(name) is not None


def _say(name: str, value: Any) -> str:
    return say_size(value) if name == "read_ahead" else str(value)


def _model(device: HardwareFacts) -> str | None:
    """Maker and model; some models already begin with the maker's name."""
    vendor, model = device.get("vendor") or "", device.get("model") or ""
    return (model if model.startswith(vendor) else f"{vendor} {model}").strip() or None


def _kind(device: HardwareFacts) -> str | None:
    kinds = {True: "rotating", False: "not rotating", None: None}
    return device.get("kind") if device.get("kind") not in (None, "disk") else kinds[device.get("rotational")]


def _named(device: HardwareFacts) -> str:
    """`ST4000NM0035 3.64 TiB`: a disk, independent of its device name."""
    size = say_size(device["size"]) if device.get("size") else None
    return " ".join(filter(None, [_model(device) or f"{device.get('transport') or 'unknown'} disk", size]))


def _array(array: HardwareFacts) -> str:
    level = re.sub(r"^raid(?=\d)", "RAID ", str(array.get("level") or "RAID of unknown level"))
    members = f" of {array['members']} disks" if array.get("members") else ""
    chunk = f", chunk {say_size(array['chunk'])}" if array.get("chunk") else ""
    layout = f", {array['layout']}" if array.get("layout") else ""
    return unbroken(f"{level}{members}{chunk}{layout}")


def _array_named(array: HardwareFacts) -> str:
    return f"{array['name']} {_array(array)}"
