"""The page of a pair of campaigns, and the lines about pairs on the pages of campaigns and runs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from urllib.parse import urlencode
from uuid import UUID

from django.urls import reverse

from benchagent.formats.vocabulary import METRICS, test_label
from benchdb.compare.table.evaluate import MOST_RESULTS
from benchdb.plans.models import Campaign
from benchdb.stats import NoVerdict
from benchdb.stats.comparing.reproduction import ReproductionAnswer
from benchdb.stats.sentences import NO_VERDICTS
from benchdb.wording.changes import change_and_interval
from benchdb.wording.numbers import plural, say_number
from benchdb.wording.words import direction, metric_label, place_in_words, upper

from .content import (
    StoredConclusion,
    StoredFigure,
    StoredQuantityPlace,
    StoredRatio,
    StoredReproduction,
)
from .models import Reproduction
from .reading import LinkedReproduction

MOST_ROWS = 300  # of a table on the page; the files have all
TOO_MANY = f"not compared, because their runs have more than {say_number(MOST_RESULTS, 0)} results in all"


def reproduction_page(pair: Reproduction) -> dict[str, object]:
    """The page of a pair that the reader may see."""
    content: StoredReproduction = pair.content
    answer = ReproductionAnswer(pair.answer)
    conclusions = sorted(content["conclusions"], key=_by_answer)
    figures = sorted(content["figures"], key=_by_answer)
    names = [pair.repetition_id, pair.original_id]
    campaigns = [("campaign", pair.original_id), ("campaign", pair.repetition_id)]
    # The context of reproductions/reproduction.html. `figures_left_out` and the like count rows beyond MOST_ROWS.
    return {
        "title": {
            "parts": [pair.original.plan_name, f"repeated on {pair.repetition.machine.name}"],
        },
        "sides": [_side("original", pair.original), _side("repetition", pair.repetition)],
        "sign": SIGNS[answer],
        "answer": upper(WORDS[answer]),
        "counts": _counts(pair) if content["points"] else TOO_MANY,
        "compared": content["points"],
        "points": plural(content["points"], "point"),
        "compare": f"{reverse('compare')}?{urlencode(campaigns)}",
        "differences": content["differences"],
        "conclusions": [*map(_conclusion, conclusions[:MOST_ROWS])],
        "conclusions_left_out": max(0, len(conclusions) - MOST_ROWS),
        "alike": content["alike"],
        "figures": [*map(_figure, figures[:MOST_ROWS])],
        "figures_left_out": max(0, len(figures) - MOST_ROWS),
        "counts_of_figures": _counted(figure["answer"] for figure in figures),
        "margin": f"{100 * content['margin']:.0f}\N{NO-BREAK SPACE}%",
        "csv": reverse("reproduction-csv", args=names),
        "data": reverse("api-1:get_reproduction", args=names),
        "section": "machines",
    }


def campaign_lines(pairs: Sequence[LinkedReproduction]) -> list[dict[str, object]]:
    """The pairs for the page of a campaign."""
    # A campaign of the same plan on another machine, which is the `role` of the pair, with the answer of the
    # pair.
    return [
        {
            "href": reverse("campaign", args=[each.other.pk]),
            "machine": each.other.machine.name,
            "role": "repetition" if each.repeats else "original",
            "started_at": each.other.started_at,
            "sign": SIGNS[ReproductionAnswer(each.reproduction.answer)],
            "answer": WORDS[ReproductionAnswer(each.reproduction.answer)],
            "counts": _counts(each.reproduction),
            "details": _address(each.reproduction),
        }
        for each in pairs
    ]


def run_lines(run_id: UUID, pairs: Sequence[LinkedReproduction]) -> list[dict[str, object]]:
    """The pairs in which a run was compared, for its page."""
    return [
        # A run of the same point of the plan on another machine, with the answer for the two campaigns. `details` is
        # the page of the pair, `compare` the comparison of the two runs.
        {
            "text": f"{'Repeated' if each.repeats else 'Repeats a campaign'} on {each.other.machine.name}",
            "sign": SIGNS[ReproductionAnswer(each.reproduction.answer)],
            "answer": WORDS[ReproductionAnswer(each.reproduction.answer)],
            "counts": _counts(each.reproduction),
            "details": _address(each.reproduction),
            "compare": f"{reverse('compare')}?{urlencode([('run', run_id), ('run', each.runs[run_id])])}",
        }
        for each in pairs
        if run_id in each.runs
    ]


def _address(pair: Reproduction) -> str:
    return reverse("reproduction", args=[pair.repetition_id, pair.original_id])


def _counts(pair: Reproduction) -> str:
    return say_counts(pair.reproduced, pair.not_reproduced, pair.undecided, "conclusion")


def _counted(answers: Iterable[str]) -> str:
    counts = Counter(answers)
    return say_counts(counts["reproduced"], counts["not_reproduced"], counts["undecided"], "figure")


def _side(role: str, campaign: Campaign) -> dict[str, object]:
    return {
        "role": role,
        "machine": campaign.machine.name,
        "href": reverse("campaign", args=[campaign.pk]),
        "campaign": campaign,
    }


def _by_answer(row: StoredConclusion | StoredFigure) -> int:
    """Not reproduced first."""
    return ORDER.index(ReproductionAnswer(row["answer"]))


def _conclusion(row: StoredConclusion) -> dict[str, object]:
    answer = ReproductionAnswer(row["answer"])
    # A row of the table of conclusions; `why` is "" unless the repetition could not be tested.
    return {
        "quantity": _quantity(row),
        "place": _place(row),
        "compared": f"{row['target']} against {row['baseline']}",
        "original": _shown(row["metric"], row["verdict"], row["original"]),
        "repetition": _shown(row["metric"], row["verdict_again"], row["repetition"]),
        "sign": SIGNS[answer],
        "answer": WORDS[answer],
        "why": _why(row),
    }


def _figure(row: StoredFigure) -> dict[str, object]:
    answer, ratio = ReproductionAnswer(row["answer"]), row["change"]
    change, interval = change_and_interval(row["metric"], ratio["ratio"], ratio["low"], ratio["high"])
    return {
        "quantity": _quantity(row),
        "place": _place(row),
        "target": row["target"],
        "change": change,
        "interval": interval,
        "sign": SIGNS[answer],
        "answer": WORDS[answer],
        "why": _why(row),
    }


def _quantity(row: StoredQuantityPlace) -> str:
    """`write throughput ↑`."""
    metric = row["metric"]
    return f"{test_label(row['test'])}, {metric_label(metric)} {direction(METRICS[metric].higher_is_better)}"


@dataclass(frozen=True, slots=True)
class _Settings:
    file_size: int | None
    record_size: int | None
    threads: int | None
    params: dict[str, object]


def _place(row: StoredQuantityPlace) -> str:
    """The workload of the plan and the sizes."""
    sizes = place_in_words(_Settings(row["file_size"], row["record_size"], row["threads"], row["params"]))
    return ", ".join(filter(None, [row["workload"], sizes]))


def _shown(metric: str, kind: str, ratio: StoredRatio) -> dict[str, object]:
    # `▲ 8.2 % faster` with its interval; "" if unknown. `kind` is that of a verdict.
    change, interval = change_and_interval(metric, ratio["ratio"], ratio["low"], ratio["high"])
    return {"kind": kind, "change": change, "interval": interval}


def _why(row: StoredConclusion | StoredFigure) -> str:
    return NO_VERDICTS[NoVerdict(row["reason"])] if row["reason"] else ""


SIGNS = {ReproductionAnswer.REPRODUCED: "✓", ReproductionAnswer.NOT_REPRODUCED: "✗", ReproductionAnswer.UNDECIDED: "?"}
WORDS = {
    ReproductionAnswer.REPRODUCED: "reproduced",
    ReproductionAnswer.NOT_REPRODUCED: "not reproduced",
    ReproductionAnswer.UNDECIDED: "undecided",
}
ORDER = (ReproductionAnswer.NOT_REPRODUCED, ReproductionAnswer.UNDECIDED, ReproductionAnswer.REPRODUCED)


def say_counts(reproduced: int, not_reproduced: int, undecided: int, noun: str) -> str:
    """`14 of 16 conclusions reproduced, 2 undecided`; `no conclusion to reproduce` if there is none."""
    total = reproduced + not_reproduced + undecided
    if not total:
        return f"no {noun} to reproduce"
    others = [f"{number} {word}" for number, word in ((not_reproduced, "not"), (undecided, "undecided")) if number]
    return ", ".join([f"{reproduced} of {plural(total, noun)} reproduced", *others])
