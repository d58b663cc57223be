"""The spool: complete documents or none in every case, with the server's answers."""

import contextlib
import hashlib
import json
import os
import random
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from benchagent.documents.ids import uuid7
from benchagent.errors import NoRoom, SpoolError, UnknownRun
from benchagent.spool.store import PENDING, REJECTED, SENT, STATES, Spool
from benchagent.system.atomic_files import make_temporary
from tests.agents.support.targets import small_disk

AGENTS = Path(__file__).parents[3] / "agents"

# Writes documents of about 400 kB, each with its digest, as fast as possible; prints a line after the first.
WRITER = """
import hashlib, pathlib, sys
from benchagent.documents.ids import uuid7
from benchagent.spool.store import PENDING, SENT, Spool
spool = Spool(pathlib.Path(sys.argv[1]))
for number in range(100_000):
    data = f"{number:08d}" * 50_000
    run_id = uuid7()
    spool.add(run_id, {"data": data, "sha256": hashlib.sha256(data.encode()).hexdigest()})
    if number % 2:
        spool.settle(run_id, SENT, {"status": 201, "body": {"url": "x"}})
    print(number, flush=True)
"""


def files(spool: Spool) -> list[str]:
    return sorted(str(path.relative_to(spool.directory)) for path in spool.directory.rglob("*") if path.is_file())


def test_keeps_a_document_byte_for_byte_and_private(spool: Spool) -> None:
    run_id = uuid7()
    path = spool.add(run_id, {"name": "ä", "values": [1.5, None]})
    assert spool.read(PENDING, run_id) == '{"name":"ä","values":[1.5,null]}'.encode()
    assert path.stat().st_mode & 0o777 == 0o600
    assert files(spool) == [f"pending/{run_id}.json"]


def test_lists_the_oldest_first(spool: Spool) -> None:
    ids = []
    for _ in range(3):
        ids.append(uuid7())
        time.sleep(0.002)  # the ids of one millisecond have no order
    for run_id in reversed(ids):
        spool.add(run_id, {})
    assert spool.ids(PENDING) == ids


@pytest.mark.parametrize("state", [SENT, REJECTED])
def test_settles_with_the_answer_beside(spool: Spool, state: str) -> None:
    run_id = uuid7()
    spool.add(run_id, {"a": 1})
    spool.settle(run_id, state, {"status": 422, "body": {"error": "no"}})
    assert (spool.ids(PENDING), spool.ids(state)) == ([], [run_id])
    assert spool.answer(state, run_id) == {"status": 422, "body": {"error": "no"}}
    assert files(spool) == [f"{state}/{run_id}.answer.json", f"{state}/{run_id}.json"]


def test_two_uploads_at_once_settle_the_same(spool: Spool) -> None:
    run_id = uuid7()
    spool.add(run_id, {"a": 1})
    for status in (201, 200):
        spool.settle(run_id, SENT, {"status": status})
    assert spool.ids(SENT) == [run_id]
    assert json.loads(spool.read(SENT, run_id)) == {"a": 1}


def test_an_upload_that_comes_too_late_leaves_no_answer_of_its_own(spool: Spool) -> None:
    """The first upload was answered as stored; then the run was deleted."""
    run_id = uuid7()
    spool.add(run_id, {"a": 1})
    spool.settle(run_id, SENT, {"status": 201})
    spool.settle(run_id, REJECTED, {"status": 410})
    assert files(spool) == [f"sent/{run_id}.answer.json", f"sent/{run_id}.json"]
    assert spool.answer(SENT, run_id) == {"status": 201}


def test_many_agents_at_once(tmp_path: Path) -> None:
    """Agents write, settle, clean up and read in one spool; in the end, each document is there."""
    program = WRITER.replace("100_000", "20").replace("50_000", "500") + "    Spool(spool.directory)\n"
    environment = {**os.environ, "PYTHONPATH": str(AGENTS)}
    command = [sys.executable, "-c", program, str(tmp_path / "spool")]
    with contextlib.ExitStack() as stack:
        writers = [
            stack.enter_context(subprocess.Popen(command, env=environment, stdout=subprocess.PIPE)) for _ in range(4)
        ]
        assert [writer.communicate()[0].count(b"\n") for writer in writers] == [20] * 4
    spool = Spool(tmp_path / "spool")
    assert (len(spool.ids(PENDING)), len(spool.ids(SENT))) == (40, 40)
    assert len(files(spool)) == 120


def test_only_what_nobody_writes_is_abandoned(spool: Spool) -> None:
    """A process id is no proof: the writer may run in another container."""
    folder = spool.directory / PENDING
    abandoned = folder / f".tmp-{os.getpid()}-00ff"
    abandoned.touch()
    descriptor, written = make_temporary(folder)
    of_another = written.rename(folder / ".tmp-999999999-00ff")
    Spool(spool.directory)
    assert not abandoned.exists()
    assert of_another.exists()
    os.close(descriptor)
    Spool(spool.directory)
    assert not of_another.exists()


def test_a_name_that_is_not_utf_8_loses_no_document(spool: Spool) -> None:
    run_id = uuid7()
    spool.add(run_id, {"path": os.fsdecode(b"/mnt/caf\xe9")})
    assert json.loads(spool.read(PENDING, run_id)) == {"path": "/mnt/caf?"}
    spool.settle(run_id, SENT, json.loads('{"body": {"url": "\\ud800", "n": NaN}}'))
    assert spool.answer(SENT, run_id)["body"]["url"] == "?"


def test_finds_by_the_beginning_of_an_id(spool: Spool) -> None:
    run_id = uuid7()
    spool.add(run_id, {})
    assert spool.find(run_id[:13]) == (PENDING, run_id)
    for unknown in ("ffff", run_id + "0"):
        with pytest.raises(UnknownRun, match="is not the id"):
            spool.find(unknown)


def test_an_ambiguous_beginning_finds_nothing(spool: Spool) -> None:
    for _ in range(2):
        spool.add(uuid7(), {})
    with pytest.raises(UnknownRun, match="of one run"):
        spool.find("0")


def test_a_number_that_is_none_is_a_defect_and_leaves_nothing(spool: Spool) -> None:
    with pytest.raises(ValueError, match="JSON"):
        spool.add(uuid7(), {"value": float("nan")})
    assert files(spool) == []


def test_foreign_files_are_left_alone(spool: Spool) -> None:
    for name in ("notes.txt", ".tmp-mine", "x.json"):
        (spool.directory / PENDING / name).touch()
    assert Spool(spool.directory).ids(PENDING) == []
    assert len(files(spool)) == 3


@pytest.mark.parametrize("_attempt", range(5))
def test_kill_leaves_only_whole_documents(tmp_path: Path, _attempt: int) -> None:
    environment = {**os.environ, "PYTHONPATH": str(AGENTS)}
    command = [sys.executable, "-c", WRITER, str(tmp_path / "spool")]
    with subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True) as writer:
        assert writer.stdout is not None
        assert writer.stdout.readline() == "0\n"
        time.sleep(random.uniform(0, 0.3))  # the instant is the test's random input
        writer.kill()
        confirmed = max([0, *(int(line) for line in writer.stdout.read().split("\n")[:-1])])
    spool = Spool(tmp_path / "spool")
    whole = 0
    for state in STATES:
        for run_id in spool.ids(state):
            document = json.loads(spool.read(state, run_id))
            assert hashlib.sha256(document["data"].encode()).hexdigest() == document["sha256"]
            assert state != SENT or spool.answer(state, run_id)["status"] == 201
            whole += 1
    assert whole >= confirmed + 1
    assert not [name for name in files(spool) if ".tmp-" in name]


@pytest.fixture
def full_disk(tmp_path: Path) -> Iterator[Path]:
    """A file system of 64 KiB."""
    with small_disk(tmp_path / "disk", "64k") as mount:
        yield mount


def fill(disk: Path) -> Path:
    """Fill the remaining space with a file."""
    filler = disk / "filler"
    with open(filler, "wb", buffering=0) as file, contextlib.suppress(OSError):
        while True:
            file.write(b"x" * 4096)
    assert os.statvfs(disk).f_bavail == 0
    return filler


@pytest.mark.needs("root", package=None)
def test_a_full_disk_is_said_and_loses_nothing(full_disk: Path) -> None:
    spool = Spool(full_disk / "spool")
    run_id = uuid7()
    spool.add(run_id, {"small": 1})
    with pytest.raises(SpoolError, match="No space left on device"):
        spool.add(uuid7(), {"large": "x" * 10**6})
    assert files(spool) == [f"pending/{run_id}.json"]
    filler = fill(full_disk)
    with pytest.raises(SpoolError, match="No space left on device"):
        spool.settle(run_id, SENT, {"status": 201})
    assert spool.ids(PENDING) == [run_id]
    filler.unlink()
    spool.settle(run_id, SENT, {"status": 201})
    assert spool.ids(SENT) == [run_id]


@pytest.mark.needs("root", package=None)
def test_a_disk_that_fills_up_while_a_plan_runs(full_disk: Path) -> None:
    spool = Spool(full_disk / "spool")
    spool.reserve(40_000)
    fill(full_disk)
    ids = [uuid7(), uuid7()]
    for run_id in ids:
        spool.add(run_id, {"data": "x" * 2000})
    spool.release()
    assert set(spool.ids(PENDING)) == set(ids)
    assert len(files(spool)) == 2


@pytest.mark.needs("root", package=None)
def test_no_room_is_said_before_anything_is_measured(full_disk: Path) -> None:
    spool = Spool(full_disk / "spool")
    with pytest.raises(NoRoom, match=r"may take 1 MiB, and 0\.1 MiB are free\. Nothing was measured"):
        spool.reserve(2**20)
    assert files(spool) == []
    filler = fill(full_disk)
    with pytest.raises(NoRoom):
        spool.reserve(4096)
    filler.unlink()


@pytest.mark.needs("root", package=None)
def test_a_read_only_spool_can_be_read(full_disk: Path) -> None:
    run_id = uuid7()
    spool = Spool(full_disk / "spool")
    spool.add(run_id, {"a": 1})
    (spool.directory / PENDING / ".tmp-1-00ff").touch()
    subprocess.run(["mount", "-o", "remount,ro", str(full_disk)], check=True)
    spool = Spool(full_disk / "spool")
    assert json.loads(spool.read(*spool.find(run_id))) == {"a": 1}
    attempts = [
        lambda: spool.add(uuid7(), {}),
        lambda: spool.settle(run_id, SENT, {}),
        lambda: spool.reserve(4096),
        lambda: spool.note_attempt({}),
        lambda: Spool(full_disk / "other"),
    ]
    for attempt in attempts:
        with pytest.raises(SpoolError, match="Read-only file system"):
            attempt()
    assert spool.ids(PENDING) == [run_id]


def test_a_spool_that_cannot_be_is_said(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(SpoolError, match="Not a directory"):
        Spool(tmp_path / "file" / "spool")


def test_the_largest_documents_fit(spool: Spool) -> None:
    """The server accepts at most 64 MiB."""
    if shutil.disk_usage(spool.directory).free < 2**28:
        pytest.skip("needs 256 MiB of free space")
    run_id = uuid7()
    spool.add(run_id, {"data": "x" * 2**26})
    assert len(spool.read(PENDING, run_id)) == 2**26 + len('{"data":""}')
