"""`/api/v1/imports`: raw files sent by programs, from the upload to the stored run."""

import json
from typing import Any
from uuid import UUID

import pytest
from django.contrib.auth.models import User
from django.core.files.uploadedfile import SimpleUploadedFile
from django.http import HttpResponse
from django.test import Client

from benchagent import formats
from benchdb.ingest.imports import background, services
from benchdb.ingest.models import Import, ImportState, Scope
from benchdb.ingest.reparse import reparse
from benchdb.runs.models import Result, Run
from tests.agents.formats.texts import GOLDEN, golden
from tests.support.api import error_of, table_sizes
from tests.support.documents import document, uuid7
from tests.support.imports import BONNIE, IOZONE, begun, given, tar
from tests.support.store import make_token, make_user

Body = dict[str, Any]


@pytest.fixture
def api(client: Client, secret: str) -> Any:
    """`api(method, path, body)` sends a request as a program of `owner`; `files` maps names to bytes."""

    def send(
        method: str, path: str = "", body: Body | None = None, files: dict[str, bytes] | None = None, **fields: str
    ) -> HttpResponse:
        headers = {"Authorization": f"Bearer {secret}"}
        address = f"/api/v1/imports{path}"
        if files is not None:
            chosen = [SimpleUploadedFile(name, content) for name, content in files.items()]
            return client.post(address, {"files": chosen, **fields}, headers=headers)
        return client.generic(method, address, json.dumps(body or {}), "application/json", headers=headers)

    return send


def test_from_the_files_to_the_runs(api: Any, client: Client) -> None:
    answer = api(
        "POST", files={IOZONE: golden(IOZONE).encode(), "x.tgz": tar({"b.csv": golden(BONNIE).encode(), "n": b"no"})}
    )

    assert answer.status_code == 201
    background.read_files(answer.json()["id"])
    draft = api("GET", f"/{answer.json()['id']}").json()
    assert (draft["state"], draft["runs"], draft["left_out"]) == ("ready", [], [])
    assert [(file["name"], file["state"], file["tool"]) for file in draft["files"]] == [
        (IOZONE, "read", "iozone"),
        ("b.csv", "read", "bonnie++"),
        ("n", "refused", None),
    ]
    assert (draft["files"][2]["line"], draft["files"][2]["column"]) == (1, 1)
    assert "no supported tool printed this" in draft["files"][2]["reason"]
    answer = api(
        "POST", f"/{draft['id']}/store", {"machine": "old-1", "facts": {"memory": "2 GiB"}, "visibility": "public"}
    )
    assert answer.status_code == 200
    stored = answer.json()
    assert stored["state"] == "stored"
    for run in stored["runs"]:
        assert client.get(f"/api/v1/runs/{run['run_id']}").status_code == 200
    assert {run.environment.memory for run in Run.objects.with_context()} == {2 << 30}
    before = table_sizes()
    again = api("POST", f"/{draft['id']}/store", {"machine": "other"})
    assert (again.status_code, again.json()["runs"], table_sizes()) == (200, stored["runs"], before)


def test_results_come_in_base_units_with_their_lines(api: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("benchdb.api.routes.imports.RESULTS_A_PAGE", 100)
    import_id = api("POST", files={IOZONE: golden(IOZONE).encode()}).json()["id"]
    background.read_files(import_id)

    results: list[Body] = []
    start: int | None = 0
    while start is not None:
        part = api("GET", f"/{import_id}/files/0?start={start}").json()
        results, start = results + part["results"], part["next"]
    assert [(result["test"], result["values"], result["lines"], result["unit"]) for result in results] == [
        (parsed.test, list(parsed.values), list(parsed.lines), parsed.unit)
        for parsed in formats.parse(golden(IOZONE)).results
    ]
    assert api("GET", f"/{import_id}/files/9").status_code == 404


def test_a_long_import_is_read_and_stored_by_workers(api: Any) -> None:
    draft = api("POST", files={IOZONE: golden(IOZONE).encode() + b"\n" * services.AT_ONCE}).json()

    path = f"/{draft['id']}"
    assert draft["state"] == "reading"
    assert error_of(api("POST", f"{path}/store", {"machine": "m"}), 409)["code"] == "not_ready"
    background.read_files(draft["id"])
    assert api("GET", f"{path}/state").json()["state"] == "ready"
    answer = api("POST", f"{path}/store", {"machine": "m"})
    assert (answer.status_code, answer.json()["state"]) == (202, "storing")
    assert api("POST", f"{path}/store", {"machine": "m"}).status_code == 202
    background.store_runs(draft["id"])
    assert api("GET", path).json()["state"] == "stored"


def test_every_fault_is_told_with_its_place(api: Any, owner: User) -> None:
    draft = begun(owner, *given(IOZONE))
    body = {
        "machine": "a\nb",
        "facts": {"memory": "much", "colour": "red"},
        "labels": {"a": "b\nc = d"},
        "leave_out": [7],
        "detect": {"schema": "?"},
        "measured_at": "1960-01-01T00:00:00Z",
    }

    error = error_of(api("POST", f"/{draft.pk}/store", body), 422)

    assert {fault["pointer"] for fault in error["faults"]} == {
        "/machine",
        "/facts/memory",
        "/facts/colour",
        "/leave_out",
        "/detect",
        "/measured_at",
        "/labels",
    }
    assert not Run.objects.exists()
    draft.refresh_from_db()
    assert draft.state == ImportState.READY


@pytest.mark.parametrize(
    "body", [{}, {"machine": ""}, {"machine": "m", "runs": "all"}, {"machine": 5}, {"machine": "m", "facts": []}]
)
def test_bodies_of_another_shape_are_refused(api: Any, owner: User, body: Body) -> None:
    draft = begun(owner, *given(IOZONE))

    assert error_of(api("POST", f"/{draft.pk}/store", body), 422)["faults"]


def test_faults_of_the_document_are_told(api: Any, owner: User) -> None:
    draft = begun(owner, *given(IOZONE))
    file = draft.files.get()
    file.head = {**file.head, "clock_resolution": -1}
    file.save()

    error = error_of(api("POST", f"/{draft.pk}/store", {"machine": "m"}), 422)

    assert [fault["pointer"] for fault in error["faults"]] == ["/workload/clock_resolution"]


def test_facts_of_detect_are_detected(api: Any, owner: User) -> None:
    sent = document()
    draft = begun(owner, *given(IOZONE))
    detect = {"schema": "benchagent.detect/1", **{name: sent[name] for name in ("machine", "environment", "target")}}

    assert api("POST", f"/{draft.pk}/store", {"machine": sent["machine"]["name"], "detect": detect}).status_code == 200

    run = Run.objects.with_context().get()
    assert run.environment.cpu_model == sent["environment"]["cpu"]["model"]
    assert run.machine.machine_id == sent["machine"]["machine_id"]


def test_runs_of_a_database_are_stored(api: Any) -> None:
    database = (GOLDEN / "databases" / "fsperf.db").read_bytes()
    draft = api("POST", files={"fsperf-results.db": database, "damaged.db": database[:9000]}).json()
    background.read_files(draft["id"])
    read, damaged = api("GET", f"/{draft['id']}").json()["files"]
    assert (read["tool"], damaged["state"]) == ("fsperf", "refused")
    assert "the database is damaged" in damaged["reason"]

    (stored,) = api("POST", f"/{draft['id']}/store", {"machine": "vm-1"}).json()["runs"]
    untar = Result.objects.get(run=stored["run_id"], test="run", params__config="ext4", params__purpose="continuous")
    assert untar.lines == [10, 11, 12]


@pytest.mark.parametrize(
    ("files", "status", "says"),
    [
        ({}, 422, "The import is empty"),
        ({"a.zip": b"PK\x03\x04broken"}, 422, "the archive is damaged"),
        ({"a.bz2": b"BZh9.."}, 422, "Pack it as .tar.gz or .zip"),
        ({"a.xz": b"\xfd7zXZ\x00.."}, 422, "the archive is damaged"),
    ],
)
def test_what_cannot_be_taken_says_why(api: Any, files: dict[str, bytes], status: int, says: str) -> None:
    assert says in error_of(api("POST", files=files), status)["message"]
    assert not Import.objects.exists()


def test_a_tool_and_a_unit_can_be_stated(api: Any) -> None:
    text = golden(IOZONE).replace("Output is in kBytes/sec", "").encode()

    answer = error_of(api("POST", files={"a.txt": text}, tool="iozoni", unit="furlong"), 422)
    assert [(fault["pointer"], fault["value"]) for fault in answer["faults"]] == [
        ("/tool", "iozoni"),
        ("/unit", "furlong"),
    ]
    assert "possible are KiB/s, ops/s, us, ns, ms" in answer["faults"][1]["expected"]
    assert not Import.objects.exists()
    address = api("POST", files={"a.txt": text}, tool="iozone", unit="ops/s").json()["id"]
    background.read_files(address)
    [file] = api("GET", f"/{address}").json()["files"]
    assert file["tool"] == "iozone"
    assert "the unit was stated by a person: ops/s" in file["warnings"]
    [run] = api("POST", f"/{address}/store", {"machine": "old-1"}).json()["runs"]
    assert Run.objects.get(pk=run["run_id"]).extra["import"]["unit"] == "ops/s"
    assert reparse(UUID(run["run_id"])).refusal == ""


def test_other_bodies_are_refused(api: Any, client: Client, secret: str, monkeypatch: pytest.MonkeyPatch) -> None:
    headers = {"Authorization": f"Bearer {secret}"}

    assert error_of(api("POST", body={"files": []}), 415)["code"] == "unsupported_media_type"
    broken = client.generic("POST", "/api/v1/imports", b"--x", "multipart/form-data; boundary=", headers=headers)
    assert error_of(broken, 400)["code"] == "broken_body"
    monkeypatch.setattr("benchdb.ingest.imports.request_files.MOST_BYTES", 0)
    monkeypatch.setattr("benchdb.ingest.imports.request_files.FRAME", 10)
    assert error_of(api("POST", files={"a": b"x" * 1000}), 413)["code"] == "too_large"


def test_who_may_not(client: Client, owner: User) -> None:
    draft = begun(owner, *given(IOZONE))
    read_only, eve = make_token(owner, Scope.READ)[1], make_token(make_user("eve"))[1]
    path = f"/api/v1/imports/{draft.pk}"

    def ask(method: str, address: str, token: str | None = None) -> HttpResponse:
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        return client.generic(method, address, '{"machine": "m"}', "application/json", headers=headers)

    for method, address in (("POST", "/api/v1/imports"), ("POST", f"{path}/store"), ("DELETE", path)):
        error_of(ask(method, address), 401)
        error_of(ask(method, address, read_only), 403)
    for method, address in (("GET", path), ("GET", f"{path}/state"), ("GET", f"{path}/files/0")):
        error_of(ask(method, address), 404)
        error_of(ask(method, address, eve), 404)
        assert ask(method, address, read_only).status_code == 200
    error_of(ask("POST", f"{path}/store", eve), 404)
    error_of(ask("DELETE", path, eve), 404)
    error_of(ask("GET", f"/api/v1/imports/{uuid7()}", eve), 404)
    assert Import.objects.filter(pk=draft.pk).exists()


def test_it_is_discarded(api: Any, owner: User) -> None:
    draft = begun(owner, *given(IOZONE))

    assert api("DELETE", f"/{draft.pk}").status_code == 204
    error_of(api("GET", f"/{draft.pk}"), 404)


def test_its_doors_are_in_the_openapi_document(client: Client) -> None:
    paths = client.get("/api/v1/openapi.json").json()["paths"]

    one = "/api/v1/imports/{import_id}"
    doors = {
        (method, path)
        for path, operations in paths.items()
        if path.startswith("/api/v1/imports")
        for method in operations
    }
    assert doors == {
        *(("post", "/api/v1/imports"), ("get", one), ("delete", one), ("get", f"{one}/state")),
        *(("get", f"{one}/files/{{number}}"), ("post", f"{one}/store")),
    }
