"""The facts of the storage stack: every layer from the mount down to the disks."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterator, Mapping

from benchdb.wording.sizes import say_size

from .entries import count, disk_kind, raid_level, size, text
from .fact import Fact, Filter, FormEntry, Page
from .guarding import SKIP, Guard, GuardFamily, Skip, T, Weight, within
from .layers import IN_MEMORY, KINDS, say_layers
from .run import Run
from .stored import StoredEnvironment, StoredLayer, StoredTarget
from .words import say_setting

GROUP, RAID, DISKS = "Storage", "RAID", "Disks"
LONGEST_LAYERS = 400
TUNABLES = ("scheduler", "read_ahead", "nr_requests")  # of a block device, which a plan may set

Settings = Mapping[str, object]  # of a layer or disk, with its further facts

NO_LAYER = {"partition"}  # every disk has them
NO_CHUNK = {"raid1", "mirror", "linear", "single", "dup"}
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


def _first(fact: str, kind: str = "") -> Callable[[StoredTarget], object]:
    """A fact of the first layer of a kind, or of the first with a RAID level: an array, a volume, devices of btrfs."""

    def store(target: StoredTarget) -> object:
        layers = (layer for layer in target["stack"] if (layer.get("kind") == kind if kind else layer.get("level")))
        layer: Settings = next(layers, {})
        return layer.get(fact)

    return store


def _layers(target: StoredTarget) -> str | None:
    """Kinds of layers between file system and disks: `lvm crypt`, `none`; None if the stack is not known.

    Left out: partitions, which do not matter; RAID and disks, which have other facets; the pool of the file system.
    """
    elsewhere = {"partition", "raid", "disk", target["file_system"]["type"]}
    kinds = [layer["kind"] for layer in target["stack"] if layer["kind"] not in elsewhere]
    return (" ".join(dict.fromkeys(kinds)) or "none")[:LONGEST_LAYERS] if target["stack"] else None


STORAGE = (
    Fact("raid_level", "RAID level", absent="no RAID", column="target__raid_level", store=_first("level"), chosen=True,
         filter=Filter(group=GROUP), entry=FormEntry(RAID, "raid6, or none", raid_level),
         guard=Guard(weight=Weight.RAID, component="target", of=_raid_level, severe=True, hardware=True),
         follow="raid_layout stride stripe_width",
         page=Page("raid", "RAID layout", beside="raid_chunk",
                   follow=("raid_members", "scheduler", "read_ahead", "mkfs_options", "mount_option"))),
    Fact("raid_chunk", "RAID chunk", kind="size", absent="no RAID", noun="{} chunk", column="target__raid_chunk",
         store=_first("chunk"), chosen=True, filter=Filter(group=GROUP, absent="no chunk"),
         entry=FormEntry(RAID, "128 KiB", size),
         guard=Guard(weight=Weight.RAID, component="target", of=_raid(lambda layer: layer.get("chunk"), NO_CHUNK),
                     severe=True, hardware=True),
         follow="stride stripe_width"),
    Fact("raid_members", "RAID members", kind="number", absent="no RAID", noun="{} members",
         column="target__raid_members", store=_first("members"), place=True, filter=Filter(group=GROUP),
         entry=FormEntry(RAID, "12", count, label="disks in the array"),
         guard=Guard(weight=Weight.RAID, component="target", of=_raid(lambda layer: layer.get("members")), severe=True,
                     hardware=True)),
    Fact("raid_layout", "RAID layout",
         guard=Guard(weight=Weight.RAID, component="target", of=_raid(lambda layer: layer.get("layout"), NO_CHUNK),
                     hardware=True)),
    Fact("layers", "layers", say=say_layers, column="target__layers", store=_layers, chosen=True,
         filter=Filter(group=GROUP),
         guard=Guard(weight=Weight.LAYERS, component="target", severe=True, hardware=True)),
    Fact("disk", "disk", column="target__disk_model", store=_first("model", "disk"), place=True,
         filter=Filter(group=GROUP), entry=FormEntry(DISKS, "ST3250620NS", text, "disk_model", "disk model"),
         guard=Guard(weight=Weight.DISK, component="disks", of=_disk_model, severe=True, hardware=True),
         page=Page("disks", follow=("transport", "scheduler", "read_ahead")), follow="drive.* disk.* disk_size"),
    Fact("disks", "number of disks", entry=FormEntry(DISKS, "12", count, "disk_count", "disks"),
         guard=Guard(weight=Weight.DISK, component="disks", of=_disk_count, severe=True, hardware=True)),
    Fact("drive.*", "disk",
         guard=GuardFamily(weight=Weight.DISK, component="disks", severe=True, hardware=True,
                           of=lambda run: _disk_settings(run, of_hardware=True))),
    Fact("transport", "disk transport", column="target__transport", store=_first("transport", "disk"), place=True,
         filter=Filter(group=GROUP), follow="drive.* disk.* disk_size"),
    Fact("scheduler", "scheduler", noun="scheduler {}", column="target__scheduler", path="target/scheduler",
         chosen=True, device=True, filter=Filter(group=GROUP), entry=FormEntry("File system", "mq-deadline", text),
         guard=Guard(weight=Weight.TUNING, component="target")),
    Fact("read_ahead", "read-ahead", kind="size", noun="{} read-ahead", column="target__read_ahead",
         path="target/read_ahead", chosen=True, device=True, filter=Filter(group=GROUP),
         entry=FormEntry("File system", "128 KiB", size), guard=Guard(weight=Weight.TUNING, component="target")),
    Fact("nr_requests", "queued requests", device=True,
         guard=Guard(weight=Weight.TUNING, component="target", of=_nr_requests)),
    Fact("layer.*", "",
         guard=GuardFamily(weight=Weight.TUNING, component="target", hardware=True, of=_layer_settings)),
    Fact("disk.*", "disk",
         guard=GuardFamily(weight=Weight.TUNING, component="disks", hardware=True,
                           of=lambda run: _disk_settings(run, of_hardware=False))),
    Fact("disk_size", "disk size", entry=FormEntry(DISKS, "250 GiB", size, label="size of a disk"),
         guard=Guard(weight=Weight.TUNING, component="disks", of=_disk_sizes, say=say_size, same=within(0.01),
                     hardware=True)),
    Fact("disk_transport", "transport", entry=FormEntry(DISKS, "sata", text)),
    Fact("disk_kind", "kind of disk", entry=FormEntry(DISKS, "hdd or ssd", disk_kind)),
    Fact("queue_depth", "queue depth", device=True),
    Fact("write_cache", "write cache", device=True),
    Fact("firmware", "firmware", device=True),
)  # fmt: skip
