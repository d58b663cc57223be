"""The recorded runs: valid documents, labelled with the day, of no machine that anybody could name, and small."""

import json
import re
import tomllib
from urllib.parse import urlencode

import pytest
from django.contrib.auth.models import User
from django.test import Client
from PIL import Image

from benchdb.demo.recordings import CACHE, NAMES, OPTION, RECORDED, day, lines, runs_of
from benchdb.ingest.contract import validate, validate_campaign
from benchdb.variables import BASE_DIR
from tests.support.html import read
from tests.support.store import store_run

README, SHOWN = BASE_DIR / "docs/pictures/comparison.png", "Page"  # and the key of the page's text in it
MOST_BYTES = 5_000_000
# Places of the recording machine, and addresses of networks. Tools' own words such as /dev/null are none.
PRIVATE = re.compile(rb"/(?:home|root|tmp|work|var|mnt|srv|process_api)\b|\b\d+(?:\.\d+){3}\b|(?:[0-9a-f]{2}:){5}")


@pytest.mark.parametrize("name", NAMES)
def test_a_recording_is_what_an_agent_sends(name: str) -> None:
    *runs, announced, ended = lines(name)
    for line in runs:
        validate(line)
    plan = validate_campaign(ended).document.plan
    assert json.loads(announced)["campaign_id"] == json.loads(ended)["campaign_id"]
    assert plan.text == (RECORDED / "plans" / f"{name}.toml").read_text()
    assert len(json.loads(ended)["points"]) == len(runs), "a point has no run"
    assert all(round_["status"] == "ok" for run in runs_of(name) for round_ in run["rounds"])


@pytest.mark.parametrize("name", NAMES)
def test_every_recorded_run_says_so_and_when(name: str) -> None:
    for run in runs_of(name):
        assert (run["labels"]["recorded"], run["machine"]["name"]) == (day(), f"recorded-vm-{day()}")
        assert run["started_at"].startswith(day())
        assert (run["visibility"], run["environment"]["virtualization"]["kind"]) == ("public", "kvm")


@pytest.mark.parametrize("name", NAMES)
def test_a_recording_does_not_say_where_it_was_made(name: str) -> None:
    found = [match for line in lines(name) for match in PRIVATE.findall(line)]
    assert found == []
    assert {run["environment"]["kernel"]["command_line"] for run in runs_of(name)} == {None}


def test_the_recordings_are_small_and_complete() -> None:
    files = {file.name.partition(".")[0]: file.stat().st_size for file in RECORDED.glob("*.xz")}
    assert set(files) == set(NAMES) == {file.stem for file in (RECORDED / "plans").glob("*.toml")}
    assert sum(files.values()) <= MOST_BYTES


def test_a_mount_option_really_changed_after_25_of_40_runs() -> None:
    runs = [run for run in runs_of(OPTION) if run["workload"]["tool"] == "fsload"]
    assert [("data=journal" in run["target"]["mount"]["options"]) for run in runs] == [False] * 25 + [True] * 15
    assert len(tomllib.loads((RECORDED / "plans" / f"{OPTION}.toml").read_text())["targets"]) == 1


def recorded_sweep(owner: User) -> str:
    """The address of the comparison in README, whose runs are stored now."""
    swept = [run for run in runs_of(CACHE) if run["workload"]["tool"] == "iozone"]
    runs = [str(store_run(owner, {**run, "campaign": None}).pk) for run in swept]
    return f"/compare/?{urlencode({'run': runs}, doseq=True)}"


def test_the_picture_in_readme_is_of_today(owner: User, client: Client) -> None:
    """Else `make screenshots ONLY=readme OUT=docs/pictures` makes it anew."""
    with Image.open(README) as picture:
        assert picture.info[SHOWN].split() == read(client.get(recorded_sweep(owner))).text.split()
