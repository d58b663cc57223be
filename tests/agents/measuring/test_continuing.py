"""`benchagent run --continue`: real runs that grow, refusals, and the server that takes the grown run."""

import json
import signal
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import User

from benchdb.runs.models import Run
from tests.agents.measuring.test_run import DIRECTORY, IMAGE, Agent, agent, events, iozone, loop_devices, root
from tests.support.store import store_run
from tests.support.waiting import wait_until
from tests.texts import missing_in

__all__ = ["agent"]  # a fixture

WORKLOAD = """
[[workloads]]
tool = "iozone"
file_sizes = ["64 KiB"]
record_sizes = ["4 KiB"]
tests = ["write", "read"]
"""
TWO = WORKLOAD + WORKLOAD.replace('tool = "iozone"', 'tool = "iozone"\nname = "other"')


def sent_by(agent: Agent) -> list[dict[str, Any]]:
    """The documents of the spool, the oldest first."""
    return [json.loads(path.read_bytes()) for path in sorted((agent.spool / "pending").glob("*.json"))]


def grown(agent: Agent, *arguments: str) -> list[dict[str, Any]]:
    """The new documents after a continuation."""
    before = {document["run_id"] for document in sent_by(agent)}
    done = agent("run", "--directory", str(agent.directory), *arguments)
    assert done.returncode == 0, done.stderr
    return [document for document in sent_by(agent) if document["run_id"] not in before]


@iozone
def test_a_run_grows_by_as_many_rounds_as_it_has(agent: Agent) -> None:
    assert agent.run("rounds = 2\n" + DIRECTORY + WORKLOAD).returncode == 0
    (first,) = sent_by(agent)
    (second,) = grown(agent, "--continue", first["run_id"])
    assert second["continues"] == {"run_id": first["run_id"], "look": 2, "rounds": 2}
    assert ([each["position"] for each in second["rounds"]], second["rounds"][:2]) == ([0, 1, 2, 3], first["rounds"])
    assert {name for names in second["results"]["artifacts"] for name in names} == {
        f"round-{number}/iozone.txt" for number in (1, 2, 3, 4)
    }
    assert second["campaign"] == first["campaign"]
    assert len(list((agent.spool / "campaigns" / "pending").glob("*.json"))) == 1  # no campaign of its own
    assert agent.documents()["directory/iozone"].rounds


@iozone
def test_the_server_puts_it_in_the_place_of_the_first(agent: Agent, owner: User) -> None:
    assert agent.run("rounds = 2\n" + DIRECTORY + WORKLOAD).returncode == 0
    (first,) = sent_by(agent)
    (second,) = grown(agent, "--continue", first["run_id"], "--rounds", "1")
    (third,) = grown(agent, "--continue", second["run_id"], "--rounds", "1")
    for document in (first, second, third):
        store_run(owner, document)
    (run,) = Run.objects.listed_for(owner)
    assert (str(run.pk), run.look, run.round_count) == (third["run_id"], 3, 4)


@root
@loop_devices
@iozone
def test_several_runs_of_one_campaign_grow_in_turns(agent: Agent) -> None:
    assert agent.run("rounds = 2\n" + IMAGE + WORKLOAD).returncode == 0
    first = [document for document in sent_by(agent) if document["workload"]["tool"] == "iozone"]
    options = [word for document in first for word in ("--continue", document["run_id"])]
    second = grown(agent, *options, "--rounds", "2")
    assert {document["campaign"]["point"] for document in second} == {"ext2/iozone", "ext4/iozone"}
    positions = sorted(each["position"] for document in second for each in document["rounds"][2:])
    assert positions == list(range(positions[0], positions[0] + 4))
    assert positions[0] == 1 + max(each["position"] for document in first for each in document["rounds"])
    starts = sorted((each["started_at"], document["run_id"]) for document in second for each in document["rounds"][2:])
    assert len({run_id for _, run_id in starts[:2]}) == len({run_id for _, run_id in starts[2:]}) == 2


@iozone
def test_rounds_of_a_killed_agent_are_joined_at_its_next_start(agent: Agent) -> None:
    assert agent.run("rounds = 2\n" + DIRECTORY + WORKLOAD).returncode == 0
    (first,) = sent_by(agent)
    where = ("--directory", str(agent.directory))
    with agent.start("run", "--continue", first["run_id"], "--rounds", "10000", *where, "--json") as process:
        assert process.stdout is not None
        wait_until(lambda: json.loads(process.stdout.readline())["event"] == "round_finished")  # type: ignore[union-attr]
        process.send_signal(signal.SIGKILL)
        process.communicate()
    assert agent("clean").returncode == 0
    _, second = sent_by(agent)
    assert second["continues"]["run_id"] == first["run_id"]
    assert len(second["rounds"]) > 2


@iozone
def test_every_reason_against_a_continuation_is_listed(agent: Agent) -> None:
    assert agent.run("rounds = 2\n" + DIRECTORY + WORKLOAD).returncode == 0
    (first,) = sent_by(agent)
    (second,) = grown(agent, "--continue", first["run_id"], "--rounds", "1")
    assert agent.run("rounds = 2\n" + DIRECTORY + WORKLOAD).returncode == 0
    third = sent_by(agent)[-1]
    refused = agent("run", "--continue", first["run_id"], "--continue", third["run_id"])
    assert refused.returncode == 15
    assert not missing_in(
        refused.stderr,
        f"was continued as run {second['run_id']}",
        "of several campaigns",
        "two of the runs are of the point",
    )


@iozone
def test_another_machine_and_another_kernel_are_refused(agent: Agent) -> None:
    assert agent.run("rounds = 2\n" + DIRECTORY + WORKLOAD).returncode == 0
    (first,) = sent_by(agent)
    first["machine"] |= {"machine_id": "5a" * 32, "name": "elsewhere"}
    first["environment"]["kernel"]["release"] = "2.4.0"
    path: Path = agent.spool / "pending" / f"{first['run_id']}.json"
    path.write_text(json.dumps(first))
    refused = agent("run", "--continue", first["run_id"], "--directory", str(agent.directory))
    assert refused.returncode == 15
    assert not missing_in(refused.stderr, "the runs are of another machine, elsewhere", "the machine's kernel changed")


@iozone
def test_what_changed_meanwhile_keeps_the_new_rounds_apart(agent: Agent) -> None:
    assert agent.run("rounds = 2\n" + DIRECTORY + WORKLOAD).returncode == 0
    (first,) = sent_by(agent)
    first["workload"]["tool_version"] = "0.1"
    (agent.spool / "pending" / f"{first['run_id']}.json").write_text(json.dumps(first))
    done = agent("run", "--continue", first["run_id"], "--directory", str(agent.directory), "--json")
    assert done.returncode == 0
    (told,) = [event for event in events(done.stdout) if event["event"] == "not_joined"]
    assert told["why"] == "workload.tool_version"
    second = sent_by(agent)[-1]
    assert "continues" not in second
    assert len(second["rounds"]) == 2


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ((), "Name a PLAN to measure, or a run to --continue."),
        (("demo", "--rounds", "3"), "--rounds is for --continue"),
        (("--continue", "0190"), "is not the id, or the beginning of the id, of one run in the spool"),
    ],
)
def test_senseless_options_are_refused(agent: Agent, arguments: tuple[str, ...], words: str) -> None:
    done = agent("run", *arguments)
    assert done.returncode != 0
    assert words in done.stderr
