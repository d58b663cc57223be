"""The agent needs no installed packages: it imports the standard library, and tomli below Python 3.11.

Only a data frame of the client needs pandas, and `benchagent mcp` the package mcp.
"""

from __future__ import annotations

import ast
import sys
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest

PACKAGE = Path(__file__).parents[2] / "agents" / "benchagent"
MODULES = sorted(PACKAGE.rglob("*.py"))
OTHERS = {"toml/parser.py": {"tomli"}, "client/table.py": {"pandas"}, "client/mcp_server.py": {"mcp"}}


class Facts(NamedTuple):
    """What a module imports, whether its annotations are never evaluated, and whether it has any."""

    imported: set[str]
    future: bool
    annotated: bool


@cache
def facts_of(path: Path) -> Facts:
    """Of the module in the grammar of Python 3.9. Raises SyntaxError for a newer one."""
    facts = Facts(set(), False, False)
    for node in ast.walk(ast.parse(path.read_text(), feature_version=(3, 9))):
        if isinstance(node, ast.Import):
            facts.imported.update(alias.name.split(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and not node.level and node.module:
            facts.imported.add(node.module.split(".")[0])
            facts = facts._replace(future=facts.future or node.module == "__future__")
        elif isinstance(node, (ast.AnnAssign, ast.arg)):
            facts = facts._replace(annotated=True)
    return facts


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_imports_nothing_else(path: Path) -> None:
    others = OTHERS.get(str(path.relative_to(PACKAGE)), set())
    assert facts_of(path).imported <= sys.stdlib_module_names | {"benchagent"} | others


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_is_python_3_9(path: Path) -> None:
    """The grammar is that of Python 3.9; annotations are not evaluated, so `X | None` is allowed."""
    assert facts_of(path).future or not facts_of(path).annotated
