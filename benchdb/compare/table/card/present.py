"""The context of compare/card.html: a verdict card with positions in per cent and links to its cells."""

from __future__ import annotations

from dataclasses import dataclass

from benchdb.compare.table.grid import Grid
from benchdb.wording.sizes import unbroken

from .axis import RatioAxis, axis_of
from .build import card_of
from .facts import Answer, CardRow, Effect, Sign, VerdictCard

MARK = 6  # px between the marks of a row
LEAST_HEIGHT = 22


@dataclass(frozen=True, slots=True)
class ShownCard:
    """The context of compare/card.html; `one` is the position of the baseline, `height` of a row in px.

    `sentence` is the answer as text, empty if there is none.
    """

    sentence: str
    baseline: str
    lines: list[dict[str, object]]
    rows: list[dict[str, object]]
    ticks: list[dict[str, str]]
    one: str
    height: int
    size: int
    matrices: list[dict[str, object]]
    heads: list[str]
    head_name: str
    axis: str
    warning: str | None
    notes: list[str]


def show_card(table: Grid) -> ShownCard | None:
    """The card of a table; None if nothing was compared."""
    card = card_of(table)
    if card is None:
        return None
    axis = axis_of(card.rows)
    number = len(card.compared)
    height = max(LEAST_HEIGHT, MARK * (number + 1))
    return ShownCard(
        sentence=card.sentence,
        baseline=card.baseline,
        lines=[
            {"answers": [_answer(each) for each in line.answers], "basis": unbroken(line.basis)} for line in card.lines
        ],
        rows=[_row(card, row, axis, height) for row in card.rows],
        ticks=[{"x": _per_cent(tick.share), "text": tick.text} for tick in axis.ticks],
        one=_per_cent(axis.share(1.0, higher_is_better=True)),
        height=height,
        size=number,
        matrices=[{"label": each.label, "series": each.series} for each in card.judged],
        heads=card.heads,
        head_name=card.head_name,
        axis=_say_axis(card, axis),
        warning=card.warning,
        notes=card.notes,
    )


def _answer(answer: Answer) -> dict[str, object]:
    # Its sign's kind, the label with the number of its colour and shape, and the text.
    compared = answer.compared
    return {"kind": answer.kind, "label": compared.label, "series": compared.series, "text": unbroken(answer.text)}


def _row(card: VerdictCard, row: CardRow, axis: RatioAxis, height: int) -> dict[str, object]:
    step = height / (len(card.compared) + 1)
    marks = [
        _mark(row, each.label, each.series, effect, axis, f"{step * (i + 1):g}")
        for i, (each, effect) in enumerate(zip(card.compared, row.effects, strict=True))
        if effect is not None
    ]
    words = ", ".join(f"{mark['label']} {mark['change']}" for mark in marks) or "no ratio"
    signs = [[[_sign(sign) for sign in place] for place in of_value] for of_value in row.signs]
    # A row of plot and matrix; `words` are its effects for readers who do not see the plot.
    return {"label": unbroken(row.label), "overall": row.overall, "marks": marks, "words": words, "signs": signs}


def _mark(row: CardRow, label: str, series: int, effect: Effect, axis: RatioAxis, y: str) -> dict[str, object]:
    def at(ratio: float) -> str:
        return _per_cent(axis.share(ratio, higher_is_better=row.higher_is_better))

    # Positions as lengths in SVG; `dots` replace the mark if there is no interval.
    return {
        "label": label,
        "series": series,
        "change": unbroken(effect.change),
        "x": at(effect.ratio),
        "y": y,
        "low": None if effect.low is None else at(effect.low),
        "high": None if effect.high is None else at(effect.high),
        "dots": [at(ratio) for ratio in effect.dots],
    }


def _sign(sign: Sign) -> dict[str, str]:
    # `number` is empty if it is one cell.
    number = str(sign.number) if sign.number > 1 else ""
    return {"kind": sign.kind, "number": number, "href": f"#c{sign.key}", "why": sign.why}


def _say_axis(card: VerdictCard, axis: RatioAxis) -> str:
    """What the axis is: `Ratio to ext4, better to the right`, and what its intervals hold."""
    mixed = len({row.higher_is_better for row in card.rows}) > 1
    where = "less, which is better, to the right" if axis.falling else "better to the right"
    inverse = " (of metrics with ↓ its inverse)" if mixed else ""
    return f"Ratio to {card.baseline}{inverse}, {where}. The 95 % intervals of single rows hold each alone."


def _per_cent(share: float) -> str:
    return f"{100 * share:.2f}%"
