"""Readers of benchmark tools' output: text in, results out. Pure functions, used by agent and server alike.

A format is a module with ``TOOL`` (its name), ``recognises(text)`` and ``parse(text)``; FORMATS lists them.
"""

from __future__ import annotations

from types import ModuleType

from benchagent.formats.model import FormatError, Parsed, Result

PARSER_VERSION = "1"

FORMATS: tuple[ModuleType, ...] = ()

__all__ = ["FORMATS", "PARSER_VERSION", "FormatError", "Parsed", "Result", "parse"]
