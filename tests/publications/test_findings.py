"""The findings of the articles are those that their data files make, and the notes name them."""

from collections import Counter, defaultdict
from contextlib import suppress
from typing import Any

import pytest

from benchdb.publications.data_files import DATA, generated, read, slugs
from benchdb.publications.models import Publication
from benchdb.publications.services import is_about
from benchdb.runs.cells.clock_and_cache import caches, clocks
from benchdb.runs.models import Run
from benchdb.runs.queries import measured
from tools.article_findings import findings

Loaded = dict[str, Publication]
CONTRADICTIONS = {
    "iozone-2009": {"records-of-1k": ("size arithmetic", 1), "third-record-size": ("stated twice", 1)},
    "raid-2009": {"all-data": ("sum", 1), "directories-of-directories": ("size arithmetic", 1)},
    "ffsb-2007": {"profile-time": ("size arithmetic", 6)},
    "comparison-2024": {
        "megabits": ("size arithmetic", 4),
        "rate-of-ext4": ("size arithmetic", 1),
        "share": ("percentage", 1),
        "timespan": ("unit arithmetic", 1),
        "references": ("stated twice", 1),
    },
    "t2-2008": {"disk": ("model name", 1)},
}


@pytest.mark.parametrize("slug", slugs())
def test_a_finding_is_what_statements_and_figures_make_of_it(slug: str) -> None:
    stored = generated(slug)["findings"]

    assert findings(read(slug), stored) == stored, "run tools/article_findings.py"


@pytest.mark.parametrize(
    ("slug", "before", "after"),
    [
        ("ffsb-2007", '["32.7", "44.7"', '["37.2", "44.7"'),  # files in a time
        ("ffsb-2007", '["18.7", "11.4"', '["18.7", "21.4"'),  # a change and an order
        ("ffsb-2007", 'value = "24"', 'value = "14"'),
        ("ffsb-2007", 'value = "SCSI ultra320"', 'value = "Ethernet"'),
        ("ffsb-2007", 'value = "68 GB"', 'value = "18 GB"'),
        ("t2-2008", "ST3250820AS", "ST3160820AS"),
        ("raid-2009", 'value = "480 GB"', 'value = "310 GB"'),
        ("raid-2009", '"275"', '"273"'),  # beside 275.6 of an output
        ("raid-2009", "4m42.252s / 0m2.885s", "0m42.252s / 0m2.885s"),  # of all processors
        ("iozone-2009", "9,628.00 ± 5.27", "8,628.00 ± 5.27"),  # of all tests
        ("comparison-2024", 'value = "6.4 %"', 'value = "4.6 %"'),
        ("comparison-2024", 'quantity = "memory", value = "10 GB"', 'quantity = "memory", value = "1 KB"'),
    ],
)
def test_a_changed_figure_is_found(slug: str, before: str, after: str) -> None:
    text = (DATA / f"{slug}.toml").read_text()
    assert before in text
    stored = generated(slug)["findings"]
    # Or it is a citation of what the article no longer says, or an interface that nobody knows.
    with suppress(KeyError, StopIteration):
        assert findings(read(slug, text.replace(before, after)), stored) != stored


@pytest.mark.django_db
@pytest.mark.parametrize("slug", slugs())
def test_clock_and_cache_are_those_of_the_stored_runs(loaded: Loaded, slug: str) -> None:
    runs = {run.id: run for run in Run.objects.with_context().filter(published__publication=slug)}
    judged: dict[str, list[Any]] = defaultdict(list)
    for run in loaded[slug].published_runs.values_list("run_id", flat=True):
        results = [result for result in measured(list(runs)) if result.run_id == run]
        for result, clock, cache in zip(results, clocks(results, runs), caches(results, runs), strict=True):
            judged[f"clock:{result.test}"] += [clock] if clock.verdict != "unknown" else []
            is_judged = cache.verdict != "unknown" and result.metric in ("throughput", "rate")
            judged[f"cache:{result.test}"] += [cache] if is_judged else []

    stored = {
        each["subject"]: each for each in generated(slug)["findings"] if each["subject"][:6] in ("clock:", "cache:")
    }
    assert {subject for subject, cells in judged.items() if cells} == stored.keys()
    for subject, finding in stored.items():
        counts = Counter(cell.verdict for cell in judged[subject])
        bad = next((verdict for verdict in ("unusable", "coarse", "cached", "mixed") if counts[verdict]), None)
        worst = next(cell for cell in judged[subject] if cell.verdict == (bad or cell.verdict))
        tally = ", ".join(f"{count} {verdict}" for verdict, count in counts.most_common())
        assert (finding["text"], finding["agrees"]) == (f"{subject[6:]}: {tally}. {worst.text}", bad is None)


@pytest.mark.django_db
@pytest.mark.parametrize("slug", CONTRADICTIONS)
def test_the_contradictions_of_an_article_and_who_found_them(loaded: Loaded, slug: str) -> None:
    notes = [note for note in loaded[slug].notes if not note["remark"]]

    found = {note["key"]: (", ".join(note["found_by"]), len(note["findings"])) for note in notes}
    assert found == CONTRADICTIONS[slug]
    assert all(len(set(each["statements"])) > 1 for note in notes for each in note["findings"])


@pytest.mark.parametrize("slug", slugs())
def test_whatever_contradicts_an_article_has_a_note_and_each_note_a_finding(slug: str) -> None:
    patterns = [pattern for note in read(slug).facts["notes"] for pattern in note.get("about", [])]
    found = generated(slug)["findings"]

    assert all(any(is_about(each, pattern) for each in found) for pattern in patterns)
    assert not [each for each in found if not each["agrees"] and not any(is_about(each, name) for name in patterns)]


def test_how_many_values_are_compared_and_how_many_differ() -> None:
    found = [
        each
        for slug in slugs()
        for each in generated(slug)["findings"]
        if {"relation", "order"} & {*each, each["check"]}
    ]
    # As docs/publications.md says: 19 contradictions and 27 remarks.
    assert (len(found) > 300, sum(not each["agrees"] for each in found)) == (True, 19 + 27)
