"""What goes with a difference: the sentences, the tables, the files, the links, and the readers of the page."""

import csv
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from benchdb.runs.models import Run
from tests.support.comparing.comparisons import SPREAD, values
from tests.support.comparing.sampled import sampled
from tests.support.documents import MIB, result
from tests.support.html import parse
from tests.support.store import store_run

pytestmark = pytest.mark.django_db
MORE_FLUSHES = {"device_flushes": 4198.4, "device_writes": 12288.0}


def side(owner: User, name: str, mean: float = 100 * MIB, tests: tuple[str, ...] = ("write",), **run: Any) -> Run:
    results = [result(values(mean), test, record_size=MIB) for test in tests]
    return store_run(owner, file_system=name, rounds=len(SPREAD), results=results, **run)


def pair(owner: User, mean: float = 70 * MIB, **changed: float) -> list[Run]:
    return [side(owner, "ext4", series=sampled()), side(owner, "xfs", mean, series=sampled(**changed))]


def query(runs: list[Run]) -> str:
    return "&".join(f"run={run.id}" for run in runs)


def address(runs: list[Run], key: str = "0-1-0", kind: str = "/") -> str:
    return f"/compare/goes-with{kind}?{query(runs)}&cell={key}"


def test_changed_quantities_are_ranked_beside_the_verdict(ada: Client, owner: User) -> None:
    page = ada.get(address(pair(owner, **MORE_FLUSHES))).context
    (rival,) = page["rivals"]
    assert (rival["label"], page["baseline"], page["work"]) == ("xfs", "ext4", "MiB requested")
    assert rival["verdicts"][0].startswith("Worse: 30.0 % slower")
    assert rival["different"]
    assert [sentence.partition(" (")[0] for sentence in rival["sentences"]] == [
        "Flushes of the device per MiB requested: 4.1× higher",
        "Write requests per MiB requested: 3× higher",
        "Size of a write request: 3× lower",
    ]
    assert rival["sentences"][0].endswith("), from 1.00 to 4.10")
    assert rival["sentences"][2].endswith("), from 256 KiB to 85.4 KiB")
    assert [line["rank"] for line in rival["changed"]] == [1, 2, 3, 4]
    assert (rival["changed"][3]["baseline"], rival["changed"][3]["rival"]) == ("2.00 ms", "667 µs")
    unchanged = {line["label"]: line["baseline"] for line in rival["unchanged"]}
    assert (unchanged["Device busy"], unchanged["Dirty data"]) == ("50.0 %", "256 MiB")
    assert unchanged["Temperature of the processors"] == "50 °C"
    assert unchanged["Bytes written to the device per MiB requested"] == "1 MiB"
    assert rival["conditions"] == []


def test_nothing_goes_with_a_difference_of_equal_machines(ada: Client, owner: User) -> None:
    answer = ada.get(address(pair(owner)))
    (rival,) = answer.context["rivals"]
    assert rival["changed"] == []
    assert "No sampled quantity changed with it by more than 5\N{NO-BREAK SPACE}%." in answer.content.decode()


def test_equal_speed_is_no_difference(ada: Client, owner: User) -> None:
    page = ada.get(address(pair(owner, mean=100 * MIB, **MORE_FLUSHES)))
    assert not page.context["rivals"][0]["different"]
    assert "No difference was shown, but these quantities of the machine changed:" in page.content.decode()


def test_the_state_of_the_machine_is_a_warning(ada: Client, owner: User) -> None:
    (rival,) = ada.get(address(pair(owner, temperature_cpu=71.0))).context["rivals"]
    assert (rival["conditions"], rival["sentences"]) == (
        ["temperature of the processors: +21 °C, from 50 °C to 71 °C"],
        [],
    )


def test_the_guard_has_the_frequency_and_the_stolen_time_of_the_rounds(ada: Client, owner: User) -> None:
    first = {"cpu_frequency": 3.4e9, "cpu_stolen": 0.1}
    slow = [side(owner, "ext4", series=sampled(**first)), side(owner, "xfs", series=sampled(**first))]
    slow += [side(owner, "btrfs", series=sampled(cpu_frequency=2.4e9, cpu_stolen=5.0)), side(owner, "jfs")]
    found = {each["name"]: each for each in ada.get(f"/compare/table.json?{query(slow)}").json()["differences"]}
    frequency, stolen = found["frequency_inside"], found["stolen_inside"]
    assert [value["value"] for value in frequency["values"]] == ["3.4 GHz", "2.4 GHz"]
    assert frequency["values"][0]["where"] == ["ext4", "xfs"]
    assert [value["value"] for value in stolen["values"]] == ["0.01", "0.50"]
    assert (frequency["severe"], stolen["severe"]) == (True, True)


@pytest.mark.parametrize(
    ("changed", "sentence"),
    [
        ({"device_flushes": 0.0}, "Flushes of the device per MiB requested: none, against 1.00"),
        ({"journal_forces": 512.0}, None),  # the baseline does not have this counter
    ],
)
def test_none_is_a_word(ada: Client, owner: User, changed: dict[str, float], sentence: str | None) -> None:
    (rival,) = ada.get(address(pair(owner, **changed))).context["rivals"]
    assert rival["sentences"] == ([sentence] if sentence else [])


def test_several_runs_are_the_sample(ada: Client, owner: User) -> None:
    runs = [run for _ in range(3) for run in pair(owner, **MORE_FLUSHES)]
    (rival,) = ada.get(address(runs) + "&rows=file_system").context["rivals"]
    assert rival["sentences"][0].startswith("Flushes of the device per MiB requested: 4.1× higher")
    assert [link["text"] for link in rival["rounds"]][2:4] == ["xfs, run 3", "ext4, run 1"]


def test_rounds_without_known_work_are_compared_as_they_are(ada: Client, owner: User) -> None:
    runs = pair(owner, **MORE_FLUSHES)
    rounds = [{**each, "evidence": None} for each in runs[1].rounds]
    Run.objects.filter(pk=runs[1].pk).update(rounds=rounds)
    page = ada.get(address(runs)).context
    assert page["work"] == "round"
    assert page["rivals"][0]["sentences"][0].endswith("), from 1\u202f024 to 4\u202f198")


def test_files_have_every_tested_quantity(ada: Client, owner: User) -> None:
    runs = pair(owner, **MORE_FLUSHES)
    lines = list(csv.DictReader(ada.get(address(runs, kind=".csv")).content.decode().splitlines()))
    objects = ada.get(address(runs, kind=".json")).json()
    assert [line["quantity"] for line in lines] == [each["quantity"] for each in objects]
    assert (lines[0]["rank"], lines[0]["quantity"], lines[0]["per"]) == ("1", "device_flushes", "byte")
    assert objects[0]["ratio"] == pytest.approx(4.1, rel=0.01)
    assert objects[0]["rival_mean"] == pytest.approx(4.1 / MIB, rel=0.01)
    assert objects[-1]["rank"] is None
    assert ada.get(address(runs, kind=".xml")).status_code == 404


def test_tables_lead_to_the_page_if_runs_have_samples(ada: Client, owner: User) -> None:
    runs = pair(owner, **MORE_FLUSHES)
    panels = ada.get(f"/compare/panels?{query(runs)}&row=0-1").json()
    (href,) = {panel["views"]["goes_with"] for panel in panels.values()}
    assert ada.get(href).status_code == 200
    chosen = parse(ada.get(f"/compare/?{query(runs)}&cell=0-1-0").content.decode())
    assert ada.get(chosen.links["What goes with it"]).status_code == 200
    without = [side(owner, "ext4"), side(owner, "xfs", 70 * MIB)]
    assert "What goes with it" not in ada.get(f"/compare/?{query(without)}&cell=0-1-0").content.decode()
    assert ada.get(address(without)).status_code == 404


@pytest.mark.parametrize("key", ["0-0-0", "0-9-0", "nonsense"])
def test_any_cell_of_the_rivals_has_the_page(ada: Client, owner: User, key: str) -> None:
    assert ada.get(address(pair(owner), key)).status_code == (200 if key == "0-0-0" else 404)


def test_private_runs_are_seen_by_their_owner_only(client: Client, owner: User) -> None:
    runs = [side(owner, name, series=sampled(), visibility="private") for name in ("ext4", "xfs")]
    assert client.get(address(runs)).status_code == 404
    client.force_login(owner)
    assert client.get(address(runs)).status_code == 200


def test_the_number_of_queries_does_not_grow(ada: Client, owner: User) -> None:
    def queries(rivals: int, *tests: str) -> int:
        names = ("ext4", "xfs", "btrfs")[:rivals]
        runs = [side(owner, name, tests=tests, series=sampled()) for name in names]
        with CaptureQueriesContext(connection) as captured:
            assert len(ada.get(address(runs, "0-1-0")).context["rivals"]) == rivals - 1
        return len(captured)

    queries(2, "write")  # fills the caches
    assert queries(2, "write") == queries(3, "write", "read", "rewrite")
