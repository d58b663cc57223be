"""The stored runs have every figure of the articles' tables, and no others.

The figures come from a second transcription (`transcription/`), made by a cruder reader of the articles (`crude.py`)
that is independent of our data files. The position of each figure is repeated here.
"""

from collections.abc import Iterator, Sequence
from decimal import Decimal
from typing import Any

import pytest
from django.db.models import QuerySet

from benchdb.runs.models import Result
from tests.plugins.missing import require
from tests.publications.crude import READERS, TRANSCRIPTION, read_text, transcribed

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("loaded")]

WRITES = ("write", "rewrite", "random_write", "record_rewrite", "fwrite", "frewrite")
READS = ("read", "reread", "random_read", "backward_read", "strided_read", "fread", "freread")
TIMES = ("elapsed", "user_time", "system_time")
KIB, MIB, GIB = 1 << 10, 1 << 20, 1 << 30

Stored = dict[tuple[Any, ...], tuple[float, float | None, int | None]]


@pytest.mark.parametrize("slug", READERS)
def test_the_transcription_is_what_the_article_has(slug: str) -> None:
    require("../shared/seeds/*.txt")
    lines = read_text(slug)
    assert (TRANSCRIPTION / f"{slug}.txt").read_text().splitlines() == lines


def results_of(slug: str) -> QuerySet[Result]:
    return Result.objects.filter(run__runstate__labels__publication=slug)


def stored(slug: str, *of_run: str) -> Stored:
    """Stored figures by facts of the run (paths of columns), test, metric, record size, threads and view."""
    columns = ("test", "metric", "record_size", "threads")
    rows = results_of(slug).values_list(*of_run, *columns, "params", "given")
    figures = {}
    for *key, params, given in rows:
        dimensions = (*key, params.get("view"))
        assert dimensions not in figures
        figures[dimensions] = (given["mean"], given.get("sd"), given.get("n"))
    return figures


def batched(figures: Sequence[str], size: int) -> list[Sequence[str]]:
    assert len(figures) % size == 0
    return [figures[i : i + size] for i in range(0, len(figures), size)]


def base(text: str, per: int | str = 1) -> float:
    return float(Decimal(text.replace(",", "")) * Decimal(per))


def seconds(text: str) -> float:
    minutes, rest = text.rstrip("s").split("m")
    return float(60 * int(minutes) + Decimal(rest))


def test_iozone() -> None:
    expected: Stored = {}
    for head, figures in transcribed("iozone-2009").items():
        table, _, name = head.removeprefix("table ").partition(" | ")
        tests = ("run",) if table == "1" else READS if int(table) % 2 else WRITES
        for test, (mean, sd) in zip(tests, batched(figures, 2), strict=True):
            metric, per = ("elapsed", 1) if table == "1" else ("throughput", KIB)
            record = None if table == "1" else (1, 4, 8, 16)[int(table) // 2 - 1] * MIB
            dimensions = (name.lower(), test, metric, record, None, None)
            expected[dimensions] = (base(mean, per), base(sd, per), 10)

    assert stored("iozone-2009", "run__target__file_system") == expected
    assert len(expected) == 3 * (4 * 13 + 1)


def test_ffsb() -> None:
    expected: Stored = {}
    for head, figures in transcribed("ffsb-2007").items():
        threads, _, unit = head.partition(" threads ")
        metric, per = ("throughput", MIB) if unit == "MB/sec" else ("cpu_of_one_core", "0.01")
        for name, figure in zip(("ext3", "ext4", "xfs"), figures, strict=True):
            expected[(name, "create", metric, 64 * KIB, int(threads), None)] = (base(figure, per), None, 3)

    assert stored("ffsb-2007", "run__target__file_system") == expected
    assert len(expected) == 18


def test_comparison() -> None:
    lines = transcribed("comparison-2024")
    expected: Stored = {}
    mean_of_all = "mean of all sizes"
    for name in ("btrfs", "ext4", "xfs", "f2fs"):
        rate, speed = lines[f"table 1 {name}"]
        expected[("oracle", name, "flowops", "rate", None, 4, None)] = (base(rate), None, 5)
        expected[("oracle", name, "flowops", "throughput", None, 4, None)] = (base(speed, MIB), None, 5)
    for test, names in (("write", ("xfs", "btrfs", "f2fs", "ext4")), ("read", ("xfs", "f2fs", "btrfs", "ext4"))):
        for name, figure in zip(names, lines[f"text {test}"], strict=True):
            expected[("oracle", name, test, "throughput", None, None, mean_of_all)] = (base(figure, KIB), None, None)
    filebench, *of_iozone = lines["text computer"]
    expected[("none", "ext4", "flowops", "throughput", None, 12, None)] = (base(filebench, MIB), None, 5)
    views = (mean_of_all, f"{mean_of_all}, in MB/s as printed", "mean of files over 64 GB")
    for test, figures in zip(("write", "read"), batched(of_iozone, 3), strict=True):
        for view, figure, per in zip(views, figures, (KIB, 10**6, 10**6), strict=True):
            expected[("none", "ext4", test, "throughput", None, None, view)] = (base(figure, per), None, None)

    assert stored("comparison-2024", "run__environment__virtualization", "run__target__file_system") == expected
    assert len(expected) == 8 + 8 + 1 + 6


def array(test: str, **filters: Any) -> Iterator[tuple[str, list[float]]]:
    """The times of a test in the order of the table: configurations from left to right, SL5 before Fedora 10."""
    configurations = [
        ("ext2", ""),
        ("ext3", ""),
        ("ext4", "barrier=1"),
        ("ext4", "barrier=0"),
        ("xfs", "barrier"),
        ("xfs", "nobarrier"),
    ]
    for name, option in configurations:
        for system in ("Scientific Linux 5", "Fedora 10"):
            results = results_of("raid-2009").filter(
                test=test,
                run__target__file_system=name,
                run__environment__os_name=system,
                **({"run__target__mount_options__contains": [option]} if option else {}),
                **filters,
            )
            by_metric = {metric: given["mean"] for metric, given in results.values_list("metric", "given")}
            if by_metric:
                yield f"{name} {option} {system}", [by_metric[metric] for metric in TIMES]


def test_creating_and_deleting_on_the_array() -> None:
    lines = transcribed("raid-2009")
    shapes = {
        "10GB 1MiB file,": {"file_size": MIB, "params": {"files": 10_000, "directories": 10}},
        "100GB 1MiB file,": {"file_size": MIB, "params": {"files": 100_000, "directories": 100}},
        "100GB 10MiB file,": {"file_size": 10 * MIB, "params": {"files": 10_000, "directories": 10}},
        "100GB 10GiB file,": {"file_size": 10 * GIB, "params": {"files": 10, "directories": 1}},
    }
    missing = {  # every other cell of the tables has a timing
        "create 10GB 1MiB file,": {"xfs nobarrier Scientific Linux 5"},
        "create 100GB 10MiB file,": {"ext2  Scientific Linux 5", "xfs nobarrier Scientific Linux 5"},
        "delete 100GB 1MiB file,": {"ext2  Fedora 10"},
        "delete 100GB 10MiB file,": {"xfs nobarrier Scientific Linux 5"},
    }
    for test in ("create", "delete"):
        for shape, filters in shapes.items():
            times_by_label = dict(array(test, **filters))
            figures = lines[f"{test.capitalize()} {shape}"]
            assert [time for times in times_by_label.values() for time in times] == list(map(seconds, figures))
            assert len(times_by_label) == 10 - len(missing.get(f"{test} {shape}", ()))
            assert not times_by_label.keys() & missing.get(f"{test} {shape}", set())
    assert results_of("raid-2009").filter(test__in=["create", "delete"]).count() == 3 * (37 + 38)


def test_making_and_checking_file_systems_on_the_array() -> None:
    lines = transcribed("raid-2009")
    by_place = {
        (test, label, metric): given["mean"]
        for test, label, metric, given in Result.objects.filter(
            run__runstate__labels__source__in=["mkfs", "fsck"]
        ).values_list("test", "run__extra__publication__run", "metric", "given")
    }
    made = [("mkfs", "mkfs-ext4", metric) for metric in TIMES]
    made += [
        ("mkfs", run, metric) for run in ("mkfs-ext4-131072", "mkfs-ext3") for metric in ("elapsed", "system_time")
    ]
    checked = [("fsck_dirty", "fsck-fedora10", metric) for metric in TIMES]
    checked += [("fsck_forced", "fsck-fedora10", metric) for metric in TIMES]
    checked += [("fsck_clean", "fsck-fedora11", metric) for metric in TIMES]
    checked += [("fsck_forced", "fsck-fedora11", "elapsed")]

    expected = zip(made + checked, lines["mkfs"] + lines["fsck"], strict=True)
    assert by_place == {key: seconds(text) for key, text in expected}


SUMMARY = ("bonnie-ext2", "bonnie-ext3", "bonnie-ext4-barrier", "bonnie-ext4-nobarrier")
SUMMARY += ("bonnie-xfs-barrier", "bonnie-xfs-nobarrier")
CSV = {
    "ext2----": "csv-ext2",
    "ext3obar": "csv-ext3-barrier",
    "ext3onob": "csv-ext3-nobarrier",
    "ext4obar": "csv-ext4-barrier",
    "ext4onob": "csv-ext4-nobarrier",
    "xfs--bar": "csv-xfs-barrier",
    "xfs--nob": "csv-xfs-nobarrier",
}
IO = ("char_write", "block_write", "block_rewrite", "char_read", "block_read", "random_seek")
FILES = ("seq_create", "seq_stat", "seq_delete", "random_create", "random_stat", "random_delete")


def test_bonnie_on_the_array() -> None:
    lines = transcribed("raid-2009")
    expected: dict[tuple[str, str, str], float | None] = {}
    for step, tests in {
        "Block Output": ["block_write"],
        "Block Input": ["block_read"],
        "Random seeks": ["random_seek"],
        "Create Sequ": ["seq_create", "random_create"],
        "Delete Sequ": ["seq_delete", "random_delete"],
    }.items():
        for run, figures in zip(SUMMARY, batched(lines[f"bonnie {step}"], len(tests)), strict=True):
            for test, figure in zip(tests, figures, strict=True):
                speed = test.startswith("block")
                expected[run, test, "throughput" if speed else "rate"] = base(figure, KIB if speed else 1)
    for name, run in CSV.items():
        for test, (figure, percent) in zip((*IO, *FILES), batched(lines[f"csv {name}"], 2), strict=True):
            metric, per = ("throughput", KIB) if test in IO[:5] else ("rate", 1)
            expected[run, test, metric] = None if "+" in figure else base(figure, per)
            expected[run, test, "cpu_of_one_core"] = None if "+" in percent else base(percent, "0.01")

    sources = ["Table of bonnie++", "CSV lines"]
    rows = Result.objects.filter(run__runstate__labels__source__in=sources).values_list(
        "run__extra__publication__run", "test", "metric", "given"
    )
    assert {tuple(key): given and given["mean"] for *key, given in rows} == expected
    assert len(expected) == 6 * 7 + 7 * 24
