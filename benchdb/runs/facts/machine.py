"""The machine of a run, as terms and values: the last part of the run page's facts."""

from __future__ import annotations

from collections.abc import Iterator

from django.urls import reverse

from benchdb.facts.stored import (
    Provenances,
    Scalar,
    StoredController,
    StoredCpu,
    StoredEnvironment,
    StoredMemory,
    StoredTarget,
    StoredVirtualization,
)
from benchdb.runs.models import Run
from benchdb.wording.numbers import plural
from benchdb.wording.sizes import say_size

from .links import component_href, has_listed_pages
from .terms import fact, provenance_of


def machine(run: Run) -> list[dict[str, object]]:
    """CPU, memory, kernel, distribution, virtualization first; a missing fact is shown as unknown."""
    facts: StoredEnvironment = run.environment.facts
    target: StoredTarget = run.target.facts
    how = facts.get("provenance", {})
    kernel = facts["kernel"]["release"]
    kernel_href = component_href(run, "kernel", kernel)
    cpu, memory, system, virtual = facts["cpu"], facts["memory"], facts["os"], facts["virtualization"]
    return [
        fact("machine", run.machine.name, href=_page(run)),
        fact("CPU", cpu["model"], provenance_of(how, "/cpu/model"), note=_threads(cpu)),
        fact("memory", _size(memory["total"]), provenance_of(how, "/memory/total"), note=_usable(memory)),
        fact("kernel", kernel, provenance_of(how, "/kernel/release"), note=cpu["architecture"], href=kernel_href),
        fact("system", system.get("name") or system["id"], provenance_of(how, "/os/name")),
        fact("virtual", _virtual(virtual), provenance_of(how, "/virtualization/kind")),
        fact("CPU caches", _caches(cpu), provenance_of(how, "/cpu/caches")),
        *_clock(cpu),
        *_modules(memory, how),
        *_nodes(facts),
        *_controllers(facts.get("controllers", []), how),
        *_contradictions(facts, target),
    ]


def _page(run: Run) -> str | None:
    """The address of the machine's page, which shows listed runs; None if this run is not listed."""
    return reverse("machine", args=[run.machine_id]) if has_listed_pages(run) else None


def _size(size: int | None) -> str | None:
    return None if size is None else say_size(size)


def _threads(cpu: StoredCpu) -> str | None:
    counts = {"socket": cpu.get("sockets"), "core": cpu.get("cores"), "thread": cpu.get("threads")}
    return ", ".join(plural(count, noun) for noun, count in counts.items() if count) or None


def _caches(cpu: StoredCpu) -> str | None:
    """`L1 48 KiB data, L2 2 MiB, L3 480 MiB`: the size of one cache of each kind."""
    sizes = []
    for cache in cpu.get("caches", []):
        if cache["size"]:
            kind = f" {cache['type']}" if cache.get("type") not in (None, "unified") else ""
            count = f"{cache['count']} × " if (cache.get("count") or 1) > 1 else ""
            sizes.append(f"L{cache['level']} {count}{say_size(cache['size'])}{kind}")
    return ", ".join(sizes) or None


def _clock(cpu: StoredCpu) -> Iterator[dict[str, object]]:
    """The governor with its driver, which gives it a meaning: powersave of intel_pstate is no slow clock."""
    boost = {True: "boost on", False: "boost off", None: None}[cpu.get("boost")]
    driver = cpu.get("frequency_driver")
    notes = [f"driver {driver}" if driver else None, boost]
    if cpu.get("governor") or any(notes):
        yield fact("governor", cpu.get("governor"), note=", ".join(filter(None, notes)) or None)


def _usable(memory: StoredMemory) -> str | None:
    usable = memory.get("usable")
    return f"{say_size(usable)} usable" if usable and usable != memory["total"] else None


def _modules(memory: StoredMemory, how: Provenances) -> Iterator[dict[str, object]]:
    """`4 × 8 GiB DDR4 at 2666 MT/s`; nothing if the firmware lists no modules."""
    modules = []
    for module in memory.get("modules", []):
        rate = module.get("transfer_rate")
        parts = [_size(module.get("size")), module.get("type"), f"at {rate / 1e6:.0f} MT/s" if rate else None]
        modules.append(f"{module['count']} × {' '.join(filter(None, parts)) or 'unknown'}")
    if modules:
        yield fact("memory modules", ", ".join(modules), provenance_of(how, "/memory/modules"))


def _nodes(facts: StoredEnvironment) -> Iterator[dict[str, object]]:
    """The NUMA nodes of a machine with more than one."""
    nodes = facts.get("numa_nodes", [])
    if len(nodes) > 1:
        described = [f"{plural(node['threads'] or 0, 'thread')}, {_size(node.get('memory')) or '?'}" for node in nodes]
        distances = " / ".join(" ".join(str(far) for far in node.get("distances", [])) for node in nodes)
        yield fact("NUMA nodes", str(len(nodes)), note=f"{'; '.join(described)}; distances {distances}")


def _virtual(virtual: StoredVirtualization) -> str | None:
    kinds = [kind for kind in (virtual["kind"], virtual.get("container")) if kind and kind != "none"]
    return " in ".join(reversed(kinds)) or ("no" if virtual["kind"] else None)


def _controllers(controllers: list[StoredController], how: Provenances) -> Iterator[dict[str, object]]:
    for index, controller in enumerate(controllers):
        cache = controller.get("cache")
        size = f"{say_size(cache)} cache" if cache else None
        firmware = f"firmware {controller['firmware']}" if controller.get("firmware") else None
        notes = [controller.get("driver"), firmware, size, controller.get("cache_mode")]
        declared = any(
            pointer.startswith(f"/controllers/{index}/") for pointer, kind in how.items() if kind == "declared"
        )
        name = controller.get("model") or controller["name"]
        yield fact("controller", name, "declared" if declared else None, note=", ".join(filter(None, notes)) or None)


def _contradictions(*sections: StoredEnvironment | StoredTarget) -> Iterator[dict[str, object]]:
    """Facts whose declared value differs from the detected one, each with a note on which of both counts."""
    for contradiction in (contradiction for section in sections for contradiction in section.get("contradictions", [])):
        term = str(contradiction["fact"]).strip("/").replace("/", " ").replace("_", " ")
        detected, declared = _text(contradiction["detected"]), _text(contradiction["declared"])
        yield fact(
            "contradiction",
            f"{term}: detected {detected}, declared {declared}",
            note=f"the {contradiction['kept']} one counts",
        )


def _text(value: Scalar) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "unknown" if value is None else str(value)
