"""The facts about a target as text for people: the file system, the stack under it, and its fill level."""

from __future__ import annotations

from collections.abc import Iterator

from .fact_text import UNKNOWN, Marks, aligned, contradictions, size, size_or_none, text_of
from .facts import Facts, TargetFacts, TargetState
from .machine_text import kind_of_disk, tunables

GEOMETRY = ("block_size", "inode_size", "stride", "stripe_width")
BYTES = {"start", "offset", "alignment_offset", "logical_block_size", "physical_block_size", "stripe_size"}
BYTES |= {
    "pool_block_size",
    "journal_size",
    "allocation_group_size",
    "log_size",
    "log_stripe_unit",
    "node_size",
    "zone_size",
    "arc_max",
}


def target_lines(target: TargetFacts, state: TargetState) -> Iterator[str]:
    """The contract's `target` and `state_before`."""
    marks = Marks(target["provenance"])
    file_system, mount = target["file_system"], target["mount"]
    unreadable = marks.unknown("/file_system/features")
    sizes = (f"{key.replace('_', ' ')} {size(file_system[key])}" for key in GEOMETRY if file_system[key] is not None)
    details = known_facts(target["extra"].get("file_system", {}))
    lines = [
        ", ".join([text_of(file_system["type"]), size(file_system["size"]), *sizes]),
        *([", ".join(details)] if details else []),
    ]
    features = " ".join(file_system["features"]) or (UNKNOWN if unreadable else "none")
    yield from aligned("File system", [*lines, f"features: {features}"])
    no_point = "a temporary place" if target["kind"] == "image" else UNKNOWN
    yield from aligned("Mounted at", [text_of(mount["point"], no_point)])
    yield from aligned("Options", [",".join(mount["options"]) or UNKNOWN])
    layers = [_layer(layer, f"/stack/{index}", marks) for index, layer in enumerate(target["stack"])]
    yield from aligned("Stack", layers or [UNKNOWN])
    yield from aligned("Tunables", [tunables(target)])
    fill = UNKNOWN if state["fill"] is None else f"{state['fill']:.1%}"
    yield from aligned(
        "Filled", [f"{fill} of {size(state['size'])}, {text_of(state['files'], 'unknown number of')} inodes"]
    )
    yield from aligned("Arrays now", [_array_state(array) for array in state["arrays"]])
    yield from contradictions(target)


def known_facts(facts: Facts) -> list[str]:
    """The known ones of free facts, each as `name value`."""
    texts = {key: size(value) if key in BYTES else text_of(value) for key, value in facts.items()}
    return [f"{key.replace('_', ' ')} {text}" for key, text in texts.items() if text != UNKNOWN]


def _layer(layer: Facts, pointer: str, marks: Marks) -> str:
    """One layer: its kind and name, then the facts that only its kind has."""
    texts = [" ".join(filter(None, (layer["kind"], layer.get("name"))))]
    if "level" in layer:
        texts.append(f"{text_of(layer['level'])} of {text_of(layer.get('members'))}")
    if "chunk" in layer:
        texts.append(f"chunk {size_or_none(layer['chunk'])}")
    if "layout" in layer:
        texts.append(f"layout {text_of(layer['layout'], 'none')}")
    if layer["kind"] == "disk":
        texts += [text_of(layer.get("model"), "model unknown"), kind_of_disk({"rotational": None, **layer})]
    if "size" in layer:
        texts.append(size(layer["size"]))
    if "read_ahead" in layer:
        texts.append(tunables(layer))
    fields = [f"{pointer}/{key}" for key in layer if key != "facts"]
    facts = [f"{pointer}/facts/{key}" for key in layer["facts"]]
    return marks(", ".join([*texts, *known_facts(layer["facts"])]), *fields, *facts)


def _array_state(array: Facts) -> str:
    done = "" if array["done"] is None else f", {array['done']:.1%} done"
    return f"{array['name'] or array['kind']}: {text_of(array['state'])}{done}"
