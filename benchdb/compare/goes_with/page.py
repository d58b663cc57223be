"""The context of compare/goes_with.html: what changed together with the figures of a cell's rivals."""

from __future__ import annotations

from urllib.parse import urlencode

from django.urls import reverse

from benchdb.compare.page_parts.titles import title_line
from benchdb.compare.table.cell_views.chosen_cell import CHOSEN
from benchdb.compare.table.grid import Grid
from benchdb.compare.verdicts.sentences import say_p
from benchdb.runs.cells.cell import Cell
from benchdb.runs.totals.quantities import Work
from benchdb.stats.goes_with import FEWEST_ROUNDS, FEWEST_RUNS, MARGIN
from benchdb.wording.numbers import plural
from benchdb.wording.words import upper

from .compared import ComparedQuantity, ComparedRival, ComparedRivals, is_different
from .words import change_of, interval_of, label_of, say_figure, sentence_of, work_in_words

MOST_SENTENCES = 3
PERCENT_OF_MARGIN = f"{100 * MARGIN:.0f}\N{NO-BREAK SPACE}%"


def goes_with_page(table: Grid, compared: ComparedRivals, query: str) -> dict[str, object]:
    """The page of these rivals; `query` is the address of their table."""
    address = f"{query}&{urlencode({CHOSEN: table.keys[compared.rivals[0].cell]})}"
    # The context of compare/goes_with.html; `work` is that by which counters are divided, in words.
    return {
        "title": title_line(table.content),
        "others": table.others(compared.baseline),
        "table": f"{reverse('compare')}?{address}",
        "baseline": compared.baseline_label,
        "rivals": [_section(table, each, compared) for each in compared.rivals],
        "work": work_in_words(compared.work),
        "left_out": f"Not compared: {plural(compared.left_out, 'cell')}." if compared.left_out else "",
        "csv": f"{reverse('compare-goes-with-data', args=['csv'])}?{address}",
        "json": f"{reverse('compare-goes-with-data', args=['json'])}?{address}",
        "margin": PERCENT_OF_MARGIN,
        "least_rounds": FEWEST_ROUNDS,
        "least_runs": FEWEST_RUNS,
        "section": "compare",
    }


def _section(table: Grid, rival: ComparedRival, compared: ComparedRivals) -> dict[str, object]:
    cell = table.cells[rival.cell]
    verdicts = [each for each in (cell.verdict, cell.tail) if each is not None]
    conditions = [each for each in rival.changed if each.quantity.condition]
    effects = [each for each in rival.changed if not each.quantity.condition]
    # A rival: its verdicts as sentences, what goes with them, and all quantities. `different` if a difference of means
    # or tails was shown. `sentences` are the first changed quantities; `conditions` are those that describe the machine
    # and should be equal.
    return {
        "label": rival.label,
        "verdicts": [each.why for each in verdicts],
        "different": is_different(cell),
        "sentences": [upper(sentence_of(each, compared.work)) for each in effects[:MOST_SENTENCES]],
        "conditions": [sentence_of(each, compared.work) for each in conditions],
        "changed": [line_of(each, compared.work) for each in rival.changed],
        "unchanged": [line_of(each, compared.work) for each in rival.quantities if each.rank is None],
        "rounds": [*_links(rival.label, cell), *_links(compared.baseline_label, table.cells[compared.baseline])],
    }


def line_of(each: ComparedQuantity, work: Work) -> dict[str, object]:
    """The row of a quantity whose counters are divided by this work."""
    # A row of the table of quantities; `rank` is None if no change was shown, then `change` is one by chance.
    return {
        "rank": each.rank,
        "label": upper(label_of(each.quantity, work)),
        "baseline": say_figure(each.baseline, each.quantity, work),
        "rival": say_figure(each.rival, each.quantity, work),
        "change": change_of(each),
        "interval": interval_of(each),
        "p": say_p(each.p_adjusted).removeprefix("= "),
    }


def _links(label: str, cell: Cell) -> list[dict[str, object]]:
    runs = cell.runs
    texts = [label] if len(runs) == 1 else [f"{label}, run {number}" for number in range(1, len(runs) + 1)]
    return [{"text": text, "href": reverse("run-inside", args=[run])} for text, run in zip(texts, runs, strict=True)]
