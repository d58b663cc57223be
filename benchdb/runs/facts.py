"""What a run was and where it ran, as terms and values: the facts of the run page."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from .models import Run
from .numbers import plural, say_duration, say_number
from .sizes import say_size
from .words import params_in_words

Facts = Mapping[str, Any]
Fact = dict[str, Any]

CACHE = {"cold": "cold: caches emptied before", "warm": "warm", "uncontrolled": "uncontrolled"}
PREPARE = {
    "mkfs": "file system made anew each round",
    "restore": "file system restored from an image each round",
    "remount": "mounted anew each round",
    "none": "not prepared",
}
ENDED = {
    "rounds": "the most rounds it may take",
    "time_budget": "its time being used up",
    "precision": "all results being known so well",
    "stopped": "a person or a signal, or the agent failed",
}


def fact(term: str, value: str | None, provenance: str | None = None, **fields: Any) -> Fact:
    """The context of web/partials/facts.html; a value of None is unknown."""
    how = "unknown" if value is None else provenance if provenance != "detected" else None
    return {"term": term, "value": value, "provenance": how, "note": None, "href": None, **fields}


def workload(run: Run) -> list[Fact]:
    """The tool and what it was asked to do. The command line stands apart."""
    parameters = ", ".join(params_in_words(run.parameters))
    found = [fact("tool", run.tool, note=run.tool_version or "version unknown")]
    return [*found, fact("parameters", parameters)] if parameters else found


def protocol(run: Run) -> list[Fact]:
    """How it was measured."""
    said = run.protocol
    failed = sum(each["status"] == "failed" for each in run.rounds)
    discarded = said["warmup_discarded"]
    found = [
        fact("rounds", str(run.round_count), note=f"of which {failed} failed" if failed else None),
        fact("order", said["order"]),
        fact("preparation", PREPARE[said["prepare"]]),
        fact("caches", CACHE[said["cache"]]),
        fact("warm-up", f"{plural(discarded, 'round')} discarded" if discarded else "none"),
        *_end(said),
        fact("duration", say_duration((run.finished_at - run.started_at).total_seconds())),
    ]
    return [*found, fact("seed", str(said["seed"]))] if said.get("seed") is not None else found


def _end(said: Mapping[str, Any]) -> list[Fact]:
    """What ended the rounds, where it is worth saying: a plan that ends after its rounds goes without."""
    why, precision = said.get("ended_by"), said.get("precision")
    found = [fact("precision", f"± {100 * precision:g} %", note="asked for")] if precision else []
    if why in ENDED and (precision or why != "rounds"):
        found.append(fact("ended by", ENDED[why]))
    return found


def state_before(run: Run) -> list[Fact]:
    """How full the file system was, and what is known of its layout."""
    state, found = run.state_before, []
    if state.get("fill") is not None:
        of = f"of {say_size(state['size'])}" if state.get("size") else None
        found.append(fact("filled to", f"{100 * state['fill']:.0f} %", note=of))
    if state.get("files") is not None:
        found.append(fact("files", say_number(state["files"], 0)))
    layout = state.get("layout") or {}
    if layout.get("extents_per_file") is not None:
        found.append(fact("extents", f"{layout['extents_per_file']:.3g} a file"))
    if state.get("aging"):
        found.append(fact("aged", ", ".join(params_in_words(state["aging"]))))
    return found


def machine(run: Run) -> list[Fact]:
    """CPU, caches, memory, kernel, distribution, virtualization; what nobody could tell says so."""
    facts = run.environment.facts
    how = facts.get("provenance", {})
    cpu, memory, system, virtual = facts["cpu"], facts["memory"], facts["os"], facts["virtualization"]
    return [
        fact("machine", run.machine.name),
        fact("CPU", cpu["model"], how.get("/cpu/model"), note=_threads(cpu)),
        fact("CPU caches", _caches(cpu), how.get("/cpu/caches")),
        fact("memory", _size(memory["total"]), how.get("/memory/total"), note=_usable(memory)),
        fact("kernel", facts["kernel"]["release"], how.get("/kernel/release"), note=cpu["architecture"]),
        fact("system", system.get("name") or system["id"], how.get("/os/name")),
        fact("virtual", _virtual(virtual), how.get("/virtualization/kind")),
        *(fact("controller", c["model"] or c["name"], note=_controller(c)) for c in facts.get("controllers", [])),
    ]


def _size(size: int | None) -> str | None:
    return None if size is None else say_size(size)


def _threads(cpu: Facts) -> str | None:
    counts = {"socket": cpu.get("sockets"), "core": cpu.get("cores"), "thread": cpu.get("threads")}
    parts = [plural(count, noun) for noun, count in counts.items() if count]
    return ", ".join([*parts, *([f"governor {cpu['governor']}"] if cpu.get("governor") else [])]) or None


def _caches(cpu: Facts) -> str | None:
    """`L1 48 KiB data, L2 2 MiB, L3 480 MiB`: the size of one instance each."""
    said = []
    for cache in cpu.get("caches", []):
        if cache["size"]:
            kind = f" {cache['type']}" if cache.get("type") not in (None, "unified") else ""
            count = f"{cache['count']} × " if (cache.get("count") or 1) > 1 else ""
            said.append(f"L{cache['level']} {count}{say_size(cache['size'])}{kind}")
    return ", ".join(said) or None


def _usable(memory: Facts) -> str | None:
    usable = memory.get("usable")
    return f"{say_size(usable)} usable" if usable and usable != memory["total"] else None


def _virtual(virtual: Facts) -> str | None:
    kinds = [kind for kind in (virtual["kind"], virtual.get("container")) if kind and kind != "none"]
    return " in ".join(reversed(kinds)) or ("no" if virtual["kind"] else None)


def _controller(controller: Facts) -> str | None:
    cache = f"{say_size(controller['cache'])} cache" if controller.get("cache") else None
    return ", ".join(filter(None, [controller.get("driver"), cache])) or None


def labels(run: Run) -> list[Fact]:
    """Labels, who may see the run, and which agent sent it."""
    state = run.runstate
    own = [fact(name, value) for name, value in state.labels.items()]
    return [*own, fact("visibility", state.visibility), fact("agent", run.agent_version)]
