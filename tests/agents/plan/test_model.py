"""Plans: their meaning, the order and the end of the measurements, and their faults."""

from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchagent.errors import PlanError
from benchagent.plan.model import ORDERS, PREPARATION, Plan, Point, Target, Workload
from benchagent.plan.reading import _read_plan, load
from benchagent.toml.tables import TomlTable

PLANS = Path(__file__).parents[3] / "agents" / "plans"

SMALL = """
name = "small"
[[targets]]
kind = "image"
size = "1 GiB"
file_system = ["ext4", "xfs"]
[[targets]]
kind = "directory"
path = "/mnt/data"
[[workloads]]
tool = "iozone"
auto = true
max_file_size = "64 MiB"
[[workloads]]
tool = "fsload"
file_sizes = ["1 MiB"]
record_sizes = ["4 KiB", "64 KiB"]
"""


def faults(source: str) -> list[str]:
    with pytest.raises(PlanError) as caught:
        load(source)
    return str(caught.value).splitlines()[1:]


def test_points_are_targets_times_workloads_and_the_preparation_of_images() -> None:
    ids = [point.id for point in load(SMALL).points()]
    assert ids == [
        "ext4/mkfs",
        "ext4/iozone",
        "ext4/fsload",
        "xfs/mkfs",
        "xfs/iozone",
        "xfs/fsload",
        "directory/iozone",
        "directory/fsload",
    ]


def test_sizes_become_bytes() -> None:
    plan = load(SMALL)
    assert (plan.targets[0].size, plan.workloads[0].parameters) == (2**30, {"auto": True, "max_file_size": 2**26})
    assert plan.workloads[1].parameters == {"file_sizes": [2**20], "record_sizes": [4096, 65536]}


def test_fsload_sweeps_unless_a_command_is_named() -> None:
    sizes = 'tool = "fsload"\nfile_sizes = ["1 MiB"]\nrecord_sizes = ["4 KiB"]'
    [plain], [named] = (load(workload(text)).workloads for text in (sizes, sizes + '\ncommand = "sweep"'))
    assert plain == named
    [tree] = load(workload('tool = "fsload"\ncommand = "tree"\nlevels = 2\nfile_size = "4 KiB"')).workloads
    assert tree.parameters == {"command": "tree", "levels": 2, "file_size": 4096}


def test_without_a_bound_there_are_eight_rounds() -> None:
    assert (load(SMALL).rounds, load(SMALL).time_budget) == (8, None)


def test_a_time_budget_alone_bounds_nothing_else() -> None:
    plan = load('time_budget = "110 s"\n' + SMALL)
    assert (plan.rounds, plan.time_budget, plan.min_rounds) == (None, 110.0, 2)


@pytest.mark.parametrize("path", sorted(PLANS.glob("*.toml")), ids=lambda path: path.stem)
def test_shipped_plans_are_valid(path: Path) -> None:
    plan = load(path.read_text())
    assert (plan.name, plan.order) == (path.stem, "rotated")


names = st.lists(st.from_regex(r"[a-z][a-z0-9]{0,5}", fullmatch=True), min_size=1, max_size=4, unique=True)


@st.composite
def plans(draw: st.DrawFn) -> Plan:
    targets = [
        Target(name, draw(st.sampled_from(["image", "directory"])), size=2**30, file_system="ext4")
        for name in draw(names)
    ]
    rounds = draw(st.none() | st.integers(1, 6))
    return Plan(
        name="any",
        targets=tuple(targets),
        workloads=tuple(Workload(name, "iozone") for name in draw(names)),
        rounds=rounds,
        min_rounds=draw(st.integers(1, rounds or 6)),
        time_budget=draw(st.floats(0.1, 100)) if rounds is None else draw(st.none() | st.floats(0.1, 100)),
        order=draw(st.sampled_from(ORDERS)),
        seed=draw(st.integers(0, 5)),
    )


@given(plans(), st.integers(0, 5))
def test_every_round_measures_every_point_once(plan: Plan, number: int) -> None:
    measured = [point for block in plan.blocks() for visit in plan.visits(block, number) for point in visit.points]
    assert Counter(measured) == Counter(plan.points())


@given(plans(), st.integers(0, 5))
def test_a_target_is_prepared_once_a_round_and_before_anything_runs_on_it(plan: Plan, number: int) -> None:
    visits = [visit for block in plan.blocks() for visit in plan.visits(block, number)]
    assert Counter(visit.target for visit in visits) == Counter(plan.targets)
    for visit in visits:
        assert {point.target for point in visit.points} == {visit.target}
        assert not any(point.workload.tool == PREPARATION for point in visit.points[1:])


@given(plans(), st.integers(0, 5))
def test_the_same_seed_gives_the_same_order(plan: Plan, number: int) -> None:
    def order() -> list[tuple[Point, ...]]:
        return [visit.points for block in plan.blocks() for visit in plan.visits(block, number)]

    assert order() == order()


def test_rotated_and_shuffled_rounds_differ_from_each_other() -> None:
    source = SMALL.replace('"xfs"]', '"xfs", "ext2", "ext3", "btrfs"]')

    def orders(order: str) -> set[tuple[str, ...]]:
        plan = load(f'order = "{order}"\n' + source)
        return {tuple(visit.target.name for visit in plan.visits(plan.targets, number)) for number in range(12)}

    assert len(orders("interleaved")) == len(orders("sequential")) == 1
    assert len(orders("shuffled")) > 5
    assert len(orders("rotated")) == 12


def test_a_rotated_round_has_one_order_of_workloads_on_all_its_targets() -> None:
    plan = load(SMALL)

    def orders(number: int) -> set[tuple[str, ...]]:
        visits = list(plan.visits(plan.targets, number))
        assert all(visit.points[0].workload.tool == PREPARATION for visit in visits if visit.target.is_made)
        names = [[point.workload.name for point in visit.points] for visit in visits]
        return {tuple(name for name in each if name != PREPARATION) for each in names}

    plain, turned = ("iozone", "fsload"), ("fsload", "iozone")
    assert [orders(number) for number in range(3)] == [{plain}, {turned}, {plain}]


@given(plans())
def test_sequential_blocks_are_single_targets(plan: Plan) -> None:
    sizes = [len(block) for block in plan.blocks()]
    assert sizes == [1] * len(plan.targets) if plan.order == "sequential" else sizes == [len(plan.targets)]


@given(plans(), st.integers(0, 20), st.floats(0, 1000))
def test_a_block_ends_by_its_rounds_or_its_budget_but_not_too_early(plan: Plan, rounds: int, elapsed: float) -> None:
    over = plan.is_over(rounds, elapsed)
    if rounds < plan.min_rounds:
        assert not over
    elif plan.rounds is not None and rounds >= plan.rounds:
        assert over
    elif plan.time_budget is None:
        assert not over
    else:
        assert over == (elapsed >= plan.time_budget / len(plan.blocks()))


def test_all_faults_are_told_at_once_with_their_places() -> None:
    messages = faults(
        """
        nmae = "x"
        rounds = 0
        order = "random"
        [[targets]]
        kind = "image"
        file_system = ["ext4", "ntfs"]
        [[targets]]
        kind = "tape"
        [[workloads]]
        tool = "iozone"
        tests = ["write", "scribble"]
        [[workloads]]
        tool = "rm"
        """
    )
    assert [fault.split(";")[0] for fault in messages] == [
        "name",
        "rounds is 0",
        "targets[0].file_system is ['ext4', 'ntfs']",
        "targets[0].size",
        "targets[1].kind is 'tape'",
        "workloads[0].tests is ['write', 'scribble']",
        "workloads[0].file_sizes",
        "workloads[1].tool is 'rm'",
        "order is 'random'",
        "nmae is 'x'",
    ]


def workload(text: str) -> str:
    return f'name = "p"\n[[targets]]\nkind = "directory"\n[[workloads]]\n{text}'


@pytest.mark.parametrize(
    ("source", "fault"),
    [
        ("name = ", "This is not TOML"),
        ('name = "p"', "at least one [[targets]]"),
        ("targets = 3", "targets is 3; expected a list"),
        ("targets = [3]", "targets[0]; expected a table"),
        (workload('tool = "iozone"\nauto = true\nthreads = 2'), "no threads together with auto"),
        (workload('tool = "iozone"\nauto = true\nfile_sizes = [4096]\nmax_file_size = 8192'), "not both"),
        (workload('tool = "iozone"\nfile_sizes = [4096]\nmax_record_size = 8192'), "limits are those of auto mode"),
        (workload('tool = "iozone"\nfile_sizes = [1000]'), "whole numbers of KiB"),
        (workload('tool = "iozone"\nauto = true\ntests = ["read"]'), "write among the tests"),
        (workload('tool = "iozone"\nauto = true\ntest = ["write"]'), "workloads[0].test is ['write']; expected one of"),
        (workload('tool = "bonnie++"'), "a file size, a number of files, or both"),
        (workload('tool = "bonnie++"\nfiles = 1000'), "a multiple of 1024"),
        (workload('tool = "bonnie++"\nfile_size = 4096'), "a whole number of MiB"),
        (workload('tool = "bonnie++"\nfile_size = "1 MiB"\nmin_size = 3'), "a number of files, where their sizes"),
        (workload('tool = "bonnie++"\nfiles = 1024\nmin_size = 3\nmax_size = 2'), "no more than max_size"),
        (workload('tool = "bonnie++"\nfiles = 1024\nchunk_size = 1000'), "a power of two"),
        (workload('tool = "fsload"\nfile_sizes = [1]'), "workloads[0].record_sizes; expected a value"),
        (workload('tool = "fsload"\nfile_sizes = [1024, "1K"]\nrecord_sizes = [1]'), "holds nothing twice"),
        (workload('tool = "fsload"\nname = "mkfs"\nfile_sizes = [1]\nrecord_sizes = [1]'), "two are named 'mkfs'"),
        (workload('tool = "fsload"\ntimeout = "never"\nfile_sizes = [1]\nrecord_sizes = [1]'), "a time such as"),
        (workload('tool = "fsload"\nfile_sizes = [6]\nrecord_sizes = [4, 3]'), "multiples of each record size"),
        (workload('tool = "fsload"\ncommand = "format"'), "command is 'format'; expected one of sweep, mix"),
        (workload('tool = "fsload"\ncommand = "tree"\nfile_sizes = [1]'), "file_sizes is [1]; expected one of"),
        (workload('tool = "fsload"\ncommand = "tree"\nlevels = -1'), "a whole number from 0 to 100"),
        (workload('tool = "fsload"\ncommand = "wml"\nfile = "a.f"\nseconds = "1 h"'), "less than the timeout, 3600 s"),
        (workload('tool = "fsload"\ncommand = "mix"'), "workloads[0].profile; expected a value; it is required"),
        (workload('tool = "fsload"\ncommand = "mix"\nprofile = "/etc/passwd"'), "a file beside the plan"),
        (workload('tool = "fsload"\ncommand = "mix"\nprofile = "a/../../b"'), "a file beside the plan"),
        (workload('tool = "fsload"\ncommand = "metadata"\ntar = ".ssh"'), "a file beside the plan"),
        ("rounds = 2\nmin_rounds = 3\n" + workload('tool = "iozone"\nauto = true'), "no more than rounds, 2"),
        (SMALL.replace('["ext4", "xfs"]', '["ext4", "ext4"]'), "holds nothing twice"),
        (SMALL.replace('size = "1', 'mkfs_options = ["/dev/sda"]\nsize = "1'), "options without a slash"),
        (SMALL.replace('size = "1', 'mount_options = ["logdev=/dev/sda"]\nsize = "1'), "options without a slash"),
        (SMALL.replace('size = "1', 'path = "x"\nsize = "1'), "targets[0].path is 'x'; expected one of"),
        ("labels = {a = 1}\n" + SMALL, "a table of short texts"),
        ("seed = -1\n" + SMALL, "seed is -1; expected a whole number, 0 or more"),
        (SMALL.replace('name = "small"', 'name = "../x"'), "name is '../x'; expected a name"),
    ],
)
def test_refuses(source: str, fault: str) -> None:
    assert fault in "\n".join(faults(source))


@given(st.text(max_size=200))
def test_any_text_is_a_plan_or_a_plan_error(source: str) -> None:
    with pytest.raises(PlanError):
        load(source)


toml_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["tool", "kind", "x"]), inner),
    max_leaves=5,
)


@given(
    st.sampled_from(["name", "rounds", "time_budget", "order", "seed", "cache", "labels", "targets", "workloads"]),
    toml_values,
)
def test_no_value_of_the_wrong_kind_breaks_the_reader(key: str, value: object) -> None:
    found: list[str] = []
    _read_plan(TomlTable({"name": "p", key: value}, "", found), found)
    assert found
