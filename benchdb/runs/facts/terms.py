"""The workload, protocol, state and labels of a run, as terms and values: the facts of the run page."""

from __future__ import annotations

from collections.abc import Mapping

from benchdb.facts.stored import StoredProtocol, StoredRound, StoredState
from benchdb.runs.models import Run, Source, source_of
from benchdb.wording.numbers import plural, say_duration, say_number
from benchdb.wording.sizes import say_size, unbroken
from benchdb.wording.words import VISIBILITIES, params_in_words

from .links import component_href

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
    "verdicts": "a verdict on every test of a gate",
    "stopped": "a person or a signal, or the agent failed",
}


def fact(
    term: str, value: str | None, provenance: str | None = None, *, note: str | None = None, href: str | None = None
) -> dict[str, object]:
    """The fact; a value of None is unknown."""
    how = "unknown" if value is None else provenance if provenance != "detected" else None
    # A line of web/partials/facts.html; `provenance` is unknown, declared, published, or None for a detected
    # fact.
    return {"term": term, "value": value, "provenance": how, "note": note, "href": href}


def provenance_of(provenance: Mapping[str, str], pointer: str) -> str | None:
    """The provenance of a fact, else of the nearest fact that contains it (`/cpu` contains `/cpu/model`).

    If only parts of the fact have a provenance, it is that of the least certain part.
    """
    nearest = pointer
    while nearest and nearest not in provenance:
        nearest = nearest.rpartition("/")[0]
    if nearest:
        return provenance[nearest]
    of_parts = {how for part, how in provenance.items() if part.startswith(f"{pointer}/")}
    return next((how for how in ("inferred", "declared", "published") if how in of_parts), None)


def workload(run: Run) -> list[dict[str, object]]:
    """The tool and its parameters. The command line is shown elsewhere."""
    parameters = ", ".join(params_in_words(run.parameters))
    href = component_href(run, "tool", run.tool)
    tool = [fact("tool", run.tool, note=run.tool_version or "version unknown", href=href)]
    return [*tool, fact("parameters", unbroken(parameters))] if parameters else tool


def protocol(run: Run) -> list[dict[str, object]]:
    """How the run was measured. Without an agent, defaults of the import form are shown as unknown."""
    stored: StoredProtocol = run.protocol
    stored_rounds: list[StoredRound] = run.rounds
    source = source_of(run)
    measured = source is Source.MEASURED
    failed = sum(round_["status"] == "failed" for round_ in stored_rounds)
    order, prepare, cache = stored["order"], stored["prepare"], stored["cache"]
    discarded, seconds = stored["warmup_discarded"], (run.finished_at - run.started_at).total_seconds()
    rounds = [fact("rounds", str(run.round_count), note=f"of which {failed} failed" if failed else None)]
    if run.continues:
        rounds.append(fact("look", str(run.look), note="continues an earlier run"))
    facts = [
        *(rounds if run.round_count else []),  # published figures come without rounds
        fact("preparation", PREPARE[prepare] if prepare and (measured or prepare != "none") else None),
        fact("caches", CACHE[cache] if cache and (measured or cache != "uncontrolled") else None),
        fact(
            "duration",
            say_duration(seconds) if seconds or (run.round_count and source is not Source.IMPORTED) else None,
        ),
        *([fact("order", order)] if order and (measured or order != "sequential") else []),
        fact("warm-up", f"{plural(discarded, 'round')} discarded" if discarded else "none" if measured else None),
        *_end(stored),
    ]
    return [*facts, fact("seed", str(stored["seed"]))] if stored.get("seed") is not None else facts


def _end(stored: StoredProtocol) -> list[dict[str, object]]:
    """The requested precision and the reason why the rounds ended; nothing if a plan simply did all its rounds."""
    why, precision = stored.get("ended_by"), stored.get("precision")
    facts = [fact("precision", f"± {100 * precision:g} %", note="asked for")] if precision else []
    if why is not None and why in ENDED and (precision or why != "rounds"):
        facts.append(fact("ended by", ENDED[why]))
    return facts


def state_before(run: Run) -> list[dict[str, object]]:
    """How full the file system was, and the known facts about its layout, arrays and aging."""
    state: StoredState = run.state_before
    facts = []
    if (fill := state.get("fill")) is not None:
        size = state.get("size")
        facts.append(fact("filled to", f"{100 * fill:.0f} %", note=f"of {say_size(size)}" if size else None))
    if (files := state.get("files")) is not None:
        facts.append(fact("files", say_number(files, 0)))
    layout = state.get("layout") or {}
    if layout.get("extents_per_file") is not None:
        facts.append(fact("extents", f"{layout['extents_per_file']:.3g} a file"))
    for array in state.get("arrays") or []:
        done = array.get("done")
        note = None if done is None else f"{100 * done:.0f} % done"
        facts.append(fact(f"array {array.get('name') or array['kind']}", array["state"], note=note))
    if aging := state.get("aging"):
        facts.append(fact("aged", ", ".join(params_in_words(aging))))
    return facts


def labels(run: Run) -> list[dict[str, object]]:
    """Labels, visibility and origin of the run."""
    state, source = run.runstate, source_of(run)
    named = [fact(name, value) for name, value in state.labels.items()]
    agent = [fact("agent", run.agent_version)] if source is Source.MEASURED else [fact("figures", SOURCES[source])]
    return [*named, fact("visibility", VISIBILITIES[state.visibility]), *agent]
