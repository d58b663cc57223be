"""The agent needs no installed packages: it imports the standard library, and tomli below Python 3.11.

Only a data frame of the client needs pandas, and `benchagent mcp` the package mcp.
"""

from __future__ import annotations

import ast
import sys
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parents[2] / "agents" / "benchagent"
MODULES = sorted(PACKAGE.rglob("*.py"))
OTHERS = {"toml/parser.py": {"tomli"}, "client/table.py": {"pandas"}, "client/mcp_server.py": {"mcp"}}


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_imports_nothing_else(path: Path) -> None:
    imported = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            imported |= {alias.name.split(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and not node.level and node.module:
            imported.add(node.module.split(".")[0])
    others = OTHERS.get(str(path.relative_to(PACKAGE)), set())
    assert imported <= sys.stdlib_module_names | {"benchagent"} | others


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_is_python_3_9(path: Path) -> None:
    """The grammar is that of Python 3.9; annotations are not evaluated, so `X | None` is allowed."""
    tree = ast.parse(path.read_text(), feature_version=(3, 9))
    future = any(isinstance(node, ast.ImportFrom) and node.module == "__future__" for node in tree.body)
    annotated = any(isinstance(node, (ast.AnnAssign, ast.arg)) for node in ast.walk(tree))
    assert future or not annotated
