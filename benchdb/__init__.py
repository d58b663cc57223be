"""BenchDB's server."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path

__version__ = "0.1.0"

# The server reads raw output with the agent's own parsers, so that both sides give the same results. In a checkout the
# agent lies beside the server; where it is installed as a package that one is used.
if importlib.util.find_spec("benchagent") is None:
    sys.path.append(str(Path(__file__).resolve().parent.parent / "agents"))
