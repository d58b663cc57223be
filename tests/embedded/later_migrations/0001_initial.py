# ruff: noqa: N999
"""The first migration as it is."""

from importlib import import_module

Migration = import_module("benchdb.compare.migrations.0001_initial").Migration
