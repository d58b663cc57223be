"""The tables of parameters: those in bytes are shown in units."""

import pytest

from benchagent.documents.campaign import describe_workload
from benchagent.formats.vocabulary import is_size
from benchagent.plan.model import Workload
from benchagent.tools.fsload.options import COMMANDS
from tests.agents.tools.parameters import PARAMETERS

TABLES = {**PARAMETERS, **{f"fsload {name}": command.parameters for name, command in COMMANDS.items()}}


@pytest.mark.parametrize("table", TABLES)
def test_sizes_are_those_that_are_read_as_sizes(table: str) -> None:
    """Exactly the parameters that read `64 KiB` as bytes, alone or in a list, are sizes."""
    assert TABLES[table] or table == "fsload layout"
    for key, convert in TABLES[table].items():
        values = []
        for written in ("64 KiB", ["64 KiB"]):
            try:
                values.append(convert(written))
            except ValueError:
                continue
        assert is_size(key) == any(value in (65536, [65536]) for value in values), key


def test_a_workload_in_words_has_units() -> None:
    parameters = {"command": "mix", "max_bytes": 2**30, "record_sizes": [4096, 2**20], "fsync": True, "threads": 4}
    said = describe_workload(Workload("create", "fsload", parameters))
    assert said == "command mix; max bytes 1 GiB; record sizes 4 KiB, 1 MiB; fsync true; threads 4"


def test_a_stripe_cache_counts_pages() -> None:
    assert not is_size("stripe_cache_size")
