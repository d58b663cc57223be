"""The parts of a verdict card, as numbers and words that pages and pictures show."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Compared:
    """A value of the factor that is compared with the baseline; `series` is the number of its colour, from 1."""

    label: str
    series: int


@dataclass(frozen=True, slots=True)
class Effect:
    """A ratio to the baseline with the bounds of its 95 % interval, None if unknown.

    `dots` are the ratios of several cells that have no common interval; `ratio` is then their geometric mean. `change`
    is the effect in words.
    """

    ratio: float
    low: float | None
    high: float | None
    change: str
    dots: tuple[float, ...] = ()


@dataclass(frozen=True, slots=True)
class Sign:
    """The verdicts of one `kind` at one place of the matrix: so many, the key of the first cell, and its reason.

    `kind` is that of a verdict, or `cached` for cells that measured memory and do not count.
    """

    kind: str
    number: int
    key: str
    why: str


@dataclass(frozen=True, slots=True)
class CardRow:
    """A line of the card: a test, or all cells (`overall`).

    `effects` has an entry for each compared value, None without a ratio. `signs` are by compared value and head of the
    matrix. `higher_is_better` is the direction of the metric.
    """

    label: str
    higher_is_better: bool
    effects: list[Effect | None]
    signs: list[list[list[Sign]]]
    overall: bool = False


@dataclass(frozen=True, slots=True)
class Answer:
    """The words about a compared value: `xfs`, `better`, `+3.2 %`.

    `kind` is equivalent, better, worse, inconclusive (the interval contains 1), or none (no interval is known, or no
    mean).
    """

    compared: Compared
    kind: str
    text: str


@dataclass(frozen=True, slots=True)
class CardLine:
    """The answers about one metric, and what they rest on: `geometric mean of 24 cells on the device`."""

    answers: list[Answer]
    basis: str


@dataclass(frozen=True, slots=True)
class VerdictCard:
    """A card. `heads` are the columns of its matrix, empty if there is one; `head_name` is their dimension.

    `judged` are the compared values with verdicts in the matrix. `warning` is what makes the whole table doubtful.
    `notes` name what the card leaves out. A card without `rows` has only its `notes`: nothing can be compared.
    """

    baseline: str
    lines: list[CardLine]
    compared: list[Compared]
    judged: list[Compared]
    rows: list[CardRow]
    heads: list[str]
    head_name: str
    warning: str | None
    notes: list[str]

    @property
    def sentence(self) -> str:
        """The lines as text: `xfs +3.2 %, btrfs −14.3 % against ext4 (geometric mean of …)`."""
        return "; ".join(
            f"{', '.join(f'{each.compared.label} {each.text}' for each in line.answers)} against {self.baseline} "
            f"({line.basis})"
            for line in self.lines
        )
