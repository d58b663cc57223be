"""Compute percentages again: a share of a whole, and a change from one value to another."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from benchdb.publications.article_facts import StatementFacts

from .finding import SHARES, ArticleFinding
from .known import Known, Range, read_value, show
from .statements import cited, objects_of


def shares(entries: Sequence[StatementFacts], known: Sequence[Known]) -> Iterator[ArticleFinding]:
    """A finding for each claim with `part` and `whole`, or `before` and `after`; any of several wholes will do.

    Raises ValueError if nothing is known about the subject.
    """
    for entry in entries:
        if "part" in entry or "before" in entry:
            yield from (_checked(entry, name, known) for name in objects_of(entry))


def _checked(entry: StatementFacts, name: str, known: Sequence[Known]) -> ArticleFinding:
    claimed, _ = read_value(entry["value"], entry["quantity"], entry.get("about", 0))
    changed = "before" in entry
    bottoms = [entry["before"]] if "before" in entry else entry["whole"]
    top = _find(entry["after" if changed else "part"].format(object=name), known)
    found = [(_find(bottom.format(object=name), known)) for bottom in bottoms]
    ratios = [_ratios(top, each, less=1 if changed else 0) for each in found]
    agrees = any(ratio.meets(claim) for of_one in ratios for ratio in of_one for claim in claimed)
    said = [
        f"{top.text} {'after' if changed else '÷'} {each.text} is {show('share', of_one[0].middle)}"
        for each, of_one in zip(found, ratios, strict=True)
    ]
    subject = f"{entry['quantity']} of {name}"
    text = f"{subject}: {entry['value']} is stated, and {'; '.join(said)}."
    used = tuple(dict.fromkeys([cited(entry, name), *top.used, *(used for each in found for used in each.used)]))
    return ArticleFinding(SHARES, subject, text, agrees, used)


def _ratios(top: Known, bottom: Known, less: int) -> list[Range]:
    """The quotients in all readings, less 1 for a change."""
    ratios = (one.over(other) for one in top.ranges for other in bottom.ranges)
    return [Range(ratio.low - less, ratio.high - less) for ratio in ratios]


def _find(subject: str, known: Sequence[Known]) -> Known:
    """The first value of a subject such as `rate of sdc1 / ext3`."""
    for each in known:
        if each.subject == subject:
            return each
    raise ValueError(f"nothing is known of the {subject}")
