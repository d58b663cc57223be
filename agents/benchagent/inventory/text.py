"""Facts as text for people: one line a fact, sizes in binary units, what is unknown named as unknown."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from .source import Facts

LABEL_WIDTH = 15
UNITS = ("B", "KiB", "MiB", "GiB", "TiB", "PiB")
UNKNOWN = "unknown"
MADE = ("block_size", "inode_size", "stride", "stripe_width")
BYTES = ("start", "offset", "alignment_offset", "logical_block_size", "physical_block_size", "stripe_size")


def size(number: int | None) -> str:
    """Bytes as people say them: exact where that is short (`48 KiB`), else with three digits (`23.5 GiB`)."""
    if number is None:
        return UNKNOWN
    value, unit = float(number), 0
    while value >= 1024 and unit < len(UNITS) - 1:
        value, unit = value / 1024, unit + 1
    digits = f"{value:.0f}" if value == int(value) or value >= 100 else f"{value:.3g}"
    return f"{digits} {UNITS[unit]}"


def said(value: object, none: str = UNKNOWN) -> str:
    """A fact as text; `none` where it is None."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return none if value is None else str(value)


def aligned(label: str, texts: Iterable[str]) -> Iterator[str]:
    """The label once, each text on a line of its own."""
    for text in texts:
        yield f"{label:<{LABEL_WIDTH}} {text}".rstrip()
        label = ""


def machine_lines(machine: Facts) -> Iterator[str]:
    yield from aligned("Machine", [f"{machine['name']}, id {machine['machine_id'][:12]}…"])


def environment_lines(environment: Facts) -> Iterator[str]:
    """The contract's `environment`."""
    cpu, memory, kernel = environment["cpu"], environment["memory"], environment["kernel"]
    clock = UNKNOWN if cpu["max_hz"] is None else f"{cpu['max_hz'] / 1e9:.3g} GHz"
    yield from aligned(
        "Processor",
        [
            f"{said(cpu['model'])}, {said(cpu['architecture'])}",
            f"sockets {said(cpu['sockets'])}, cores {said(cpu['cores'])}, threads {said(cpu['threads'])}",
            f"highest clock {clock}, governor {said(cpu['governor'])}",
        ],
    )
    yield from aligned("Caches", [_cache(cache) for cache in cpu["caches"]] or [UNKNOWN])
    yield from aligned(
        "Memory",
        [f"{size(memory['total'])}, of which usable here {size(memory['usable'])}, swap {size(memory['swap'])}"],
    )
    yield from aligned("Kernel", [f"{said(kernel['name'])} {said(kernel['release'])}, {said(kernel['version'])}"])
    yield from aligned("Command line", [said(kernel["command_line"])])
    yield from aligned("System", [said(environment["os"]["name"])])
    virtualization = environment["virtualization"]
    yield from aligned("Hypervisor", [said(virtualization["kind"])])
    yield from aligned("Container", [said(virtualization["container"])])
    board = environment["extra"]["board"]
    yield from aligned("Board", [f"{said(board['vendor'])}, {said(board['product'])}"])
    unreadable = environment["provenance"]
    yield from _listed("Disks", environment["block_devices"], _disk, "/block_devices" in unreadable)
    yield from _listed("RAID arrays", environment["raid_arrays"], _array, "/raid_arrays" in unreadable)
    yield from _listed("Controllers", environment["controllers"], _controller, "/controllers" in unreadable)


def target_lines(target: Facts, state: Facts) -> Iterator[str]:
    """The contract's `target` and `state_before`."""
    made, mount = target["file_system"], target["mount"]
    features = " ".join(made["features"]) or ("none" if not target["provenance"] else UNKNOWN)
    sizes = (f"{key.replace('_', ' ')} {size(made[key])}" for key in MADE if made[key] is not None)
    yield from aligned(
        "File system", [", ".join([said(made["type"]), size(made["size"]), *sizes]), f"features: {features}"]
    )
    yield from aligned(
        "Mounted at", [said(mount["point"], "a temporary place" if target["kind"] == "image" else UNKNOWN)]
    )
    yield from aligned("Options", [",".join(mount["options"]) or UNKNOWN])
    yield from aligned("Stack", [_layer(layer) for layer in target["stack"]] or [UNKNOWN])
    yield from aligned("Tunables", [_tunables(target)])
    fill = UNKNOWN if state["fill"] is None else f"{state['fill']:.1%}"
    yield from aligned(
        "Filled", [f"{fill} of {size(state['size'])}, {said(state['files'], 'unknown number of')} inodes"]
    )


def _listed(label: str, items: list[Facts], describe: Callable[[Facts], str], unreadable: bool) -> Iterator[str]:
    yield from aligned(label, [describe(item) for item in items] or [UNKNOWN if unreadable else "none"])


def _or_none(number: int | None) -> str:
    return "none" if number is None else size(number)


def _cache(cache: Facts) -> str:
    kind = "" if cache["type"] == "unified" else f" {said(cache['type'])}"
    sharers = said(cache["shared_by_threads"])
    shared = "" if sharers == "1" else f", each shared by {sharers} threads"
    return f"L{cache['level']}{kind} {size(cache['size'])} × {cache['count']}{shared}"


def _disk(disk: Facts) -> str:
    model = " ".join(filter(None, (disk["vendor"], disk["model"]))) or "model unknown"
    return f"{disk['name']}: {model}, {size(disk['size'])}, {_kind(disk)}; {_tunables(disk)}"


def _kind(disk: Facts) -> str:
    turning = {True: "rotational", False: "not rotational", None: "rotational or not is unknown"}[disk["rotational"]]
    return f"{said(disk['transport'], 'transport unknown')}, {turning}"


def _array(array: Facts) -> str:
    return (
        f"{array['name']}: {said(array['level'])} of {said(array['members'])}, chunk {_or_none(array['chunk'])}, "
        f"layout {said(array['layout'], 'none')}, {said(array['state'])}"
    )


def _controller(controller: Facts) -> str:
    return f"{controller['name']}: {said(controller['model'])}, driver {said(controller['driver'])}"


def _layer(layer: Facts) -> str:
    """One layer: what it is, then what only its kind has."""
    parts = [" ".join(filter(None, (layer["kind"], layer.get("name"))))]
    if layer["kind"] == "raid":
        parts.append(f"{said(layer['level'])} of {said(layer['members'])}, chunk {_or_none(layer['chunk'])}")
        parts.append(f"layout {said(layer['layout'], 'none')}")
    if layer["kind"] == "disk":
        parts += [said(layer["model"], "model unknown"), _kind(layer)]
    if "size" in layer:
        parts.append(size(layer["size"]))
    if "read_ahead" in layer:
        parts.append(_tunables(layer))
    known = {key: size(value) if key in BYTES else said(value) for key, value in layer["facts"].items()}
    return ", ".join([*parts, *(f"{key.replace('_', ' ')} {text}" for key, text in known.items() if text != UNKNOWN)])


def _tunables(facts: Facts) -> str:
    return (
        f"scheduler {said(facts['scheduler'])}, read-ahead {size(facts['read_ahead'])}, "
        f"nr_requests {said(facts['nr_requests'])}"
    )
