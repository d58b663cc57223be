"""The verdict card of a table as a picture of 1200 × 630 dots, the size of link previews."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.offsetbox import AnchoredOffsetbox, HPacker, TextArea

from benchagent.verdicts import VERDICTS
from benchdb.compare.table.card.axis import RatioAxis, axis_of
from benchdb.compare.table.card.build import card_of
from benchdb.compare.table.card.facts import Answer, CardRow, Compared, Sign, VerdictCard
from benchdb.compare.table.content import TableContent
from benchdb.compare.table.grid import grid_of
from benchdb.exports.clean import clean
from benchdb.exports.origin import Origin

from .sheet import Sheet
from .style import FAINT, INK, MARKERS, RULE, SERIES, VERDICT_COLOURS, VERMILLION, short

WIDTH, HEIGHT = 6.0, 3.15  # inches: 1200 × 630 at the 200 dots of `save`
EDGE = 0.18
TOP, BOTTOM = 1.2, 0.3  # inches above and below the rows
HIGHEST_ROW = 0.36
LABELS = 1.25  # inches of the names of rows
SIGN = 0.2  # inches of a column of the matrix
WIDEST_MATRIX = 2.2
LONGEST_LINE = 78  # letters of the answer
DIFFERENT = ("better", "worse")  # verdicts that say more than others
SIGNS = {kind: of.sign for kind, of in VERDICTS.items()} | {"cached": "RAM"}


def draw_card(content: TableContent, origin: Origin) -> Sheet:
    """The card; without one, title and first finding only."""
    sheet = Sheet(Figure(figsize=(WIDTH, HEIGHT), facecolor="white"), WIDTH, HEIGHT, TOP)
    sheet.text(EDGE, EDGE, short(content.title, 58), fontsize=11.5, fontweight="bold")
    sheet.text(EDGE, EDGE + 0.24, short(content.subtitle, 90), fontsize=7, color=FAINT)
    card = card_of(grid_of(content))
    if card is not None and card.lines:
        _answer(sheet, card)
        _rows(sheet, card)
    else:
        words = [*(card.notes if card else []), *(finding.text for finding in content.findings), ""]
        sheet.text(EDGE, TOP, clean(words[0]), fontsize=9, wrap=True)
    notices = [*origin.notices, *([card.warning] if card and card.warning else [])]
    address = origin.address.partition("//")[2]
    sheet.text(EDGE, HEIGHT - 0.2, short(f"BenchDB · {address}", 60), fontsize=6, color=FAINT)
    if notices:
        sheet.text(WIDTH - EDGE, HEIGHT - 0.2, short(notices[0], 70), fontsize=6, color=VERMILLION, ha="right")
    return sheet


def _answer(sheet: Sheet, card: VerdictCard) -> None:
    """The first line of words, differences first, and what it rests on; answers without room have only their sign."""
    line = card.lines[0]
    answers = sorted(line.answers, key=lambda answer: answer.kind not in DIFFERENT)
    against = f"against {clean(card.baseline)}"
    for i in reversed(range(len(answers))):
        if sum(map(_letters, answers)) + len(against) > LONGEST_LINE:
            answers[i] = replace(answers[i], text="")
    while len(answers) > 1 and sum(map(_letters, answers)) + len(against) > LONGEST_LINE:
        answers.pop()
    if more := len(line.answers) - len(answers):
        against = f"and {more} more {against}"
    parts = [part for i, each in enumerate(answers) for part in _words(each, last=i == len(answers) - 1)]
    parts.append((against, INK, "normal"))
    areas: list[Artist] = [
        TextArea(text, textprops={"color": colour, "fontsize": 9.5, "fontweight": weight})
        for text, colour, weight in parts
    ]
    packed = HPacker(children=areas, pad=0, sep=2, align="baseline")
    anchor = (EDGE / WIDTH, 1 - 0.62 / HEIGHT)
    box = AnchoredOffsetbox(
        "upper left",
        child=packed,
        pad=0,
        borderpad=0,
        frameon=False,
        bbox_to_anchor=anchor,
        bbox_transform=sheet.figure.transFigure,
    )
    sheet.figure.add_artist(box)
    sheet.text(EDGE, 0.8, short(line.basis, 100), fontsize=6.5, color=FAINT)


def _words(answer: Answer, *, last: bool) -> list[tuple[str, str, str]]:
    """Label, sign and text of an answer with their colours and weights."""
    sign = "" if answer.kind == "none" else SIGNS[answer.kind]
    said = f"{sign} {answer.text}".strip()
    return [
        (clean(answer.compared.label), _colour(answer.compared), "bold"),
        (f"{said}{'' if last else ','}", VERDICT_COLOURS.get(answer.kind, FAINT), "normal"),
    ]


def _letters(answer: Answer) -> int:
    """About as many letters as `_words` draws."""
    return len(answer.compared.label) + len(answer.text) + (5 if answer.text else 4)


def _colour(compared: Compared) -> str:
    return SERIES[compared.series - 1]


def _rows(sheet: Sheet, card: VerdictCard) -> None:
    """Plot and matrix, with a line for each row."""
    columns = max(len(card.heads), 1)
    fits = _judged_with_room(card, max(1, int(WIDEST_MATRIX / (SIGN * columns + 0.12))))
    matrix = len(fits) * (SIGN * columns + 0.12) if columns * SIGN <= WIDEST_MATRIX else 0.0
    height = min(HIGHEST_ROW, (HEIGHT - TOP - BOTTOM) / len(card.rows))
    size = min(7.0, height * 72 * 0.7)
    width = WIDTH - 2 * EDGE - LABELS - matrix - (0.15 if matrix else 0)
    whole = height * len(card.rows)
    axes = sheet.axes(EDGE + LABELS, TOP, width, whole)
    axis = axis_of(card.rows)
    _plot(axes, card, axis)
    for i, row in enumerate(card.rows):
        middle = TOP + (i + 0.5) * height
        weight = "bold" if row.overall else "normal"
        sheet.text(EDGE, middle, short(row.label, 26), fontsize=size, va="center", fontweight=weight)
    if matrix:
        left = WIDTH - EDGE - matrix
        _matrix(sheet, card, fits, left=left, height=height, size=size)


def _judged_with_room(card: VerdictCard, most: int) -> list[int]:
    """The places in `card.judged` of the values whose verdicts have room: those with the most differences."""
    differences = [
        sum(sign.number for row in card.rows if row.signs for place in row.signs[i] for sign in _different(place))
        for i in range(len(card.judged))
    ]
    return sorted(sorted(range(len(card.judged)), key=lambda i: -differences[i])[:most])


def _different(place: Sequence[Sign]) -> list[Sign]:
    return [sign for sign in place if sign.kind in DIFFERENT]


def _plot(axes: Axes, card: VerdictCard, axis: RatioAxis) -> None:
    number = len(card.rows)
    axes.set(xlim=(0, 1), ylim=(number, 0), yticks=[])
    axes.spines[:].set_visible(False)
    axes.xaxis.tick_top()
    axes.tick_params(length=0, pad=1, labelsize=6, labelcolor=FAINT)
    axes.set_xticks([tick.share for tick in axis.ticks], [tick.text for tick in axis.ticks])
    axes.hlines(range(number + 1), 0, 1, color=RULE, linewidth=0.3)
    for tick in axis.ticks:
        axes.axvline(tick.share, color=FAINT if tick.text == "1" else RULE, linewidth=0.7 if tick.text == "1" else 0.4)
    for i, row in enumerate(card.rows):
        _marks(axes, card.compared, row, axis, i)


def _marks(axes: Axes, compared: Sequence[Compared], row: CardRow, axis: RatioAxis, i: int) -> None:
    for k, (each, effect) in enumerate(zip(compared, row.effects, strict=True)):
        if effect is None:
            continue
        y = i + (k + 1) / (len(compared) + 1)

        def at(ratio: float) -> float:
            return axis.share(ratio, higher_is_better=row.higher_is_better)

        colour = _colour(each)
        if effect.low is not None and effect.high is not None:
            axes.plot([at(effect.low), at(effect.high)], [y, y], color=colour, linewidth=1.8 if row.overall else 0.9)
        places = [at(ratio) for ratio in effect.dots or (effect.ratio,)]
        marker = MARKERS[each.series - 1]
        size = 2 if effect.dots else 3.2
        axes.plot(
            places, [y] * len(places), marker=marker, linestyle="none", color=colour, markersize=size, clip_on=False
        )


def _matrix(sheet: Sheet, card: VerdictCard, judged: Sequence[int], *, left: float, height: float, size: float) -> None:
    columns = max(len(card.heads), 1)
    for number, value in enumerate(judged):
        compared = card.judged[value]
        begin = left + number * (SIGN * columns + 0.12)
        middle = begin + SIGN * columns / 2
        room = max(int(columns * SIGN / 0.075), 5)
        above = 0.22 if card.heads else 0.02
        style = {"fontsize": 6, "ha": "center", "va": "bottom", "color": _colour(compared), "fontweight": "bold"}
        sheet.text(middle, TOP - above, short(compared.label, room), **style)
        for column, head in enumerate(card.heads):
            x = begin + (column + 0.5) * SIGN
            sheet.text(x, TOP - 0.02, head.replace(" ", "\n"), fontsize=4.2, ha="center", va="bottom", color=FAINT)
        for i, row in enumerate(card.rows):
            for column, place in enumerate(row.signs[value] if row.signs else []):
                _sign(sheet, place, begin + (column + 0.5) * SIGN, TOP + (i + 0.5) * height, size)


def _sign(sheet: Sheet, place: Sequence[Sign], x: float, y: float, size: float) -> None:
    """The signs of a place; several share its room."""
    signs = [SIGNS[sign.kind] for sign in place]
    if signs:
        colour = VERDICT_COLOURS.get(place[0].kind, FAINT) if len(signs) == 1 else FAINT
        text = "".join(signs)
        small = size if len(text) == 1 else min(size, 4.2)
        sheet.text(x, y, text, fontsize=small, ha="center", va="center", color=colour)
