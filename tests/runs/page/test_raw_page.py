"""`/runs/ID/raw/NAME`: raw output with numbered lines."""

import base64
import hashlib

import pytest
from django.contrib.auth.models import User
from django.test import Client

from benchdb.runs.cells.links import LINES_A_PAGE, line_href
from tests.support.documents import IOZONE_AUTO, artifact, iozone_document
from tests.support.html import Page, read
from tests.support.store import store_run


def lines_of(page: Page) -> list[str]:
    """The `id` of every line."""
    return [str(found["id"]) for tag, found in page.elements if tag == "li" and "id" in found]


def test_every_line_has_its_number(client: Client, owner: User) -> None:
    run = store_run(owner, iozone_document(visibility="public"))

    page = read(client.get(f"/runs/{run.id}/raw/iozone.txt"))

    number = next(i for i, line in enumerate(IOZONE_AUTO.splitlines(), start=1) if "1210227" in line)
    assert lines_of(page) == [f"L{i}" for i in range(1, len(IOZONE_AUTO.splitlines()) + 1)]
    assert f"{number} 64 4 1210227 4274062" in page.text


def test_the_line_of_a_value_holds_the_number(client: Client, owner: User) -> None:
    run = store_run(owner, iozone_document(visibility="public"))
    result = read(client.get(f"/runs/{run.id}/results/0/"))

    line = result.links["line 28"]

    assert line == f"/runs/{run.id}/raw/iozone.txt#L28"
    assert "L28" in lines_of(read(client.get(line.partition("#")[0])))


def test_lines_are_counted_as_parsers_count_them(client: Client, owner: User) -> None:
    text = "one\r\ntwo\x0cstill two\u2028still two\nthree"
    run = store_run(owner, artifacts=[artifact("iozone.txt", text)])

    page = read(client.get(f"/runs/{run.id}/raw/iozone.txt"))

    assert lines_of(page) == ["L1", "L2", "L3"]
    assert "3three" in page.text.replace(" ", "")


def test_markup_in_raw_output_is_text(client: Client, owner: User) -> None:
    run = store_run(owner, artifacts=[artifact("iozone.txt", "<script>alert(1)</script>\n")])

    html = client.get(f"/runs/{run.id}/raw/iozone.txt").content.decode()
    assert "&lt;script&gt;alert(1)" in html
    assert "<script>alert" not in html


def test_a_long_output_comes_in_parts_that_links_find(client: Client, owner: User) -> None:
    text = "".join(f"line {i}\n" for i in range(1, LINES_A_PAGE + 12))
    run = store_run(owner, artifacts=[artifact("iozone.txt", text)])
    address = f"/runs/{run.id}/raw/iozone.txt"

    first = read(client.get(address))
    second = read(client.get(first.links["Later lines →"]))

    assert len(lines_of(first)) == LINES_A_PAGE
    assert lines_of(second) == [f"L{LINES_A_PAGE + i}" for i in range(1, 12)]
    assert second.links["← Earlier lines"] == f"{address}?from=1"
    href = line_href(str(run.id), {"artifact": "iozone.txt", "line": LINES_A_PAGE + 3})
    assert href == f"{first.links['Later lines →']}#L{LINES_A_PAGE + 3}"
    assert line_href(str(run.id), {"artifact": "iozone.txt", "line": LINES_A_PAGE}) == f"{address}#L{LINES_A_PAGE}"


@pytest.mark.parametrize("start", ["0", "999999999", "x", "-1", "９"])
def test_a_start_that_cannot_be_shows_what_is_nearest(client: Client, owner: User, start: str) -> None:
    run = store_run(owner)

    assert lines_of(read(client.get(f"/runs/{run.id}/raw/iozone.txt", {"from": start})))


def test_what_is_no_text_is_offered_for_download_only(client: Client, owner: User) -> None:
    content = b"\xd0\xcf\x11\xe0" * 8
    binary = {
        "name": "out.wks",
        "media_type": "application/vnd.lotus-1-2-3",
        "encoding": "base64",
        "data": base64.b64encode(content).decode(),
        "sha256": hashlib.sha256(content).hexdigest(),
    }
    run = store_run(owner, results=None, artifacts=[artifact("iozone.txt", "raw\n"), binary])

    page = read(client.get(f"/runs/{run.id}/raw/out.wks"))

    assert (lines_of(page), client.get(page.links["Download"]).content) == ([], content)


def test_the_run_page_links_to_outputs(client: Client, owner: User) -> None:
    run = store_run(owner, artifacts=[artifact("iozone.txt", "one\n"), artifact("long.txt", "x\n" * 100_000)])

    page = read(client.get(f"/runs/{run.id}/"))

    assert [page.links[name] for name in ("iozone.txt", "long.txt")] == [
        f"/runs/{run.id}/raw/{name}" for name in ("iozone.txt", "long.txt")
    ]


def test_names_with_folders_and_plus_signs_work(client: Client, owner: User) -> None:
    run = store_run(owner, results=None, artifacts=[artifact("round-1/bonnie++.csv", "x"), artifact("iozone.txt", "y")])

    page = read(client.get(f"/runs/{run.id}/raw/round-1/bonnie++.csv"))

    assert client.get(page.links["Download"]).content == b"x"


@pytest.mark.parametrize("name", ["other.txt", "%00", "../../etc/passwd"])
def test_an_output_that_is_not_there_is_404(client: Client, owner: User, name: str) -> None:

    assert client.get(f"/runs/{store_run(owner).id}/raw/{name}").status_code == 404
