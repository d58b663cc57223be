"""The page `publications/beside.html`: own runs against an article's table, or why they cannot be compared."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from uuid import UUID

from django.urls import reverse

from benchagent.formats.vocabulary import test_label
from benchdb.compare.table.content import TableContent, cells
from benchdb.http.requests import Reader
from benchdb.publications.models import Publication
from benchdb.publications.page_files import page_file
from benchdb.runs.cells.cell import Cell
from benchdb.runs.costs import before_results
from benchdb.runs.models import Run, in_short
from benchdb.runs.queries import measured
from benchdb.wording.numbers import plural, say_number
from benchdb.wording.sizes import say_size, unbroken
from benchdb.wording.words import metric_label

from .answer import Answers, JudgedFigure
from .counterparts import NOT_MEASURED, Configurations, NoCounterpart, Search, Sides, counterparts
from .own_runs import MOST_RESULTS, Figure, figures_of
from .words import EQUAL, basis, figure, gain_in_words, gain_of, is_open
from .work import BYTES, FILES

UNLIKE = "one figure is of memory, the other of the disk"


def page_of(
    publication: Publication, key: str, table: TableContent, runs: Sequence[UUID], reader: Reader
) -> dict[str, object]:
    """The page about these own runs and a table; two queries. Raises MustWait."""
    known = in_short(Run.objects.with_context()).in_bulk([*map(UUID, table.runs), *runs])
    own = [known[run] for run in sorted(runs) if run in known]  # in the order of their plan
    before_results(own)
    wanted = figures_of(table)
    too_many = sum(run.runstate.result_count for run in own) > MOST_RESULTS
    filters = {name: [figure[index] for figure in wanted] for index, name in enumerate(("test", "metric"))}
    results = [] if too_many else measured(runs, filters)
    configurations = Configurations([known[run] for run in map(UUID, table.runs) if run in known], own)
    published = [each.cell for each in cells(table) if each.cell.mean is not None and each.cell.test is not None]
    search = Search(known, results, page_file(publication.slug).means)
    found, without = counterparts(published, configurations, search)
    answers = Answers(found, known)
    is_own = reader.is_authenticated and all(run.runstate.owner_id == reader.pk for run in own)
    said = answers.sentences("Your" if is_own else "The measured")
    reasons = [*_reasons(without, wanted), *_apart(configurations)]
    rests_on = answers.basis() if said else reasons
    headline, *others = said or [_impossible(wanted, without, own, answers.figures, is_own=is_own, too_many=too_many)]
    return {
        "publication": publication,
        "table": table.title,
        "href": f"{reverse('article', args=[publication.slug])}#{key}-title",
        "plan": reverse("article-plan", args=[publication.slug]),
        "headline": unbroken(headline),
        "said": [unbroken(f"{each}.") for each in others],
        "basis": [*map(unbroken, rests_on)],
        "own": _about(publication, own),
        "groups": [{"own": sides[0], "published": sides[1], "rows": _rows(answers.figures, sides)} for sides in found],
        "without": [*map(unbroken, reasons if said else ())],
        "runs": own,
        "section": "articles",
    }


def _impossible(
    wanted: Sequence[Figure],
    without: Iterable[NoCounterpart],
    own: Sequence[Run],
    judged: Sequence[JudgedFigure],
    *,
    is_own: bool,
    too_many: bool,
) -> str:
    """`Your run cannot be compared: files of 8 MiB (1/1024 × memory, so in RAM) against 16 GiB … in the article`."""
    if not own:
        tests = "; ".join(dict.fromkeys(test_label(test) for test, _ in wanted))
        return f"None of {'your' if is_own else 'the listed'} runs measured what is in this table: {tests}"
    it, its = ("it", "its") if len(own) == 1 else ("they", "their")
    others = f"{its} file systems are not in the table" if not without else f"{it} measured other metrics"
    why = min((reason for reason in without if reason != NOT_MEASURED), default=NoCounterpart(0, others)).why
    why = UNLIKE if judged else f"more than {say_number(MOST_RESULTS, 0)} results" if too_many else why
    return f"{'Your' if is_own else 'The measured'} run{'' if len(own) == 1 else 's'} cannot be compared: {why}"


def _reasons(without: Mapping[NoCounterpart, Sequence[Cell]], figures: Sequence[Figure]) -> Iterator[str]:
    """`Read; Write: files of 8 MiB … against 16 GiB … in the article.`, with the metrics if others were compared."""
    for reason, missing in without.items():
        tests: dict[str, dict[str, None]] = defaultdict(dict)
        for cell in missing:
            tests[cell.test or ""][cell.metric] = None
        whole = [{metric for of, metric in figures if of == test} == metrics.keys() for test, metrics in tests.items()]
        labels = [
            test_label(test) + ("" if is_whole else f" ({', '.join(map(metric_label, metrics))})")
            for (test, metrics), is_whole in zip(tests.items(), whole, strict=True)
        ]
        yield f"{'; '.join(labels)}: {reason.why}."


def _apart(configurations: Configurations) -> Iterator[str]:
    """Sentences about the file systems that only one side has."""
    article, own = (
        dict.fromkeys(str(run.target.file_system) for run in runs.values())
        for runs in (configurations.published, configurations.own)
    )
    if only_own := [name for name in own if name not in article]:
        yield f"This table has no {', '.join(only_own)}."
    if only_article := [name for name in article if own and name not in own]:
        yield f"Only the article has {', '.join(only_article)}."


def _about(publication: Publication, own: Sequence[Run]) -> str:
    """The machines and the plan of the own runs: `7 runs on my-laptop, of the article’s plan raid-array-small`."""
    if not own:
        return ""
    plans = dict.fromkeys(plan for run in own if (plan := run.runstate.labels.get("plan")) in publication.plans)
    of_plan = f"of the article’s plan {' and '.join(plans)}" if plans else "not of the article’s plan"
    machines = dict.fromkeys(run.machine.name for run in own)
    return f"{plural(len(own), 'run')} on {', '.join(machines)}, {of_plan}."


def _rows(figures: Sequence[JudgedFigure], sides: Sides) -> list[dict[str, object]]:
    several = len({figure.own.metric for figure in figures}) > 1
    return [_row(figure, several_metrics=several) for figure in figures if figure.sides == sides]


def _row(judged: JudgedFigure, *, several_metrics: bool) -> dict[str, object]:
    each, own, published, verdict = judged.each, judged.own, judged.each.published, judged.verdict
    metric = [metric_label(own.metric)] if several_metrics or own.metric == "elapsed" else []
    sizes = [f"{say_size(own.record_size)} records"] if own.record_size and published.record_size else []
    threads = [f"{own.threads} threads"] if (own.threads or 1) > 1 and published.threads else []
    kind, change = "none", "no ratio: a figure is 0"
    if not judged.kind:
        change = f"not compared: {UNLIKE}"
    elif verdict.ratio is not None:
        gain = gain_of(own.metric, verdict.ratio, verdict.low, verdict.high)
        per = {None: "", BYTES: " per byte", FILES: " per file"}[each.unit] if own.metric != "elapsed" else ""
        kind, change = verdict.kind, gain_in_words(own.metric, gain, per)
        change = f"equal {EQUAL}" if kind == "equivalent" else f"undecided: {change}" if is_open(gain) else change
    return {
        "what": unbroken(" · ".join([test_label(own.test or ""), *metric, *sizes, *threads])),
        "published": unbroken(figure(published, printed=True)),
        "published_basis": unbroken(basis(published, each, each.amounts[0])),
        "own": unbroken(figure(own, printed=False)),
        "own_basis": unbroken(basis(own, each, each.amounts[1])),
        "kind": kind,
        "change": unbroken(change),
    }
