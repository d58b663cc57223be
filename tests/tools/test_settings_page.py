"""docs/settings.md lists every existing setting with its default, and no others."""

import re
from pathlib import Path

import pytest

from benchdb.variables import Variables, name_of

ROOT = Path(__file__).resolve().parents[2]
FILES = ("Dockerfile", "docker-compose.yml", "Makefile", "manage.py")
NAME = re.compile(r"\b(?:BENCHDB_[A-Z_]*[A-Z]|DATABASE_URL|REDIS_URL)\b")
ROW = re.compile(r"(?m)^\| `(\w+)` \| (.+?) \|")
PAGE = (ROOT / "docs" / "settings.md").read_text()
DESCRIBED = dict(ROW.findall(PAGE))
OF_THE_SERVER = {name_of(field): field for field in Variables.model_fields}


def used() -> set[str]:
    """The settings named in any file of the server and its tools."""
    folders = [*(ROOT / "benchdb").rglob("*.py"), *(ROOT / "tools").iterdir()]
    sources = [*(path for path in folders if path.is_file()), *(ROOT / name for name in FILES)]
    return {name for source in sources for name in NAME.findall(source.read_text())}


def test_every_setting_is_described_and_every_described_one_exists() -> None:
    assert set(DESCRIBED) == used() | set(OF_THE_SERVER)
    assert set(NAME.findall(PAGE)) == set(DESCRIBED)


@pytest.mark.parametrize("name", sorted(OF_THE_SERVER))
def test_the_default_is_the_one_of_the_code(name: str) -> None:
    default = Variables.model_fields[OF_THE_SERVER[name]].default
    written = DESCRIBED[name].strip("`")
    if isinstance(default, bool):
        assert written == str(int(default))
    elif name in ("BENCHDB_VAR", "BENCHDB_PROCESSES"):  # depend on the machine
        assert written in ("var` in the clone", "3, on one core 2")
    elif default in (None, ""):
        assert re.match(r"none|embedded|made once", written)
    else:
        assert written == f"{default:g}" if isinstance(default, float) else str(default)


# Settings that the containers give themselves: services, folders, and secrets, which are files.
OF_CONTAINERS = {"DATABASE_URL", "REDIS_URL", "BENCHDB_VAR", "BENCHDB_SECRETS"}
SECRET_FILES = re.compile(r"target: benchdb_(\w+)")


def test_the_containers_pass_on_every_setting_that_is_safe_in_public() -> None:
    text = (ROOT / "docker-compose.yml").read_text()
    passed_on = set(re.findall(r"(?m)^    (\w+): \$\{\1:-[^}]*\}$", text))
    secrets = {f"BENCHDB_{name.upper()}" for name in SECRET_FILES.findall(text)}
    assert set(OF_THE_SERVER) - passed_on - secrets - OF_CONTAINERS == {"BENCHDB_DEBUG"}


def test_other_pages_name_only_settings_that_exist() -> None:
    pages = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *(ROOT / "docs").glob("*.md")]
    assert {name for page in pages for name in NAME.findall(page.read_text())} <= set(DESCRIBED)
