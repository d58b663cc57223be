"""Documents of real runs of the shipped small plans, as the agent sent them (README.md)."""

import gzip
import json
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent


def documents(plan: str) -> list[dict[str, Any]]:
    """The documents of the runs of a small plan, one for each point of its campaign."""
    with gzip.open(FOLDER / f"{plan}.jsonl.gz", "rt", encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]
