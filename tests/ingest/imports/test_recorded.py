"""Facts that mmtests keeps beside its logs: read as facts of the runs, with nothing of the host's name and network."""

import pytest
from django.contrib.auth.models import User
from django.utils.html import escape

from benchdb.catalog.models import Environment
from benchdb.ingest.imports.recorded import take_recorded
from benchdb.ingest.imports.unpack import GivenFile
from benchdb.ingest.models import Import
from benchdb.runs.models import Run
from tests.agents.formats.texts import golden
from tests.support.imports import IOZONE, MMTESTS_STATE, MMTESTS_UNAME, begun, mmtests_files, signed_in, stored, tar
from tests.texts import missing_in

LOG = golden(IOZONE).encode()

FACTS = {
    "/kernel/name": "Linux",
    "/kernel/release": "4.18.0-184.el8.ppc64le",
    "/os/id": "rhel",
    "/os/version": "8.2",
    "/os/name": "Red Hat Enterprise Linux 8.2 (Ootpa)",
    "/cpu/architecture": "ppc64le",
    "/memory/total": 102556992 * 1024,
}


def packed(*files: dict[str, bytes]) -> GivenFile:
    return GivenFile("log.tar.gz", tar({name: content for of_run in files for name, content in of_run.items()}))


@pytest.fixture
def draft(owner: User) -> Import:
    """Two runs on two kernels."""
    return begun(owner, packed(mmtests_files("old"), mmtests_files("newer", "6.1.0-40-amd64")))


def environments(draft: Import) -> dict[str, Environment]:
    """The environment of each stored run by its label."""
    runs = Run.objects.filter(pk__in=draft.run_ids).select_related("environment", "runstate")
    return {run.runstate.labels["run"]: run.environment for run in runs}


def test_each_run_has_the_facts_beside_its_logs(draft: Import) -> None:
    found = environments(stored(draft))

    assert found["old"].facts["kernel"]["release"] == "4.18.0-184.el8.ppc64le"
    assert found["newer"].facts["kernel"]["release"] == "6.1.0-40-amd64"
    for environment in found.values():
        facts, provenance = environment.facts, environment.facts["provenance"]
        assert facts["os"] == {"id": "rhel", "version": "8.2", "name": FACTS["/os/name"]}
        assert (facts["memory"]["total"], facts["cpu"]["architecture"]) == (102556992 * 1024, "ppc64le")
        assert {provenance[pointer] for pointer in FACTS} == {"detected"}
        assert provenance["/cpu/model"] == "unknown"


def test_the_files_are_not_kept(draft: Import) -> None:
    assert [name.rpartition("/")[2] for name in draft.files.values_list("name", flat=True)] == ["iozone.log"] * 2
    assert draft.recorded == {
        "work/log/old": FACTS,
        "work/log/newer": {**FACTS, "/kernel/release": "6.1.0-40-amd64"},
    }
    assert stored(draft).recorded is None


def test_a_declared_fact_precedes_a_recorded_one(draft: Import) -> None:
    found = environments(stored(draft, kernel="6.1.0-40-amd64"))

    assert {each.facts["kernel"]["release"] for each in found.values()} == {"6.1.0-40-amd64"}
    assert found["newer"].facts["contradictions"] == []
    assert found["old"].facts["contradictions"] == [
        {
            "fact": "/kernel/release",
            "detected": "4.18.0-184.el8.ppc64le",
            "declared": "6.1.0-40-amd64",
            "kept": "declared",
        }
    ]


def test_a_fact_that_differs_between_iterations_is_left_out_and_listed(owner: User) -> None:
    draft = begun(owner, packed(mmtests_files("old"), mmtests_files("old", "5.0", iteration=1)))

    assert "/kernel/release" not in draft.recorded["work/log/old"]
    assert draft.notes == [
        ["work/log/old", "/kernel/release differs between the iterations: 4.18.0-184.el8.ppc64le, 5.0"]
    ]


def test_the_preview_shows_labels_and_recorded_facts(draft: Import, owner: User) -> None:
    page = signed_in(owner).get(draft.get_absolute_url()).content.decode()

    for run, release in (("old", "4.18.0-184.el8.ppc64le"), ("newer", "6.1.0-40-amd64")):
        assert not missing_in(
            page,
            f"run = {run}<",
            f"architecture ppc64le · memory 97.8 GiB · kernel {release} · distribution {escape(FACTS['/os/name'])}<",
        )
    assert not missing_in(
        page,
        "the same log of all iterations of mmtests is one run",
        "The facts that mmtests recorded are listed with the runs",
    )
    assert "secret-host" not in page


def test_the_preview_shows_labels_that_were_entered(draft: Import, owner: User) -> None:
    client = signed_in(owner)
    for entered, shown in (("who = <b>me</b>", "run = old · who = &lt;b&gt;me&lt;/b&gt;<"), ("faulty", "run = old<")):
        client.post(draft.get_absolute_url(), {"machine": "m", "labels": entered, "do": "show"})
        assert shown in client.get(draft.get_absolute_url()).content.decode()


def test_other_files_keep_the_plain_choice(owner: User) -> None:
    draft = begun(owner, GivenFile("a.txt", LOG), GivenFile("b.txt", LOG + b"\n"))
    page = signed_in(owner).get(draft.get_absolute_url()).content.decode()

    assert "each file is a run of its own</label>" in page
    assert "mmtests" not in page


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("a/iter-0/kernel.version", "FreeBSD host 14.0 #1\n"),
        ("a/iter-0/kernel.version", "Linux host 6.1\nLinux other 6.2\n"),
        ("a/iter-0/kernel.version", "Linux a b #" + " " * 100_000 + "\x00"),
        ("a/iter-0/os-release", "NAME=Linux\nID=\nVERSION_ID=\x1b[31m\n"),
        ("a/iter-0/os-release", "ID=" + " " * 100_000 + "\n"),
        ("a/iter-0/tests-sysstate", "arch :: \n"),
        ("a/iter-0/lscpu.txt", "Architecture:        ppc64le\n"),
        ("a/kernel.version", MMTESTS_UNAME),
        ("kernel.version", MMTESTS_UNAME),
        ("a/iter-0/b/kernel.version", MMTESTS_UNAME),
    ],
)
def test_a_file_of_another_form_or_place_is_no_fact(name: str, content: str) -> None:
    files = [GivenFile(name, content.encode()), GivenFile("a/iter-0/iozone/logs/l", LOG)]
    assert take_recorded(files) == (files, {}, [])


def test_facts_without_any_output_are_ordinary_files() -> None:
    files = [GivenFile("a/iter-0/kernel.version", MMTESTS_UNAME.encode())]
    assert take_recorded(files) == (files, {}, [])


def test_absurd_amounts_of_memory_are_no_fact() -> None:
    state = MMTESTS_STATE.replace("102556992", "9" * 15).encode()
    files = [GivenFile("a/iter-0/tests-sysstate", state), GivenFile("a/iter-0/iozone/logs/l", LOG)]
    _, recorded, _ = take_recorded(files)
    assert recorded == {"a": {"/cpu/architecture": "ppc64le", "/memory/total": 999_999_999_999_999 * 1024}}
