"""Plans with two sides: their targets, the fields of a side, and their faults."""

from dataclasses import replace

import pytest

from benchagent.errors import PlanError
from benchagent.plan.model import Gate, GateSide, KernelModule
from benchagent.plan.reading import load
from benchagent.plan.served import faults_of

PLAN = """
name = "gate"
[[targets]]
kind = "image"
size = "64 MiB"
file_system = ["ext4", "xfs"]
mount_options = ["noatime"]
[[workloads]]
tool = "iozone"
file_sizes = "1 MiB"
record_sizes = "64 KiB"
"""
SIDES = """
[sides.old]
[sides.old.modules.ext4]
[sides.new]
mount_options = ["noatime", "nobarrier"]
programs = {iozone = "/opt/new/iozone"}
setup = "echo 1 > /sys/x"
undo = "echo 0 > /sys/x"
[sides.new.modules.ext4]
file = "/opt/new/ext4.ko"
parameters = ["debug=1"]
"""


def test_each_target_is_measured_on_both_sides() -> None:
    plan = load(PLAN + SIDES)

    assert [(target.name, target.mount_options) for target in plan.targets] == [
        ("ext4-old", ("noatime",)),
        ("xfs-old", ("noatime",)),
        ("ext4-new", ("noatime", "nobarrier")),
        ("xfs-new", ("noatime", "nobarrier")),
    ]
    module = KernelModule("ext4", "/opt/new/ext4.ko", ("debug=1",))
    new = GateSide("new", (("iozone", "/opt/new/iozone"),), (module,), "echo 1 > /sys/x", "echo 0 > /sys/x")
    assert plan.sides == (GateSide("old", modules=(KernelModule("ext4"),)), new)
    assert {target.side for target in plan.targets} == set(plan.sides)
    assert (plan.rounds, plan.min_rounds, plan.gate) == (40, 8, Gate(0.05, ()))


def test_a_pair_of_rounds_has_a_drawn_order_and_then_its_reverse_and_sides_are_neighbours() -> None:
    plan = load(PLAN + SIDES)
    [block] = plan.blocks()

    def order(number: int) -> list[str]:
        return [visit.target.name for visit in plan.visits(block, number)]

    orders = [order(number) for number in range(100)]

    assert plan.order == "shuffled"
    assert all(second == first[::-1] for first, second in zip(orders[::2], orders[1::2]))
    assert {tuple(first) for first in orders[::2]} == {
        (f"{one}-{side}", f"{one}-{other}", f"{two}-{third}", f"{two}-{fourth}")
        for one, two in (("ext4", "xfs"), ("xfs", "ext4"))
        for side, other in (("old", "new"), ("new", "old"))
        for third, fourth in (("old", "new"), ("new", "old"))
    }
    assert [order(number) for number in range(100)] == orders
    assert [visit.target.name for visit in replace(plan, seed=1).visits(block, 0)] != orders[0]


def test_both_sides_have_the_same_order_of_workloads() -> None:
    plan = load(PLAN + PLAN.partition("[[workloads]]")[2].join(["[[workloads]]\nname = 'second'", SIDES]))
    [block] = plan.blocks()
    orders = [{tuple(p.workload.name for p in visit.points) for visit in plan.visits(block, n)} for n in range(2)]
    assert orders == [{("mkfs", "iozone", "second")}, {("mkfs", "second", "iozone")}]


def test_a_plan_without_sides_has_no_gate() -> None:
    plan = load(PLAN)
    assert (plan.sides, plan.gate, plan.rounds, plan.targets[0].side) == ((), None, 8, None)


def test_margin_and_metrics() -> None:
    assert load('margin = "3 %"\nmetrics = ["rate", "latency_p99"]\n' + PLAN + SIDES).gate == Gate(
        0.03, ("rate", "latency_p99")
    )


def test_a_queued_plan_has_no_sides() -> None:
    assert faults_of(load(PLAN + "[sides.a]\n[sides.b]\n")) == [
        "sides: a queued plan can have none, because they run commands"
    ]


@pytest.mark.parametrize(
    ("text", "faults"),
    [
        (PLAN + "[sides.a]\n[sides.b]\n[sides.c]\n", ["expected two tables, [sides.OLD] and [sides.NEW]"]),
        ("margin = 0.1\n" + PLAN, ["margin is 0.1; expected no such field in a plan without [sides.…]"]),
        ("rounds = 15\n" + PLAN + SIDES, ["rounds is 15; expected at least 16 where there are sides"]),
        ("rounds = 800\n" + PLAN + SIDES, ["expected more, so that there are at most 20 looks in 800 rounds"]),
        ('precision = "2 %"\n' + PLAN + SIDES, ["expected no precision beside [sides.…]"]),
        *(
            (f'order = "{order}"\n' + PLAN + SIDES, [f"order is {order!r}; expected shuffled where there are sides"])
            for order in ("rotated", "interleaved", "sequential")
        ),
        (
            PLAN + "[sides.a]\nsetpu = 1\nprograms = {fsload = '/x', fio = 'fio'}\n[sides.b]\nmount_options = 3\n",
            [
                "sides.a.setpu is 1; expected one of mkfs_options,",
                "sides.a.programs.fsload is '/x'; expected one of bonnie++, fio,",
                "sides.a.programs.fio is 'fio'; expected an absolute path",
                "targets[0].mount_options is 3; expected a list",
            ],
        ),
        (
            PLAN + "[sides.a]\n[sides.b.modules.xfs]\nfile = 'xfs.ko'\n",
            ["sides.b.modules.xfs.file is 'xfs.ko'; expected an absolute path", "the module xfs in both sides"],
        ),
        (PLAN + "[sides.'a b']\n[sides.b]\n", ["sides.a b; expected a name of up to 64 letters"]),
        (PLAN + f"[sides.a]\n[sides.{'b' * 63}]\n", ["expected a shorter name"]),
    ],
)
def test_all_faults_are_listed(text: str, faults: list[str]) -> None:
    with pytest.raises(PlanError) as refused:
        load(text)
    for fault in faults:
        assert fault in str(refused.value)
