"""A small chart of a history, drawn by the server as SVG: numbers in, coordinates out. A pure function."""

from __future__ import annotations

from collections.abc import Sequence

from benchdb.compare.trend.history import SeriesHistory

WIDTH, HEIGHT, MARGIN = 260, 56, 6  # of the drawing, in its own units
FLAT = 0.02  # a variation below this share of the level is drawn without stretching


def sparkline(means: Sequence[float | None], history: SeriesHistory) -> dict[str, object]:
    """The drawing of these figures; `history` is that of a trend's series.

    Runs have equal distances in the order of time; a run without a figure leaves a gap. The vertical axis
    covers the figures and does not begin at zero.
    """
    figures = [mean for mean in means if mean is not None]
    low, high = min(figures), max(figures)
    room = max(high - low, FLAT * abs(high)) or 1.0
    bottom = (low + high - room) / 2
    step = (WIDTH - 2 * MARGIN) / max(len(means) - 1, 1)

    def x(index: float) -> float:
        return round(MARGIN + index * step if len(means) > 1 else WIDTH / 2, 1)

    def y(mean: float) -> float:
        return round(HEIGHT - MARGIN - (mean - bottom) / room * (HEIGHT - 2 * MARGIN), 1)

    odd = set(history.outliers)
    return {
        # A run; `odd` if it is set aside as an outlier.
        "dots": [{"x": x(i), "y": y(mean), "odd": i in odd} for i, mean in enumerate(means) if mean is not None],
        "levels": [
            {"left": x(level.first), "right": x(level.last), "y": min(max(y(level.level), 0.0), float(HEIGHT))}
            for level in history.segments
        ],
        # A change point; `kind` is better, worse or inconclusive.
        "changes": [{"x": x(point.at - 0.5), "kind": point.kind} for point in history.change_points],
        "width": WIDTH,
        "height": HEIGHT,
    }
