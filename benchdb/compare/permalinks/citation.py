"""Citations of a permalink, as a sentence and for BibTeX. All of their text was frozen with the figures."""

from __future__ import annotations

import textwrap

from benchdb.compare.content import Content
from benchdb.compare.models import Permalink
from benchdb.wording.tex import bibtex_text


def plain(permalink: Permalink, address: str) -> str:
    """`ada: ext4, xfs on epyc-2 (iozone 3.489 · throughput). Frozen 21 November 2026 with BenchDB 0.1.0, …`"""
    content = permalink.shown
    title = f"{content.title} ({content.subtitle})" if content.subtitle else content.title
    day = f"{permalink.created_at.day} {permalink.created_at:%B %Y}"
    return f"{permalink.author}: {title}. Frozen {day} with {_versions(content)}. {address}"


def bibtex(permalink: Permalink, address: str) -> str:
    """A `@misc` entry. The `url` is not escaped; biblatex, and the usual styles with the package url, print it."""
    content = permalink.shown
    day = permalink.created_at
    fields = {
        "author": f"{{{bibtex_text(permalink.author)}}}",  # in braces, because the family name is unknown
        "title": f"{{{bibtex_text(content.title)}}}",
        "year": f"{day:%Y}",
        "month": f"{day:%b}".lower(),
        "note": bibtex_text(f"{content.subtitle}; {_versions(content)}"),
        "url": address,
        "urldate": f"{day:%Y-%m-%d}",
    }
    lines = [f"{name} = {value if name == 'month' else f'{{{value}}}'}," for name, value in fields.items()]
    return f"@misc{{benchdb-{permalink.id},\n{textwrap.indent(chr(10).join(lines), '  ')}\n}}"


def _versions(content: Content) -> str:
    """`BenchDB 0.1.0, statistics 2`."""
    return f"BenchDB {content.benchdb_version}, statistics {content.statistics_version}"
