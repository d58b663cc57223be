"""benchagent.client and `benchagent compare` against a running server."""

import json
import os
import subprocess
import sys
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path
from typing import Any

import anyio
import pytest

from benchagent.client import RequestRefused, Server
from benchdb.embedded.config import PROJECT
from tests.support.comparing.comparisons import MEANS, campaign, compared_document
from tests.support.documents import encoded, uuid7
from tests.system import server as running

CAMPAIGN = campaign()
SCOPES = ("--scope", "upload", "--scope", "read")
VERDICTS = [("ext4", ""), ("xfs", "better"), ("btrfs", "equivalent")]


@pytest.fixture(scope="module")
def client(server: running.Server) -> Server:
    secret = server.manage("token", "cora", "--create-owner", *SCOPES, "--visibility", "public")
    return Server(server.url, secret)


@pytest.fixture(scope="module")
def runs(client: Server) -> list[str]:
    shared = {"campaign": campaign(), "labels": {"for": "client"}}
    documents = [compared_document(name, mean, **shared) for name, mean in MEANS.items()]
    return [client.upload(encoded(document)) for document in documents]


def test_uploaded_runs_are_found_by_their_filters(client: Server, runs: list[str]) -> None:
    found = {run.file_system: run.run_id for run in client.runs(label="for=client")}

    assert found == dict(zip(MEANS, runs, strict=True))
    assert [run.run_id for run in client.runs(label="for=client", file_system=["xfs", "btrfs"], sort="oldest")] == runs[
        1:
    ]


def test_a_table_has_the_figures_and_verdicts_of_the_page(
    server: running.Server, client: Server, runs: list[str]
) -> None:
    table = client.compare(*runs, rows="file_system", columns="test")

    writes = [cell for cell in table.cells if cell.column == "Write"]
    assert [(cell.row, cell.verdict) for cell in writes] == VERDICTS
    assert [cell.mean for cell in writes] == pytest.approx(list(MEANS.values()))
    assert writes[1].ratio_low < 1.2 < writes[1].ratio_high
    status, page = server.request(table.address.removeprefix(server.url))
    assert status == 200
    assert table.title in page.decode()
    assert table.findings[0].startswith("xfs is better than ext4 in both cells")


def test_a_shared_table_is_read_again_as_it_was(client: Server, runs: list[str]) -> None:
    table = client.compare(*runs, rows="file_system", columns="test")

    frozen = client.table(client.share(table))

    assert frozen.frozen
    assert frozen.cells == table.cells


def test_a_data_frame_has_a_line_for_each_cell(client: Server, runs: list[str]) -> None:
    frame = client.compare(*runs, rows="file_system", columns="test").to_pandas()

    assert list(frame[frame.column == "Read"].verdict) == [verdict for _, verdict in VERDICTS]
    assert frame.groupby("row")["mean"].max().to_dict() == pytest.approx({k: 2 * v for k, v in MEANS.items()})


def test_faults_are_listed(client: Server, runs: list[str]) -> None:
    with pytest.raises(RequestRefused) as refused:
        client.compare(*runs, rows="colour", baseline="ntfs")
    assert refused.value.status == 422
    assert refused.value.faults

    with pytest.raises(RequestRefused, match="404"):
        client.compare(str(uuid7()))


def test_the_terminal_shows_figures_verdicts_and_strips(server: running.Server, runs: list[str]) -> None:
    lines = compare(
        server, runs[0], f"{server.url}runs/{runs[1]}/", "--rows", "file_system", "--columns", "test"
    ).splitlines()

    start = lines.index("Write")
    head, ext4, xfs = lines[start + 1 : start + 4]
    assert head.split() == ["MiB/s", "than", "ext4", "n"]
    assert ext4.split()[:4] == ["ext4", "100.00", "baseline", "6"]
    assert xfs.split()[:6] == ["xfs", "120.00", "▲", "20.0", "%", "faster"]
    assert ext4.index("•") < xfs.index("•")


def test_a_permalink_is_shown_as_json(server: running.Server, client: Server, runs: list[str]) -> None:
    link = client.share(client.compare(*runs))

    shown = json.loads(compare(server, link, "--json"))

    assert shown["frozen"] is True
    assert shown["cells"]


def compare(server: running.Server, *arguments: str) -> str:
    """The output of `benchagent compare` without a token."""
    command = [sys.executable, "-m", "benchagent", "compare", "--server", server.url, *arguments]
    environment = {**os.environ, "PYTHONPATH": str(Path(PROJECT) / "agents")}
    done = subprocess.run(command, capture_output=True, text=True, env=environment, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_the_notebook_prints_what_it_shows(
    server: running.Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "documents").mkdir()
    for name, mean in MEANS.items():
        document = compared_document(name, mean, campaign=CAMPAIGN, labels={"for": "notebook"}, visibility="public")
        (tmp_path / "documents" / f"{name}.json").write_bytes(encoded(document))
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("BENCHDB_SERVER", server.url)
    monkeypatch.setenv("BENCHDB_TOKEN", server.manage("token", "nora", "--create-owner", *SCOPES))
    names: dict[str, object] = {}

    for cell in json.loads((Path(PROJECT) / "docs" / "client.ipynb").read_text())["cells"]:
        if cell["cell_type"] == "code":
            with redirect_stdout(StringIO()) as printed:
                exec("".join(cell["source"]), names)
            for shown in cell["outputs"]:
                assert printed.getvalue() == "".join(shown["text"])


def test_an_assistant_finds_and_compares_runs(server: running.Server, runs: list[str]) -> None:
    from mcp import Client, StdioServerParameters  # each process that collects the tests would import it for a second
    from mcp.client.stdio import stdio_client

    command = ["-m", "benchagent", "mcp", "--server", server.url]
    agents = str(Path(PROJECT) / "agents")
    started = StdioServerParameters(command=sys.executable, args=command, env={"PYTHONPATH": agents})

    async def converse() -> tuple[list[bool | None], Any, Any, Any]:
        async with Client(stdio_client(started)) as assistant:
            tools = (await assistant.list_tools()).tools
            found = await assistant.call_tool("find_runs", {"tool": "iozone", "file_system": ["xfs", "btrfs"]})
            asked = {"runs": runs, "rows": "file_system", "columns": "test"}
            compared = await assistant.call_tool("compare_runs", asked)
            refused = await assistant.call_tool("compare_runs", {"runs": runs, "rows": "colour"})
        return [tool.annotations and tool.annotations.read_only_hint for tool in tools], found, compared, refused

    reads, found, compared, refused = anyio.run(converse)

    assert reads == [True] * 3
    assert set(runs[1:]) <= {run["run_id"] for run in found.structured_content["runs"]}
    assert compared.structured_content["findings"][0].startswith("xfs is better than ext4")
    assert {cell["verdict"] for cell in compared.structured_content["cells"]} == {"", "better", "equivalent"}
    assert refused.is_error
    assert "colour" in refused.content[0].text
