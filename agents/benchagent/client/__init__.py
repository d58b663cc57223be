"""A client of a BenchDB server for scripts and notebooks: find runs, compare them, upload, share (docs/client.md).

Standard library only; `Table.to_pandas` needs pandas.
"""

from __future__ import annotations

from benchagent.errors import RequestRefused, ServerSilent

from .runs import FoundRun
from .server import Server
from .table import Table, TableCell

__all__ = ["FoundRun", "RequestRefused", "Server", "ServerSilent", "Table", "TableCell"]
