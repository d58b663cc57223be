"""Facts of the storage stack: every layer from the mount down to the disks."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterator, Mapping

from benchdb.runs.facts.storage_stack import IN_MEMORY, KINDS, say_layers
from benchdb.runs.models import Run
from benchdb.runs.models.json_columns import StoredEnvironment, StoredLayer, StoredTarget
from benchdb.wording.sizes import say_size

from .fact import SKIP, Guarded, GuardedFact, GuardedFamily, Skip, T, within
from .wording import say_setting

Settings = Mapping[str, object]  # of a layer or disk, with its further facts

NO_LAYER = {"partition"}  # every disk has them
NO_CHUNK = {"raid1", "mirror", "linear", "single", "dup"}
TUNABLES = ("scheduler", "read_ahead", "nr_requests")
# Keys that other facts compare: those of the RAID, and names and sizes.
OF_RAID = {"level", "chunk", "layout", "members"}
NAMES = {"kind", "name", "facts", "model", "role", "count", "size"}
OF_HARDWARE = ("rotational", "transport", "write_cache")


def _stack(run: Run) -> list[StoredLayer]:
    facts: StoredTarget = run.target.facts
    return facts["stack"]


def _raid_level(run: Run) -> str | None:
    return run.target.raid_level or ("no RAID" if _stack(run) else None)


def _raid(fact: Callable[[StoredLayer], T | None], without: Collection[str] = ()) -> Callable[[Run], T | Skip | None]:
    """A fact of the first layer with a RAID level; SKIP if there is no such layer, or its level is without the fact."""

    def of(run: Run) -> T | Skip | None:
        layer = next((layer for layer in _stack(run) if layer.get("level")), None)
        if layer is None:
            return SKIP
        value = fact(layer)
        return SKIP if value is None and layer["level"] in without else value

    return of


def disks(run: Run) -> list[Settings]:
    """The target's disks, with their facts from the environment; all disks of the machine if the stack is unknown."""
    facts: StoredEnvironment = run.environment.facts
    by_name: dict[str | None, Settings] = {device["name"]: device for device in facts["block_devices"]}
    layers = [layer for layer in _stack(run) if layer["kind"] == "disk"]
    if not _stack(run):
        return list(by_name.values())
    return [{**by_name.get(layer.get("name"), {}), **_with_facts(layer)} for layer in layers]


def _with_facts(layer: StoredLayer) -> Settings:
    """A layer with its further facts, without unknown ones."""
    both: Settings = {**layer, **(layer.get("facts") or {})}
    return {key: value for key, value in both.items() if value is not None and key != "facts"}


def _disk_model(run: Run) -> object:
    return _each_once("model", disks(run)) or ("memory" if _is_memory(run) else None)


def _disk_count(run: Run) -> float | None:
    """The number of disks; a disk without a name represents all disks of the array above it. None if unknown."""
    stack, counts = _stack(run), []
    for above, layer in zip([None, *stack], stack, strict=False):
        if layer["kind"] == "disk":
            all_disks = above.get("members") if above and not layer.get("name") else None
            counts.append((layer.get("facts") or {}).get("count") or all_disks or 1)
    if not counts:
        arrays = [members for layer in stack if (members := layer.get("members"))]
        return 0 if _is_memory(run) else next(reversed(arrays), None)
    return sum(count for count in counts if isinstance(count, int | float))


def _is_memory(run: Run) -> bool:
    return any(layer["kind"] in {*IN_MEMORY, "pmem"} for layer in _stack(run))


def _disk_settings(run: Run, *, of_hardware: bool) -> dict[str, object]:
    """The values of each setting of the disks, each once; without the tunables if a disk itself is mounted."""
    target_disks = disks(run)
    first = _first_device(run)
    mounted = bool(target_disks) and first is not None and first["kind"] == "disk"
    skipped = {*NAMES, *(TUNABLES if mounted else ())}
    keys = dict.fromkeys(key for disk in target_disks for key in disk if key not in skipped)
    return {key: _each_once(key, target_disks) for key in keys if (key in OF_HARDWARE) is of_hardware}


def _disk_sizes(run: Run) -> float | None:
    """The size of the smallest disk, which limits what an array uses of the others."""
    sizes = [disk.get("size") for disk in disks(run)]
    return min((size for size in sizes if size and isinstance(size, int | float)), default=None)


def _layer_settings(run: Run) -> dict[str, object]:
    """Settings of the layers above the disks, without the tunables of the mounted device: the target has them."""
    by_kind: dict[str, list[Settings]] = defaultdict(list)
    first = _first_device(run)
    for layer in _stack(run):
        if layer["kind"] not in ("disk", *NO_LAYER):
            facts = _with_facts(layer)
            skipped = {*NAMES, *OF_RAID, *(TUNABLES if layer is first else ())}
            by_kind[layer["kind"]].append({key: value for key, value in facts.items() if key not in skipped})
    return dict(_of_kinds(by_kind))


def _of_kinds(by_kind: Mapping[str, list[Settings]]) -> Iterator[tuple[str, object]]:
    for kind, layers in by_kind.items():
        for key in dict.fromkeys(key for layer in layers for key in layer):
            yield f"{KINDS.get(kind, kind)} {key}", _each_once(key, layers)


def _each_once(key: str, layers: list[Settings]) -> object:
    """The one value of these layers, or all values in words; None if there is none."""
    values = list(dict.fromkeys(layer[key] for layer in layers if layer.get(key) is not None))
    return values[0] if len(values) == 1 else ", ".join(sorted(say_setting(key, value) for value in values)) or None


def _nr_requests(run: Run) -> int | None:
    facts: StoredTarget = run.target.facts
    return facts.get("nr_requests")


def _first_device(run: Run) -> StoredLayer | None:
    """The mounted layer, whose tunables belong to the target."""
    return next((layer for layer in _stack(run) if any(layer.get(key) is not None for key in TUNABLES)), None)


STORAGE: list[Guarded] = [
    GuardedFact("disk", "disk", _disk_model, "disks", severe=True),
    GuardedFact("disks", "number of disks", _disk_count, "disks", severe=True),
    GuardedFamily("drive", "disk", lambda run: _disk_settings(run, of_hardware=True), "disks", severe=True),
    GuardedFact("layers", "layers", lambda run: run.target.layers, "target", say_layers, severe=True),
    GuardedFact("raid_level", "RAID level", _raid_level, "target", severe=True),
    GuardedFact(
        "raid_chunk", "RAID chunk", _raid(lambda layer: layer.get("chunk"), NO_CHUNK), "target", say_size, severe=True
    ),
    GuardedFact("raid_members", "RAID members", _raid(lambda layer: layer.get("members")), "target", severe=True),
    GuardedFact("raid_layout", "RAID layout", _raid(lambda layer: layer.get("layout"), NO_CHUNK), "target"),
]
TUNED: list[Guarded] = [
    GuardedFact("read_ahead", "read-ahead", lambda run: run.target.read_ahead, "target", say_size),
    GuardedFact("scheduler", "scheduler", lambda run: run.target.scheduler, "target"),
    GuardedFact("nr_requests", "queued requests", _nr_requests, "target"),
    GuardedFamily("layer", "", _layer_settings, "target"),
    GuardedFamily("disk", "disk", lambda run: _disk_settings(run, of_hardware=False), "disks"),
    GuardedFact("disk_size", "disk size", _disk_sizes, "disks", say_size, same=within(0.01)),
]
