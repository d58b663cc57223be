"""The verdict card of a table as a picture of 1200 × 630 dots, the size of link previews."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

from benchagent.verdicts import VERDICTS
from benchdb.compare.table.card.axis import axis_of
from benchdb.compare.table.card.build import card_of
from benchdb.compare.table.card.facts import Answer, Compared, Sign, VerdictCard
from benchdb.compare.table.content import TableContent
from benchdb.compare.table.grid import grid_of
from benchdb.exports.origin import Origin
from benchdb.wording.axes import Tick

from .fonts import shorten, text_width, wrap
from .plot import INSIDE, Plot, plain_scale
from .style import FAINT, INK, RULE, SERIES, VERDICT_COLOURS, VERMILLION
from .svg import LINE, MIDDLE, TOP, Drawing

WIDTH, HEIGHT = 432.0, 226.8  # 1200 × 630 at the 200 dots an inch of `save`
EDGE, SPACE = 13.0, 2.7  # around the card; between the words of the answer
ROWS, FOOT = 86.4, 24.0  # above and below the rows
HIGHEST_ROW = 26.0
LABELS, ASIDE = 90.0, 11.0  # for the names of rows, and between plot and matrix
SIGN, APART = 14.4, 8.6  # a column of the matrix, and between two matrices
WIDEST_MATRIX = 160.0
TITLE, SUBTITLE, ANSWER, BASIS, NOTE, HEAD = 11.5, 7.0, 9.5, 6.5, 6.0, 4.3  # sizes of fonts
DIFFERENT = ("better", "worse")  # verdicts that say more than others
SIGNS = {kind: of.sign for kind, of in VERDICTS.items()} | {"cached": "RAM"}

Word = tuple[str, str, bool]  # a text, its colour, and whether it is bold


def draw_card(content: TableContent, origin: Origin) -> Drawing:
    """The card; without one, title and first finding only."""
    sheet, inside = Drawing(WIDTH, HEIGHT, content.title), WIDTH - 2 * EDGE
    sheet.text(EDGE, EDGE, shorten(content.title, inside, TITLE, bold=True), TITLE, drop=TOP, bold=True)
    sheet.text(EDGE, EDGE + 17, shorten(content.subtitle, inside, SUBTITLE), SUBTITLE, FAINT, drop=TOP)
    card = card_of(grid_of(content))
    if card is not None and card.lines:
        _answer(sheet, card)
        _rows(sheet, card)
    else:
        words = [*(card.notes if card else []), *(finding.text for finding in content.findings), ""]
        sheet.texts(EDGE, ROWS, wrap(words[0], inside, 9)[:8], 9, INK)
    notices = [*origin.notices, *([card.warning] if card and card.warning else [])]
    source = shorten(f"BenchDB · {origin.address.partition('//')[2]}", inside / 2, NOTE)
    sheet.text(EDGE, HEIGHT - EDGE, source, NOTE, FAINT)
    if notices:
        room = inside - text_width(source, NOTE) - EDGE
        sheet.text(WIDTH - EDGE, HEIGHT - EDGE, shorten(notices[0], room, NOTE), NOTE, VERMILLION, anchor="end")
    return sheet


def _answer(sheet: Drawing, card: VerdictCard) -> None:
    """The first line of words, differences first, and what it rests on; answers without room have only their sign."""
    line, inside = card.lines[0], WIDTH - 2 * EDGE
    answers = sorted(line.answers, key=lambda answer: answer.kind not in DIFFERENT)
    for i in reversed(range(len(answers))):
        if _length(_words(card, answers)) > inside:
            answers[i] = replace(answers[i], text="")
    while len(answers) > 1 and _length(_words(card, answers)) > inside:
        answers.pop()
    x = EDGE
    for text, colour, bold in _words(card, answers):
        text = shorten(text, WIDTH - EDGE - x, ANSWER, bold=bold)
        sheet.text(x, 45, text, ANSWER, colour, drop=TOP, bold=bold)
        x += text_width(text, ANSWER, bold=bold) + SPACE
    sheet.text(EDGE, 58, shorten(line.basis, inside, BASIS), BASIS, FAINT, drop=TOP)


def _words(card: VerdictCard, answers: Sequence[Answer]) -> list[Word]:
    """Label, sign and text of these answers, how many more there are, and against what."""
    words: list[Word] = []
    for i, each in enumerate(answers):
        sign = "" if each.kind == "none" else SIGNS[each.kind]
        said = f"{sign} {each.text}".strip() + ("" if i == len(answers) - 1 else ",")
        label = shorten(each.compared.label, WIDTH / 3, ANSWER, bold=True)
        words += [(label, _colour(each.compared), True), (said, VERDICT_COLOURS.get(each.kind, FAINT), False)]
    more = len(card.lines[0].answers) - len(answers)
    baseline = shorten(card.baseline, WIDTH / 3, ANSWER)
    return [*words, (f"and {more} more against {baseline}" if more else f"against {baseline}", INK, False)]


def _length(words: Sequence[Word]) -> float:
    return sum(text_width(text, ANSWER, bold=bold) + SPACE for text, _, bold in words) - SPACE


def _colour(compared: Compared) -> str:
    return SERIES[compared.series - 1]


def _rows(sheet: Drawing, card: VerdictCard) -> None:
    """Plot and matrix, with a line for each row."""
    columns = SIGN * max(len(card.heads), 1)
    fits = _judged_with_room(card, max(1, int(WIDEST_MATRIX / (columns + APART))))
    matrix = len(fits) * (columns + APART) if columns <= WIDEST_MATRIX else 0.0
    height = min(HIGHEST_ROW, (HEIGHT - ROWS - FOOT) / len(card.rows))
    size = min(7.0, height * 0.7)
    width = WIDTH - 2 * EDGE - LABELS - (matrix + ASIDE if matrix else 0)
    _plot(sheet, card, width, height)
    for i, row in enumerate(card.rows):
        label = shorten(row.label, LABELS - EDGE / 2, size, bold=row.overall)
        sheet.text(EDGE, ROWS + (i + 0.5) * height, label, size, drop=MIDDLE, bold=row.overall)
    for number, value in enumerate(fits if matrix else []):
        _matrix(sheet, card, value, WIDTH - EDGE - matrix + number * (columns + APART), height, size)


def _judged_with_room(card: VerdictCard, most: int) -> list[int]:
    """The places in `card.judged` of the values whose verdicts have room: those with the most differences."""
    differences = [
        sum(
            sign.number
            for row in card.rows
            if row.signs
            for place in row.signs[i]
            for sign in place
            if sign.kind in DIFFERENT
        )
        for i in range(len(card.judged))
    ]
    return sorted(sorted(range(len(card.judged)), key=lambda i: -differences[i])[:most])


def _plot(sheet: Drawing, card: VerdictCard, width: float, height: float) -> None:
    axis, number = axis_of(card.rows), len(card.rows)
    scale = plain_scale(INSIDE, 1 - INSIDE, [Tick(tick.share, tick.text) for tick in axis.ticks])
    plot = Plot(sheet, EDGE + LABELS, ROWS, width, height * number, scale, plain_scale(0, 1))
    for i in range(number + 1):
        y = ROWS + i * height
        sheet.line([(plot.left, y), (plot.left + width, y)], RULE, 0.3)
    for tick in scale.ticks:
        x, one = plot.x(tick.value), tick.text == "1"
        sheet.line([(x, ROWS), (x, plot.bottom)], FAINT if one else RULE, 0.7 if one else 0.4)
        sheet.text(x, ROWS - 2.5, tick.text, NOTE, FAINT, anchor="middle")
    for i, row in enumerate(card.rows):
        for k, (each, effect) in enumerate(zip(card.compared, row.effects, strict=True)):
            if effect is None:
                continue
            y, colour = ROWS + height * (i + (k + 1) / (len(card.compared) + 1)), _colour(each)
            share = partial(axis.share, higher_is_better=row.higher_is_better)
            if effect.low is not None and effect.high is not None:
                plot.interval(share(effect.low), share(effect.high), y, colour, 1.8 if row.overall else 0.9)
            for ratio in effect.dots or (effect.ratio,):
                sheet.marker(each.series, plot.x(share(ratio)), y, 2 if effect.dots else 3.2, colour)


def _matrix(sheet: Drawing, card: VerdictCard, value: int, left: float, height: float, size: float) -> None:
    """The verdicts of one compared value by row and head."""
    compared, width = card.judged[value], SIGN * max(len(card.heads), 1)
    label = shorten(compared.label, width + APART - 2, NOTE, bold=True)
    above = 15.0 if card.heads else 2.0
    sheet.text(left + width / 2, ROWS - above, label, NOTE, _colour(compared), anchor="middle", bold=True)
    for column, head in enumerate(card.heads):
        lines = head.split(" ")
        for i, line in enumerate(lines):
            y = ROWS - 2.5 - (len(lines) - 1 - i) * LINE * HEAD
            x = left + (column + 0.5) * SIGN
            sheet.text(x, y, shorten(line, SIGN, HEAD), HEAD, FAINT, anchor="middle")
    for i, row in enumerate(card.rows):
        for column, place in enumerate(row.signs[value] if row.signs else []):
            _sign(sheet, place, left + (column + 0.5) * SIGN, ROWS + (i + 0.5) * height, size)


def _sign(sheet: Drawing, place: Sequence[Sign], x: float, y: float, size: float) -> None:
    """The signs of a place; several share its room."""
    text = "".join(SIGNS[sign.kind] for sign in place)
    colour = VERDICT_COLOURS.get(place[0].kind, FAINT) if len(place) == 1 else FAINT
    sheet.text(x, y, text, size if len(text) == 1 else min(size, HEAD), colour, anchor="middle", drop=MIDDLE)
