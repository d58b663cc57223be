"""The statements of an article and the figures of its tables, as known values."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal

from benchdb.publications.article_facts import StatementFacts
from benchdb.publications.data_files import Article, ArticleFigure

from .known import Known, Range, read_value

_QUANTITIES = {"throughput": "rate", "rate": "operations", "elapsed": "time", "cpu_of_one_core": "CPU use"}


def entries(article: Article) -> list[StatementFacts]:
    """The statements of the text in the data file."""
    return article.facts.get("text", {}).get("statements", [])


def objects_of(entry: StatementFacts) -> list[str]:
    """The objects that a statement is about; most have one."""
    return [entry["object"]] if isinstance(entry["object"], str) else entry["object"]


def cited(entry: StatementFacts, name: str) -> str:
    """A statement with its place: `count of sdc1: 24, line 52: “24 1-GB files”`."""
    return f"{entry['quantity']} of {name}: {entry['value']}, line {entry['line']}: “{entry['quote']}”"


def known_values(article: Article) -> list[Known]:
    """Every statement and every figure with an `object`. Raises ValueError for a value that cannot be read."""
    stated = [known for entry in entries(article) if _is_number(entry) for known in _stated(entry)]
    return [*stated, *(known for figure in article.figures if figure.object for known in _printed(figure))]


def _is_number(entry: StatementFacts) -> bool:
    """Not the name of a model, and no claim about other values, which `shares` checks."""
    return entry["quantity"] not in ("model", "access", "interface") and not {"part", "before"} & entry.keys()


def _stated(entry: StatementFacts) -> Iterator[Known]:
    quantity = entry["quantity"]
    found, unit = read_value(entry["value"], quantity, entry.get("about", 0), entry.get("rounded", False))
    for name in objects_of(entry):
        yield Known(name, quantity, found, entry["value"], (cited(entry, name),), unit=unit)


def _printed(figure: ArticleFigure) -> Iterator[Known]:
    if figure.metric not in _QUANTITIES:
        return
    quantity, mean, half = _QUANTITIES[figure.metric], figure.printed.mean, figure.printed.step / 2
    near = Range(mean - half, mean + half).widened(figure.about)
    place = f"{figure.table}, {figure.row}, {figure.column}"
    number = figure.printed.text.split(" ± ")[0]
    shown = number if number.endswith("s") else f"{number} {figure.unit}"
    used = (f"{quantity} of {figure.object}: {shown}, {place}",)
    yield Known(figure.object, quantity, (near,), shown, used, unit=figure.unit)
    if figure.printed.sd is not None and quantity == "time":
        sd = Range(figure.printed.sd, figure.printed.sd)
        yield Known(figure.object, "sd", (sd,), f"{figure.printed.sd} {figure.unit}", used)
    if quantity == "time" and "files" in figure.params and figure.file_size:
        files, size = Decimal(str(figure.params["files"])), Decimal(figure.file_size)
        yield Known(figure.object, "count", (Range(files, files),), f"{files:,} files", (f"files: {files:,}, {place}",))
        each = f"{size / 1024**2:,f} MiB"
        yield Known(figure.object, "each", (Range(size, size),), each, (f"file size: {each}, {place}",))
