"""A small article for the tests of checks: statements as an article makes them, without their places."""

from __future__ import annotations

from benchdb.publications.checks import ArticleFinding, computed
from benchdb.publications.data_files import Article, read

TABLES = """
slug = "small"
same = [["coarse", "fine"]]
environment.cpu.cores = 2
[runs.coarse]
[runs.fine]
[[tables]]
key = "seeks"
test = "random_seek"
metric = "rate"
unit = "op/s"
columns = [{label = "rounded", run = "coarse"}, {label = "line", run = "fine"}]
[[tables.rows]]
label = "xfs"
cells = ["275", "275.6"]
"""


def statement(line: int, words: str) -> str:
    """An entry of `object | quantity | value`, perhaps with further keys as TOML after another bar."""
    name, quantity, value, *more = (word.strip() for word in words.split("|"))
    place = ['section = ""', f"line = {line}", 'quote = "so it is"']
    keys = [f'object = "{name}"', f'quantity = "{quantity}"', f'value = "{value}"', *place, *more]
    return f"  {{{', '.join(keys)}}},"


def article(*statements: str, tables: str = TABLES, orders: str = "") -> Article:
    """The article with these tables, statements and orders."""
    lines = "\n".join(statement(line, words) for line, words in enumerate(statements, start=1))
    facts = '{section = "", line = 1, quote = "everything", of = ["*"]}'
    return read("small", f"{tables}\n[text]\nfacts = [{facts}]\nstatements = [\n{lines}\n]\norders = [{orders}]\n")


def computed_of(*statements: str, tables: str = TABLES) -> list[ArticleFinding]:
    """Every comparison by arithmetic."""
    return computed(article(*statements, tables=tables))


def against(*statements: str, tables: str = TABLES) -> list[ArticleFinding]:
    """The contradictions that arithmetic finds."""
    return [finding for finding in computed_of(*statements, tables=tables) if not finding.agrees]


def outcomes(*statements: str, tables: str = TABLES) -> list[tuple[str, bool]]:
    """The check and outcome of every comparison."""
    return [(finding.check, finding.agrees) for finding in computed_of(*statements, tables=tables)]
