"""`/import/` and `/import/ID/`: paste text or send files, see every cell, add facts, store; owners only, no scripts."""

import json
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from benchagent import formats
from benchdb.http.work import TooLong, accounted, at_most
from benchdb.ingest.imports import background, preview, services, unpack
from benchdb.ingest.imports.chosen import TOOLS
from benchdb.ingest.imports.preview import part
from benchdb.ingest.imports.unpack import GivenFile
from benchdb.ingest.models import Import, ImportState
from benchdb.runs.models import Run
from tests.agents.formats.texts import golden
from tests.support.documents import document
from tests.support.html import read
from tests.support.imports import BONNIE, IOZONE, ROUNDS, begun, given, signed_in, stored, tar, zipped
from tests.support.store import make_user
from tests.texts import missing_in


@pytest.fixture
def ada(owner: User) -> Client:
    """The browser of `ada`."""
    return signed_in(owner)


def chosen(name: str, content: bytes | None = None) -> SimpleUploadedFile:
    return SimpleUploadedFile(name, golden(name).encode() if content is None else content)


def detected() -> dict[str, Any]:
    sent = document()
    return {
        "schema": "benchagent.detect/1",
        "state_before": {},
        **{key: sent[key] for key in ("machine", "environment", "target")},
    }


def test_who_is_not_signed_in_sees_what_is_read_in_a_real_output(client: Client, owner: User, settings: Any) -> None:
    page = read(client.get("/import/"))
    text = preview.EXAMPLE.read_text()
    assert golden("ioping-session.txt").startswith(text)
    assert missing_in(page.text, *(line for line in text.splitlines() if line), "190.8 µs", "Random read", *TOOLS) == []
    assert page.links["an account"] == "/docs/accounts/"
    settings.SIGN_UP = "mail"
    assert read(client.get("/import/")).links["make an account"] == "/sign-up/"
    assert "190.8 µs" not in read(signed_in(owner).get("/import/")).text


def test_who_is_not_signed_in_is_told_to(client: Client, owner: User) -> None:
    draft = begun(owner, *given(IOZONE))

    page = read(client.get("/import/"))
    assert page.links["sign in"].startswith("/login/")
    assert page.links["Import"] == "/import/"
    assert ("input", "file") not in [(tag, attributes.get("type")) for tag, attributes in page.elements]
    assert client.post("/import/", {"text": golden(IOZONE)})["Location"] == "/login/"
    assert client.get(f"/import/{draft.pk}/")["Location"].startswith("/login/?next=")
    assert client.post(f"/import/{draft.pk}/", {"machine": "x", "do": "store"})["Location"] == "/login/"
    assert (Import.objects.count(), Run.objects.count()) == (1, 0)


def test_an_import_is_its_owners_alone(owner: User) -> None:
    draft, eve = begun(owner, *given(IOZONE)), signed_in(make_user("eve"))

    for path in ("", "files/0/", "files/0/raw"):
        assert eve.get(f"/import/{draft.pk}/{path}").status_code == 404
    assert eve.post(f"/import/{draft.pk}/", {"machine": "x", "do": "store"}).status_code == 404
    assert eve.post(f"/import/{draft.pk}/discard/").status_code == 404
    assert eve.get(f"/api/v1/imports/{draft.pk}/state").status_code == 404
    assert str(draft.pk) not in eve.get("/import/").content.decode()
    assert Import.objects.filter(pk=draft.pk).exists()


def test_pasted_text_is_read_and_shown_cell_by_cell(ada: Client) -> None:
    answer = ada.post("/import/", {"text": golden(IOZONE).replace("\n", "\r\n")})

    draft = Import.objects.get()
    background.read_files(draft.pk)
    assert answer["Location"] == f"/import/{draft.pk}/"
    page = read(ada.get(answer["Location"]))
    parsed = formats.parse(golden(IOZONE))
    rows = page.tables["Results of pasted.txt"][1:]
    cells = [row for row in rows if len(row) == 5]
    assert len(cells) == len(parsed.results)
    lines = golden(IOZONE).splitlines()
    quoted = [row[0].text for row in rows if len(row) == 1]
    assert [row[2].text.replace("\u202f", "") for row in cells] == [  # the digits of the text
        f"{entry.values[0] / 1024:.0f}\N{NO-BREAK SPACE}KiB/s" for entry in parsed.results
    ]
    for line in dict.fromkeys(entry.lines[0] for entry in parsed.results):
        assert f"line {line} {' '.join(lines[line - 1].split())}" in quoted
    assert not Run.objects.exists()


def test_a_table_has_the_columns_that_its_results_fill(ada: Client, owner: User) -> None:
    page = read(ada.get(begun(owner, *given(IOZONE, BONNIE)).get_absolute_url()))

    heads = {name: [cell.text for cell in rows[0]][3:] for name, rows in page.tables.items()}
    assert heads[f"Results of {IOZONE}"] == ["File", "Records"]
    assert heads[f"Results of {BONNIE}"] == ["File", "Threads", "Parameters"]


@pytest.mark.parametrize(("names", "state"), [(("notes.txt",), "refused"), ((IOZONE, "notes.txt"), "ready")])
def test_an_import_in_which_nothing_was_recognised_is_refused(
    ada: Client, owner: User, names: tuple[str, ...], state: str
) -> None:
    files = [
        GivenFile(name, golden(name).encode() if name == IOZONE else b"three lines\nof nothing\n") for name in names
    ]
    draft = begun(owner, *files)

    draft_page, all_ = read(ada.get(draft.get_absolute_url())), read(ada.get("/import/"))

    assert ("the other files are not affected" in draft_page.text) == (len(names) > 1)
    for page in (draft_page, all_):
        class_lists = [(a.get("class") or "").split() for _, a in page.elements]
        assert [names[-1] for names in class_lists if "state" in names and names[-1] in ("ready", "refused")] == [state]


def test_files_and_archives_become_runs(ada: Client) -> None:
    packed = tar({"a/one.txt": golden(BONNIE).encode(), "b/readme": b"hello"})
    zip_ = zipped({"two.jsonl": golden(ROUNDS).encode()})
    answer = ada.post("/import/", {"files": [chosen(IOZONE), chosen("x.tgz", packed), chosen("y.zip", zip_)]})
    background.read_files(Import.objects.get().pk)

    page = read(ada.get(answer["Location"]))
    assert not missing_in(page.text, "3 files recognized, 1 not", "b/readme")
    stored = ada.post(answer["Location"], {"machine": "old-1", "do": "store", "visibility": "public"})
    assert stored["Location"] == answer["Location"]
    page = read(ada.get(answer["Location"]))
    assert "3 runs stored" in page.text
    addresses = {attributes.get("href"): attributes.get("title") for tag, attributes in page.elements if tag == "a"}
    assert "bonnie++ 2.00a · unknown file system · old-1 a/one.txt" in page.text
    for run in Run.objects.all():
        assert (addresses[f"/runs/{run.pk}/"], ada.get(f"/runs/{run.pk}/").status_code) == (str(run.pk), 200)


def test_every_fault_is_shown_and_what_was_entered_stays(ada: Client, owner: User) -> None:
    draft = begun(owner, *given(IOZONE))
    entered = {
        "memory": "much",
        "raid_level": "none",
        "raid_chunk": "64K",
        "labels": "x",
        "measured_at": "never",
        "kernel": "<b>",
    }

    answer = ada.post(draft.get_absolute_url(), {**entered, "machine": "", "do": "store", "detect": "{"})

    page = read(answer, 422)
    assert not missing_in(
        page.text,
        "Name the machine",
        "memory: Expected a size such as 8 GiB",
        "There is no array whose RAID level is none",
        "Expected one name = value a line",
        "Write a date such as 2009-05-31",
        "JSON in UTF-8",
    )
    assert (page.fields["memory"], page.fields["kernel"]) == (["much"], ["<b>"])
    assert read(ada.get(draft.get_absolute_url())).fields["memory"] == ["much"]
    assert not Run.objects.exists()


def test_what_was_filled_in_can_be_kept_and_shown_again(ada: Client, owner: User) -> None:
    draft = begun(owner, *given(IOZONE, BONNIE))

    answer = ada.post(draft.get_absolute_url(), {"machine": "", "memory": "2 GiB", "leave_out": ["1"], "do": "show"})

    assert answer["Location"] == draft.get_absolute_url()
    page = read(ada.get(draft.get_absolute_url()))
    assert page.fields["memory"] == ["2 GiB"]
    assert "1 run would be stored" in page.text


@pytest.mark.parametrize(
    "sent",
    [{"machine": "a\0b"}, {"labels": "a = \0"}, {"memory": "\0"}, {"cache": "\0"}, {"leave_out": ["\0", "9" * 5000]}],
    ids=lambda sent: next(iter(sent)),
)
def test_what_nobody_types_is_a_fault_and_the_page_stays(ada: Client, owner: User, sent: dict[str, Any]) -> None:
    address = begun(owner, *given(IOZONE)).get_absolute_url()

    assert ada.post(address, {"machine": "old-1", "do": "show", **sent}).status_code == 422
    assert ada.get(address).status_code == 200


def test_detected_facts_are_taken_from_the_file(ada: Client, owner: User) -> None:
    url, facts = begun(owner, *given(IOZONE)).get_absolute_url(), detected()

    ada.post(url, {"do": "show", "detect_file": chosen("detect.json", json.dumps(facts).encode())})

    page = read(ada.get(url))
    assert page.fields["machine"] == [facts["machine"]["name"]]
    assert facts["environment"]["cpu"]["model"] in page.text
    read(ada.post(url, {"machine": "m", "disk_model": "X", "do": "store"}), 422)
    ada.post(url, {"machine": facts["machine"]["name"], "kernel": "2.6.18", "do": "store"})
    run = Run.objects.with_context().get()
    environment = run.environment.facts
    assert run.machine.machine_id == facts["machine"]["machine_id"]
    assert run.environment.cpu_model == facts["environment"]["cpu"]["model"]
    assert "/cpu/model" not in environment["provenance"]
    assert environment["provenance"]["/kernel/release"] == "declared"
    assert environment["contradictions"] == [
        {
            "fact": "/kernel/release",
            "detected": facts["environment"]["kernel"]["release"],
            "declared": "2.6.18",
            "kept": "declared",
        }
    ]


def test_detected_facts_can_be_forgotten(ada: Client, owner: User) -> None:
    draft = begun(owner, *given(IOZONE))

    ada.post(draft.get_absolute_url(), {"do": "show", "detect": json.dumps(detected())})
    ada.post(draft.get_absolute_url(), {"machine": "m", "forget_detect": "on", "do": "store"})

    assert Run.objects.with_context().get().environment.cpu_model is None


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("[]", "an object"),
        ('{"schema": "x"}', "not what `benchagent detect --json` prints"),
        ('{"schema": "benchagent.detect/1", "environment": {}, "target": {}}', "environment/cpu: expected present"),
    ],
)
def test_detected_facts_that_cannot_be_used_say_why(ada: Client, owner: User, text: str, says: str) -> None:
    draft = begun(owner, *given(IOZONE))

    assert says in read(ada.post(draft.get_absolute_url(), {"machine": "m", "detect": text, "do": "store"}), 422).text


def test_a_file_that_cannot_be_read_says_where_and_leads_there(ada: Client, owner: User) -> None:
    broken = golden(BONNIE).splitlines()
    draft = begun(
        owner, GivenFile("<script>alert(1)</script>.txt", b"\n\n\x00binary \xff garbage <script>"), *given(BONNIE)
    )

    html = ada.get(draft.get_absolute_url()).content.decode()

    assert broken
    assert "&lt;script&gt;alert(1)&lt;/script&gt;.txt" in html
    assert "<script>alert" not in html
    assert "line 1, column 1: no supported tool printed this" in read(ada.get(draft.get_absolute_url())).text
    raw = ada.get(f"/import/{draft.pk}/files/0/raw").content.decode()
    assert "garbage &lt;script&gt;" in raw


def test_where_nothing_was_recognised_nothing_is_asked(ada: Client, owner: User) -> None:
    page = read(ada.get(begun(owner, GivenFile("a.txt", b"hello")).get_absolute_url()))

    assert "No file was recognized, so there is nothing to store." in page.text
    assert page.links["upload it again"] == "/import/"
    assert "machine" not in [each.get("name") for _, each in page.elements]


def test_the_tool_is_chosen_and_a_missing_unit_stated(ada: Client) -> None:
    text = golden(IOZONE).replace("Output is in kBytes/sec", "")
    sent = {"text": f"{text}\n{golden(BONNIE)}", "tool": "iozone", "unit": "furlong"}

    page = read(ada.post("/import/", sent), 422)
    assert "unit: furlong cannot be stated as a unit; possible are KiB/s, ops/s, us, ns, ms." in page.text
    assert [each["value"] for tag, each in page.elements if tag == "option" and "selected" in each] == ["iozone"]
    assert not Import.objects.exists()
    draft = Import.objects.get(pk=ada.post("/import/", {**sent, "unit": "KiB/s"})["Location"].split("/")[2])
    background.read_files(draft.pk)
    shown = read(ada.get(draft.get_absolute_url())).text
    assert "the unit was stated by a person: KiB/s" in shown
    assert [file.tool for file in draft.files.all()] == ["iozone"]
    for unit in ("", "ns"):
        refused = begun(draft.owner, GivenFile("a.txt", text.encode()), unit=unit)
        says = "State it, or write the line" if not unit else "ns is no unit of iozone; possible are KiB/s, ops/s, us"
        assert says in read(ada.get(refused.get_absolute_url())).text


@pytest.mark.parametrize("text", ["", " \n "])
def test_nothing_given_says_so(ada: Client, text: str) -> None:
    assert "The import is empty" in read(ada.post("/import/", {"text": text}), 422).text
    assert not Import.objects.exists()


def test_pasted_text_that_is_too_long_says_what_to_do(ada: Client) -> None:
    answer = ada.post("/import/", {"text": "x" * (2 << 20)})

    assert "Save it as a file" in read(answer, 413).text


def test_a_request_that_is_too_large_is_refused_unread(ada: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("benchdb.ingest.imports.request_files.MOST_BYTES", 1000)
    monkeypatch.setattr("benchdb.ingest.imports.request_files.FRAME", 1000)

    assert "Import fewer files" in read(ada.post("/import/", {"files": [chosen("a", b"x" * 5000)]}), 413).text


def test_too_many_files_say_so(ada: Client, settings: Any) -> None:
    settings.DATA_UPLOAD_MAX_NUMBER_FILES = 2

    answer = ada.post("/import/", {"files": [chosen(f"{number}.txt", b"x") for number in range(3)]})

    assert "There are more than" in read(answer, 413).text


def test_a_damaged_form_is_refused(ada: Client) -> None:
    answer = ada.generic("POST", "/import/", b"--x\r\nnothing", "multipart/form-data; boundary=")

    assert "incomplete" in read(answer, 400).text


def test_forms_of_other_sites_are_refused(owner: User) -> None:
    draft = begun(owner, *given(IOZONE))
    strict = Client(enforce_csrf_checks=True)
    strict.force_login(owner)

    assert strict.post("/import/", {"text": "x"}).status_code == 403
    assert strict.post(draft.get_absolute_url(), {"machine": "m", "do": "store"}).status_code == 403
    assert strict.post(f"{draft.get_absolute_url()}discard/").status_code == 403
    assert (Import.objects.count(), Run.objects.count()) == (1, 0)


def test_own_imports_are_listed_by_what_is_in_them(ada: Client, owner: User, django_assert_num_queries: Any) -> None:
    begun(owner, *given(BONNIE, IOZONE))
    done = stored(begun(owner, *given(BONNIE)))
    begun(owner, GivenFile("<script>.txt", b"hello"))

    with django_assert_num_queries(4):  # session, user, role, imports
        page = read(ada.get("/import/"))

    assert page.links["1 run"] == done.get_absolute_url()
    assert {f"{BONNIE} and 1 more", "<script>.txt"} <= set(page.links)


def test_many_open_imports_are_refused(ada: Client, owner: User, settings: Any) -> None:
    settings.QUOTAS = {**settings.QUOTAS, "imports": "1"}
    begun(owner, *given(IOZONE))

    assert (
        "The quota of this account for open imports is 1; 1 are used"
        in read(ada.post("/import/", {"text": golden(BONNIE)}), 422).text
    )


def test_an_import_shows_its_progress_and_no_request_waits_for_a_reader(
    ada: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    long = golden(BONNIE).encode() + b"\n" * services.AT_ONCE

    with monkeypatch.context() as patch:
        patch.setattr(formats, "parse", lambda *_, **__: pytest.fail("a request reads, however long the reader takes"))
        answer = ada.post("/import/", {"files": [chosen("long.txt", long), chosen(IOZONE)]})
        assert ada.get("/runs/").status_code == 200

    draft = Import.objects.get()
    assert draft.state == ImportState.READING
    page = read(ada.get(answer["Location"]))
    (asked,) = [attributes for _, attributes in page.elements if "data-progress" in attributes]
    assert "0 of 2 files read" in page.text
    assert ("meta", "refresh") in [(tag, attributes.get("http-equiv")) for tag, attributes in page.elements]
    now = ada.get(asked["data-progress"]).json()
    assert now == {"state": asked["data-state"], "version": "reading.2", "percent": 0, "text": "0 of 2 files read"}
    assert ada.post(answer["Location"], {"machine": "m", "do": "store"})["Location"] == answer["Location"]
    background.read_files(draft.pk)
    assert ada.get(asked["data-progress"]).json()["state"] == "ready"
    assert "2 files recognized" in read(ada.get(answer["Location"])).text
    ada.post(answer["Location"], {"machine": "m", "do": "store"})
    assert "2 runs being stored" in read(ada.get(answer["Location"])).text
    background.store_runs(draft.pk)
    assert "2 runs stored" in read(ada.get(answer["Location"])).text


def test_an_import_is_discarded(ada: Client, owner: User) -> None:
    draft = begun(owner, *given(IOZONE))

    assert ada.post(f"{draft.get_absolute_url()}discard/")["Location"] == "/import/"
    assert not Import.objects.exists()
    assert ada.get(draft.get_absolute_url()).status_code == 404


def test_results_of_a_large_file_have_pages(ada: Client, owner: User, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("benchdb.ingest.imports.preview.RESULTS_A_PAGE", 10)
    monkeypatch.setattr("benchdb.ingest.imports.page.SHOWN", 5)
    draft = begun(owner, *given(IOZONE))
    count = draft.files.get().result_count

    page = read(ada.get(draft.get_absolute_url()))
    assert len([row for row in page.tables[f"Results of {IOZONE}"][1:] if len(row) == 5]) == 5
    count_shown, href = 0, page.links[f"All {count} results"]
    while href:
        page = read(ada.get(href))
        count_shown += len([row for row in page.tables[f"Results of {IOZONE}"][1:] if len(row) == 5])
        href = page.links.get("Later results →")
    assert count_shown == count
    for start in ("-1", "x", "9" * 30, str(count * 2)):
        read(ada.get(f"/import/{draft.pk}/files/0/", {"start": start}))
    assert ada.get(f"/import/{draft.pk}/files/7/").status_code == 404


def test_what_a_long_file_takes_is_announced_before_it_is_read(owner: User) -> None:
    """A page of 99,000 results took 2 s and 250 MB, as often as it was asked for."""
    file = begun(owner, *given(IOZONE)).files.get()
    file.result_count = 99_000

    with accounted(), at_most(2), pytest.raises(TooLong):
        part(file, 0, 1)


def test_queries_do_not_grow_with_the_files(ada: Client, owner: User) -> None:
    one = begun(owner, *given(IOZONE))
    many = begun(owner, *(GivenFile(f"{number}.txt", golden(BONNIE).encode() + b"\n" * number) for number in range(9)))

    counts = []
    for draft in (one, many):
        with CaptureQueriesContext(connection) as queries:
            read(ada.get(draft.get_absolute_url()))
        counts.append(len(queries))
    assert counts[0] == counts[1] <= 8


def test_the_limits_on_the_page_are_those_that_hold(ada: Client) -> None:
    assert f"At most {unpack.MOST_FILES} files" in read(ada.get("/import/")).text
