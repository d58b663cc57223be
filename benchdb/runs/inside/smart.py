"""What SMART said of the disks before and after a round. Pure functions."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from benchdb.facts.stored import StoredRound, StoredSmartFact
from benchdb.wording.numbers import say_number
from benchdb.wording.sizes import say_size


def smart_rows(rounds: Sequence[StoredRound], number: int) -> list[dict[str, object]]:
    """The facts of round `number`, counted from 0; empty if its agent read none."""
    evidence = rounds[number].get("evidence") if number < len(rounds) else None
    return [_row(fact) for fact in (evidence or {}).get("smart") or []]


def _row(fact: StoredSmartFact) -> dict[str, object]:
    name, before, after = fact["name"], fact["before"], fact.get("after")
    say = _SAY.get(fact["unit"], _count)
    label = _LABELS.get(name) or name.replace("_", " ")
    # A fact of a disk in words: before the round, and its change. `source` is its place in smartctl's output.
    return {
        "disk": fact["disk"],
        "label": label,
        "before": say(before),
        "change": _change(after - before, say) if after is not None else "–",
        "source": fact["source"],
    }


def _change(difference: float, say: Callable[[float], str]) -> str:
    if difference == 0:
        return "none"
    return f"{'+' if difference > 0 else '−'}{say(abs(difference))}"


def _count(value: float) -> str:
    return say_number(value, 0)


_SAY: Mapping[str, Callable[[float], str]] = {
    "B": say_size,
    "°C": lambda value: f"{_count(value)} °C",
    "ratio": lambda value: f"{_count(100 * value)} %",
}
_LABELS = {"percentage_used": "endurance used", "host_write_bytes": "written by hosts"}
