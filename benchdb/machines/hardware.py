"""The disks and arrays of an environment: as lines of a table, in a few words, and what changed between two."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from benchdb.runs.facts.terms import provenance_of
from benchdb.wording.sizes import say_size, unbroken

Facts = Mapping[str, Any]
Change = dict[str, str]

MOST_NAMED = 2
# What can be set on a device, with its label and how it is said.
SETTINGS = {
    "scheduler": "scheduler",
    "read_ahead": "read-ahead",
    "nr_requests": "queue length",
    "queue_depth": "queue depth",
    "write_cache": "write cache",
    "firmware": "firmware",
}


def disks(environment: Facts) -> list[dict[str, Any]]:
    """The context of machines/partials/disks.html, those that are alike in one line.

    `[{name, count, model, size, how, settings: [texts], provenance}]`.
    """
    told = environment.get("provenance") or {}
    devices = environment["block_devices"]
    alike: dict[str, list[int]] = {}
    lines: dict[str, dict[str, Any]] = {}
    for index, device in enumerate(devices):
        line = _line(device, provenance_of(told, f"/block_devices/{index}/model"))
        alike.setdefault(repr(line), []).append(index)
        lines[repr(line)] = line
    return [{"name": _names(devices, own), "count": len(own), **lines[key]} for key, own in alike.items()]


def _line(device: Facts, provenance: str | None) -> dict[str, Any]:
    return {
        "model": _model(device),
        "size": say_size(device["size"]) if device.get("size") else None,
        "how": ", ".join(filter(None, [_kind(device), device.get("transport"), device.get("link")])),
        "settings": [f"{label} {_say(name, device[name])}" for name, label in SETTINGS.items() if _set(device, name)],
        "provenance": provenance,
    }


def _names(devices: Sequence[Facts], own: Sequence[int]) -> str:
    """`sda to sdd` of those that stand one after the other: what lies between is none of another kind."""
    names = [devices[index]["name"] for index in own]
    together = own[-1] - own[0] == len(own) - 1
    return f"{names[0]} to {names[-1]}" if together and len(names) > MOST_NAMED else ", ".join(names)


def arrays(environment: Facts) -> list[dict[str, Any]]:
    """`[{name, text, provenance}]`: `RAID 6 of 12 disks, chunk 128 KiB`."""
    told = environment.get("provenance") or {}
    return [
        {"name": each["name"], "text": _array(each), "provenance": provenance_of(told, f"/raid_arrays/{index}/level")}
        for index, each in enumerate(environment.get("raid_arrays") or [])
    ]


def in_short(environment: Facts) -> str:
    """`12 × ST4000NM0035 3.64 TiB, 2 × SSD 980 …`; empty where no disk is known."""
    counted = Counter(_named(device) for device in environment["block_devices"])
    said = [f"{count} × {name}" if count > 1 else name for name, count in counted.most_common()]
    more = f" and {len(said) - MOST_NAMED} more kinds" if len(said) > MOST_NAMED else ""
    return ", ".join(said[:MOST_NAMED]) + more


def changes(before: Facts, after: Facts) -> list[Change]:
    """`[{label, before, after}]`: disks and arrays that came and went, and settings of those that stayed."""
    return [
        *_came_and_went("disk", before["block_devices"], after["block_devices"], _named),
        *_came_and_went("array", before.get("raid_arrays") or [], after.get("raid_arrays") or [], _array_named),
        *_settings(before["block_devices"], after["block_devices"]),
    ]


def _came_and_went(label: str, before: Sequence[Facts], after: Sequence[Facts], name: Any) -> Iterator[Change]:
    was, now = (Counter(name(each) for each in listed) for listed in (before, after))
    for text in (was - now) | (now - was):
        yield {"label": label, "before": _times(was[text], text), "after": _times(now[text], text)}


def _times(count: int, text: str) -> str:
    return "none" if not count else text if count == 1 else f"{count} × {text}"


def _settings(before: Sequence[Facts], after: Sequence[Facts]) -> Iterator[Change]:
    """Of devices that are called the same and are of one model."""
    known = {(device["name"], _named(device)): device for device in before}
    for device in after:
        old = known.get((device["name"], _named(device)), {})
        for name, label in SETTINGS.items():
            if _set(old, name) and _set(device, name) and old[name] != device[name]:
                yield {
                    "label": f"{label} of {device['name']}",
                    "before": _say(name, old[name]),
                    "after": _say(name, device[name]),
                }


def _set(device: Facts, name: str) -> bool:
    return device.get(name) is not None


def _say(name: str, value: Any) -> str:
    return say_size(value) if name == "read_ahead" else str(value)


def _model(device: Facts) -> str | None:
    """Maker and model; many a model begins with its maker's name."""
    vendor, model = device.get("vendor") or "", device.get("model") or ""
    return (model if model.startswith(vendor) else f"{vendor} {model}").strip() or None


def _kind(device: Facts) -> str | None:
    kinds = {True: "rotating", False: "not rotating", None: None}
    return device.get("kind") if device.get("kind") not in (None, "disk") else kinds[device.get("rotational")]


def _named(device: Facts) -> str:
    """`ST4000NM0035 3.64 TiB`: what a disk is, whatever the kernel calls it today."""
    size = say_size(device["size"]) if device.get("size") else None
    return " ".join(filter(None, [_model(device) or f"{device.get('transport') or 'unknown'} disk", size]))


def _array(array: Facts) -> str:
    level = re.sub(r"^raid(?=\d)", "RAID ", str(array.get("level") or "RAID of unknown level"))
    members = f" of {array['members']} disks" if array.get("members") else ""
    chunk = f", chunk {say_size(array['chunk'])}" if array.get("chunk") else ""
    layout = f", {array['layout']}" if array.get("layout") else ""
    return unbroken(f"{level}{members}{chunk}{layout}")


def _array_named(array: Facts) -> str:
    return f"{array['name']} {_array(array)}"
