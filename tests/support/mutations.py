"""Random changes to documents: extreme and foreign values, fields removed, added and repeated."""

import copy
from typing import Any

from hypothesis import strategies as st

from tests.support.documents import encoded
from tests.support.faults import refusal

Place = tuple[str | int, ...]

NASTY: list[Any] = [
    *(None, True, False, 0, 1, -1, 0.0, -0.0, 0.5, -0.5, 5e-324, 1e18, 1.7e308, float("nan"), float("inf")),
    *(2**31 - 1, 2**31, 2**53 + 1, 2**63 - 1, 2**63, -(2**63), 10**400),
    *("", " ", "x", "\x00", "a\x00b", "\ud800", "\udfff", "\n", "\x7f", "ok", "failed", "null", "é" * 64),
    *("x" * 64, "x" * 65, "é" * 200, "x" * 201, "😀" * 200, "x" * 4096, "x" * 4097, "'; DROP TABLE runs_run; --"),
    *(
        "2026-11-20T20:01:55Z",
        "1970-01-01T00:00:00-14:00",
        "9999-12-31T23:59:59Z",
        "../../etc/passwd",
        "%00",
        "\\u0000",
    ),
    *(
        [],
        {},
        [[]],
        [None],
        [1.0, 2.0, 3.0],
        {"a": 1},
        {"/~": "\x00"},
        {"": {}},
        {"x" * 201: 1},
        [{"a": [float("nan")]}],
    ),
]
KEPT = ("run_id", "schema", "machine_id", "sha256", "data", "started_at", "finished_at")
values = st.sampled_from(NASTY).map(copy.deepcopy) | st.text(max_size=20) | st.integers() | st.floats()


def walk(document: Any, path: Place = ()) -> list[Place]:
    """The path to every value in a document, from the top."""
    if isinstance(document, dict):
        parts = list(document.items())
    elif isinstance(document, list):
        parts = list(enumerate(document))
    else:
        return []
    return [inner for part, value in parts for inner in ((*path, part), *walk(value, (*path, part)))]


def saying(sent: dict[str, Any], words: str) -> dict[str, Any]:
    """The document with these words, or their first 64 characters, in each text for which the contract takes them."""
    sent = copy.deepcopy(sent)
    for *path, last in walk(sent):
        parent: Any = sent
        for part in path:
            parent = parent[part]
        before = parent.get(last) if isinstance(parent, dict) else parent[last]
        if last in KEPT or not (before is None or isinstance(before, str)):
            continue
        for said in (words, words[:64], before):
            parent[last] = said
            if refusal(encoded(sent)) is None:
                break
    return sent


@st.composite
def mutated(draw: st.DrawFn, document: dict[str, Any]) -> dict[str, Any]:
    """The document with one to three changes."""
    changed = copy.deepcopy(document)
    for _ in range(draw(st.integers(1, 3))):
        *path, last = draw(st.sampled_from(walk(changed)))
        parent = changed
        for step in path:
            parent = parent[step]
        change = draw(st.sampled_from(["replace", "remove", "add", "repeat"]))
        if change == "remove":
            del parent[last]
        elif isinstance(parent, list):
            parent.insert(last, copy.deepcopy(parent[last]) if change == "repeat" else draw(values))
        else:
            parent[last if change == "replace" else draw(st.text(max_size=5))] = draw(values)
        if not changed:
            break
    return changed
