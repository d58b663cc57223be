"""`fsload age`: its files match the requested profile, and are the same for the same seed."""

import json
import signal
import subprocess
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.engine.conftest import Build, Fsload, Option, Run, command, run
from tests.engine.geriatrix import FILES, PROFILES, output, shares, write
from tests.engine.mounts import in_memory

pytestmark = [pytest.mark.needs("cc", package="gcc"), pytest.mark.needs("make", package="make")]

SMALL: dict[str, Option] = {"capacity": "16M", "overwrites": 4, "profile": "developer"}


@pytest.fixture
def directory() -> Iterator[Path]:
    """A directory in memory, because aging flushes its file system repeatedly."""
    with in_memory() as path:
        yield path


def aging_of(done: Run) -> dict[str, Any]:
    assert done.status == 0, done.stderr
    [line] = [line for line in done.lines if line["type"] == "aging"]
    return line


def distributions(done: Run, share: str) -> dict[str, dict[int, float]]:
    found: dict[str, dict[int, float]] = {kind: {} for kind in FILES}
    for line in done.lines:
        if line["type"] == "distribution":
            found[line["of"]][line["value"]] = line[share]
    return found


def tree_of(top: Path) -> dict[str, int]:
    """All files below a directory with their sizes, and all directories with -1."""
    return {str(p.relative_to(top)): p.stat().st_size if p.is_file() else -1 for p in top.rglob("*")}


def kept(done: Run) -> Path:
    return Path(done.lines[-1]["kept"]) / "work"


def test_it_fills_then_ages_and_says_what_it_reached(fsload: Fsload, directory: Path) -> None:
    done = fsload("age", directory=directory, **SMALL)
    assert [(line["type"], line.get("test") or line.get("when")) for line in done.lines] == [
        ("header", None),
        ("layout", "before"),
        ("result", "age_fill"),
        ("layout", "filled"),
        ("result", "age"),
        ("result", "age_create"),
        ("result", "age_delete"),
        ("layout", "after"),
        ("aging", None),
        ("end", None),
    ]
    filled, whole, created, deleted = done.results
    assert whole["operations"] == created["operations"] + deleted["operations"]
    assert whole["bytes"] == created["bytes"] > 0
    reached = aging_of(done)
    assert reached["files_created"] == filled["operations"] + created["operations"]
    assert reached["files_deleted"] == deleted["operations"]
    assert reached["files"] == reached["files_created"] - reached["files_deleted"]
    assert list(directory.iterdir()) == []


@pytest.mark.parametrize("profile", ["desktop", "developer", "mail"])
def test_fullness_overwrites_and_distributions_come_near_what_is_asked(
    fsload: Fsload, directory: Path, profile: str
) -> None:
    done = fsload(
        "age", directory=directory, capacity="64M", profile=profile, report_distributions=True, fallocate=True
    )
    reached = aging_of(done)
    ideal = distributions(done, "ideal")
    used = [size for size in ideal["size"] if size not in reached["left_out_sizes"]]
    # Sometimes the last removed file is one of the largest, and only smaller ones have replaced it so far.
    assert 0.8 - max(used) / (64 << 20) <= reached["fullness"] <= 0.8
    assert reached["overwrites"] == pytest.approx(10, rel=0.2)
    left_out = sum(ideal["size"][size] for size in reached["left_out_sizes"])
    assert reached["size"]["max_deviation"] <= left_out + 2 / reached["files"]
    assert reached["depth"]["max_deviation"] <= 0.02
    assert reached["age"]["max_deviation"] <= 0.03 + reached["age"]["out_of_reach"]


def test_what_it_reports_is_what_is_there(fsload: Fsload, directory: Path) -> None:
    done = fsload("age", directory=directory, keep=True, report_distributions=True, **SMALL)
    actual, tree = distributions(done, "actual"), tree_of(kept(done))
    files = {path: size for path, size in tree.items() if size >= 0}
    assert len(files) == aging_of(done)["files"]
    assert len(tree) - len(files) == aging_of(done)["directories"]
    for kind, counts in (
        ("size", Counter(files.values())),
        ("depth", Counter(path.count("/") for path in files)),
    ):
        assert {value: counts[value] / len(files) for value in actual[kind]} == pytest.approx(actual[kind], abs=1e-6)
        assert sum(actual[kind].values()) == pytest.approx(1, abs=1e-4)


def test_reported_ages_are_those_of_the_files(fsload: Fsload, directory: Path) -> None:
    """A file's name is its number in the order of creation; its age is the number of files made after it."""
    done = fsload("age", directory=directory, keep=True, report_distributions=True, **SMALL)
    reached, actual = aging_of(done), distributions(done, "actual")["age"]
    made, oldest = reached["files_created"], max(actual)
    numbers = [int(p.name[1:]) for p in kept(done).rglob("f*")]
    ages = [(made - number) / made * oldest for number in numbers]
    assert actual
    for youngest, value in zip([0, *actual], actual, strict=False):
        share = sum(youngest < age <= value for age in ages) / len(ages)
        assert share == pytest.approx(actual[value], abs=1e-6)


def test_the_ideal_shares_are_those_that_geriatrix_prints(fsload: Fsload, directory: Path, tmp_path: Path) -> None:
    """fsload reads the shares of a real output of Geriatrix, and meets them within four files as Geriatrix did."""
    golden = {"size": output("size.out"), "depth": output("dir.out"), "age": output("age.out")}
    # age.out counts classes from 0; ages are above 0
    rows = {"size": golden["size"]["IDEAL"], "depth": golden["depth"]["IDEAL"]}
    rows["age"] = {value + 1: share for value, share in golden["age"]["IDEAL"].items()}
    for kind, name in FILES.items():
        write(tmp_path / name, rows[kind])
    done = fsload(
        "age",
        directory=directory,
        profile=tmp_path,
        capacity="400M",
        overwrites=3,
        report_distributions=True,
        fallocate=True,
    )
    ideal, actual = distributions(done, "ideal"), distributions(done, "actual")
    for kind in FILES:
        assert ideal[kind] == pytest.approx(rows[kind], abs=2e-6)
    for kind in ("size", "depth"):
        worst = max(abs(golden[kind]["ACTUAL"][value] - share) for value, share in rows[kind].items())
        ours = max(abs(actual[kind][value] - share) for value, share in rows[kind].items())
        assert ours <= worst + 4 / aging_of(done)["files"]


def test_the_same_seed_gives_the_same_operations_and_the_same_tree(fsload: Fsload, directory: Path) -> None:
    runs = [fsload("age", directory=directory, keep=True, seed=seed, **SMALL) for seed in (7, 7, 8)]
    trees = [tree_of(kept(done)) for done in runs]
    digests = [aging_of(done)["digest"] for done in runs]
    sequences = [[result.get("sequence") for result in done.results] for done in runs]
    assert (trees[0], digests[0], sequences[0]) == (trees[1], digests[1], sequences[1])
    assert trees[0] != trees[2]
    assert digests[0] != digests[2]


def test_each_repetition_begins_anew_and_does_the_same(fsload: Fsload, directory: Path) -> None:
    done = fsload("age", directory=directory, repetitions=2, **SMALL)
    first, second = ([line for line in done.lines if line.get("repetition") == r] for r in (0, 1))
    assert first[0]["files"] == second[0]["files"] == 0
    assert first[-1] == second[-1] | {"repetition": 0, "file_system_fullness": first[-1]["file_system_fullness"]}


def test_allocated_files_have_their_size(fsload: Fsload, directory: Path) -> None:
    written, allocated = (
        fsload("age", directory=directory, keep=True, **SMALL, **more) for more in ({}, {"fallocate": True})
    )
    assert tree_of(kept(written)) == tree_of(kept(allocated))
    assert not any(p.read_bytes().strip(b"\0") for p in kept(allocated).rglob("f*"))
    assert all(p.read_bytes().strip(b"\0") for p in kept(written).rglob("f*") if p.stat().st_size)


def test_sizes_that_do_not_fit_are_left_out_and_named(fsload: Fsload, directory: Path) -> None:
    reached = aging_of(fsload("age", directory=directory, **SMALL))
    sizes = list(shares(PROFILES / "developer" / "size.txt"))
    assert reached["left_out_sizes"] == [size for size in sizes if size > reached["fullness"] * (16 << 20) / 16]


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_it_and_keeps_nothing(program: Path, directory: Path, number: signal.Signals) -> None:
    words = command(program, directory, "age", capacity="16M", overwrites=1_000_000, keep=True)
    process = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    assert process.stdout
    while '"filled"' not in process.stdout.readline():
        assert process.poll() is None
    process.send_signal(number)
    rest, _ = process.communicate(timeout=30)
    assert process.returncode == 128 + number
    end = json.loads(rest.splitlines()[-1])
    assert (end["type"], end["signal"], "kept" in end) == ("end", number, False)
    assert list(directory.iterdir()) == []


def test_a_failed_call_is_a_failed_test_and_nothing_is_kept(program: Path, directory: Path) -> None:
    limit = ["sh", "-c", 'ulimit -f 512 && exec "$@"', "sh"]
    words = command(program, directory, "age", keep=True, **SMALL)
    done = subprocess.run([*limit, *words], capture_output=True, text=True, check=False)
    assert done.returncode == 1
    [failed] = [line for line in map(json.loads, done.stdout.splitlines()) if line["type"] == "result"]
    assert (failed["test"], failed["status"]) == ("age_fill", "failed")
    assert (failed["error"]["call"], failed["error"]["message"]) == ("write", "File too large")
    assert failed["error"]["offset"] == 512 * 512
    assert list(directory.iterdir()) == []


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"fullness": "0"}, "--fullness: nothing would be there to age"),
        ({"fullness": "1.5"}, "--fullness: not a number from 0 to 1"),
        ({"fullness": "full"}, "--fullness: not a number"),
        ({"overwrites": "0.5"}, "--overwrites: less than --fullness, which would not be reached"),
        ({"overwrites": "-1"}, "--overwrites: not a number"),
        ({"capacity": "big"}, "--capacity: not a size"),
        ({"keep": True, "repetitions": "2"}, "--keep: of --repetitions only one can be kept"),
        ({"profile": "nobody"}, "nobody/size.txt: No such file or directory"),
    ],
)
def test_wrong_usage_is_said_and_makes_nothing(
    fsload: Fsload, directory: Path, options: dict[str, str], words: str
) -> None:
    done = fsload("age", directory=directory, **options)
    assert (done.status, done.stdout) == (2, "")
    assert words in done.stderr
    assert list(directory.iterdir()) == []


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"capacity": "4K"}, "less than the smallest files of the profile take"),
        ({"capacity": "1M", "min_free": "4000000T"}, "that must stay free"),
    ],
)
def test_what_cannot_be_done_is_refused(fsload: Fsload, directory: Path, options: dict[str, str], words: str) -> None:
    done = fsload("age", directory=directory, **options)
    assert done.status == 3, done.stderr
    assert words in done.stderr
    assert list(directory.iterdir()) == []


@pytest.mark.parametrize("target", ["fsload-asan", "fsload-tsan"])
def test_sanitizers_find_nothing(build: Build, directory: Path, tmp_path: Path, target: str) -> None:
    sanitized = build(target)
    done = run(sanitized, directory, "age", report_distributions=True, repetitions=2, **SMALL)
    assert (done.status, "Sanitizer" in done.stderr) == (0, False), done.stderr
    (tmp_path / "size.txt").write_text("300\n1 1\n1\n")
    assert run(sanitized, tmp_path, "age", profile=tmp_path).status == 2
    assert run(sanitized, tmp_path, "layout").status == 0
