"""Finds the modules that declare a thing of a kind, so that a new one is one new file without a change to any other."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Iterable
from operator import attrgetter
from typing import TypeVar

Declared = TypeVar("Declared")


def discovered(path: Iterable[str], package: str, kind: type[Declared], constant: str) -> dict[str, Declared]:
    """The declarations in the `constant` of every module and folder on this path of `package`.

    By name, in the order of their ranks, from a directory or a zip file. Raises ValueError if two have one name.
    """
    found: list[Declared] = []
    for module in pkgutil.iter_modules(path, f"{package}."):
        declared = getattr(importlib.import_module(module.name), constant, ())
        found += [each for each in (declared if isinstance(declared, tuple) else [declared]) if isinstance(each, kind)]
    by_name = {str(vars(each)["name"]): each for each in sorted(found, key=attrgetter("rank", "name"))}
    if len(by_name) < len(found):
        raise ValueError(f"two declarations in {package} have one name: {', '.join(by_name)}")
    return by_name
