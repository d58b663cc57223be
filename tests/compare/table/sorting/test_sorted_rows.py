"""`sort=`: the rows of a table by the figures of a column, in the table and its exports."""

import csv
import io
import re
from typing import Any
from urllib.parse import urlencode

import pytest
from django.contrib.auth.models import User
from django.test import Client

from benchdb.compare.permalinks.services import share
from benchdb.compare.table import side_by_side
from benchdb.runs.models import KeptPart, Run
from tests.support.comparing.comparisons import compared_runs, ids, values
from tests.support.documents import GIB, KIB, MIB, result
from tests.support.html import Page, read
from tests.support.store import store_run

MEANS = {"ext4": 110 * MIB, "xfs": 130 * MIB, "btrfs": 90 * MIB}
BEST_FIRST, WORST_FIRST = ["xfs", "ext4 baseline", "btrfs"], ["btrfs", "ext4 baseline", "xfs"]
DEFAULT = BEST_FIRST  # the order of the ranking


def page_of(client: Client, runs: list[Run], status: int = 200, **query: str) -> Page:
    return read(client.get(f"/compare/?{ids(runs)}&{urlencode(query)}"), status)


def rows(page: Page) -> list[str]:
    return [row[0].text for row in page.tables["comparison"] if "measured" not in row[1].classes]


def heads(page: Page) -> list[dict[str, str | None]]:
    return [
        attributes for tag, attributes in page.elements if tag == "th" and "measured" in (attributes.get("class") or "")
    ]


def buttons(page: Page) -> list[str | None]:
    return [
        attributes.get("value")
        for tag, attributes in page.elements
        if tag == "button" and attributes.get("form") == "comparison-sort"
    ]


def hidden_rows(client: Client, address: str) -> list[str]:
    """The rows that the style sheet hides."""
    return re.findall(r"<tr class=alike><th .*</svg> (\w+)", client.get(address).content.decode())


def test_rows_without_a_difference_can_be_hidden(client: Client, owner: User) -> None:
    runs = compared_runs(owner)  # xfs is better, btrfs equivalent
    every = page_of(client, runs, sort="Read", cell="0-1-0")
    address = every.links["Show only these"]

    page = read(client.get(address))

    assert "1 of 2 compared rows has a difference." in every.text
    assert hidden_rows(client, address) == ["btrfs"]
    assert rows(page) == rows(every), "links in findings lead to the cells of the others"
    assert page.links["Show all rows"] == address.replace("&show=differences", "")
    assert page.fields["show"] == ["differences", "differences"], "sorting and the menus keep it"
    link, _ = share(owner, "table", ids(runs))
    frozen = read(client.get(link.get_absolute_url())).links["Show only these"]
    assert hidden_rows(client, frozen) == ["btrfs"]


def test_a_table_in_which_all_rows_differ_has_no_such_choice(client: Client, owner: User) -> None:
    assert "Show only these" not in page_of(client, compared_runs(owner, MEANS)).links


def test_a_head_sorts_by_the_best_then_by_the_worst_then_not_at_all(client: Client, owner: User) -> None:
    runs = compared_runs(owner, MEANS)

    default, best = page_of(client, runs), page_of(client, runs, sort="Read")
    worst = page_of(client, runs, sort="-Read")

    assert (rows(default), buttons(default)) == (DEFAULT, ["Write", "Read"])
    assert (rows(best), buttons(best)) == (BEST_FIRST, ["Write", "-Read"])
    assert (rows(worst), buttons(worst)) == (WORST_FIRST, ["Write", None])
    assert [head.get("aria-sort") for head in heads(default)] == [None, None]
    assert [head.get("aria-sort") for head in heads(best)] == [None, "descending"]
    assert [head.get("aria-sort") for head in heads(worst)] == [None, "ascending"]
    assert "best first" in best.tables["comparison"][0][2].text


def test_the_form_of_the_heads_has_the_whole_address_but_the_sort_and_keeps_the_chosen_cell(
    client: Client, owner: User
) -> None:
    runs = compared_runs(owner)
    text = client.get(f"/compare/?{ids(runs)}&unit=KiB/s&sort=Read&cell=0-1-0").content.decode()
    form = text.split('<form id="comparison-sort" action="/compare/">')[1].split("</form>")[0]

    names = ["unit", "cell", *("run" for _ in runs)]
    assert sorted(part.split('"')[0] for part in form.split('name="')[1:]) == sorted(names)


def test_sorting_leaves_verdicts_keys_and_charts_as_they_are(client: Client, owner: User) -> None:
    runs = compared_runs(owner, MEANS)
    default, best = page_of(client, runs), page_of(client, runs, sort="Write")
    text = "/compare/table.json?" + ids(runs)

    def facts(page: Page) -> dict[tuple[str, str, str], tuple[str, str | None]]:
        return {
            (row, head.replace(" best first", ""), group): (cell.text, cell.key)
            for (group, row, head), cell in page.values("comparison").items()
        }

    assert facts(default) == facts(best)
    before, after = client.get(text).json(), client.get(f"{text}&sort=Write").json()
    assert after.pop("query").replace("&sort=Write", "") == before.pop("query")
    del before["address"], after["address"]
    assert after == before


def test_lower_is_better_sorts_the_shortest_time_first(client: Client, owner: User) -> None:
    def run(name: str, seconds: float) -> Run:
        measured = result(values(seconds), "mkfs", metric="elapsed", unit="s")
        return store_run(owner, file_system=name, rounds=6, results=[measured])

    runs = [run("ext4", 3), run("xfs", 2), run("btrfs", 5)]

    page = page_of(client, runs, sort=page_of(client, runs).tables["comparison"][0][1].text.split(" s ")[0])

    assert rows(page) == BEST_FIRST
    assert heads(page)[0]["aria-sort"] == "ascending"


def test_parts_are_sorted_by_the_first_or_each_by_its_own_figures_and_rows_without_a_figure_are_last(
    client: Client, owner: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    def run(name: str, small: float | None, large: float) -> Run:
        sizes: dict[str, Any] = {"file_size": GIB}
        first = result(values(small * MIB), record_size=4 * KIB, **sizes) if small else None
        failed = result([None] * 6, record_size=4 * KIB, status="failed", error="Input/output error", **sizes)
        return store_run(
            owner,
            file_system=name,
            rounds=6,
            results=[first or failed, result(values(large * MIB), record_size=MIB, **sizes)],
        )

    runs = [run("ext4", None, 200), run("xfs", 120, 100), run("btrfs", 150, 300)]

    best, worst = page_of(client, runs, sort="Write"), page_of(client, runs, sort="-Write")

    assert rows(best)[1:] == ["btrfs", "xfs", "ext4 baseline"]
    assert rows(worst)[1:] == ["xfs", "btrfs", "ext4 baseline"]
    monkeypatch.setattr(side_by_side, "MOST_COLUMNS", 1)
    KeptPart.objects.all().delete()
    best, worst = page_of(client, runs, sort="Write"), page_of(client, runs, sort="-Write")
    assert rows(best) == ["btrfs", "xfs", "ext4 baseline", "btrfs", "ext4 baseline", "xfs"]
    assert rows(worst) == ["xfs", "btrfs", "ext4 baseline", "xfs", "ext4 baseline", "btrfs"]


def test_the_shown_statistic_is_sorted(client: Client, owner: User) -> None:
    def run(name: str, *rounds: float) -> Run:
        measured = result([each * MIB for each in rounds], file_size=GIB, record_size=MIB)
        return store_run(owner, file_system=name, rounds=3, results=[measured])

    runs = [run("ext4", 100, 100, 190), run("xfs", 110, 110, 110)]

    assert rows(page_of(client, runs, sort="Write"))[0] == "ext4 baseline"
    assert rows(page_of(client, runs, sort="Write", statistic="median"))[0] == "xfs"


@pytest.mark.parametrize("form", ["csv", "tsv", "md", "bb", "tex", "html"])
def test_exports_have_the_order_of_the_page(client: Client, owner: User, form: str) -> None:
    runs = compared_runs(owner, MEANS)

    text = client.get(f"/compare/table.{form}?{ids(runs)}&sort=-Write").getvalue().decode()
    if form == "csv":
        assert [line["row"] for line in csv.DictReader(io.StringIO(text))][::2] == ["btrfs", "ext4", "xfs"]
    table = text[text.rindex("\\toprule") if form == "tex" else 0 :]
    table = table[table.index("<thead") if form == "html" else 0 :]
    table = table[table.index({"md": "|", "bb": "[tr]"}.get(form, "")) :]
    places = [table.index(name) for name in ("btrfs", "ext4", "xfs")]
    assert places == sorted(places)


def test_a_permalink_keeps_the_order_and_its_heads_are_plain(client: Client, owner: User) -> None:
    link, _ = share(owner, "table", f"{ids(compared_runs(owner, MEANS))}&sort=-Write")

    page = read(client.get(link.get_absolute_url()))

    assert rows(page) == WORST_FIRST
    assert buttons(page) == []
    assert heads(page)[0]["aria-sort"] == "ascending"
    assert rows(read(client.get(f"{link.get_absolute_url()}today"))) == WORST_FIRST


@pytest.mark.parametrize(
    ("query", "fault"),
    [
        ({"sort": "Fread"}, "Sort cannot be 'Fread'; possible are Write, Read, and each with a minus before it."),
        (
            {"sort": "xfs", "rows": "test,metric", "columns": "file_system"},
            "Sort is not possible, because the rows have",
        ),
    ],
)
def test_an_impossible_sort_is_refused(client: Client, owner: User, query: dict[str, str], fault: str) -> None:
    runs = [
        store_run(
            owner,
            file_system=name,
            rounds=6,
            results=[
                *(result(values(100 * MIB), test, file_size=GIB, record_size=MIB) for test in ("write", "read")),
                result(values(3), "write", metric="elapsed", unit="s", file_size=GIB, record_size=MIB),
            ],
        )
        for name in ("ext4", "xfs")
    ]

    assert fault in page_of(client, runs, 400, **query).text


def test_rows_of_several_metrics_have_no_buttons(client: Client, owner: User) -> None:
    results = [
        result(values(100 * MIB), file_size=GIB, record_size=MIB),
        result(values(3), metric="elapsed", unit="s", file_size=GIB, record_size=MIB),
    ]
    runs = [store_run(owner, file_system=name, rounds=6, results=results) for name in ("ext4", "xfs")]

    assert buttons(page_of(client, runs, rows="metric", columns="file_system")) == []
    assert len(buttons(page_of(client, runs, columns="test,metric"))) == 2
