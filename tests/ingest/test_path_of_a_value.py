"""One value of real iozone output through all of its forms: "The path of a value" in docs/architecture.md."""

import json
import re
import struct
from pathlib import Path
from uuid import UUID

import numpy as np
from django.contrib.auth.models import User
from django.test import Client

from benchagent import formats
from benchagent.formats.columns import ResultColumns
from benchagent.formats.rounds import RoundOutput, merged
from benchdb.ingest.contract import validate
from benchdb.ingest.services import store_for
from benchdb.runs.cells.cell import cells_of
from benchdb.runs.models import VALUES, Result, Run, Visibility
from benchdb.runs.queries import results_of
from benchdb.runs.store.results import copy_text
from benchdb.wording.units import UNITS
from tests.support.documents import IOZONE_AUTO, artifact, document
from tests.support.store import compute_waiting

NAME = "round-1/iozone.txt"
DOCS = Path(__file__).parents[2] / "docs" / "architecture.md"


def forms_in_the_docs() -> list[str]:
    """The first cells of the table's rows."""
    section = DOCS.read_text().partition("## The path of a value\n")[2].partition("\n## ")[0]
    return re.findall(r"^\| (\d+) \|", section, re.MULTILINE)


def test_the_docs_list_at_most_15_forms() -> None:
    assert forms_in_the_docs() == [str(number) for number in range(1, len(forms_in_the_docs()) + 1)]
    assert 10 <= len(forms_in_the_docs()) <= 15


def test_a_value_of_iozone_is_the_same_in_every_form(owner: User, client: Client) -> None:
    parsed = formats.parse(IOZONE_AUTO)
    index, result = next((i, r) for i, r in enumerate(parsed.results) if r.test == "read" and r.file_size == 64 << 10)
    value = result.values[0]
    assert value is not None
    line = IOZONE_AUTO.splitlines()[result.lines[0] - 1]
    assert str(round(value / 1024)) in line.split()  # iozone prints KiB/s

    rows = merged([RoundOutput(0, NAME, parsed)], 1, {})
    assert (rows[index].values, rows[index].lines) == ([value], [result.lines[0]])
    columns = ResultColumns.of(rows)
    assert columns.values[columns.offsets[index]] == value
    workload = {"tool": "iozone", "tool_version": parsed.tool_version, "command": ["iozone", "-a"], "parameters": {}}
    artifacts = [artifact(NAME, IOZONE_AUTO)]
    sent = document(rounds=1, results=columns.as_json(), artifacts=artifacts, workload=workload, visibility="public")
    body = json.dumps(sent).encode()
    assert json.loads(body)["results"]["values"][index] == value

    checked = validate(body).results
    assert checked.values[checked.offsets[index]] == value
    _, text = copy_text(UUID(sent["run_id"]), 1, np.arange(len(checked)), checked)
    assert struct.pack(">f", value) in text  # four bytes hold a whole number of KiB/s

    store_for(owner, Visibility.PUBLIC, UUID(sent["run_id"]), body)
    compute_waiting()
    stored = Result.objects.filter(run=sent["run_id"], ordinal=index)
    assert stored.values_list(VALUES).get() == ([value],)
    assert stored.values_list("line").get() == (result.lines[0],)
    run = Run.objects.with_context().get(pk=sent["run_id"])
    measured = results_of(run)[index]
    assert (measured.values, measured.mean) == ([value], value)

    [cell] = cells_of([measured], UNITS["KiB/s"], {run.pk: run})
    assert (cell.values, cell.mean) == ([value], value)
    page = client.get(f"/runs/{run.pk}/results/{index}/").content.decode()
    assert f"{round(value / 1024):,}".replace(",", "\N{NARROW NO-BREAK SPACE}") in page
    assert client.get(f"/api/v1/runs/{run.pk}").json()["results"][index]["values"] == [value]
