"""The whole path with real tools: their output, the agent's document, the stored results and the pages."""

import json
import os
import re
import subprocess
import sys
from dataclasses import dataclass
from typing import Any

import pytest

from benchdb.embedded.config import PROJECT
from tests.support.html import Page, parse
from tests.system.crude import bonnie_cells, iozone_cells
from tests.system.server import Server

pytestmark = [pytest.mark.needs("iozone", package="iozone3"), pytest.mark.needs("bonnie++", package="bonnie++")]

PLAN = """
name = "system-test"
rounds = 1

[[targets]]
kind = "directory"

[[workloads]]
tool = "iozone"
auto = true
max_file_size = "16 MiB"
tests = ["write", "rewrite", "read", "reread", "random_read", "random_write"]

[[workloads]]
tool = "bonnie++"
file_size = "96 MiB"
memory = "48 MiB"
files = 8192
max_size = "1 KiB"
char_tests = true
"""

LABELS = {
    "write": "Write",
    "rewrite": "Rewrite",
    "read": "Read",
    "reread": "Reread",
    "random_read": "Random read",
    "random_write": "Random write",
    "char_write": "Char write",
    "block_write": "Block write",
    "block_rewrite": "Block read, change, write",
    "char_read": "Char read",
    "block_read": "Block read",
    "random_seek": "Random seek",
    "seq_create": "Sequential create",
    "seq_stat": "Sequential stat",
    "seq_delete": "Sequential delete",
    "random_create": "Random create",
    "random_stat": "Random stat",
    "random_delete": "Random delete",
}
BASE = {"MiB/s": 2**20, "KiB/s": 2**10, "GiB/s": 2**30, "op/s": 1, "µs": 1e-6, "ms": 1e-3, "s": 1, "%": 0.01}
FOUR_FIGURES = 5e-4  # pages may round by half of the last of four figures


@dataclass
class Measured:
    """A run from the server, and the raw output of its tool as stored there."""

    read: dict[str, Any]
    raw: str
    page: Page

    def results(self, metric: str) -> list[dict[str, Any]]:
        return [each for each in self.read["results"] if each["metric"] == metric and each["test"] != "run"]

    def shown(self, name: str) -> dict[tuple[str, str, str], Any]:
        """(group, row, column) → the number in base units, or the words, of each cell that is not empty."""
        return {
            (_parted(group)[0], _plain(row), _parted(head)[0]): _value(cell.text, _parted(head)[1] or _parted(group)[1])
            for (group, row, head), cell in self.page.values(f"results-{name}").items()
            if cell.text
        }


@pytest.fixture(scope="module")
def measured(server: Server, secret: str, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Measured]:
    """The runs of the plan by their tool, measured on this machine, uploaded and computed."""
    base = tmp_path_factory.mktemp("agent")
    (base / "plan.toml").write_text(PLAN)
    (base / "target").mkdir()
    command = [sys.executable, "-m", "benchagent", "run", "plan.toml", "--directory", "target"]
    environment = {
        **os.environ,
        "PYTHONPATH": str(PROJECT / "agents"),
        "BENCHAGENT_STATE": str(base / "state"),
        "BENCHAGENT_SERVER": server.url,
        "BENCHAGENT_TOKEN": secret,
    }
    done = subprocess.run(
        [*command, "--visibility", "public"], cwd=base, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    sent = [json.loads(path.read_text()) for path in (base / "state/spool/sent").glob("*[0-9a-f].json")]
    return {document["workload"]["tool"]: _fetch(server, document) for document in sent}


def _fetch(server: Server, sent: dict[str, Any]) -> Measured:
    run_id = sent["run_id"]
    server.until_ready(run_id)
    read = json.loads(server.request(f"api/v1/runs/{run_id}")[1])
    artifact = sent["artifacts"][0]
    raw = server.request(f"api/v1/runs/{run_id}/artifacts/{artifact['name']}")[1].decode()
    assert raw == artifact["data"]
    return Measured(read, raw, parse(server.request(f"runs/{run_id}/?results=all")[1].decode()))


def test_every_number_of_iozone_is_stored(measured: dict[str, Measured]) -> None:
    run = measured["iozone"]
    printed = iozone_cells(run.raw)

    stored = {
        (entry["test"], entry["file_size"], entry["record_size"]): (entry["values"], entry["mean"])
        for entry in run.results("throughput")
    }

    assert len(printed) >= 100
    assert stored == {cell: ([1024.0 * kib], 1024.0 * kib) for cell, kib in printed.items()}
    assert len(stored) == len(run.results("throughput"))


def test_every_number_of_iozone_is_on_the_page(measured: dict[str, Measured]) -> None:
    run = measured["iozone"]
    printed = {
        (_size(file_size), _size(record_size), LABELS[test]): 1024.0 * kib
        for (test, file_size, record_size), kib in iozone_cells(run.raw).items()
    }

    shown = {(*_sizes(group, row), test): value for (group, row, test), value in run.shown("throughput").items()}

    assert shown == {key: pytest.approx(value, rel=FOUR_FIGURES) for key, value in printed.items()}


def test_every_number_of_iozone_is_on_the_page_exactly_for_who_asks(
    server: Server, measured: dict[str, Measured]
) -> None:
    run = measured["iozone"]
    keys = [cell.key for cell in run.page.values("results-throughput").values() if cell.key]
    address = f"runs/{run.read['run_id']}/panels?unit=&row="
    details = [json.loads(server.request(address + key.removeprefix("r"))[1])[key] for key in keys]

    exact = {_plain(detail["title"]): dict(detail["facts"])["exact"].split(" = ")[0] for detail in details}

    assert exact == {
        f"{LABELS[test]}, {_size(file_size)} file, {_size(record_size)} records": f"{_apart(kib)} KiB/s"
        for (test, file_size, record_size), kib in iozone_cells(run.raw).items()
    }


def test_every_number_of_bonnie_is_stored(measured: dict[str, Measured]) -> None:
    run = measured["bonnie++"]
    stored = {
        (entry["test"], entry["metric"]): (entry["status"], entry["values"])
        for entry in run.read["results"]
        if entry["test"] != "run"
    }

    expected = {}
    for test, (speed, cpu, latency) in bonnie_cells(run.raw).items():
        per_second = 1024.0 if _is_throughput(test) else 1.0
        expected[test, _metric(test)] = _stored(speed, per_second)
        expected[test, "cpu_of_one_core"] = _stored(cpu, 0.01)
        expected[test, "latency_max"] = ("ok", [pytest.approx(latency * 1e-6, rel=1e-12)])
    assert stored == expected


def test_every_number_of_bonnie_is_on_the_page(measured: dict[str, Measured]) -> None:
    run = measured["bonnie++"]
    shown = {(metric, test): value for (_, test, metric), value in run.shown("tests").items()}
    latencies = run.shown("latency")
    shown |= {(f"Latency, {statistic}", _test(row)): value for (_, row, statistic), value in latencies.items()}

    expected: dict[tuple[str, str], Any] = {}
    for test, (speed, cpu, latency) in bonnie_cells(run.raw).items():
        expected[_metric(test).capitalize(), LABELS[test]] = _shown(speed, 1024.0 if _is_throughput(test) else 1.0)
        expected["CPU, of one core", LABELS[test]] = _shown(cpu, 0.01)
        expected["Latency, max", LABELS[test]] = pytest.approx(latency * 1e-6, rel=FOUR_FIGURES)
    assert shown == expected


def _is_throughput(test: str) -> bool:
    return test.startswith(("char", "block"))


def _metric(test: str) -> str:
    return "throughput" if _is_throughput(test) else "rate"


def _stored(printed: str, factor: float) -> tuple[str, list[Any]]:
    if printed.startswith("+"):
        return ("unmeasurable", [None])
    return ("ok", [pytest.approx(float(printed) * factor, rel=1e-12)])


def _shown(printed: str, factor: float) -> Any:
    return "too fast" if printed.startswith("+") else pytest.approx(float(printed) * factor, rel=FOUR_FIGURES)


def _size(size: int) -> str:
    return f"{size // 2**20} MiB" if size >= 2**20 else f"{size // 2**10} KiB"


def _test(row: str) -> str:
    """The test of a row `Block read 96 MiB file, 8 KiB records`."""
    return max((label for label in LABELS.values() if row.startswith(label)), key=len)


def _sizes(group: str, row: str) -> tuple[str, str]:
    """File size and record size of a row: `64 KiB` in the group `64 KiB file`, or `16 MiB × 64 KiB`."""
    file_size, _, record_size = row.partition(" × ") if " × " in row else (group.removesuffix(" file"), "", row)
    return file_size, record_size


def _plain(text: str) -> str:
    """The text with ordinary spaces, as in these tests."""
    return text.replace("\xa0", " ")


def _apart(whole: int) -> str:
    return f"{whole:,}".replace(",", "\u202f")


def _parted(head: str) -> tuple[str, str]:
    """The words and the unit of `Write MiB/s ↑`, or of `64 KiB file MiB/s, more is better`; no unit of `Read RAM`."""
    plain = _plain(head).replace(" RAM", "")
    found = re.fullmatch(r"(.*?) ?(\S+)(?: [↑↓]|, (?:more|less) is better)", plain)
    return (found[1], found[2]) if found else (plain, "")


def _value(text: str, unit: str) -> Any:
    """A cell's number in base units, or its words."""
    number = re.match(r"\d[\d\u202f]*(\.\d+)?", text)
    return float(number[0].replace("\u202f", "")) * BASE[unit] if number else text


def test_the_server_reads_the_same_in_the_raw_output(server: Server, measured: dict[str, Measured]) -> None:
    ids = [run.read["run_id"] for run in measured.values()]

    assert server.manage("reparse", *ids).splitlines() == [f"{run_id}: the same as before" for run_id in ids]
