"""The recorded parameters of a point, with names in the plan scrubbed."""

from __future__ import annotations

from benchagent.inventory import Source
from benchagent.inventory.privacy.scrub import Scrubber
from benchagent.measuring.points import recorded_command, recorded_parameters
from benchagent.measuring.tool_round import Bench
from benchagent.plan.model import Point, Target, Workload
from benchagent.tools import CommandContext


def test_names_that_a_person_wrote_in_the_plan_are_scrubbed() -> None:
    scrub = Scrubber(users=["wanda"]).scrub
    given = {"file_sizes": [1024], "record_sizes": [1024], "tests": ["write"], "note": "by wanda", "seconds": 7}
    point = Point(Target("t", "directory"), Workload("w", "iozone", given | {"names": ["x", "wanda"]}))
    recorded = recorded_parameters(point, scrub)
    assert (recorded["note"], recorded["names"], recorded["seconds"]) == ("by <user>", ["x", "<user>"], 7)
    target = Target("t", "image", size=2**26, file_system="ext4", mkfs_options=("-L", "wanda"))
    mkfs = Point(target, Workload("m", "mkfs"))
    bench = Bench(CommandContext(seed=0, root=True), "uncontrolled", Source(), scrub, lambda: None)
    assert "wanda" not in recorded_command(mkfs, bench)
    assert "<user>" in recorded_command(mkfs, bench)
