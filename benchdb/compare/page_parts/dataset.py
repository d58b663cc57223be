"""A content as a schema.org Dataset, by which search engines for data find it. Pure functions."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from benchdb.compare.content import Content, Placed
from benchdb.wording.times import earliest
from benchdb.wording.words import metric_label

# The files that are data, with their media types; the others are for people.
FILES = {"json": "application/json", "csv": "text/csv", "parquet": "application/vnd.apache.parquet"}
DAY = len("2026-11-20")  # of the text of a start, which may be less exact: 2009
LONGEST_DESCRIPTION = 5000  # characters that Google reads
# Base units as UN/CEFACT codes and as words; op/s and ratio have no code.
UNITS = {
    "B/s": {"unitCode": "P93", "unitText": "B/s"},
    "s": {"unitCode": "SEC", "unitText": "s"},
    "B": {"unitCode": "AD", "unitText": "B"},
}


def dataset_of(
    content: Content,
    cells: Iterable[Placed],
    *,
    address: str,
    description: str,
    created: datetime,
    author: str,
    license_url: str,
) -> dict[str, object]:
    """The Dataset of a frozen content with this address, as JSON-LD. Nothing about it is guessed.

    It has a licence only if the server states one for its data, and a creator only if the permalink names its author.
    """
    days = sorted({line.started_at[:DAY] for line in content.run_list}, key=earliest)
    found: dict[str, object] = {
        "@context": "https://schema.org",
        "@type": "Dataset",
        "@id": address,
        "url": address,
        "identifier": address,
        "name": " · ".join(filter(None, [content.title, content.subtitle])),
        "description": _described(content, description),
        "datePublished": str(created.date()),
        "measurementTechnique": sorted({line.tool for line in content.run_list if line.tool}),
        "variableMeasured": variables(cells),
        "distribution": [
            {
                "@type": "DataDownload",
                "encodingFormat": media_type,
                "contentUrl": f"{address.removesuffix('/')}.{extension}",
            }
            for extension, media_type in FILES.items()
        ],
        "version": content.benchdb_version,
    }
    if days:
        found["temporalCoverage"] = "/".join(dict.fromkeys([days[0], days[-1]]))
    if author:
        found["creator"] = {"@type": "Person", "name": author}
    if license_url:
        found["license"] = license_url
    return found


def variables(cells: Iterable[Placed]) -> list[dict[str, object]]:
    """The measured quantities, each metric with its base unit, as PropertyValues."""
    measured = {(placed.measure.metric, placed.measure.base_unit) for placed in cells}
    return [
        {"@type": "PropertyValue", "name": metric_label(metric), **UNITS.get(unit, {"unitText": unit})}
        for metric, unit in sorted(measured)
    ]


def _described(content: Content, description: str) -> str:
    """The answer of the content, the number of runs and the machines; at least the 50 characters that Google wants."""
    machines = sorted({line.machine for line in content.run_list if line.machine})
    text = f"{description} File system benchmark of {len(content.runs)} runs on {', '.join(machines) or 'a machine'}."
    return text[:LONGEST_DESCRIPTION]
