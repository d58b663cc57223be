"""The marks of series, and places in plots (compare/answer.html)."""

from __future__ import annotations

from django import template
from django.utils.safestring import SafeString

register = template.Library()

# A shape for each colour around 0, so that series differ without colour too. No triangles: these are verdicts.
_SHAPES = (
    '<circle r="4"/>',
    '<path d="M-3.5-3.5h7v7h-7z"/>',
    '<path d="M0-5 5 0 0 5-5 0z"/>',
    '<path d="M-4-2-2-4 0-2 2-4 4-2 2 0 4 2 2 4 0 2-2 4-4 2-2 0z"/>',
    '<path d="M-1.5-4.5h3v3h3v3h-3v3h-3v-3h-3v-3h3z"/>',
    '<path d="M-4.5-2.5h9v5h-9z"/>',
    '<path d="M-2.5-4.5h5v9h-5z"/>',
)


@register.filter
def shape(series: int) -> SafeString:
    """The mark of a series (from 1), centred on 0."""
    return SafeString(_SHAPES[(series - 1) % len(_SHAPES)])


@register.simple_tag
def marks() -> SafeString:
    """The shapes of all marks as definitions (`#mark-1`, …) for charts, whose marks are a little smaller."""
    return SafeString(
        "".join(f'<g id="mark-{i}" transform="scale(.9)">{each}</g>' for i, each in enumerate(_SHAPES, 1))
    )


@register.filter
def mark(series: int) -> SafeString:
    """The mark of a series inside text."""
    return SafeString(f'<svg class="key" viewBox="-6 -6 12 12" aria-hidden="true">{shape(series)}</svg>')


@register.filter
def per_cent(share: float) -> str:
    """A place in a plot as a length: `42.31%`; outside of it at its edge."""
    return f"{100 * min(max(share, 0.0), 1.0):.2f}%"
