"""fsload wml: the effects of Filebench's flowops on filesets, their counts, and the ends of a run."""

import os
import re
import signal
import subprocess
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import mean, pvariance

import pytest

from tests.engine.conftest import Build, Fsload, command, run
from tests.engine.mix.wml import PAPER, SERVER, STEPS, by_flowop, threads, write

pytestmark = [pytest.mark.needs("cc", package="gcc"), pytest.mark.needs("make", package="make")]

GOLDEN = Path(__file__).parent / "golden"


def test_the_papers_listing_runs_as_it_stands(fsload: Fsload, tmp_path: Path) -> None:
    done = fsload("wml", write(tmp_path, PAPER), operations=300)
    assert done.status == 0, done.stderr
    whole, *flowops = done.results
    assert (whole["test"], whole["threads"], whole["ended_by"], whole["operations"]) == ("wml", 4, "operations", 1200)
    assert [(flowop["test"], flowop.get("params"), flowop["operations"]) for flowop in flowops] == [
        ("openfile", None, 400),
        ("readwholefile", None, 400),
        ("closefile", None, 400),
    ]
    assert [flowop["bytes"] for flowop in flowops] == [0, 400 * 1024, 0]
    assert whole["bytes"] == 400 * 1024
    assert list(tmp_path.iterdir()) == []


def test_the_header_tells_what_the_file_says(fsload: Fsload, tmp_path: Path) -> None:
    parameters = fsload("wml", write(tmp_path, PAPER), seconds=0.01).lines[0]["parameters"]
    assert (parameters["command"], parameters["processes"], parameters["threads"]) == ("wml", 1, 4)
    assert parameters["run_seconds"] == 0.01
    fileset = {"name": "testF", "path": "/tmp", "entries": 1000, "dirwidth": 0, "prealloc_percent": 100}
    assert parameters["filesets"] == [{**fileset, "dirgamma": 1500, "size": 1024}]
    [loop] = parameters["loops"]
    assert (loop["threads"], [flowop["kind"] for flowop in loop["flowops"]]) == (
        4,
        ["openfile", "readwholefile", "closefile"],
    )


def test_a_time_below_a_nanosecond_is_one_still(fsload: Fsload, tmp_path: Path) -> None:
    assert fsload("wml", write(tmp_path, PAPER), seconds=1e-12).results[0]["ended_by"] == "time"


def test_the_whole_is_counted_as_filebench_counts_it(fsload: Fsload) -> None:
    """As in Filebench's own output for this file, every flowop is an operation; bytes are those read and written."""
    text = (GOLDEN / "filebench-seed_micro.txt").read_text()
    counts = {name: int(count) for name, count in re.findall(r"^(\w+OP) +(\d+)ops", text, re.MULTILINE)}
    summary = re.search(r"IO Summary: (\d+) ops ([\d.]+) ops/s .* ([\d.]+)mb/s", text)
    assert summary
    seconds = int(summary[1]) / float(summary[2])
    assert sum(counts.values()) == int(summary[1])
    assert counts["readOP"] * 1024 / seconds / 2**20 == pytest.approx(float(summary[3]), abs=0.05)

    whole, *flowops = fsload("wml", str(GOLDEN / "filebench-fb.f"), operations=30).results
    ours = by_flowop(flowops)
    assert list(ours) == ["openfile", "readwholefile", "closefile"]
    assert whole["operations"] == sum(flowop["operations"] for flowop in flowops)
    assert whole["bytes"] == ours["readwholefile"]["operations"] * 1024


def test_a_server_creates_writes_reads_and_deletes(fsload: Fsload, tmp_path: Path) -> None:
    done = fsload("wml", write(tmp_path, SERVER), operations=11 * 25)
    assert done.status == 0, done.stderr
    whole, *flowops = done.results
    lines = by_flowop(flowops)
    assert [flowop["test"] for flowop in flowops] == [step.split()[0] for step in STEPS.split(",")]
    named = {name for name, flowop in lines.items() if name != flowop["test"]}
    assert named == {"close1", "close2"}  # the kind that occurs twice
    assert ({flowop["operations"] for flowop in flowops}, {flowop["threads"] for flowop in flowops}) == ({100}, {4})
    for field in ("operations", "bytes"):
        assert whole[field] == sum(flowop[field] for flowop in flowops)
    assert lines["appendfile"]["bytes"] == 100 * 100
    assert 100 * 1500 < lines["appendfilerand"]["bytes"] < 100 * 2600  # from 0 to 4096 each
    assert lines["readwholefile"]["bytes"] > lines["appendfilerand"]["bytes"]
    assert all(flowop["latency_ns"]["max"] > 0 for flowop in flowops)


def test_the_seed_decides_all_operations_whatever_the_threads_meet(fsload: Fsload, tmp_path: Path) -> None:
    path = write(tmp_path, SERVER)

    def once(seed: int) -> tuple[str, list[int]]:
        results = fsload("wml", path, operations=500, seed=seed).results
        return results[0]["sequence"], [result["bytes"] for result in results]

    assert once(5) == once(5)
    assert once(5)[0] != once(6)[0]


def test_the_time_ends_a_run(fsload: Fsload, tmp_path: Path) -> None:
    whole = fsload("wml", write(tmp_path, PAPER), seconds=0.05).results[0]
    assert (whole["status"], whole["ended_by"]) == ("ok", "time")
    assert whole["operations"] > 0


def test_repetitions_begin_with_new_filesets(fsload: Fsload, tmp_path: Path) -> None:
    wholes = [
        result
        for result in fsload("wml", write(tmp_path, SERVER), operations=60, repetitions=2).results
        if result["test"] == "wml"
    ]
    assert ([whole["repetition"] for whole in wholes], wholes[0]["bytes"]) == ([0, 1], wholes[1]["bytes"])


@contextmanager
def prepared(program: Path, directory: Path, text: str) -> Iterator[Path]:
    """The directory of a prepared workload that only stats files until it is stopped."""
    words = command(program, directory, "wml", write(directory, text), seconds=1000)
    process = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    assert process.stderr
    for line in process.stderr:
        if line.startswith("1/1 wml"):
            break
    try:
        (workspace,) = directory.glob("fsload.*/work")
        yield workspace
    finally:
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=30)
    assert process.returncode == 128 + signal.SIGINT
    assert list(directory.iterdir()) == []


def test_filesets_have_filebenchs_shape(program: Path, tmp_path: Path) -> None:
    elsewhere = tmp_path.parent / "elsewhere"
    filesets = f"""
define fileset name=wide,path="{elsewhere}",entries=2000,dirwidth=10,prealloc=80,
    size=cvar(type=cvar-gamma,parameters=mean:2000;gamma:1.5)
define fileset name=even,entries=1200,dirwidth=10,dirgamma=0,size=10,prealloc=100
define fileset name=narrow,entries=50,size=1k,prealloc
define fileset name=none,entries=50,size=1k
define file name=single,size=3k,prealloc"""
    text = threads("statfile name=s,filesetname=wide", filesets=filesets)
    with prepared(program, tmp_path, text) as workspace:
        files = {
            fileset.name: [path for path in fileset.rglob("*") if path.is_file()] for fileset in workspace.iterdir()
        }
        assert {name: len(paths) for name, paths in files.items()} == {
            "wide": 1600,
            "even": 1200,
            "narrow": 50,
            "none": 0,
            "single": 1,
        }
        assert {path.stat().st_size for path in files["narrow"]} == {1024}
        assert files["single"][0].stat().st_size == 3072

        sizes = [path.stat().st_size for path in files["wide"]]
        assert mean(sizes) == pytest.approx(2000, rel=0.08)
        assert pvariance(sizes) == pytest.approx(2000**2 / 1.5, rel=0.25)

        assert set(Counter(path.parent for path in files["even"]).values()) == {10}
        assert {len(path.relative_to(workspace).parts) for path in files["even"]} == {4}  # log10(1200) = 3 deep
        assert set(Counter(path.parent for path in files["narrow"]).values()) == {1}
        assert len(set(Counter(path.parent for path in files["wide"]).values())) > 5
        assert not elsewhere.exists()


def test_gamma_sizes_keep_to_their_limits(program: Path, tmp_path: Path) -> None:
    law = "cvar(type=cvar-gamma,parameters=mean:64k;gamma:0.5,min=8k,max=128k,round=4k)"
    text = threads("statfile name=s,filesetname=a", filesets=f"define fileset name=a,entries=100,size={law},prealloc")
    with prepared(program, tmp_path, text) as workspace:
        sizes = {path.stat().st_size for path in workspace.rglob("*") if path.is_file()}
    assert (min(sizes), max(sizes)) == (8192, 131072)
    assert all(size % 4096 == 0 for size in sizes)


def test_reading_and_writing_parts(fsload: Fsload, tmp_path: Path) -> None:
    text = threads(
        "read name=random,filesetname=a,iosize=1k,random,iters=5",
        "read name=in_turn,filesetname=a,iosize=3k,fd=1",
        "write name=write,filesetname=a,iosize=512,random,workingset=1k,fd=2,dsync",
        "read name=around,filesetname=a,iosize=4k,opennext",
        "statfile name=stat,fd=2",
        "fsync name=sync,fd=2",
    )
    done = fsload("wml", write(tmp_path, text), operations=60)
    assert done.status == 0, done.stderr
    lines = by_flowop(done.results)
    assert {name: flowop["operations"] for name, flowop in lines.items()} == {
        "random": 30,
        "in_turn": 6,
        "write": 6,
        "around": 6,
        "statfile": 6,
        "fsync": 6,
    }
    assert lines["random"]["bytes"] == 30 * 1024
    assert lines["in_turn"]["bytes"] == 2 * 4096  # twice: 3072, 1024, and 0 at the end, from where it begins anew
    assert (lines["write"]["bytes"], lines["around"]["bytes"]) == (6 * 512, 6 * 4096)


def test_a_deleted_file_can_be_the_one_just_closed(fsload: Fsload, tmp_path: Path) -> None:
    steps = ("createfile name=c,filesetname=a,fd=1", "closefile name=x,fd=1", "deletefile name=d,fd=1")
    text = threads(*steps, filesets="define fileset name=a,entries=2,size=1k")
    done = fsload("wml", write(tmp_path, text), operations=300)
    assert [result["operations"] for result in done.results] == [300, 100, 100, 100]


def test_one_name_in_two_threads_is_two_results(fsload: Fsload, tmp_path: Path) -> None:
    block = "  thread name={}, instances={} {{\n    flowop statfile name=s,filesetname=a\n  }}\n"
    text = (
        "define fileset name=a,entries=5,prealloc\ndefine process name=p,instances=2 {\n"
        + block.format("x", 1)
        + block.format("y", 2)
        + "}\nrun"
    )
    whole, *flowops = fsload("wml", write(tmp_path, text), operations=10).results
    assert (whole["threads"], whole["operations"]) == (6, 60)
    assert [(flowop["params"], flowop["threads"], flowop["operations"]) for flowop in flowops] == [
        ({"flowop": "s", "thread": "x", "process": "p"}, 2, 20),
        ({"flowop": "s", "thread": "y", "process": "p"}, 4, 40),
    ]


DELETES = threads("deletefile name=d,filesetname=a")


def test_a_run_without_files_left_has_failed(fsload: Fsload, tmp_path: Path) -> None:
    done = fsload("wml", write(tmp_path, DELETES), operations=100)
    assert done.status == 1
    (failed,) = done.results
    assert failed["status"] == "failed"
    assert failed["error"] == {
        "call": "deletefile",
        "errno": 2,
        "message": "No such file or directory",
        "file": "a",
        "offset": 0,
    }


@pytest.mark.parametrize("mode", ["firstdone", "alldone"])
def test_a_mode_lets_a_run_end_when_files_are_out(fsload: Fsload, tmp_path: Path, mode: str) -> None:
    whole = fsload("wml", write(tmp_path, f"set mode quit {mode}\n{DELETES}"), operations=100).results[0]
    assert (whole["status"], whole["ended_by"], whole["operations"]) == ("ok", "files", 10)


def test_creating_beyond_the_entries_fails(fsload: Fsload, tmp_path: Path) -> None:
    (failed,) = fsload(
        "wml", write(tmp_path, threads("createfile name=c,filesetname=a,fd=1", "closefile name=x,fd=1")), operations=100
    ).results
    assert (failed["error"]["call"], failed["error"]["message"]) == ("createfile", "File exists")


def test_a_run_ends_before_the_space_does(fsload: Fsload, tmp_path: Path) -> None:
    """All free space except 32 MiB must stay free."""
    status = os.statvfs(tmp_path)
    text = threads("appendfile name=x,filesetname=a,iosize=1m")
    free = status.f_bavail * status.f_frsize
    whole = fsload("wml", write(tmp_path, text), seconds=100, min_free=free - (32 << 20)).results[0]
    assert (whole["status"], whole["ended_by"]) == ("ok", "space")


@pytest.mark.parametrize("target", ["fsload-asan", "fsload-tsan"])
def test_sanitizers_find_nothing(build: Build, tmp_path: Path, target: str) -> None:
    done = run(build(target), tmp_path, "wml", write(tmp_path, SERVER), operations=200, repetitions=2)
    assert done.status == 0, done.stderr
    assert "Sanitizer" not in done.stderr
