"""What a run was and where it ran, as terms and values: the facts of the run page."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from benchdb.runs.models import Run, Source, source_of
from benchdb.wording.numbers import plural, say_duration, say_number
from benchdb.wording.sizes import say_size, unbroken
from benchdb.wording.words import VISIBILITIES, params_in_words

Facts = Mapping[str, Any]
Fact = dict[str, Any]

CACHE = {"cold": "cold: caches emptied before", "warm": "warm", "uncontrolled": "uncontrolled"}
PREPARE = {
    "mkfs": "file system made anew each round",
    "restore": "file system restored from an image each round",
    "remount": "mounted anew each round",
    "none": "not prepared",
}
SOURCES = {Source.IMPORTED: "imported from raw output", Source.PUBLISHED: "printed by an article"}
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


def provenance_of(told: Mapping[str, str], place: str) -> str | None:
    """How a fact came to be known: as said of it, or of the nearest that it is a part of (`/cpu` of `/cpu/model`)."""
    while place and place not in told:
        place = place.rpartition("/")[0]
    return told.get(place)


def workload(run: Run) -> list[Fact]:
    """The tool and what it was asked to do. The command line stands apart."""
    parameters = ", ".join(params_in_words(run.parameters))
    found = [fact("tool", run.tool, note=run.tool_version or "version unknown")]
    return [*found, fact("parameters", unbroken(parameters))] if parameters else found


def protocol(run: Run) -> list[Fact]:
    """How it was measured. Where no agent measured, what is stored because something must be is unknown."""
    said, source = run.protocol, source_of(run)
    known = source is Source.MEASURED
    failed = sum(each["status"] == "failed" for each in run.rounds)
    discarded, seconds = said["warmup_discarded"], (run.finished_at - run.started_at).total_seconds()
    rounds = [fact("rounds", str(run.round_count), note=f"of which {failed} failed" if failed else None)]
    found = [
        *(rounds if run.round_count else []),  # figures that others printed come without rounds
        *([fact("order", said["order"])] if known or said["order"] != "sequential" else []),
        fact("preparation", PREPARE[said["prepare"]] if known or said["prepare"] != "none" else None),
        fact("caches", CACHE[said["cache"]] if known or said["cache"] != "uncontrolled" else None),
        fact("warm-up", f"{plural(discarded, 'round')} discarded" if discarded else "none" if known else None),
        *_end(said),
        fact(
            "duration",
            say_duration(seconds) if seconds or (run.round_count and source is not Source.IMPORTED) else None,
        ),
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
    for array in state.get("arrays") or []:
        done = f"{100 * array['done']:.0f} % done" if array.get("done") is not None else None
        found.append(fact(f"array {array.get('name') or array['kind']}", array["state"], note=done))
    if state.get("aging"):
        found.append(fact("aged", ", ".join(params_in_words(state["aging"]))))
    return found


def labels(run: Run) -> list[Fact]:
    """Labels, who may see the run, and where it comes from."""
    state, source = run.runstate, source_of(run)
    own = [fact(name, value) for name, value in state.labels.items()]
    agent = [fact("agent", run.agent_version)] if source is Source.MEASURED else [fact("figures", SOURCES[source])]
    return [*own, fact("visibility", VISIBILITIES[state.visibility]), *agent]
