"""The list of articles, the page of one, its plan, and the home page."""

from typing import Any

import pytest
from django.test import Client

from benchdb.compare.table.content import measured
from benchdb.plans.plan_texts import read_plan, shipped_text
from benchdb.publications.data_files import read, slugs
from benchdb.publications.models import Publication
from benchdb.publications.page import frozen_tables
from benchdb.publications.page_files import page_file
from benchdb.publications.services import load
from benchdb.runs.models import Run
from tests.support.html import read as page_of
from tests.texts import missing_in

SLUG = "iozone-2009"
pytestmark = pytest.mark.django_db


Loaded = dict[str, Publication]


def test_without_articles_the_list_says_how_they_are_loaded(client: Client) -> None:
    Publication.objects.all().delete()
    assert "manage.py load_publications" in page_of(client.get("/articles/")).text


def test_the_list_has_each_article_with_its_figures(client: Client) -> None:
    for slug in ("t2-2008", "ffsb-2007"):
        load(read(slug))

    page = page_of(client.get("/articles/"))

    assert [link for link in page.links.values() if link.startswith("/articles/") and link != "/articles/"] == [
        "/articles/ffsb-2007/",  # in their own order, not in that of loading
        "/articles/t2-2008/",
    ]
    assert page.links["Large File Sequential Write Comparison Using FFSB"] == "/articles/ffsb-2007/"
    assert not missing_in(page.text, "18 figures", "no figures")


def test_more_articles_and_tables_take_no_more_queries(client: Client, django_assert_num_queries: Any) -> None:
    Publication.objects.all().delete()
    load(read("ffsb-2007"))
    with django_assert_num_queries(1):
        client.get("/articles/")
    with django_assert_num_queries(4):
        client.get("/articles/ffsb-2007/")
    with django_assert_num_queries(3):
        client.get("/")
    load(read(SLUG))
    with django_assert_num_queries(1):
        client.get("/articles/")
    with django_assert_num_queries(4):
        client.get(f"/articles/{SLUG}/")
    with django_assert_num_queries(3):
        client.get("/")


def test_an_article_shows_what_was_tested_its_tables_and_what_came_of_the_observations(
    client: Client, loaded: Loaded
) -> None:
    publication = loaded[SLUG]

    page = page_of(client.get(f"/articles/{SLUG}/"))

    assert not missing_in(page.text, publication.citation, "AMD Phenom II X4 920", "× faster")
    cells = page.values("table-2")
    assert {group for group, _, _ in cells} == {"File system n = 10 rounds KiB/s, more is better"}
    (cell,) = (cell for (_, row, head), cell in cells.items() if row == "reiser4" and head == "Write")
    assert cell.text.startswith("100\u202f476.50 ")
    frozen = publication.tables.get(key="table-2").permalink
    assert cell.href == f"/c/{frozen.pk}/#c0-0-0"
    ids = [attributes["id"] for _, attributes in page.elements if attributes.get("id")]
    assert len(set(ids)) == len(ids)
    inline = [table.key for table in page_file(SLUG).tables if table.inline]
    assert [id_ for id_ in ids if id_ in inline] == inline  # in the order of the page file


def test_every_printed_table_of_several_figures_has_its_chart_whose_marks_lead_to_the_cells(client: Client) -> None:
    for slug in slugs():
        load(read(slug))
        publication = Publication.objects.get(slug=slug)
        contents = frozen_tables(publication)
        inline = [
            table
            for table in page_file(slug).tables
            if table.inline and sum(place.cell.mean is not None for place in measured(contents[table.key])) > 1
        ]
        page = page_of(client.get(f"/articles/{slug}/"))

        charts = [found for tag, found in page.elements if tag == "figure" and found.get("class") == "chart"]
        marks = [found for tag, found in page.elements if tag == "a" and found.get("data-cell")]
        addresses = {f"/c/{table.permalink_id}/" for table in publication.tables.all()}
        assert len(charts) == len(inline), slug
        assert {str(mark["href"]).partition("#")[0] for mark in marks} <= addresses
        assert bool(marks) == bool(inline)


def test_cells_without_a_standard_deviation_have_no_verdict_and_say_why(client: Client, loaded: Loaded) -> None:
    content = loaded["ffsb-2007"].tables.get(key="table").permalink.content

    assert {cell["verdict"]["kind"] for row in content["groups"][0]["rows"] for cell in row["cells"][1:]} == {"none"}
    assert "printed means partly agree" in page_of(client.get("/articles/ffsb-2007/")).text


def test_notes_say_which_check_found_them_and_what_it_compared(client: Client, loaded: Loaded) -> None:
    page = page_of(client.get("/articles/ffsb-2007/"))

    ((_, *row),) = [[cell.text for cell in row] for row in page.tables["Where the article contradicts itself"][1:]]
    assert row[-1] == "size arithmetic check"
    assert not missing_in(row[1], "6 comparisons", "threads of sdc1 / 4 threads: 4, line 29: “differ in the number")
    remarks = page.tables["Remarks on the article’s figures"][1:]
    assert [row[-1].text for row in remarks] == ["read by hand", "read by hand", "size arithmetic check"]
    said = "24 statements of the text; BenchDB combined them with each other and with the figures of the tables in "
    assert not missing_in(page.text, f"{said}31 comparisons and found 6 contradictions with 1 cause. Values")


def test_an_article_as_json(client: Client, loaded: Loaded, django_assert_num_queries: Any) -> None:
    with django_assert_num_queries(2):
        answer = client.get(f"/articles/{SLUG}.json").json()

    assert (answer["slug"], answer["year"]) == (SLUG, 2009)
    facts = {fact["name"]: fact for fact in answer["facts"]}
    memory = facts["environment.memory.total"]
    assert (memory["value"], memory["provenance"], memory["inferred"]) == (8 << 30, "published", None)
    assert memory["places"] == [{"section": "Test System", "line": 55, "quote": "8GB of memory (DDR2-800)"}]
    assert (facts["date"]["provenance"], facts["date"]["places"]) == ("inferred", [])
    stated = {(entry["quantity"], entry["value"]) for entry in answer["statements"]}
    assert ("size", "28 MB") in stated
    against = [finding for finding in answer["findings"] if not finding["agrees"]]
    assert "28 MB against 8 MB" in " ".join(finding["text"] for finding in against)
    assert {note["key"] for note in answer["notes"] if note["remark"]} >= {"model-names", "smallest-record"}
    assert all(client.get(table).status_code == 200 for table in answer["tables"])
    assert f"/articles/{SLUG}.json" in page_of(client.get(f"/articles/{SLUG}/")).links.values()


def test_figures_that_are_in_no_table_are_listed_with_their_lines(client: Client, loaded: Loaded) -> None:
    for slug, figures in (
        ("ffsb-2007", ["67.10 MB/s", "202 MB"]),
        ("raid-2009", ["9726161912 KiB", "19.8 %", "0.2 %", "5.1 TB"]),
        ("comparison-2024", ["<= 1.5E07", "<= 2.0E06", "<= 3.0E07"]),
    ):
        rows = page_of(client.get(f"/articles/{slug}/")).tables["Statements of the text"][1:]
        assert {row[1].text for row in rows} >= set(figures)


def test_an_article_whose_figures_were_pictures_lists_what_was_measured(client: Client, loaded: Loaded) -> None:
    page = page_of(client.get("/articles/t2-2008/"))

    assert not missing_in(page.text, "create 100,000 files with one call of touch", "they stood in pictures")
    assert "What the author observed" not in page.text


@pytest.mark.parametrize("path", ["/articles/nothing/", "/articles/nothing.json", "/articles/nothing/plan/"])
def test_an_article_that_is_not_there(client: Client, path: str) -> None:
    assert client.get(path).status_code == 404


@pytest.mark.parametrize(
    "path", ["/articles/", f"/articles/{SLUG}/", f"/articles/{SLUG}.json", f"/articles/{SLUG}/plan/"]
)
def test_pages_are_only_read(client: Client, path: str) -> None:
    assert client.post(path).status_code == 405


def test_the_plan_comes_with_the_lines_that_run_it(client: Client, loaded: Loaded) -> None:
    page = page_of(client.get(f"/articles/{SLUG}/plan/"))

    assert "curl -fsSO http://testserver/agent/benchagent.pyz" in page.text
    run = "sudo BENCHAGENT_TOKEN=YOUR-TOKEN python3 benchagent.pyz run iozone-throughput{} --work-dir . --server http://testserver"
    assert not missing_in(page.text, run.format("-small"), run.format(""), 'file_sizes = "2 * ram"')
    assert page.links["queue the plan"] == "/plans/new/?plan=iozone-throughput"


@pytest.mark.parametrize("slug", slugs())
@pytest.mark.parametrize("suffix", ["", "-small"])
def test_every_articles_plan_can_be_run_and_queued(slug: str, suffix: str) -> None:
    text = shipped_text(read(slug).facts["plan"] + suffix)

    assert text is not None
    assert read_plan(text).plan.name == read(slug).facts["plan"] + suffix


def test_home_has_the_articles(client: Client, loaded: Loaded) -> None:

    page = page_of(client.get("/"))

    assert page.links["I Feel the Need for Speed: Linux File System Throughput Performance, Part 1"].endswith(
        f"/{SLUG}/"
    )


def test_an_empty_home_says_what_to_do(client: Client) -> None:
    Publication.objects.all().delete()
    Run.objects.all().delete()

    page = page_of(client.get("/"))

    assert page.links["Make a token, and more about the agent"] == "/agent/"
    assert page.links["Import output"] == "/import/"
    assert not missing_in(page.text, "No articles yet.", "load_publications")
    assert not Publication.objects.exists()


def test_of_figures_alone_no_number_of_rounds_is_shown(client: Client) -> None:
    load(read("ffsb-2007"))
    publication = Publication.objects.get(slug="ffsb-2007")

    run = page_of(client.get(publication.runs.first().get_absolute_url())).text
    assert not missing_in(run, "duration unknown", "memory 2 GiB published")
    for wrong in ("One round only", "rounds 0", "rounds unknown", "Rounds and evidence"):
        assert wrong not in run
    frozen = page_of(client.get(publication.tables.first().permalink.get_absolute_url()))
    assert [row[3].text for row in frozen.tables["Runs in this table"]] == ["Rounds", "–", "–", "–"]


def test_a_table_leads_back_to_its_article_and_says_no_more_of_dates_than_is_known(
    client: Client, loaded: Loaded, django_assert_num_queries: Any
) -> None:
    for slug, key, known in (("raid-2009", "create", "31 Jul 2009"), ("ffsb-2007", None, "2007")):
        tables = loaded[slug].tables.filter(key=key) if key else loaded[slug].tables.order_by("pk")
        link = tables[0].permalink
        with django_assert_num_queries(2):  # the first for a kept page
            page = page_of(client.get(link.get_absolute_url()))
        assert page.links[loaded[slug].title] == f"/articles/{slug}/#{tables[0].key}-title"
        times = [attributes["datetime"] for tag, attributes in page.elements if tag == "time"]
        assert {"31 Jul 2009": "2009-07-31", "2007": "2007"}[known] in times
        assert known in page.text
        assert "00:00" not in page.text


def test_figures_keep_their_zeros_and_parameters_are_said_in_words(client: Client, loaded: Loaded) -> None:
    assert " 9.0 " in page_of(client.get("/articles/ffsb-2007/")).text
    page = page_of(client.get("/articles/raid-2009/"))
    assert "10 directories, 10\u202f000 files" in page.text
    assert "files=" not in page.text
