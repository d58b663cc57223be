"""The raw texts of these tests: the project's in golden/, others in the shared corpus."""

from pathlib import Path

from benchagent.formats import Parsed, Result
from benchagent.formats.model import Param
from tests.agents.formats.corpus import PUBLIC
from tests.plugins.missing import require

GOLDEN = Path(__file__).parent / "golden"


def golden(name: str) -> str:
    return (GOLDEN / name).read_bytes().decode()


def golden_names(prefix: str) -> list[str]:
    return sorted(path.name for path in GOLDEN.glob(f"{prefix}*"))


def public(path: str) -> str:
    """A text of the public corpus, which is read in place and never copied; skips where the corpus is absent."""
    require("../shared/corpus/public/*/*")
    return (PUBLIC / path).read_bytes().decode("utf-8", errors="replace")


def public_names(folder: str) -> list[str]:
    return sorted(path.name for path in (PUBLIC / folder).glob("*")) if PUBLIC.is_dir() else []


def apart(parsed: Parsed, result: Result) -> dict[str, Param]:
    """The params that tell a result from others of its text: without those of the work that all of them share."""
    return {name: value for name, value in result.params.items() if parsed.parameters.get(name, ...) != value}
