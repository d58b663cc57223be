"""BenchDB's server."""

from __future__ import annotations

import gc
import importlib.util
import sys
from pathlib import Path

# The server reads raw output with the parsers of the agent, so that both sides return the same results. In a checkout
# the agent is the folder beside the server. If the agent is installed as a package, the server uses that one.
if importlib.util.find_spec("benchagent") is None:
    sys.path.append(str(Path(__file__).resolve().parent.parent / "agents"))

from benchagent import __version__ as __version__

# A start makes many objects and hardly any garbage. With Python's limit of 700 new objects, an eighth of the time went
# into the search for garbage. The web server sets other limits afterwards.
gc.set_threshold(50_000)
