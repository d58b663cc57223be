"""The authors' observations beside BenchDB's findings in the same figures."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import pytest

from benchdb.compare.models import Permalink
from benchdb.compare.table.content import TableContent
from benchdb.publications.claims import ClaimOutcome
from benchdb.publications.contexts import AnsweredObservation
from benchdb.publications.models import Publication
from benchdb.publications.observations import answered, verdict
from benchdb.publications.page_files import ArticleClaim, Observation, page_file
from benchdb.runs.cells.cell import Cell

Loaded = dict[str, Publication]


def answers(publication: Publication, observations: tuple[Observation, ...] = ()) -> list[AnsweredObservation]:
    links = Permalink.objects.with_runs_now().filter(published__publication=publication).select_related("published")
    tables = {link.published.key: (link.shown, link.get_absolute_url()) for link in links}
    return answered(observations or page_file(publication.slug).observations, tables)


def lines(answer: AnsweredObservation) -> dict[object, tuple[object, object]]:
    return {each["label"]: (each["change"], each["word"]) for each in (*answer.first, *answer.more)}


@pytest.mark.django_db
def test_the_observations_of_the_iozone_article(loaded: Loaded) -> None:
    results = answers(loaded["iozone-2009"])

    assert [answer.verdict.word for answer in results] == [
        "confirmed",  # run times hardly vary
        "confirmed where it can be decided",  # write, rewrite
        "confirmed",  # random write
        "confirmed",  # record rewrite
        "confirmed where it can be decided",  # read, re-read
        "confirmed",  # random read
        "confirmed",  # by about 100 % on ext4
        "confirmed",  # backward read
        "confirmed",  # strided read
        "confirmed in part",  # by about 100 %
        "confirmed where it can be decided",  # fread, re-fread
        "confirmed in part",  # Reiser4 and ext4 against ext3
        "confirmed in part",  # ext4 against Reiser4
        "contradicted",  # rewriting is faster
        "contradicted",
        "confirmed in part",  # re-reading is faster
        "contradicted",
    ]
    random_read = results[6]
    (line,) = random_read.first
    assert (line["printed"], line["change"], line["interval"]) == (
        "52\u202f620.10 → 105\u202f651.60 KiB/s",
        "2.008× faster",
        "2.005× to 2.011×",
    )
    assert str(line["href"]).startswith("/c/")
    assert any("random read" in finding["text"] and "× faster" in finding["text"] for finding in random_read.findings)


@pytest.mark.django_db
def test_what_speaks_against_a_claim_comes_first(loaded: Loaded) -> None:
    (strided,) = (each for each in answers(loaded["iozone-2009"]) if "too" in each.text and "100" in each.text)

    assert [line["word"] for line in strided.first] == ["fails", "fails", "holds"]
    assert strided.verdict.count == "Holds in 1, fails in 2 of 3."
    place = "ext4 · strided read, 1 MiB → 16 MiB".replace(" MiB", "\u00a0MiB")
    assert lines(strided)[place] == ("2.088× faster", "holds")


@pytest.mark.django_db
def test_without_a_standard_deviation_nothing_is_claimed(loaded: Loaded) -> None:
    results = answers(loaded["comparison-2024"])

    assert {answer.verdict.kind for answer in results} == {"untested"}
    assert all("no test is possible" in answer.verdict.count for answer in results)
    assert [answer.verdict.word for answer in results[-2:]] == ["printed means agree", "printed means do not agree"]
    assert not any(line["interval"] for answer in results for line in (*answer.first, *answer.more))


@pytest.mark.django_db
def test_the_opposite_of_a_claim_fails_where_the_claim_holds(loaded: Loaded) -> None:
    along = {"along": "record_size", "where": {"test": ("random_read",)}}
    opposite = {"values": ("ext3",), "against": ("ext4",), "where": {"test": ("write",)}}
    claims = [
        ArticleClaim("up", **along),
        ArticleClaim("down", **along),
        ArticleClaim("unmoved", **along),
        ArticleClaim("better", **opposite),
        ArticleClaim("worse", **opposite),
        ArticleClaim("equal", **opposite),
        ArticleClaim("best", values=("ext3",), where={"test": ("write",)}),
        ArticleClaim("order", values=("ext4", "reiser4", "ext3"), where={"test": ("write",)}),
        ArticleClaim("spread_below", share=0.5),
        ArticleClaim("spread_below", share=1e-9),
    ]

    results = answers(loaded["iozone-2009"], tuple(Observation("x", "by-record-size", claim) for claim in claims))

    assert [answer.verdict.word for answer in results] == [
        *("confirmed", "contradicted", "contradicted"),
        *("contradicted", "confirmed", "contradicted", "contradicted", "confirmed"),
        *("confirmed", "contradicted"),
    ]


def test_an_observation_on_a_table_that_is_gone_is_left_out() -> None:
    assert answered([Observation("x", "table-1", ArticleClaim("spread_below", share=0.01))], {}) == []


@pytest.mark.parametrize(
    ("counts", "word"),
    [
        ({ClaimOutcome.HOLDS: 3}, "confirmed"),
        ({ClaimOutcome.HOLDS: 3, ClaimOutcome.OPEN: 1}, "confirmed where it can be decided"),
        ({ClaimOutcome.HOLDS: 3, ClaimOutcome.FAILS: 1, ClaimOutcome.OPEN: 1}, "confirmed in part"),
        ({ClaimOutcome.FAILS: 1, ClaimOutcome.OPEN: 1}, "contradicted"),
        ({ClaimOutcome.OPEN: 2}, "open"),
        ({ClaimOutcome.AGREES: 2}, "printed means agree"),
        ({ClaimOutcome.AGREES: 2, ClaimOutcome.DISAGREES: 1}, "printed means partly agree"),
        ({ClaimOutcome.DISAGREES: 1}, "printed means do not agree"),
        ({}, "open"),
    ],
)
def test_the_answer_follows_from_how_many_lines_came_to_what(counts: dict[ClaimOutcome, int], word: str) -> None:
    assert verdict(counts).word == word


@pytest.mark.django_db
def test_figures_without_a_spread_that_contradict_a_claim_come_first(loaded: Loaded) -> None:
    (poor,) = (each for each in answers(loaded["raid-2009"]) if each.text.startswith("xfs with barriers is poor"))

    assert poor.verdict.count.startswith("Agrees in 26, disagrees in 3 of 29.")
    assert [line["word"] for line in poor.first[:4]] == [*["disagrees"] * 3, "agrees"]
    assert len(poor.first) + len(poor.more) == 29


@pytest.mark.django_db
def test_memory_against_the_device_is_open_and_its_printed_means_play_no_part(loaded: Loaded) -> None:
    links = Permalink.objects.with_runs_now().filter(published__publication=loaded["iozone-2009"])
    content = next(link.shown for link in links.select_related("published") if link.published.key == "by-record-size")
    claim = ArticleClaim("better", values=("ext4",), against=("ext3",), where={"test": ("write",)})

    (answer,) = answered([Observation("x", "t", claim)], {"t": (_in_memory(content, "ext3"), "")})

    assert (answer.verdict.word, answer.range) == ("open", "")
    assert {(line["change"], line["word"]) for line in answer.first} == {("–", "open")}


def _in_memory(content: TableContent, value: str) -> TableContent:
    """The table in which this value measured memory, the others the device."""

    def cell_of(cell: Cell | None, parts: Iterable[str]) -> Cell | None:
        return cell and replace(cell, cache=replace(cell.cache, verdict="cached" if value in parts else "device"))

    groups = [
        replace(
            group,
            rows=[
                replace(
                    row,
                    cells=[
                        cell_of(cell, [*group.parts.values(), *row.parts.values(), *head.parts.values()])
                        for cell, head in zip(row.cells, content.heads, strict=True)
                    ],
                )
                for row in group.rows
            ],
        )
        for group in content.groups
    ]
    return replace(content, groups=groups)
