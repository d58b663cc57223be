"""Tables of published articles: the shape of each is a selection (the same ones are in docs/comparisons.md)."""

from typing import Any

from django.contrib.auth.models import User
from django.test import Client

from benchdb.compare.content_json import to_json
from benchdb.compare.query.selection import Selection
from benchdb.compare.table.evaluate import evaluate
from benchdb.runs.models import Run
from tests.support.comparing.comparisons import ids, values
from tests.support.documents import GIB, KIB, MIB, environment, result, target
from tests.support.html import read
from tests.support.store import store_run

Content = dict[str, Any]

WRITES = ("write", "rewrite", "random_write", "record_rewrite", "fwrite", "frewrite")
READS = ("read", "reread", "random_read", "backward_read", "strided_read", "fread", "freread")
TIMES = ("elapsed", "user_time", "system_time")


def run_on(owner: User, file_system: str, results: list[Content], *mount: str, rounds: int = 6, **sections: Any) -> Run:
    """A run on a file system with these mount options."""
    mounted = {**target(file_system), "mount": {"point": "/mnt/test", "options": ["rw", *mount]}}
    return store_run(owner, rounds=rounds, results=results, **{"target": mounted, **sections})


def workload(tool: str) -> Content:
    """The workload of a tool other than iozone."""
    return {"tool": tool, "tool_version": "1", "command": [tool], "parameters": {}}


def table(owner: User, runs: list[Run], query: str) -> Content:
    """The evaluated table of these runs, as JSON."""
    return to_json(evaluate(Selection.parse(f"{ids(runs)}&{query}"), owner)[0])


def labels(parts: list[Content]) -> list[str]:
    return [part["label"] for part in parts]


def shown(content: Content, group: int, row: int) -> list[str | None]:
    """The large numbers of one row, without narrow spaces."""
    cells = content["groups"][group]["rows"][row]["cells"]
    return [cell and cell["text"]["shown"].replace("\u202f", "") for cell in cells]


def test_throughput_of_three_file_systems_by_record_size(owner: User) -> None:
    means = {"reiser4": 100_476.50, "ext3": 72_938.10, "ext4": 109_339.90}
    runs = [
        run_on(
            owner,
            name,
            [
                result(values(mean * KIB), test, file_size=16 * GIB, record_size=size * MIB)
                for size in (1, 4, 8, 16)
                for test in (*WRITES, *READS)
            ],
        )
        for name, mean in means.items()
    ]

    content = table(owner, runs, "unit=KB/s&" + "&".join(f"test={test}" for test in WRITES))

    assert labels(content["groups"]) == ["1 MiB", "4 MiB", "8 MiB", "16 MiB"]
    assert labels(content["groups"][0]["rows"]) == ["reiser4", "ext3", "ext4"]
    assert [head["parts"]["test"] for head in content["heads"]] == [
        "Write",
        "Rewrite",
        "Random write",
        "Record rewrite",
        "fwrite",
        "Re-fwrite",
    ]
    assert {head["unit"] for head in content["heads"]} == {"KiB/s"}
    assert shown(content, 0, 1)[0] == "72940"
    assert content["groups"][0]["n"] == "n = 6 rounds"
    assert content["groups"][0]["rows"][2]["cells"][0]["best"]


def test_how_long_the_runs_took(owner: User) -> None:
    seconds = {"reiser4": 9628.0, "ext3": 12784.9, "ext4": 9826.3}
    runs = [run_on(owner, name, [result(values(s), "run", "elapsed", "s")]) for name, s in seconds.items()]

    content = table(owner, runs, "metric=elapsed&test=run&baseline=ext3")

    assert (labels(content["heads"]), content["heads"][0]["higher_is_better"]) == (["Run"], False)
    assert [row["cells"][0]["verdict"]["kind"] for row in content["groups"][0]["rows"] if not row["baseline"]] == [
        "better",
        "better",
    ]


def test_throughput_with_cpu_beneath_by_threads(owner: User) -> None:
    figures = {
        ("ext3", "data=writeback"): ((32.7, 18.7), (34.8, 23.8), (32.8, 22.2)),
        ("ext4", "data=writeback"): ((44.7, 11.4), (45.1, 11.3), (40.5, 12.3)),
        ("xfs", "noatime"): ((45.1, 10.9), (38.8, 10.3), (33.3, 9.0)),
    }
    runs = [
        run_on(
            owner,
            name,
            [
                measured
                for threads, (megabytes, percent) in zip((4, 16, 64), pairs, strict=True)
                for measured in (
                    result(values(megabytes * 1e6, 3), threads=threads, file_size=GIB),
                    result(
                        values(percent / 100, 3),
                        "write",
                        "cpu_of_all_cores",
                        "ratio",
                        threads=threads,
                        file_size=GIB,
                    ),
                )
            ],
            option,
            rounds=3,
        )
        for (name, option), pairs in figures.items()
    ]

    content = table(
        owner,
        runs,
        "rows=threads,metric&columns=file_system,mount_option:data&factor=file_system,mount_option:data&unit=MB/s",
    )

    rows = content["groups"][0]["rows"]
    assert labels(content["heads"]) == ["ext3 · data writeback", "ext4 · data writeback", "xfs"]
    assert labels(rows)[:3] == ["4 threads · throughput", "4 threads · CPU, of all cores", "16 threads · throughput"]
    assert [(row["unit"], row["higher_is_better"]) for row in rows[:2]] == [("MB/s", True), ("%", False)]
    assert shown(content, 0, 0) == ["32.70", "44.70", "45.10"]
    assert [cell["verdict"]["kind"] for row in rows[:2] for cell in row["cells"][1:]] == ["better"] * 4
    assert [head["baseline"] for head in content["heads"]] == [True, False, False]


def test_real_user_and_system_time_of_creating_files(owner: User) -> None:
    shapes = {"10 GB": {"files": 10_000}, "100 GB": {"files": 100_000}}
    systems = [("ext3", "barrier=0"), ("ext4", "barrier=1"), ("ext4", "barrier=0"), ("xfs", "nobarrier")]
    runs = [
        run_on(
            owner,
            name,
            [
                result(values(seconds * (1 + i), 3), "file_create", metric, "s", params=params)
                for i, params in enumerate(shapes.values())
                for metric, seconds in zip(TIMES, (55.9, 2.3, 27.6), strict=True)
            ],
            option,
            rounds=3,
            environment={**environment(), "os": {"id": "fedora", "name": name_of_os}},
        )
        for name_of_os in ("Scientific Linux 5", "Fedora 10")
        for name, option in systems
    ]

    content = table(
        owner,
        runs,
        "rows=params,os,metric&columns=file_system,mount_option:barrier&factor=file_system,mount_option:barrier"
        "&metric=elapsed&metric=user_time&metric=system_time&test=file_create",
    )

    assert labels(content["heads"]) == ["ext3 · nobarrier", "ext4 · barrier", "ext4 · nobarrier", "xfs · nobarrier"]
    assert [tuple(row["parts"].values()) for row in content["groups"][0]["rows"]][:4] == [
        ("10\u202f000 files", "Scientific Linux 5", "elapsed"),
        ("10\u202f000 files", "Scientific Linux 5", "user time"),
        ("10\u202f000 files", "Scientific Linux 5", "system time"),
        ("10\u202f000 files", "Fedora 10", "elapsed"),
    ]
    assert all(cell for row in content["groups"][0]["rows"] for cell in row["cells"])


def test_steps_of_bonnie_down_file_systems_across(owner: User) -> None:
    runs = [
        run_on(
            owner,
            name,
            [
                result(values(speed * KIB, 3), "block_write", file_size=8 * GIB),
                result(values(252_522 * KIB, 3), "block_read", file_size=8 * GIB),
                result(values(389.2, 3), "random_seek", "rate", "op/s", file_size=8 * GIB),
                result([None] * 3, "seq_stat", "rate", "op/s", file_size=8 * GIB, status="unmeasurable"),
            ],
            option,
            rounds=3,
            workload=workload("bonnie++"),
        )
        for name, option, speed in (("ext2", "noatime", 244_750), ("ext4", "barrier=1", 167_028))
    ]

    content = table(
        owner,
        runs,
        "rows=test,metric&columns=file_system&factor=file_system&unit=KB/s&metric=throughput&metric=rate",
    )

    rows = content["groups"][0]["rows"]
    assert [row["parts"]["test"] for row in rows] == ["Block write", "Block read", "Random seek", "Sequential stat"]
    assert [row["unit"] for row in rows] == ["KiB/s", "KiB/s", "op/s", "op/s"]
    assert (rows[0]["cells"][1]["verdict"]["kind"], rows[3]["cells"][0]["status"]) == ("worse", "unmeasurable")


def test_operations_beside_throughput(owner: User) -> None:
    figures = {"btrfs": (28_621, 559.0), "ext4": (29_581, 570.84), "xfs": (29_126, 568.88), "f2fs": (30_372, 593.22)}
    runs = [
        run_on(
            owner,
            name,
            [result(values(rate), "wml", "rate", "op/s"), result(values(speed * 1e6), "wml")],
            workload=workload("fsload"),
        )
        for name, (rate, speed) in figures.items()
    ]

    content = table(owner, runs, "columns=metric&unit=MB/s&test=wml")

    assert labels(content["heads"]) == ["rate", "throughput"]
    assert [head["unit"] for head in content["heads"]] == ["op/s", "MB/s"]
    assert labels(content["groups"][0]["rows"]) == list(figures)


def test_simple_operations_with_the_words_of_what_failed(client: Client, owner: User) -> None:
    links = "mkdir: cannot create directory: Too many links"
    runs = [
        run_on(
            owner,
            name,
            [
                result([0.4] * 3, "mkfs", "elapsed", "s"),
                result([None] * 3, "directory_create", "elapsed", "s", status="failed", error=links)
                if name == "ext2"
                else result(values(21.0, 3), "directory_create", "elapsed", "s"),
            ],
            rounds=3,
            workload=workload("maintenance"),
        )
        for name in ("ext2", "xfs")
    ]

    page = read(client.get(f"/compare/?{ids(runs)}&metric=elapsed"))

    assert links in [cell.text for cell in page.values("comparison").values()]
