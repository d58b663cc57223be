"""The answers to the authors' observations are what the statistics of findings make of the articles' tables."""

from collections import Counter
from collections.abc import Mapping, Sequence

import numpy as np
import pytest
from django.test import Client

from benchdb.compare.table.findings.evidence import FindingEvidence
from benchdb.compare.table.grid import Grid, grid_of
from benchdb.publications.data_files import generated, read
from benchdb.publications.models import Publication
from benchdb.publications.page import frozen_tables
from benchdb.publications.page_files import page_file
from benchdb.publications.places import Facts
from benchdb.publications.services import load
from benchdb.runs.services import delete_run
from benchdb.stats import Verdict, to_places
from benchdb.stats.comparing.multiple_testing import adjust
from benchdb.wording.changes import change_and_interval, common_metric, range_in_words
from benchdb.wording.sizes import unbroken
from benchdb.wording.words import upper
from tests.support.html import read as page_of

pytestmark = pytest.mark.django_db
# The kind of an answer by the outcomes of its lines, the first that fits.
KINDS = (({"holds", "fails"}, "part"), ({"fails"}, "contradicted"), ({"holds"}, "confirmed"), (set(), "untested"))


@pytest.mark.parametrize("slug", ["iozone-2009", "raid-2009", "ffsb-2007", "comparison-2024"])
def test_an_answer_is_what_the_figures_make_of_a_claim(loaded: dict[str, Publication], slug: str) -> None:
    about = list(zip(page_file(slug).observations, generated(slug)["answers"], strict=True))

    for key, content in frozen_tables(loaded[slug]).items():
        table, claims = grid_of(content), [each for each in about if each[0]["table"] == key]
        evidence = FindingEvidence(table)
        # The claim of a line is about the last of its pairs; a cell alone is paired with itself.
        pairs = [
            [
                [
                    evidence.pair(cell, table.index[line.get("against", line["cell"])])
                    for cell in map(table.index.get, line.get("steps", [line["cell"]]))
                ]
                for line in answer["lines"]
            ]
            for _, answer in claims
        ]
        evidence.weigh()
        # All claims about a table are one family.
        family = [steps[-1] for of_claim in pairs for steps in of_claim]
        p = dict(zip(family, adjust(np.array([evidence.answer(pair).p for pair in family], dtype=float)), strict=True))
        said = [(unbroken(each.text), each.cells[0]) for each in content.findings]
        for (claim, answer), of_claim in zip(claims, pairs, strict=True):
            lines = [_line(table, evidence, claim, *each, p) for each in zip(answer["lines"], of_claim, strict=True)]
            assert answer["lines"] == [line for line, _ in lines]
            assert {name: answer[name] for name in ("kind", "word", "count", "range")} == _together(table, lines)
            assert all((each["text"], each["cell"]) in said for each in answer["findings"])


def _line(
    table: Grid, evidence: FindingEvidence, claim: Facts, line: Facts, steps: Sequence[int], p: Mapping[int, float]
) -> tuple[Facts, float | None]:
    """The line with the label, figures and outcome that its cells have, and the ratio of two cells."""
    cells = [table.index[line[name]] for name in ("against", "cell") if name in line]
    means, along = [table.cells[cell].mean or 0.0 for cell in cells], claim.get("along")
    names = dict.fromkeys(table.value_of(cell) for cell in reversed(cells))
    ways = [table.words(cells[-1], *([along] if along else []))]
    ways += [" → ".join(table.label(cell, along) for cell in cells)] if along else []
    label = unbroken(" · ".join(filter(None, [" against ".join(names), ", ".join(filter(None, ways))])))
    printed = f"{' → '.join(table.cells[cell].text.mean for cell in cells)} {table.measures[cells[-1]].unit}"
    if len(cells) == 1:
        spread = (table.cells[cells[0]].sd or 0.0) / means[0]
        outcome = "holds" if spread < claim["share"] else "fails"
        return {**line, "label": label, "printed": printed, "change": f"sd {to_places(100 * spread, 2)} %"} | {
            "outcome": outcome
        }, None
    ratio, interval, shown = means[1] / means[0], (), evidence.pair(cells[1], cells[0])
    upward = table.measures[cells[1]].higher_is_better
    least, most = claim.get("ratio", (0, np.inf) if claim["kind"] in ("down", "worse") else (1, np.inf))
    verdicts = [evidence.answer(step).verdict for step in steps]
    if verdicts[-1] is Verdict.NONE:  # the printed means alone, without a test
        bound, gain = 1 + table.content.margin, ratio if upward else 1 / ratio
        limits = {"equal": (1 / bound, bound), "worse": (0, 1)}.get(claim["kind"], (least, most))
        outcome = "agrees" if limits[0] <= gain <= limits[1] else "disagrees"
    else:
        ratio, interval = evidence.answer(shown).ratio, evidence.interval(shown)
        (low, high), wanted = evidence.interval(steps[-1]), Verdict.WORSE if claim["kind"] == "down" else Verdict.BETTER
        differs = verdicts[-1] in (Verdict.BETTER, Verdict.WORSE) and p[steps[-1]] < table.content.level
        holds = differs and verdicts[-1] is wanted and low <= most and high >= least
        if claim["kind"] in ("unmoved", "equal"):
            holds = set(verdicts) == {Verdict.EQUIVALENT}
        else:
            differs = differs or verdicts[-1] is Verdict.EQUIVALENT
        outcome = "holds" if holds else "fails" if differs else "open"
    change, between = change_and_interval(table.measures[cells[1]].metric, ratio, *interval)
    found = {"label": label, "printed": printed, "change": change, "interval": between, "outcome": outcome}
    return {**line, **found}, ratio


def _together(table: Grid, lines: Sequence[tuple[Facts, float | None]]) -> Facts:
    """What an answer says of all its lines."""
    found, ratios = Counter(line["outcome"] for line, _ in lines), [ratio for _, ratio in lines if ratio is not None]
    kind = next(kind for needed, kind in KINDS if needed <= found.keys())
    agree = "do not agree" if not found["agrees"] else "partly agree" if found["disagrees"] else "agree"
    word = {"part": "confirmed in part", "untested": f"printed means {agree}"}.get(kind, kind)
    counts = upper(
        ", ".join(
            f"{outcome} in {found[outcome]}"
            for outcome in ["holds", "fails", "open", "agrees", "disagrees"]
            if found[outcome]
        )
    )
    metric = common_metric(table.measures[table.index[line["cell"]]].metric for line, _ in lines)
    one = change_and_interval(metric, ratios[0])[0] if len(ratios) == 1 else ""
    changes = range_in_words(metric, min(ratios), max(ratios)) if len(ratios) > 1 else one
    return {
        "kind": kind,
        "word": f"{word} where it can be decided" if word == "confirmed" and found["open"] else word,
        "count": f"{counts} of {len(lines)}.{' No sd is printed, so no test is possible.' * (kind == 'untested')}",
        "range": unbroken(f"Change{'' if one else 's'}: {changes}.") if ratios else "",
    }


def test_what_speaks_against_a_claim_comes_first_and_an_answer_leaves_with_a_run(client: Client) -> None:
    publication = load(read("ffsb-2007")).publication
    lines = [rows for name, rows in page_of(client.get("/articles/ffsb-2007/")).tables.items() if "It takes" in name]
    assert [row[-1].text for row in lines[0][1:]] == ["disagrees", "disagrees", "agrees"]

    delete_run(publication.published_runs.get(key="xfs").run)
    assert "What the author observed" not in page_of(client.get("/articles/ffsb-2007/")).text
