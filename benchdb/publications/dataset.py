"""An article's figures as a schema.org Dataset whose parts are its frozen tables. Pure functions."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import chain

from django.urls import reverse

from benchdb.compare.page_parts.dataset import variables
from benchdb.compare.table.content import TableContent, cells

from .models import Publication


def dataset_of_article(
    publication: Publication, frozen: Sequence[tuple[str, TableContent, str]], site: str
) -> dict[str, object]:
    """The Dataset, as JSON-LD, without a licence: the figures are those of somebody else.

    `frozen` are title, content and path of the tables; `site` is the address of this server.
    """
    address = f"{site}{reverse('article', args=[publication.slug])}"
    contents = [content for _, content, _ in frozen]
    return {
        "@context": "https://schema.org",
        "@type": "Dataset",
        "@id": address,
        "url": address,
        "identifier": address,
        "name": f"Figures of the article {publication.title}",
        "description": _described(publication),
        "isBasedOn": based_on(publication),
        "measurementTechnique": sorted({line.tool for content in contents for line in content.run_list if line.tool}),
        "variableMeasured": variables(chain.from_iterable(map(cells, contents))),
        "distribution": [
            {
                "@type": "DataDownload",
                "encodingFormat": "application/json",
                "contentUrl": f"{site}{reverse('article-data', args=[publication.slug])}",
            }
        ],
        "hasPart": list(_parts(frozen, site)),
    }


def based_on(publication: Publication) -> dict[str, object]:
    """The article itself."""
    article: dict[str, object] = {
        "@type": "Article",
        "name": publication.title,
        "author": publication.authors,
        "datePublished": str(publication.year),
    }
    return {**article, "url": publication.url} if publication.url else article


def _described(publication: Publication) -> str:
    about = ". ".join(f"{term}: {text}" for term, text in publication.about)
    return f"Figures of {publication.citation.strip()} with verdicts and checks of the text. {about}"[:5000]


def _parts(frozen: Sequence[tuple[str, TableContent, str]], site: str) -> Iterable[dict[str, object]]:
    for title, content, path in frozen:
        described = f"{title}: {content.title} · {content.subtitle}. Figures of the article, frozen as a table."
        yield {"@type": "Dataset", "@id": site + path, "url": site + path, "name": title, "description": described}
