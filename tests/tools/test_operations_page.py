"""docs/operations.md names every setting, and none that does not exist."""

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SOURCES = [*(ROOT / "benchdb").rglob("*.py"), ROOT / "docker-compose.yml", ROOT / "tools" / "container-entry"]
NAME = re.compile(r"\b(?:BENCHDB_[A-Z_]*[A-Z]|DATABASE_URL|REDIS_URL)\b")


def test_every_setting_is_described_and_every_described_one_exists() -> None:
    used = {name for source in SOURCES for name in NAME.findall(source.read_text())}
    page = (ROOT / "docs" / "operations.md").read_text()
    described = set(re.findall(r"(?m)^\| `(\w+)`", page)) & set(NAME.findall(page))
    assert described == used
