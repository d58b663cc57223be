"""The facts about a machine as text for people, one line per fact."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Callable

from .fact_text import UNKNOWN, Marks, aligned, contradictions, size, size_or_none, text_of
from .facts import DeviceTunables, Environment, Facts, MachineIdentity

Describe = Callable[[Facts, str, Marks], str]  # the fact, its JSON Pointer, the marks of its section


def machine_lines(machine: MachineIdentity) -> Iterator[str]:
    yield from aligned("Machine", [f"{machine['name']}, id {machine['machine_id'][:12]}…"])


def environment_lines(environment: Environment) -> Iterator[str]:
    """The contract's `environment`."""
    marks = Marks(environment["provenance"])
    yield from _processor(environment["cpu"], marks)
    yield from _memory(environment, marks)
    kernel, virtualization = environment["kernel"], environment["virtualization"]
    yield from aligned(
        "Kernel", [f"{text_of(kernel['name'])} {text_of(kernel['release'])}, {text_of(kernel['version'])}"]
    )
    yield from aligned("Command line", [text_of(kernel["command_line"])])
    yield from aligned("System", [text_of(environment["os"]["name"])])
    yield from aligned("Hypervisor", [marks(text_of(virtualization["kind"]), "/virtualization/kind")])
    yield from aligned("Container", [text_of(virtualization["container"])])
    board = environment["extra"]["board"]
    yield from aligned("Board", [f"{text_of(board['vendor'])}, {text_of(board['product'])}"])
    yield from _listed("Disks", environment["block_devices"], "/block_devices", marks, _disk)
    yield from _listed("RAID arrays", environment["raid_arrays"], "/raid_arrays", marks, _array)
    yield from _listed("Controllers", environment["controllers"], "/controllers", marks, _controller)
    yield from contradictions(environment)


def _processor(cpu: Facts, marks: Marks) -> Iterator[str]:
    clock = UNKNOWN if cpu["max_hz"] is None else f"{cpu['max_hz'] / 1e9:.3g} GHz"
    yield from aligned(
        "Processor",
        [
            marks(f"{text_of(cpu['model'])}, {text_of(cpu['architecture'])}", "/cpu/model", "/cpu/vendor"),
            marks(
                f"sockets {text_of(cpu['sockets'])}, cores {text_of(cpu['cores'])}, threads {text_of(cpu['threads'])}",
                "/cpu/sockets",
                "/cpu/cores",
            ),
            f"highest clock {clock}, boost {text_of(cpu['boost'])}",
            f"governor {text_of(cpu['governor'])}, driver {text_of(cpu['frequency_driver'])}",
        ],
    )
    yield from aligned("Caches", [_cache(cache) for cache in cpu["caches"]] or [UNKNOWN])


def _cache(cache: Facts) -> str:
    kind = "" if cache["type"] == "unified" else f" {text_of(cache['type'])}"
    sharers = text_of(cache["shared_by_threads"])
    shared = "" if sharers == "1" else f", each shared by {sharers} threads"
    return f"L{cache['level']}{kind} {size(cache['size'])} × {cache['count']}{shared}"


def _memory(environment: Environment, marks: Marks) -> Iterator[str]:
    memory = environment["memory"]
    yield from aligned(
        "Memory",
        [f"{size(memory['total'])}; usable here: {size(memory['usable'])}, swap {size(memory['swap'])}"],
    )
    modules = [marks(_module(module), "/memory/modules") for module in memory["modules"]]
    yield from aligned("Modules", modules or [UNKNOWN])
    yield from aligned("NUMA nodes", [_node(node) for node in environment["numa_nodes"]] or [UNKNOWN])


def _module(module: Facts) -> str:
    rate = UNKNOWN if module["transfer_rate"] is None else f"{module['transfer_rate'] / 1e6:.0f} MT/s"
    return f"{module['count']} × {size(module['size'])}, {text_of(module['type'])}, {rate}"


def _node(node: Facts) -> str:
    distances = " ".join(str(distance) for distance in node["distances"]) or UNKNOWN
    return f"{text_of(node['threads'])} threads, {size(node['memory'])}, distances {distances}"


def _listed(label: str, items: Sequence[Facts], pointer: str, marks: Marks, describe: Describe) -> Iterator[str]:
    lines = [describe(item, f"{pointer}/{index}", marks) for index, item in enumerate(items)]
    yield from aligned(label, lines or [UNKNOWN if marks.unknown(pointer) else "none"])


def _disk(disk: Facts, pointer: str, marks: Marks) -> str:
    model = " ".join(filter(None, (disk["vendor"], disk["model"]))) or "model unknown"
    texts = [
        f"{disk['name']}: {model}",
        f"firmware {text_of(disk['firmware'])}",
        size(disk["size"]),
        kind_of_disk(disk),
    ]
    texts += [f"{disk['zoned']}, zones of {size(disk['zone_size'])}"] if "zoned" in disk else []
    texts += [f"queue depth {text_of(disk['queue_depth'])}", f"cache {text_of(disk['write_cache'])}"]
    return marks(f"{', '.join(texts)}; {tunables(disk)}", *(f"{pointer}/{key}" for key in disk))


def kind_of_disk(disk: Facts) -> str:
    """`sata at 6.0 Gbps, rotational`."""
    turning = {True: "rotational", False: "not rotational", None: "rotational or not is unknown"}[disk["rotational"]]
    link = f" at {disk['link']}" if disk.get("link") else ""
    return f"{text_of(disk.get('transport'), 'transport unknown')}{link}, {turning}"


def _array(array: Facts, pointer: str, marks: Marks) -> str:
    disks = f" × {array['disk_model']}" if array.get("disk_model") else ""
    return marks(
        f"{array['name']}: {text_of(array['level'])} of {text_of(array['members'])}{disks}, "
        f"chunk {size_or_none(array['chunk'])}, layout {text_of(array['layout'], 'none')}",
        pointer,
    )


def _controller(controller: Facts, pointer: str, marks: Marks) -> str:
    cache = f"{size(controller['cache'])} {controller['cache_mode'] or ''}".rstrip()
    text = f"{controller['name']}: {text_of(controller['model'])}, driver {text_of(controller['driver'])}"
    text += f", firmware {text_of(controller['firmware'])}, cache {cache}"
    return marks(text, *(f"{pointer}/{key}" for key in controller))


def tunables(facts: Facts | DeviceTunables) -> str:
    return (
        f"scheduler {text_of(facts['scheduler'])}, read-ahead {size(facts['read_ahead'])}, "
        f"nr_requests {text_of(facts['nr_requests'])}"
    )
