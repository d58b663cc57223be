"""The server combines rounds exactly as the agent does."""

from datetime import timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchagent import formats
from benchagent.documents import records
from benchagent.documents.results import merge
from benchagent.formats.rounds import MergedResult, RoundOutput
from benchdb.ingest.failed_rounds import merged
from tests.agents.formats.texts import golden, golden_names
from tests.support.documents import STARTED, round_

TEXTS = {tool: [golden(name) for name in golden_names(tool)] for tool in ("iozone", "bonnie", "fsload")}
PARSED = {tool: [formats.parse(text) for text in texts] for tool, texts in TEXTS.items()}
ERRORS = st.sampled_from([None, None, None, "No space left on device", "its output is not complete, although …"])

Measured = tuple[formats.Parsed, str | None]


def measured() -> st.SearchStrategy[list[Measured]]:
    """Rounds of one tool: the parsed output of each, and its error if it failed."""
    outputs = st.sampled_from(sorted(PARSED)).flatmap(lambda tool: st.lists(st.sampled_from(PARSED[tool]), max_size=4))
    return outputs.flatmap(lambda own: st.tuples(*(st.tuples(st.just(each), ERRORS) for each in own)).map(list))


def by_agent(rounds: list[Measured]) -> list[MergedResult]:
    """The results as made by the agent."""
    finished = [
        records.Round(
            STARTED + timedelta(0), 1.0, index, (records.ParsedOutput(f"round-{index + 1}/x", parsed),), error
        )
        for index, (parsed, error) in enumerate(rounds)
    ]
    return merge(finished, whole=False)


def by_server(rounds: list[Measured]) -> list[MergedResult]:
    readings = [RoundOutput(index, f"round-{index + 1}/x", parsed) for index, (parsed, _) in enumerate(rounds)]
    return merged(readings, [documented(index, error) for index, (_, error) in enumerate(rounds)])


def documented(index: int, error: str | None) -> dict[str, Any]:
    return {**round_(index), "status": "failed", "error": error} if error else round_(index)


@given(measured())
def test_the_results_are_those_of_the_agent(rounds: list[Measured]) -> None:
    kept = [(parsed, None if parsed.complete and unread(error) else error) for parsed, error in rounds]

    assert by_server(rounds) == by_agent(kept)


def unread(error: str | None) -> bool:
    return (error or "").startswith("its output")


@pytest.mark.parametrize("tool", sorted(TEXTS))
def test_there_is_something_to_compare(tool: str) -> None:
    assert any(parsed.results and parsed.complete for parsed in PARSED[tool])
    assert all(
        len({row.identity for row in by_server([(parsed, None)])}) == len(parsed.results) for parsed in PARSED[tool]
    )


def test_a_text_of_several_rounds_gives_each_its_value() -> None:
    parsed = formats.parse(golden("bonnie-three_runs.txt"))
    first = parsed.results[0]

    rows = merged([RoundOutput(i, "b.csv", parsed, i) for i in range(3)], [round_(i) for i in range(3)])

    assert (rows[0].values, rows[0].artifacts, rows[0].lines) == (list(first.values), ["b.csv"] * 3, list(first.lines))
