"""Results are kept in the spool, or elsewhere if it is full; a bad document does not affect the others."""

import io
import json
import os
import subprocess
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from benchagent.documents.ids import uuid7
from benchagent.documents.records import CampaignFrame, PointRecord, RawOutput, Round
from benchagent.documents.run import document
from benchagent.errors import NoRoom, Rescued, ServerUnreachable, SpoolError
from benchagent.plan.model import Plan
from benchagent.plan.reading import load
from benchagent.progress import PlainLines
from benchagent.server.client import Client, Patience
from benchagent.spool.keeper import LEAST, MOST, Keeper, expected_size
from benchagent.spool.store import PENDING, SENT, Spool
from tests.agents.spool.test_store import full_disk as full_disk  # a fixture
from tests.agents.support.server import Say, serving
from tests.texts import missing_in

PLAN = """
name = "test"
{rounds}
[[targets]]
kind = "directory"
path = "/tmp"
{workloads}
"""
WORKLOAD = '[[workloads]]\nname = "w{}"\ntool = "iozone"\nfile_sizes = ["1 MiB"]\nrecord_sizes = ["4 KiB"]\n'
STORED = Say(201, {"url": "/runs/1", "state": "received"})
ONCE = Patience(attempts=1)
root = pytest.mark.needs("root", package=None)


def plan(points: int = 2, rounds: str = "rounds = 1") -> Plan:
    return load(PLAN.format(rounds=rounds, workloads="".join(WORKLOAD.format(n) for n in range(points))))


def records(of: Plan, output: str = "") -> list[PointRecord]:
    """Records of points, each measured once, whose tool printed `output`."""
    artifacts = (RawOutput("round-1/iozone.txt", "text/plain", output),)
    measured = Round(datetime.now(UTC), 1.0, 0, artifacts=artifacts)
    return [PointRecord(point, rounds=[measured]) for point in of.points()]


def frame(of: Plan) -> CampaignFrame:
    return CampaignFrame(plan=of, campaign_id="c", machine={"name": "m"}, environment={})


def keeper(spool: Spool, *places: Path) -> tuple[Keeper, io.StringIO]:
    said = io.StringIO()
    return Keeper(spool, PlainLines(said), [str(place) for place in places]), said


def rescued_in(place: Path) -> list[Spool]:
    return [Spool(path) for path in sorted(place.glob("benchagent-rescued-*"))]


def test_every_measured_point_becomes_a_document(spool: Spool) -> None:
    of, (keeping, output) = plan(3), keeper(spool)
    measured = records(of)
    measured[1].rounds.clear()
    keeping.reserve(of)
    keeping.keep(measured, frame(of))
    keeping.deliver(None)
    points = {json.loads(spool.read(PENDING, run_id))["campaign"]["point"] for run_id in spool.ids(PENDING)}
    assert points == {"directory/w0", "directory/w2"}
    assert len(os.listdir(spool.directory / PENDING)) == 2
    assert output.getvalue().count("Kept directory/w") == 2


@root
def test_what_the_spool_has_no_room_for_goes_elsewhere_and_to_the_server(full_disk: Path, tmp_path: Path) -> None:
    """The document is sent from there in the same way; the exit code shows that the spool needs attention."""
    of, spool, elsewhere = plan(2), Spool(full_disk / "spool"), tmp_path / "elsewhere"
    elsewhere.mkdir()
    small, large = records(of)[0], records(of, "x" * 100_000)[1]
    keeping, output = keeper(spool, full_disk, tmp_path / "nowhere", elsewhere)
    keeping.keep([large, small], frame(of))
    with serving(STORED) as server, pytest.raises(Rescued) as told:
        keeping.deliver(Client(server.url, "secret", ONCE))
    [rescue] = rescued_in(elsewhere)
    assert (len(spool.ids(SENT)), len(rescue.ids(SENT)), len(server.received)) == (1, 1, 2)
    assert told.value.exit_code == 6
    assert not missing_in(
        str(told.value),
        f"No space left on device. 1 of 2 documents are in {rescue.directory} instead",
        f"`benchagent upload --spool {rescue.directory}`",
    )
    assert not missing_in(
        output.getvalue(),
        f"Kept directory/w1 in {rescue.directory}/pending/",
        "nowhere takes no document either",
    )


@root
def test_a_spool_that_became_read_only_while_measuring(full_disk: Path, tmp_path: Path) -> None:
    of, spool = plan(2), Spool(full_disk / "spool")
    subprocess.run(["mount", "-o", "remount,ro", str(full_disk)], check=True)
    keeping, _ = keeper(spool, tmp_path)
    keeping.keep(records(of), frame(of))
    with pytest.raises(Rescued, match=r"Read-only file system\. 2 of 2 documents"):
        keeping.deliver(None)
    [rescue] = rescued_in(tmp_path)
    assert len(rescue.ids(PENDING)) == 2


@root
def test_without_any_room_the_error_says_so(full_disk: Path) -> None:
    of, spool = plan(1), Spool(full_disk / "spool")
    keeping, said = keeper(spool, full_disk)
    with pytest.raises(SpoolError, match="No space left on device"):
        keeping.keep(records(of, "x" * 100_000), frame(of))
    assert "takes no document either: " in said.getvalue()


@root
def test_room_is_asked_for_before_anything_is_measured(full_disk: Path) -> None:
    keeping, _ = keeper(Spool(full_disk / "spool"))
    with pytest.raises(NoRoom, match="Nothing was measured"):
        keeping.reserve(plan())


@root
def test_the_server_has_decided_and_the_disk_is_full(full_disk: Path) -> None:
    """All documents are sent; those whose answer could not be saved are sent again later, and not stored twice."""
    of, spool = plan(2), Spool(full_disk / "spool")
    keeping, output = keeper(spool)
    keeping.keep(records(of), frame(of))
    filler = full_disk / "filler"
    filler.write_bytes(b"x" * 4096 * (os.statvfs(full_disk).f_bavail))
    with serving(STORED) as server:
        client = Client(server.url, "secret", ONCE)
        with pytest.raises(SpoolError, match="No space left on device"):
            keeping.deliver(client)
        assert len(server.received) == 2
        assert len(spool.ids(PENDING)) == 2
        filler.unlink()
        keeping.deliver(client)
    assert len(spool.ids(SENT)) == 2
    assert "The server has decided about directory/w0" in output.getvalue()


def test_one_document_that_cannot_be_made_costs_no_other(spool: Spool) -> None:
    of, (keeping, _) = plan(3), keeper(spool)
    measured = records(of)
    measured[0].state_before = {"fill": float("nan")}
    keeping.reserve(of)
    with pytest.raises(ValueError, match="JSON"):
        keeping.keep(measured, frame(of))
    assert len(spool.ids(PENDING)) == 2
    assert len(os.listdir(spool.directory / PENDING)) == 2


def test_what_waited_before_is_sent_too(spool: Spool) -> None:
    """A server that was down last night gets the documents of both nights."""
    of, (keeping, _) = plan(1), keeper(spool)
    keeping.keep(records(of), frame(of))
    with serving(Say(503)) as server, pytest.raises(ServerUnreachable):
        keeping.deliver(Client(server.url, "secret", ONCE))
    again, _ = keeper(spool)
    again.keep(records(of), frame(of))
    with serving(STORED) as server:
        again.deliver(Client(server.url, "secret", ONCE))
    assert (len(server.received), len(spool.ids(SENT))) == (2, 2)


def test_a_clock_that_is_set_back_while_measuring() -> None:
    """The run ends after it began, whatever the dates of its rounds are, and each id is new."""
    of = plan(1)
    [record] = records(of)
    [first] = record.rounds
    record.rounds.append(replace(first, started_at=first.started_at - timedelta(days=20_000), elapsed=3.0))
    made = [document(uuid7(), record, frame(of)) for _ in range(2)]
    started, finished = (datetime.fromisoformat(made[0][key]) for key in ("started_at", "finished_at"))
    assert started == first.started_at - timedelta(days=20_000)
    assert finished == first.started_at + timedelta(seconds=1)
    assert made[0]["run_id"] != made[1]["run_id"]


def test_the_reserve_grows_with_the_plan_within_bounds() -> None:
    assert expected_size(plan(1)) == LEAST
    assert LEAST < expected_size(plan(10, "rounds = 20")) < MOST
    assert LEAST < expected_size(plan(10, 'time_budget = "1 h"')) < MOST
    assert expected_size(plan(100, "rounds = 1000")) == MOST
