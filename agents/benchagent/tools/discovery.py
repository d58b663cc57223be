"""Finds the modules that declare a tool, so that a new tool is one new file without a change to any other."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Iterable

from .declaration import Tool


def discovered(path: Iterable[str], package: str) -> dict[str, Tool]:
    """The `TOOL` of every module and folder on this path of `package`, by name, in the order of their ranks.

    Works in a directory and in a zip file. Raises ValueError if two tools have one name.
    """
    tools = []
    for module in pkgutil.iter_modules(path, f"{package}."):
        tool = getattr(importlib.import_module(module.name), "TOOL", None)
        if isinstance(tool, Tool):
            tools.append(tool)
    by_name = {tool.name: tool for tool in sorted(tools, key=lambda tool: (tool.rank, tool.name))}
    if len(by_name) < len(tools):
        raise ValueError(f"two tools of {package} have one name: {', '.join(sorted(tool.name for tool in tools))}")
    return by_name
