"""Each recipe of docs/comparisons.md, followed with runs of the workload that it is about."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client

from benchdb.runs.models import Run
from tests.compare.table.test_articles import READS, TIMES, WRITES, run_on, workload
from tests.support.comparing.comparisons import ids, values
from tests.support.documents import GIB, KIB, MIB, environment, result, target

Results = list[dict[str, Any]]

PAGE = Path(__file__).parents[2] / "docs" / "comparisons.md"
SECTION = re.compile(r"\n## Tables like the articles'\n(.*?)\n## ", re.DOTALL)
ADDRESS = re.compile(r"```query\n(.*?)```|`([a-z_]+=[^`]*)`", re.DOTALL)
MOUNTS = {"ext3": "data=ordered", "ext4": "barrier=0"}


def recipes() -> dict[str, list[str]]:
    """The addresses of each paragraph, by its first words."""
    [section] = SECTION.findall(PAGE.read_text())
    found: dict[str, list[str]] = {}
    title = ""
    for paragraph in section.split("\n\n"):
        title = paragraph.strip().replace("\n", " ")[:40] if not paragraph.startswith("```") else title
        texts = [block or inline for block, inline in ADDRESS.findall(paragraph)]
        found.setdefault(title, []).extend(
            re.sub(r"\n\s*", "", text).replace("run=…&", "").replace("…&", "") for text in texts
        )
    return {title: addresses for title, addresses in found.items() if addresses}


def swept() -> Results:
    return [
        result(values(1e8), test, file_size=16 * GIB, record_size=size * MIB)
        for size in (1, 4)
        for test in (*WRITES, *READS)
    ] + timed("run")


def timed(*tests: str, **fields: Any) -> Results:
    return [result(values(2.0), test, metric, "s", **fields) for test in tests for metric in TIMES]


def created() -> Results:
    shapes = ((MIB, 10_000), (10 * MIB, 10_000))
    return [
        each
        for file_size, files in shapes
        for each in timed(
            "create", "delete", file_size=file_size, record_size=128 * KIB, params={"files": files, "directories": 10}
        )
    ]


def by_threads() -> Results:
    return [
        each
        for threads in (4, 16)
        for each in (
            result(values(1e8), "create", threads=threads, file_size=GIB),
            result(values(0.3), "create", "cpu_of_all_cores", "ratio", threads=threads, file_size=GIB),
        )
    ]


def on_disk(owner: User, results: Results, tool: str = "iozone", **sections: Any) -> list[Run]:
    return [run_on(owner, name, results, mount, workload=workload(tool), **sections) for name, mount in MOUNTS.items()]


def on_arrays(owner: User, results: Results) -> list[Run]:
    return [
        run_on(
            owner,
            "ext4",
            results,
            target={
                **target("ext4"),
                "read_ahead": read_ahead,
                "stack": [{"kind": "raid", "name": "md0", "level": "raid6", "chunk": chunk, "members": 12}],
            },
        )
        for read_ahead, chunk in ((128 * KIB, 64 * KIB), (2 * MIB, 128 * KIB))
    ]


def with_patch(owner: User) -> list[Run]:
    return [
        run_on(
            owner,
            "ext4",
            swept(),
            labels={"patch": patch},
            environment={**environment(), "kernel": {"name": "Linux", "release": kernel}},
        )
        for patch, kernel in (("without", "6.1"), ("with", "6.2"))
    ]


# The runs of a recipe, by the beginning of its paragraph.
RUNS: dict[str, Callable[[User], list[Run]]] = {
    "**Throughput of file systems by record": lambda owner: on_disk(owner, swept()),
    "Only one record size": lambda owner: on_disk(owner, swept()),
    "**Run times**": lambda owner: on_disk(owner, swept()),
    "**Throughput with CPU use below it": lambda owner: on_disk(owner, by_threads(), "fsload"),
    "CPU beside throughput": lambda owner: on_disk(owner, by_threads(), "fsload"),
    "**real, user and sys of creating": lambda owner: on_disk(owner, created(), "time"),
    "The test is `create`": lambda owner: [*on_disk(owner, created(), "time"), *on_disk(owner, created(), "fsload")],
    "**mkfs of several kinds**": lambda owner: on_disk(owner, timed("mkfs"), "prepare"),
    "**The steps of bonnie++": lambda owner: on_disk(
        owner,
        [
            result(values(1e8), "block_write", file_size=8 * GIB),
            result(values(5e2), "random_seek", "rate", "op/s", file_size=8 * GIB),
        ],
        "bonnie++",
    ),
    "**Operations and throughput of a": lambda owner: on_disk(
        owner, [result(values(1e3), "flowops", "rate", "op/s"), result(values(1e6), "flowops")], "fsload"
    ),
    "**Read-ahead and chunk size**": lambda owner: on_arrays(owner, swept()),
    "**A patch**": with_patch,
}


def runs_of(title: str) -> Callable[[User], list[Run]]:
    [make] = [make for beginning, make in RUNS.items() if title.startswith(beginning)]
    return make


def test_every_recipe_has_runs() -> None:
    titles = list(recipes())
    assert len(titles) == len(RUNS)
    for title in titles:
        runs_of(title)


@pytest.mark.django_db
@pytest.mark.parametrize("title", recipes())
def test_recipe(title: str, ada: Client, owner: User) -> None:
    """Each address of the paragraph gives a table with a number in every row."""
    runs = runs_of(title)(owner)
    for address in recipes()[title]:
        answer = ada.get(f"/compare/table.json?{ids(runs)}&{address.replace('+', '%2B')}")
        assert answer.status_code == 200, (address, answer.content.decode())
        rows = [row for group in answer.json()["groups"] for row in group["rows"]]
        assert rows
        assert all(any(cell and cell["mean"] for cell in row["cells"]) for row in rows), address


@pytest.mark.django_db
@pytest.mark.parametrize("test", ["create", "delete"])
def test_creating_and_deleting_have_a_part_for_each_amount(test: str, ada: Client, owner: User) -> None:
    [address] = [each for title, found in recipes().items() for each in found if "split=file_size,params" in each]
    runs = on_disk(owner, created(), "time")
    answer = ada.get(f"/compare/table.json?{ids(runs)}&{address.replace('test=create', f'test={test}')}")
    assert [group["parts"]["file_size"] for group in answer.json()["groups"]] == ["1 MiB", "10 MiB"]
