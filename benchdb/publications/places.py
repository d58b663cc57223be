"""The places in the text of an article that the stored facts and statements come from. Used by `data_files`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fnmatch import fnmatchcase
from typing import Any

# What was read from a data file; docs/publications.md describes its keys.
Facts = Mapping[str, Any]
Scalars = str | float | bool | Sequence[str] | Sequence[float]

SECTIONS = ("environment", "target", "workload", "protocol", "state_before")
HEAD = ("title", "authors", "year", "date", "machine")
OF_FIGURES = ("file_size", "record_size", "threads", "params", "n")
# The forms of our own description, which no article has.
_FORMS = ("target.kind", "block_devices.*.kind", "stack.*.kind")
MOST_WORDS = 10


class NoPlace(ValueError):
    """Facts without a place, or places of no fact; the message lists them."""


def sourced_facts(facts: Facts) -> list[Facts]:
    """Every fact of a data file with its places, as `{name, value, provenance, places, inferred}`. Raises NoPlace.

    `name` is as `runs.ext3.target.mount.options`, before runs are merged over their parts; `inferred` is the reason if
    the article does not say the fact itself: then `places`, if any, are what it was inferred from.
    """
    told = facts.get("text", {}).get("facts", [])
    named = list(stored(facts))
    found = [_sourced(name, value, told) for name, value in named]
    without = [fact["name"] for fact in found if not fact["places"] and not fact["inferred"]]
    idle = [pattern for entry in told for pattern in entry["of"] if not any(_is(name, pattern) for name, _ in named)]
    if without or idle:
        faults = [f"no place for {name}" for name in without] + [f"no fact {pattern}" for pattern in idle]
        raise NoPlace("; ".join(faults))
    return found


def _sourced(name: str, value: Scalars, told: Sequence[Facts]) -> Facts:
    entries = [entry for entry in told if any(_is(name, pattern) for pattern in entry["of"])]
    inferred = next((entry["inferred"] for entry in entries if "inferred" in entry), None)
    return {
        "name": name,
        "value": value,
        "provenance": "inferred" if inferred else "published",
        "places": [place_of(entry) for entry in entries if "line" in entry],
        "inferred": inferred,
    }


def place_of(entry: Facts) -> dict[str, str | int]:
    """The place of an entry of `[text]`: the heading above it, its line, and at most ten words of that line."""
    return {"section": entry["section"], "line": entry["line"], "quote": entry["quote"]}


def stored(facts: Facts) -> Iterator[tuple[str, Scalars]]:
    """The name and value of every fact: of the article, its parts, runs and tables."""
    head: Mapping[str, object] = facts
    yield from ((name, str(head[name])) for name in HEAD if name in head)
    yield from _of_sections("", facts)
    for kind, parts in (("parts", facts.get("parts", {})), ("runs", facts.get("runs", {}))):
        for key, part in parts.items():
            yield from _of_sections(f"{kind}.{key}.", part)
            if "machine" in part:
                yield f"{kind}.{key}.machine", part["machine"]
    for table in facts.get("tables", []):
        name = f"tables.{table['key']}"
        yield from _of_figures(name, table)
        for group, lines in (("columns", table.get("columns", [])), ("rows", table.get("rows", []))):
            for each in lines:
                yield from _of_figures(f"{name}.{group}.{each['label']}", each)


def _of_sections(prefix: str, facts: Mapping[str, object]) -> Iterator[tuple[str, Scalars]]:
    for section in SECTIONS:
        if section in facts:
            yield from leaves(f"{prefix}{section}", facts[section])


def _of_figures(prefix: str, facts: Mapping[str, object]) -> Iterator[tuple[str, Scalars]]:
    for name in OF_FIGURES:
        if name in facts:
            yield from leaves(f"{prefix}.{name}", facts[name])


def leaves(name: str, value: object) -> Iterator[tuple[str, Scalars]]:
    """The single facts inside a value. A list of texts or numbers is one fact; forms of our own are none."""
    if isinstance(value, Mapping):
        for key, part in value.items():
            yield from leaves(f"{name}.{key}", part)
    elif isinstance(value, list) and any(isinstance(part, Mapping) for part in value):
        for index, part in enumerate(value):
            yield from leaves(f"{name}.{index}", part)
    elif not any(fnmatchcase(name, f"*{form}") for form in _FORMS):
        yield name, value  # type: ignore[misc]  # TOML has only scalars and lists of them here


def _is(name: str, pattern: str) -> bool:
    return name == pattern or fnmatchcase(name, pattern)


def provenance_of_run(sourced: Sequence[Facts], key: str, like: Sequence[str], section: str) -> dict[str, str]:
    """JSON Pointers of the facts of one section of a run with `published` or `inferred`; later layers replace earlier.

    If all facts under a pointer have one provenance, only the pointer is listed.
    """
    found: dict[str, str] = {}
    for layer in ("", *(f"parts.{name}." for name in like), f"runs.{key}."):
        prefix = f"{layer}{section}."
        own = {
            "/" + fact["name"].removeprefix(prefix).replace(".", "/"): fact["provenance"]
            for fact in sourced
            if fact["name"].startswith(prefix)
        }
        lists = {_list_of(pointer) for pointer in own}
        found = {pointer: how for pointer, how in found.items() if _list_of(pointer) not in lists} | own
    return _joined(found, "")


def _list_of(pointer: str) -> str:
    """The list that a fact is in, which is replaced as a whole; else the fact itself."""
    parts = pointer.split("/")
    return "/".join(parts[: next((i for i, part in enumerate(parts) if part.isdecimal()), len(parts))])


def _joined(found: Mapping[str, str], below: str) -> dict[str, str]:
    inside = {pointer: how for pointer, how in found.items() if pointer == below or pointer.startswith(f"{below}/")}
    if below and len(set(inside.values())) == 1:
        return {below: next(iter(inside.values()))}
    children = dict.fromkeys(f"{below}/{pointer.removeprefix(f'{below}/').split('/')[0]}" for pointer in inside)
    return {pointer: how for child in children for pointer, how in _joined(inside, child).items()}
