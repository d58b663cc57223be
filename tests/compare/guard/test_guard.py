"""The comparability guard: the differences besides the factor, their wording, and which are severe."""

import json
from datetime import timedelta
from itertools import combinations
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchdb.compare.content import ChangedFact
from benchdb.compare.guard import changes, differences, shared_facts, unlike_runs
from benchdb.compare.query.selection import Selection
from benchdb.facts.words import say_setting
from benchdb.ingest.contract.document import Document
from benchdb.runs.models import Run
from tests.ingest.contract.test_cost import calls_of
from tests.support.comparing.guarded import changed, known, unstored
from tests.support.documents import GIB, STARTED, target

BY_FILE_SYSTEM = Selection(rows=("file_system",))


def run(*changes_: tuple[str, Any], file_system: str = "ext4") -> Run:
    """The run of a document in which every fact is known, with these changes."""
    found = changed(known(), "target/file_system/type", file_system)
    for pointer, value in changes_:
        found = changed(found, pointer, value)
    return unstored(found)


def table(selection: Selection, *runs: Run) -> dict[str, dict[str, list[str]]]:
    """Label → value → the rows that have it."""
    return {each.label: {value.value: value.where for value in each.values} for each in differences(selection, runs)}


def severe(selection: Selection, *runs: Run) -> list[str]:
    """The names of the severe differences."""
    return [each.name for each in differences(selection, runs) if each.severe]


def test_the_document_of_these_tests_is_a_valid_one() -> None:
    Document.model_validate_json(json.dumps(known()))


def test_both_values_stand_with_who_has_them_the_severe_ones_first() -> None:
    runs = [
        run(),
        run(("target/read_ahead", 128 * 1024), ("environment/memory/total", 8 * GIB), file_system="xfs"),
        run(file_system="btrfs"),
    ]

    assert table(BY_FILE_SYSTEM, *runs) == {
        "memory": {"32 GiB": ["ext4", "btrfs"], "8 GiB": ["xfs"]},
        "memory limit": {"8 GiB": ["ext4", "btrfs"], "none": ["xfs"]},
        "read-ahead": {"2 MiB": ["ext4", "btrfs"], "128 KiB": ["xfs"]},
    }
    assert severe(BY_FILE_SYSTEM, *runs) == ["memory", "memory_limit"]


def test_what_all_runs_share_is_their_hardware_and_system() -> None:
    runs = [
        run(),
        run(("environment/memory/total", 8 * GIB), ("environment/memory/usable", 8 * GIB), file_system="xfs"),
    ]
    alone = {fact.label: fact.value for fact in shared_facts(runs[:1])}
    both = {fact.label: fact.value for fact in shared_facts(runs)}

    assert alone["memory"] == "32 GiB"
    assert {"CPU", "CPU threads", "RAID level", "disk", "kernel", "distribution"} <= set(both)
    assert alone.items() - both.items() == {("memory", "32 GiB"), ("memory limit", alone["memory limit"])}
    assert "kernel" not in {fact.name for fact in shared_facts([*runs, run(("environment/kernel/release", "9.9"))])}
    assert shared_facts([]) == []


def test_what_is_varied_on_purpose_is_no_difference_nor_what_follows_from_it() -> None:
    small = (
        ("target/file_system/mkfs_command", ["mkfs.ext4", "-F", "-b", "1024"]),
        ("target/file_system/block_size", 1024),
        ("target/file_system/features", ["extent"]),
    )

    assert table(Selection(rows=("mkfs_options",)), run(), run(*small)) == {}
    assert list(table(BY_FILE_SYSTEM, run(), run(*small))) == ["mkfs options", "block size", "features"]


def test_one_option_varied_on_purpose_leaves_the_others_guarded() -> None:
    mounted = [
        run(("target/mount/options", ["rw", "noatime", "data=ordered"])),
        run(("target/mount/options", ["rw", "noatime", "data=writeback"])),
        run(("target/mount/options", ["rw", "relatime", "data=writeback"])),
    ]
    by_data = Selection(rows=("mount_option:data",))

    assert table(by_data, *mounted[:2]) == {}
    assert table(by_data, *mounted) == {
        "mount options": {"noatime": ["data ordered", "data writeback"], "relatime": ["data writeback"]}
    }


def test_access_times_are_one_option() -> None:
    mounted = [run(("target/mount/options", ["rw", option])) for option in ("noatime", "relatime")]

    assert table(Selection(rows=("mount_option:atime",)), *mounted) == {}


def test_options_of_one_file_system_are_compared_within_it() -> None:
    def mounted(file_system: str, *options: str) -> Run:
        return run(("target/mount/options", ["rw", *options]), file_system=file_system)

    assert table(BY_FILE_SYSTEM, mounted("ext4", "data=ordered"), mounted("xfs", "inode64")) == {}
    assert table(BY_FILE_SYSTEM, mounted("ext4", "data=ordered"), mounted("xfs", "noatime")) == {
        "mount options": {"none of these": ["ext4"], "noatime": ["xfs"]}
    }


def test_flags_that_every_mkfs_is_given_are_no_options() -> None:
    commands = {"ext4": ["mkfs.ext4", "-F", "-E", "nodiscard"], "xfs": ["mkfs.xfs", "-f", "-K"]}
    plain = [run(("target/file_system/mkfs_command", made), file_system=name) for name, made in commands.items()]
    tuned = run(("target/file_system/mkfs_command", [*commands["xfs"], "-d", "su=128k,sw=2"]), file_system="xfs")

    assert table(BY_FILE_SYSTEM, *plain) == {}
    assert table(BY_FILE_SYSTEM, plain[0], tuned) == {
        "mkfs options": {"none of these": ["ext4"], "-d su=128k,sw=2": ["xfs"]}
    }


def test_what_one_file_system_lists_or_leaves_to_later_is_compared_within_it() -> None:
    eager = ("target/file_system/mkfs_command", ["mkfs.ext4", "-E", "lazy_itable_init=0"])
    shown = ("target/mount/options", ["rw", "noatime", "barrier"])
    xfs = (("target/mount/options", ["rw", "noatime"]), ("target/file_system/mkfs_command", ["mkfs.xfs"]))

    assert table(BY_FILE_SYSTEM, run(eager, shown), run(*xfs, file_system="xfs")) == {}
    lazy = run(("target/file_system/mkfs_command", ["mkfs.ext4"]), xfs[0])
    assert list(table(BY_FILE_SYSTEM, run(eager, shown), lazy)) == ["mount options", "mkfs options"]


def test_parameters_are_compared_within_one_tool() -> None:
    direct = run(("workload/parameters", {"file_size": GIB, "direct": True}), file_system="xfs")
    bonnie = run(("workload/tool", "bonnie++"), ("workload/parameters", {"files": 16}), file_system="xfs")

    assert table(BY_FILE_SYSTEM, run(("workload/parameters", {"file_size": GIB})), direct) == {
        "direct": {"default": ["ext4"], "yes": ["xfs"]}
    }
    assert list(table(BY_FILE_SYSTEM, run(), bonnie)) == ["tool"]


def test_what_every_cell_has_by_its_place_is_no_difference() -> None:
    sizes = [run(("workload/parameters", {"file_size": size * GIB})) for size in (1, 2)]

    assert list(table(BY_FILE_SYSTEM, *sizes)) == ["file size"]
    assert table(Selection(columns=("file_size",)), *sizes) == {}
    assert table(Selection(filters={"file_size": ("1G",)}), *sizes) == {}


def test_file_size_against_memory_is_told_where_all_cells_have_one_file_size() -> None:
    limited = run(("environment/memory/usable", 2 * GIB), file_system="xfs")

    assert table(BY_FILE_SYSTEM.replace(filters={"file_size": ("4G",)}), run(), limited) == {
        "memory limit": {"8 GiB": ["ext4"], "2 GiB": ["xfs"]},
        "file size ÷ memory": {"0.5 times": ["ext4"], "2 times": ["xfs"]},
    }


@pytest.mark.parametrize(
    ("pointer", "value", "is_severe"),
    [
        ("environment/memory/total", 32 * GIB - 20_000_000, None),  # a kernel that reserves a little more memory
        ("state_before/fill", 0.16, None),
        ("state_before/fill", 0.2, False),
        ("state_before/fill", 0.61, True),
        ("environment/kernel/release", "6.1.0-30-amd64", False),
        ("environment/kernel/release", "6.12.1", True),
        ("target/file_system/size", 15 * 10**12, None),
        ("target/file_system/size", 10**12, True),
        ("state_before/files", 20_011, None),
        ("agent/version", "0.2.0", False),
    ],
)
def test_how_much_is_a_difference_and_when_it_is_severe(pointer: str, value: Any, is_severe: bool | None) -> None:
    found = differences(BY_FILE_SYSTEM, [run(), run((pointer, value), file_system="xfs")])

    assert [each.severe for each in found] == ([] if is_severe is None else [is_severe])


def test_what_a_machine_is_made_of_is_severe_only_where_machines_are_not_compared() -> None:
    other = run(("machine/name", "b"), ("machine/machine_id", "b" * 64), ("environment/cpu/model", "Xeon"))

    assert severe(BY_FILE_SYSTEM, run(), other) == ["machine", "cpu"]
    assert severe(Selection(rows=("machine",)), run(), other) == []
    assert list(table(Selection(rows=("machine",)), run(), other)) == ["CPU"]


def test_two_machines_of_one_name_are_told_apart() -> None:
    other = run(("machine/machine_id", "b" * 64), file_system="xfs")

    assert table(BY_FILE_SYSTEM, run(), other) == {"machine": {"epyc-2 (1)": ["ext4"], "epyc-2 (2)": ["xfs"]}}


def test_between_runs_one_severe_difference_is_what_they_are_compared_for() -> None:
    by_run = Selection(rows=("run",))
    xfs, cached = run(file_system="xfs"), run(("protocol/cache", "warm"), file_system="xfs")

    assert severe(by_run, run(), xfs) == []
    assert severe(by_run, run(), cached) == ["cache", "file_system"]


def test_what_differs_from_split_to_split_only_is_not_severe() -> None:
    old, new = ("environment/kernel/release", "5.10.1"), ("environment/kernel/release", "6.1.1")
    split = Selection(rows=("file_system",), split=("tool",))
    runs = [run(old), run(old, file_system="xfs"), run(new, ("workload/tool", "fsload"))]

    assert severe(split, *runs) == []
    assert severe(split, *runs, run(old, ("workload/tool", "fsload"), file_system="xfs")) == ["kernel"]


def test_runs_of_one_cell_that_differ_are_told_of() -> None:
    full = run(("state_before/fill", 0.61))
    (found,) = differences(BY_FILE_SYSTEM, [run(), full, run(file_system="xfs")])

    assert found.inside == ["ext4"]
    assert {value.value: value.where for value in found.values} == {"12 %": ["ext4", "xfs"], "61 %": ["ext4"]}


def test_a_cell_of_runs_that_differ_says_so() -> None:
    runs = [run(), run(("state_before/fill", 0.61)), run()]
    met = ((0, 2), (0, 1), (0,))
    cells = [frozenset(str(runs[i].id) for i in numbers) for numbers in met]
    alike, unlike, single = cells

    inside_and_warnings = unlike_runs(BY_FILE_SYSTEM, runs, cells)

    assert inside_and_warnings[alike] == ([], [])
    inside, warnings = inside_and_warnings[unlike]
    assert inside == ["fill"]
    assert [warning.text for warning in warnings] == ["The runs in this cell are not alike: fill level."]
    assert single not in inside_and_warnings


def test_the_disks_of_a_run_are_read_once_for_any_number_of_cells() -> None:
    def with_disks(number: int) -> Run:
        own = ("vendor", "firmware", "link", "transport", "write_cache", "zoned")
        disks = [{"name": f"sd{i}", "kind": "disk", **dict.fromkeys(own, f"f{i}.{number}")} for i in range(900)]
        return run(("environment/block_devices", disks), ("target/stack", []))

    def compare(numbers: int) -> int:
        runs = [*map(with_disks, range(6))]
        pairs = [frozenset(str(each.id) for each in pair) for pair in combinations(runs, 2)]
        return calls_of(lambda: unlike_runs(BY_FILE_SYSTEM, runs, pairs[:numbers]))

    assert compare(15) < 4 * compare(1)  # which reads two of six runs


def test_what_is_known_of_some_only_is_one_line() -> None:
    silent = run(("environment/cpu/governor", None), ("target/read_ahead", None), file_system="xfs")

    assert table(BY_FILE_SYSTEM, run(), silent) == {"not known": {"read-ahead, frequency governor": ["xfs"]}}


def test_unknown_stands_beside_values_that_differ() -> None:
    runs = [run(), run(("state_before/fill", 0.61), file_system="xfs"), run(("state_before/fill", None))]

    assert table(BY_FILE_SYSTEM, *runs) == {"fill level": {"12 %": ["ext4"], "61 %": ["xfs"], "unknown": ["ext4"]}}


def test_days_between_the_rows_are_told_but_not_those_between_runs_that_took_turns() -> None:
    def begun(days: int, file_system: str) -> Run:
        return run(("started_at", (STARTED + timedelta(days=days)).isoformat()), file_system=file_system)

    in_turn = [begun(0, "ext4"), begun(0, "xfs"), begun(9, "ext4"), begun(9, "xfs")]

    assert table(BY_FILE_SYSTEM, *in_turn) == {}
    assert table(BY_FILE_SYSTEM, in_turn[0], in_turn[2], begun(30, "xfs")) == {
        "measured on": {"20 Nov 2026 to 29 Nov 2026": ["ext4"], "20 Dec 2026": ["xfs"]}
    }


def test_where_no_axis_is_of_runs_they_are_numbered() -> None:
    sizes = Selection(rows=("record_size",), columns=("test",))

    assert table(sizes, run(), run(("target/scheduler", "none"))) == {
        "scheduler": {"mq-deadline": ["run 1"], "none": ["run 2"]}
    }


def test_a_layer_in_between_and_its_settings() -> None:
    plain = {**known()["target"], "stack": target()["stack"][1:]}
    differing = table(BY_FILE_SYSTEM, run(), run(("target", plain)))

    assert differing["layers"] == {"encryption": ["ext4"], "none": ["ext4"]}
    assert differing["RAID level"] == {"raid6": ["ext4"], "no RAID": ["ext4"]}
    assert "RAID chunk" not in differing


@pytest.mark.parametrize(
    ("stack", "number"),
    [
        ([{"kind": "loop"}, {"kind": "image"}, {"kind": "tmpfs"}], 0),  # the environment has disks
        ([{"kind": "raid", "level": "raid6", "members": 12}], 12),
        ([{"kind": "raid", "level": "raid6", "members": 12}, {"kind": "disk", "model": "X"}], 12),
        ([{"kind": "raid", "level": "raid0", "members": 2}, *[{"kind": "disk", "facts": {"count": 12}}] * 2], 24),
        ([{"kind": "raid", "level": "raid1", "members": 2}, *[{"kind": "disk", "name": name} for name in "ab"]], 2),
        ([{"kind": "network"}], None),
    ],
)
def test_the_disks_of_the_target_are_counted(stack: list[Any], number: int | None) -> None:
    found = table(BY_FILE_SYSTEM, run(("target/stack", [{"kind": "disk"}] * 3)), run(("target/stack", stack)))

    assert found.get("number of disks") == (None if number is None else {"3": ["ext4"], str(number): ["ext4"]})


def test_changes_between_two_runs_of_a_series() -> None:
    after = run(("environment/kernel/release", "6.12.1"), ("target/scheduler", "none"), ("protocol/seed", 2))

    assert changes(run(), after) == [
        ChangedFact(name="kernel", label="kernel", severe=True, before="6.1.0-28-amd64", after="6.12.1"),
        ChangedFact(name="scheduler", label="scheduler", severe=False, before="mq-deadline", after="none"),
    ]


PLACES = [
    ("target/read_ahead", 0),
    ("target/mount/options", ["rw"]),
    ("environment/memory/total", 8 * GIB),
    ("environment/kernel/release", "5.10"),
    ("state_before/fill", None),
    ("workload/parameters", {"direct": True}),
    ("target/stack", []),
    ("environment/cpu/governor", None),
]
SELECTIONS = st.builds(
    lambda axes: Selection(rows=(axes[0],), columns=(axes[1],), split=(axes[2],)),
    st.permutations(["file_system", "test", "machine", "run", "record_size", "kernel", "tool"]),
)
RUNS = st.lists(st.tuples(st.lists(st.sampled_from(PLACES), max_size=3), st.sampled_from(["ext4", "xfs"])), max_size=5)


@given(SELECTIONS, st.sampled_from([*PLACES, ("agent/version", "1")]), st.integers(0, 4))
def test_where_all_is_the_same_nothing_is_said(selection: Selection, place: tuple[str, Any], number: int) -> None:
    assert differences(selection, [run(place) for _ in range(number)]) == []


@given(SELECTIONS, RUNS, st.randoms(use_true_random=False))
def test_the_order_of_runs_changes_nothing(selection: Selection, made: list[Any], random: Any) -> None:
    runs = [run(*places, file_system=name) for places, name in made]
    shuffled = random.sample(runs, len(runs))

    assert _as_sets(selection, runs) == _as_sets(selection, shuffled)


def _as_sets(selection: Selection, runs: list[Run]) -> Any:
    """The differences without order. Numbers of runs depend on it, so numbered rows are left out."""
    numbered = not selection.axes & {"file_system", "machine", "run", "kernel", "tool"}
    return {
        (
            difference.name,
            difference.severe,
            *sorted((value.value, *(() if numbered else sorted(value.where))) for value in difference.values),
        )
        for difference in differences(selection, runs)
    }


@pytest.mark.parametrize(
    ("name", "value", "text"),
    [
        ("record_sizes", (64 << 10, 1 << 20), "64 KiB, 1 MiB"),
        ("options", (), "none"),
        ("profile_sha256", "02c95a52740b" * 5 + "abcd", "02c95a52740b…"),
        ("direct", True, "yes"),
    ],
)
def test_settings_are_said_as_people_read_them(name: str, value: Any, text: str) -> None:
    assert say_setting(name, value) == text
