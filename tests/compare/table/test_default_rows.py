"""Rows that nobody chose: what differs between the runs, so that no cell pools unlike runs."""

from typing import Any
from unittest.mock import Mock
from uuid import uuid4

import numpy as np
import pytest
from django.contrib.auth.models import User
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from benchdb.compare.query.narrowed import Narrowed
from benchdb.compare.query.selection import Selection
from benchdb.compare.table.content import TableContent, cells
from benchdb.compare.table.default_rows import _has_test_without_common_params, _with_common_results
from benchdb.compare.table.evaluate import evaluate
from benchdb.compare.table.form import choices_form
from benchdb.runs.models import Run
from benchdb.runs.quantities.columns import NAMES, Column, Quantities, QuantityPlaces
from tests.support.comparing.comparisons import SPREAD, compared_runs, values
from tests.support.documents import GIB, KIB, MIB, environment, result, target
from tests.support.store import make_user, store_run

ROUNDS = len(SPREAD)
NVME = {"name": "nvme0n1", "kind": "disk", "model": "Samsung SSD 980", "size": 10**12}


def table(owner: User, runs: list[Run], query: str = "") -> TableContent:
    """The table of these runs."""
    return evaluate(Selection.parse(query).replace(runs=tuple(run.id for run in runs)), owner)[0]


def rows(content: TableContent) -> list[str]:
    """The labels of the rows of the first part."""
    return [row.label for row in content.groups[0].rows]


def measured(owner: User, mean: float = 1e8, **sections: Any) -> Run:
    """A run with one result."""
    results = sections.pop("results", None) or [result(values(mean), file_size=GIB, record_size=MIB)]
    return store_run(owner, **{"rounds": ROUNDS, "results": results, **sections})


def workload(**parameters: object) -> dict[str, Any]:
    """A workload of fsload with these parameters."""
    return {"tool": "fsload", "tool_version": "0.1.0", "command": ["fsload"], "parameters": parameters}


def on_raid(chunk: int) -> dict[str, Any]:
    """A target on an array with this chunk."""
    stack = target()["stack"]
    return {**target(), "stack": [{**stack[0], "chunk": chunk}, *stack[1:]]}


def machine(name: str, sign: str) -> dict[str, str]:
    """A machine with this name."""
    return {"name": name, "machine_id": sign * 64}


def test_runs_with_and_without_dsync_are_two_rows(owner: User) -> None:
    runs = [measured(owner, mean, workload=workload(sync=sync)) for mean, sync in ((1e8, "none"), (1e7, "dsync"))]

    content = table(owner, runs)

    assert content.rows.names == ["parameter:sync"]
    assert rows(content) == ["no sync", "dsync"]
    assert [placed.cell.n for placed in cells(content)] == [ROUNDS, ROUNDS]
    assert content.title == "no sync, dsync on epyc-2"


def test_a_mount_is_named_after_the_option_for_access_times_that_it_has(owner: User) -> None:
    runs = [
        measured(owner, target={**target(), "mount": {"options": ["rw", option]}}) for option in ("relatime", "noatime")
    ]

    content = table(owner, runs)

    assert content.rows.names == ["mount_option:atime"]
    assert rows(content) == ["relatime", "noatime"]
    assert rows(table(owner, runs, "rows=mount_option:relatime")) == ["relatime", "no relatime option"]


def test_a_sweep_over_chunk_sizes_has_a_row_for_each(owner: User) -> None:
    runs = [measured(owner, target=on_raid(KIB << power)) for power in range(4, 10)]

    content = table(owner, runs)

    assert content.rows.names == ["raid_chunk"]
    assert rows(content) == ["16 KiB", "32 KiB", "64 KiB", "128 KiB", "256 KiB", "512 KiB"]


def test_file_systems_on_three_machines_are_compared_on_each_of_them(owner: User) -> None:
    runs = [
        measured(owner, mean, file_system=name, machine=machine(host, sign))
        for host, sign in (("nas", "1"), ("laptop", "2"), ("desktop", "3"))
        for name, mean in (("ext3", 1e8), ("ext4", 2e8))
    ]

    content = table(owner, runs)

    assert (content.rows.names, content.factor.names) == (["file_system", "machine"], ["file_system"])
    assert "ext3 · nas" in rows(content)
    verdicts = {placed.row: placed.cell.verdict for placed in cells(content)}
    assert {label for label, verdict in verdicts.items() if verdict is None} == {
        "ext3 · nas",
        "ext3 · laptop",
        "ext3 · desktop",
    }


def test_a_factor_that_nobody_chose_is_no_choice_in_the_form(owner: User) -> None:
    hosts = (machine("a", "1"), machine("b", "2"))
    runs = [measured(owner, file_system=name, machine=host) for host in hosts for name in ("ext4", "xfs")]
    content, choices = evaluate(Selection(runs=tuple(run.id for run in runs)), owner)
    form = choices_form(choices, content)

    assert content.factor.names == ["file_system"]
    assert ("was", "explicit=") in [(name, text[text.index("explicit=") :][:9]) for name, text in form["hidden"][-1:]]


def test_two_machines_with_one_name_are_two_rows(owner: User) -> None:
    runs = [measured(owner), measured(make_user("bob"), 2e8)]

    content = table(owner, runs)

    assert content.rows.names == ["machine"]
    assert rows(content) == [f"epyc-2 (machine {run.machine_id})" for run in runs]
    assert content.title.endswith("on 2 machines")


def test_machines_that_look_alike_or_told_apart_have_an_id(owner: User) -> None:
    names = (machine("epyc-2", "1"), machine("Epyc-2\N{WORD JOINER}", "2"), machine("x (machine 1)", "3"))
    runs = [measured(owner, machine=name) for name in names]

    content, alone = table(owner, runs), table(owner, runs[2:])

    assert rows(content) == [f"{run.machine.name} (machine {run.machine_id})" for run in runs]
    assert [line.machine for line in content.run_list] == rows(content)
    assert alone.title.endswith(f"on {rows(content)[2]}")


def test_a_machines_kernel_is_no_row_beside_its_machine(owner: User) -> None:
    kernels = [environment(), {**environment(), "kernel": {**environment()["kernel"], "release": "6.12.0"}}]
    places = zip(("1", "2"), kernels, strict=True)
    runs = [measured(owner, machine=machine(f"m{sign}", sign), environment=known) for sign, known in places]

    assert table(owner, runs).rows.names == ["machine"]


def test_two_kernels_of_one_machine_are_two_rows(owner: User) -> None:
    kernels = [environment(), {**environment(), "kernel": {**environment()["kernel"], "release": "6.12.0"}}]

    assert table(owner, [measured(owner, environment=known) for known in kernels]).rows.names == ["kernel"]


def test_two_disks_of_one_machine_are_two_rows(owner: User) -> None:
    disks = {**environment(), "block_devices": [*environment()["block_devices"], NVME]}
    on_nvme = {**target(), "stack": [{"kind": "disk", "name": "nvme0n1", "model": NVME["model"]}]}
    on_disk = {**target(), "stack": [{"kind": "disk", "name": "sda", "model": "ST4000NM0035"}]}

    runs = [measured(owner, environment=disks, target=each) for each in (on_nvme, on_disk)]

    assert table(owner, runs).rows.names == ["disk"]
    assert rows(table(owner, runs)) == ["Samsung SSD 980", "ST4000NM0035"]


def test_a_mount_option_is_a_row_by_its_own_name(owner: User) -> None:
    mounted = [{**target(), "mount": {"options": ["rw", "noatime", f"data={mode}"]}} for mode in ("ordered", "journal")]

    content = table(owner, [measured(owner, target=each) for each in mounted])

    assert content.rows.names == ["mount_option:data"]
    assert rows(content) == ["data ordered", "data journal"]


def test_sizes_that_no_two_runs_share_are_rows_and_no_run_is_left_out(owner: User) -> None:
    runs = [
        measured(
            owner,
            results=[result(values(1e8), threads=threads, file_size=GIB, record_size=MIB)],
            workload=workload(threads=threads),
        )
        for threads in (1, 2, 4)
    ]

    content = table(owner, runs)

    assert content.rows.names == ["threads"]
    assert rows(content) == ["1", "2", "4"]
    assert len(content.runs) == 3


def test_sizes_beside_other_differences_are_the_last_part_of_a_row(owner: User) -> None:
    runs = [
        measured(owner, file_system=name, machine=host, results=[result(values(1e8), file_size=size, record_size=MIB)])
        for name, host, size in (("ext4", machine("a", "1"), GIB), ("xfs", machine("b", "2"), 2 * GIB))
    ]

    content = table(owner, runs)

    assert content.rows.names == ["file_system", "file_size"]
    assert rows(content) == ["ext4 · 1 GiB file", "xfs · 2 GiB file"]
    assert content.factor.names == ["file_system"]
    assert content.notes[-1].startswith("Nothing is compared, because no two cells differ in the file system alone.")
    assert table(owner, runs, "factor=file_system,file_size").notes == []


def test_of_sizes_that_are_rows_each_run_shows_its_largest(owner: User) -> None:
    def swept(name: str, sizes: list[int]) -> Run:
        results = [result(values(1e8), file_size=size, record_size=record) for size in sizes for record in (KIB, MIB)]
        return measured(owner, file_system=name, results=results)

    content = table(owner, [swept("ext4", [GIB, 2 * GIB]), swept("xfs", [4 * GIB, 8 * GIB])])

    assert content.rows.names == ["file_system", "file_size"]
    assert rows(content) == ["ext4 · 2 GiB file", "xfs · 8 GiB file"]
    assert [group.label for group in content.groups] == ["1 KiB", "1 MiB"]


def test_labels_separate_runs_only_if_nothing_else_does(owner: User) -> None:
    named = [{**target(), "nr_requests": number} for number in (64, 128)]
    runs = [measured(owner, target=on, labels={"note": f"try {i}"}) for i, on in enumerate(named)]

    assert table(owner, runs).rows.names == ["label:note"]
    assert table(owner, [measured(owner, labels={"note": note}) for note in ("a", "b")]).rows.names == ["file_system"]


def test_different_work_of_one_test_is_two_rows(owner: User) -> None:
    runs = [
        measured(owner, results=[result(values(1e8), "bulk", params={"files": files})], workload=workload(files=files))
        for files in (32, 320)
    ]

    content = table(owner, runs)

    assert len(rows(content)) == 2
    assert [placed.cell.n for placed in cells(content)] == [ROUNDS, ROUNDS]


def of_tool(owner: User, tool: str, test: str, mean: float = 1e8, **sections: Any) -> Run:
    """A run of this tool with one result."""
    work = {"tool": tool, "tool_version": "1", "command": [tool], "parameters": {}}
    results = [result(values(mean), test, file_size=GIB, record_size=MIB)]
    return measured(owner, workload=work, results=results, **sections)


def test_tools_that_measured_the_same_test_are_rows(owner: User) -> None:
    runs = [of_tool(owner, "iozone", "write"), of_tool(owner, "fsload", "write", 2e8)]

    content = table(owner, runs)

    assert content.rows.names == ["tool"]
    assert rows(content) == ["iozone", "fsload"]


def test_tools_without_a_common_test_are_a_choice(owner: User) -> None:
    runs = [of_tool(owner, "iozone", "write"), of_tool(owner, "bonnie++", "block_write")]

    content = table(owner, runs)

    assert rows(content) == ["ext4"]
    assert content.notes == ["Left out: 1 run of another tool (bonnie++)."]


def test_repetitions_of_one_run_are_one_row(owner: User) -> None:
    content = table(owner, [measured(owner), measured(owner, 1.01e8)])

    assert rows(content) == ["ext4"]
    assert [placed.cell.n for placed in cells(content)] == [2]


def test_a_fact_without_a_dimension_separates_the_runs_by_their_names(owner: User) -> None:
    queues = [{**target(), "nr_requests": number} for number in (64, 128)]

    content = table(owner, [measured(owner, target=each) for each in queues])

    assert content.rows.names == ["run"]
    assert len(rows(content)) == 2


def test_an_axis_that_the_reader_chose_is_no_row(owner: User) -> None:
    runs = [measured(owner, mean, file_system=name) for name, mean in (("ext4", 1e8), ("xfs", 2e8))]

    assert table(owner, runs, "columns=file_system").rows.names == ["test"]
    assert table(owner, runs, "factor=kernel").rows.names == ["kernel", "file_system"]
    assert table(owner, runs, "rows=kernel").rows.names == ["kernel"]


def test_the_query_of_the_table_names_its_rows(owner: User) -> None:
    content = table(owner, compared_runs(owner))

    again, _ = evaluate(Selection.parse(content.query), owner)

    assert again.groups == content.groups
    assert "rows=file_system" in content.query


FACTS = st.fixed_dictionaries(
    {
        "file_system": st.sampled_from(["ext4", "xfs"]),
        "machine": st.sampled_from([machine("a", "1"), machine("a", "2"), machine("b", "3")]),
        "target": st.sampled_from([64 * KIB, 128 * KIB]),
        "workload": st.sampled_from([workload(sync="none"), workload(sync="dsync"), workload(fsync=True)]),
    }
)


@pytest.mark.usefixtures("db")
def test_no_cell_pools_runs_that_differ(owner: User) -> None:
    stored: dict[str, Run] = {}

    def run_with(facts: dict[str, Any], copy: int) -> Run:
        key = f"{facts}{copy}"
        if key not in stored:
            on = on_raid(facts["target"])
            on["file_system"] = {**on["file_system"], "type": facts["file_system"]}
            stored[key] = measured(owner, machine=facts["machine"], workload=facts["workload"], target=on)
        return stored[key]

    @settings(max_examples=25, suppress_health_check=[HealthCheck.too_slow], deadline=None)
    @given(st.lists(FACTS, min_size=1, max_size=6))
    def holds(all_facts: list[dict[str, Any]]) -> None:
        runs = [run_with(facts, index) for index, facts in enumerate(all_facts)]
        by_id = {str(run.id): facts for run, facts in zip(runs, all_facts, strict=True)}
        content = table(owner, runs)
        assert set(content.runs) == set(by_id)
        for placed in cells(content):
            assert placed.cell.status == "ok"
            assert all(by_id[run] == by_id[placed.cell.runs[0]] for run in placed.cell.runs)

    holds()


def test_workloads_of_different_tests_are_no_rivals(owner: User) -> None:
    """A campaign of two workloads on two file systems: what their results tell apart is no factor."""

    def of(test: str, file_system: str, mean: float, **parameters: object) -> Run:
        results = [result(values(mean), test, file_size=GIB, record_size=MIB, params=dict(parameters))]
        return measured(
            owner,
            results=results,
            workload=workload(tests=test, **parameters),
            target={**target(), "file_system": {**target()["file_system"], "type": file_system}},
        )

    runs = [
        of(test, file_system, mean, files=files)
        for test, files in (("create", 1000), ("list", 500))
        for file_system, mean in (("ext4", 1e8), ("xfs", 2e8))
    ]
    content = table(owner, runs)
    assert rows(content) == ["ext4", "xfs"]
    assert {(cell.row, cell.column): cell.cell.verdict is not None for cell in cells(content)} == {
        ("ext4", "Create"): False,
        ("ext4", "List"): False,
        ("xfs", "Create"): True,
        ("xfs", "List"): True,
    }
    assert content.differences == []


def test_tests_that_only_one_run_has_are_grouped_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each of them was searched in all runs: 58 runs with 200 own tests took a request 15 seconds."""
    count, ids = 600, [uuid4() for _ in range(6)]
    own, alike = Column(range(count), np.arange(count)), Column([None], np.zeros(count, dtype=np.int64))
    columns = {name: own if name in ("test", "series") else alike for name in NAMES}
    places = [QuantityPlaces([run], part, part) for run, part in zip(ids, np.split(np.arange(count), 6), strict=True)]
    quantities = Quantities(columns, np.ones(count, dtype=np.int64), places)
    unique = Mock(side_effect=np.unique)
    monkeypatch.setattr(np, "unique", unique)

    assert not _has_test_without_common_params(quantities, quantities.everything())

    assert unique.call_count < 10


def test_many_values_in_every_dimension_of_results_are_grouped() -> None:
    """The product of their numbers is larger than 2^63, the number of results is not."""
    count = 100_000
    column = Column(range(count), np.arange(count))
    ids = [uuid4() for _ in range(3)]
    names = ("test", "threads", "file_size", "record_size", "params")
    halves = np.arange(count // 2), np.arange(count // 2, count), np.arange(2)
    places = [QuantityPlaces([run], part, part) for run, part in zip(ids, halves, strict=True)]
    quantities = Quantities(dict.fromkeys(NAMES, column), np.ones(count, dtype=np.int64), places)

    group_of = _with_common_results(names, Narrowed(quantities, quantities.everything(), {}, frozenset()))

    assert group_of[ids[0]] == group_of[ids[2]] != group_of[ids[1]]


@pytest.mark.parametrize(("sizes", "names"), [((8, 8), ["params"]), ((8, 16), ["file_size", "params"])])
def test_each_series_of_an_imported_file_is_a_row(owner: User, sizes: tuple[int, int], names: list[str]) -> None:
    series = zip(sizes, ("ext4", "xfs"), strict=True)
    results = [result(values(1e8), file_size=size * GIB, params={"name": name}) for size, name in series]
    content = table(owner, [measured(owner, results=results)])
    assert content.rows.names == names
    assert [label.rsplit(" ", 1)[-1] for label in rows(content)] == ["ext4", "xfs"]
