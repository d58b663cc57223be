"""`vary`: every combination once, each with its own name; too many combinations are refused before they are made."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchagent.plan.model import MOST_TABLES
from benchagent.plan.reading import load
from benchagent.plan.vary import FIXED, MOST_FAULTS, expanded
from benchagent.toml.converters import LONGEST_LIST
from benchagent.toml.tables import TomlTable
from tests.agents.plan.test_model import faults
from tests.support.in_step import in_step
from tests.texts import missing_in

PLAN = 'name = "p"\n'
IMAGE = '[[targets]]\nkind = "image"\nsize = "1 GiB"\nfile_system = ["ext4", "xfs"]\n'
DIRECTORY = '[[targets]]\nkind = "directory"\n'
MIX = '[[workloads]]\ntool = "fsload"\ncommand = "mix"\nprofile = "create.ffsb"\nname = "create"\n'
TREE = '[[workloads]]\ntool = "fsload"\ncommand = "tree"\n'


def test_targets_take_the_names_of_their_alternatives() -> None:
    vary = """[targets.vary]
        mount_options = {default = ["noatime"], nobarrier = ["noatime", "barrier=0"]}
        read_ahead = ["128 KiB", "8 MiB"]
    """
    targets = load(PLAN + IMAGE + vary + TREE).targets
    assert [target.name for target in targets] == [
        "ext4-read_ahead-128KiB",
        "xfs-read_ahead-128KiB",
        "ext4-read_ahead-8MiB",
        "xfs-read_ahead-8MiB",
        "ext4-nobarrier-read_ahead-128KiB",
        "xfs-nobarrier-read_ahead-128KiB",
        "ext4-nobarrier-read_ahead-8MiB",
        "xfs-nobarrier-read_ahead-8MiB",
    ]
    assert (targets[-1].mount_options, targets[-1].read_ahead) == (("noatime", "barrier=0"), 8 * 2**20)
    assert (targets[0].mount_options, targets[0].read_ahead) == (("noatime",), 128 * 2**10)


def test_workloads_vary_too() -> None:
    workloads = load(PLAN + DIRECTORY + MIX + "[workloads.vary]\nthreads = [4, 16, 64]\n").workloads
    assert [workload.name for workload in workloads] == ["create-threads-4", "create-threads-16", "create-threads-64"]
    assert [workload.parameters["threads"] for workload in workloads] == [4, 16, 64]


def test_an_image_may_be_aged_in_several_ways() -> None:
    vary = '[targets.vary.age]\nyoung = {profile = "desktop", overwrites = 1}\nold = {profile = "mail"}\n'
    targets = load(PLAN + IMAGE.replace('["ext4", "xfs"]', '"ext4"') + vary + TREE).targets
    assert {target.name: target.age for target in targets} == {
        "ext4-young": {"profile": "desktop", "overwrites": 1},
        "ext4-old": {"profile": "mail"},
    }


names = st.from_regex(r"[a-z][a-z0-9]{0,2}", fullmatch=True).filter(lambda name: name != "default")
FIELDS = {
    "levels": st.integers(0, 100),
    "directories": st.integers(1, 1000),
    "files": st.integers(0, 1000),
    "block_size": st.integers(1, 2**40),
    "threads": st.integers(1, 1024),
    "fsync": st.booleans(),
}


@st.composite
def varied(draw: st.DrawFn) -> dict[str, list[object] | dict[str, object]]:
    """Alternatives for some fields, each written as a list or as a table."""
    alternatives: dict[str, list[object] | dict[str, object]] = {}
    for key in draw(st.lists(st.sampled_from(sorted(FIELDS)), min_size=1, max_size=3, unique=True)):
        values = draw(st.lists(FIELDS[key], min_size=1, max_size=4, unique=True))
        as_table = draw(st.booleans())
        called = draw(st.lists(names, min_size=len(values), max_size=len(values), unique=True)) if as_table else []
        alternatives[key] = dict(in_step(called, values)) if as_table else list(values)
    return alternatives


def written(value: object) -> str:
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key} = {written(each)}" for key, each in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(written(each) for each in value) + "]"
    return str(value).lower()


@given(varied())
def test_every_combination_is_a_workload_of_its_own(vary: dict[str, list[object] | dict[str, object]]) -> None:
    lines = "".join(f"{key} = {written(value)}\n" for key, value in vary.items())
    workloads = load(PLAN + DIRECTORY + TREE + "[workloads.vary]\n" + lines).workloads
    values = [
        list(alternatives.values()) if isinstance(alternatives, dict) else alternatives
        for alternatives in vary.values()
    ]
    expected = [{"command": "tree", **dict(in_step(vary, combination))} for combination in itertools.product(*values)]
    assert [workload.parameters for workload in workloads] == expected
    assert len({workload.name for workload in workloads}) == len(workloads)


def test_an_empty_list_is_no_alternative() -> None:
    [found] = faults(PLAN + DIRECTORY + MIX + "[workloads.vary]\nthreads = []\n")
    assert found == "workloads[0].vary.threads is []; expected a list of texts and numbers, or a table of NAME = value"


@pytest.mark.parametrize("key", FIXED)
def test_what_names_or_decides_the_rest_does_not_vary(key: str) -> None:
    found = faults(PLAN + IMAGE + f'[targets.vary]\n{key} = ["a", "b"]\n' + TREE)
    assert not missing_in(found[0], f"targets[0].vary.{key}", "any field but")


@pytest.mark.parametrize(
    ("source", "fault"),
    [
        (
            MIX + "threads = 2\n[workloads.vary]\nthreads = [4]",
            "threads in the table itself or under vary, not in both",
        ),
        (MIX + "[workloads.vary]\nthreads = [4, 0]", "workloads[0].vary.threads is 0; expected a whole number"),
        (MIX + "[workloads.vary]\nthraeds = [4]", "workloads[0].vary.thraeds is 4; expected one of"),
        (MIX + "[workloads.vary]\nthreads = [[4]]", "a list of texts and numbers, or a table"),
        (MIX + "[workloads.vary]\nthreads = {'a b' = 4}", "'a b' cannot be part of a point's id"),
        (TREE + "[workloads.vary]\nfile_size = ['2 * ram']", "'file_size-2*ram' cannot be part of a point's id"),
        (TREE + "[workloads.vary]\nfiles = [0x" + "f" * 5000 + "]", "cannot be part of a point's id"),
        (MIX + "vary = 3", "workloads[0].vary is 3; expected a table"),
        (MIX + "[workloads.vary]\nthreads = [4, 4]", "two are named 'create-threads-4'"),
        (TREE + "[workloads.vary]\nfiles = {default = 1}\nlevels = {default = 1}\n" + TREE, "two are named 'fsload'"),
        (TREE + f"[workloads.vary]\nfiles = {{{'a' * 60} = 1}}", "shorter names of the alternatives"),
    ],
)
def test_refuses(source: str, fault: str) -> None:
    assert fault in "\n".join(faults(PLAN + DIRECTORY + source))


def test_a_fault_in_a_table_that_varies_is_told_once() -> None:
    assert len(faults(PLAN + DIRECTORY + MIX + 'seconds = "soon"\n[workloads.vary]\nthreads = [4, 16, 64]')) == 1


@pytest.mark.parametrize("values", [100, 10_000])
def test_too_many_combinations_are_refused_before_they_are_made(values: int) -> None:
    lines = "".join(f"{key} = {list(range(1, values))}\n" for key in ("levels", "directories", "files", "threads"))
    [found] = faults(PLAN + DIRECTORY + TREE + "[workloads.vary]\n" + lines)
    assert f"no more than {MOST_TABLES} combinations" in found


def test_the_limit_is_of_all_tables_together() -> None:
    many = TREE + f"[workloads.vary]\nfiles = {list(range(600))}\n"
    [found] = faults(PLAN + DIRECTORY + many + many.replace("tree", "layout"))
    assert "workloads[1].vary" in found


def test_a_table_with_many_faults_is_not_read_once_a_combination() -> None:
    messages: list[str] = []
    table = TomlTable({"vary": {"files": list(range(900))}}, "workloads[0]", messages)
    for variant in expanded([table], MOST_TABLES):
        for number in range(600):
            variant.fault(f"colour_{number}", "no colour")

    assert MOST_FAULTS < len(messages) <= MOST_FAULTS + 600


def test_lists_are_short_because_each_combination_reads_them() -> None:
    sizes = ", ".join(str(2**20 * number) for number in range(1, LONGEST_LIST + 2))
    [found] = faults(
        PLAN + DIRECTORY + f'[[workloads]]\ntool = "fsload"\nfile_sizes = [{sizes}]\nrecord_sizes = 4096\n'
    )
    assert found.endswith(f"expected a list of at most {LONGEST_LIST}")
