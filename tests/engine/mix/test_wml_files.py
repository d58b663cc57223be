"""Workloads that fsload wml accepts, and those that it refuses with all faults at once, each with its line."""

import re
from pathlib import Path

import pytest

from tests.engine.conftest import Fsload
from tests.engine.mix.wml import PAPER, by_flowop, threads, write

pytestmark = [pytest.mark.needs("cc", package="gcc"), pytest.mark.needs("make", package="make")]

STAT = "statfile name=s,filesetname=a"


def faults(fsload: Fsload, directory: Path, text: str) -> list[tuple[int, str]]:
    """The line and message of each fault; nothing was started."""
    done = fsload("wml", write(directory, text), operations=1)
    assert (done.status, done.stdout) == (2, ""), done.stderr
    assert list(directory.iterdir()) == []
    return [
        (int(line), fault) for line, fault in re.findall(r"^fsload: \S+\.f:(\d+): (.*)$", done.stderr, re.MULTILINE)
    ]


def test_values_come_as_variables_strings_words_and_sizes(fsload: Fsload, tmp_path: Path) -> None:
    text = """
set $dir = "/a b"
set $n=3 # three
set ${size}=2k
set $yes=true
set $name = first
define fileset name="$name-$n",path="$dir/c",entries=$(n),filesize=${size},prealloc=$yes,readonly=$yes,reuse=false
define fileset name=second,entries=1,size=1m,prealloc=true,paralloc,trusttree=1
define process name=p,instances=1 {
  thread name=t,instances=1,memsize=10m,useism {
    flowop readwholefile name=one,filesetname="first-3",iosize=$size,random=$yes
    flowop readwholefile name=two,filesetname=second,iosize=1M,fd=1,
      directio=0,dsync=false
    flowop eventlimit name=l
    flowop bwlimit name=m,target=one
  }
}
create filesets
debug 3
enable lathist
eventgen rate=0
usage "Usage: set \\$dir=<dir>
 two lines"
echo "$undefined"
psrun -10 7
"""
    done = fsload("wml", write(tmp_path, text), operations=20)
    assert done.status == 0, done.stderr
    filesets = done.lines[0]["parameters"]["filesets"]
    assert [(s["name"], s["path"], s["entries"], s["size"], s["prealloc_percent"]) for s in filesets] == [
        ("first-3", "/a b/c", 3, 2048, 100),
        ("second", "", 1, 1 << 20, 100),
    ]
    lines = by_flowop(done.results)
    assert (lines["one"]["bytes"], lines["two"]["bytes"]) == (10 * 2048, 10 << 20)


@pytest.mark.parametrize(
    ("run", "seconds"),
    [
        ("run", 60),
        ("run 7", 7),
        ("set $t=9\nrun $t", 9),
        ("psrun", 60),
        ("psrun -5", 60),
        ("psrun 5 8", 8),
        ("run 3\nquit\nand so on", 3),
    ],
)
def test_the_time_comes_from_the_file(fsload: Fsload, tmp_path: Path, run: str, seconds: int) -> None:
    """No disk has this much space: only the header is needed."""
    done = fsload("wml", write(tmp_path, threads(STAT, run=run)), min_free="4000000T")
    assert (done.status, done.lines[0]["parameters"]["run_seconds"]) == (3, seconds)


def test_every_unsupported_thing_is_named_with_its_line(fsload: Fsload, tmp_path: Path) -> None:
    text = """\
load varmail
define fileset name=a,entries=10,color=red,
  leafdirs=3,size=1k
define posset name=p,type=rnd,seed=4
define flowop name=f { flowop read name=q }
define process name=p {
  thread name=t,ioprio=3 {
    flowop aiowrite name=w,filesetname=a,iosize=8k
    flowop openfile name=o,filesetname=a,indexed=5
    flowop hog name=h,value=10
    sleep 3
  }
}
set mode cached
eventgen rate=100
system "sync"
sleep 10
run 5
"""
    assert faults(fsload, tmp_path, text) == [
        (1, "statement load is not supported"),
        (2, "define fileset: attribute color is not supported"),
        (3, "define fileset: leafdirs is to be nothing but 0 or false: it is not supported"),
        (4, "define posset is not supported"),
        (5, "define flowop is not supported"),
        (7, "thread: ioprio is to be nothing but 0 or false: it is not supported"),
        (8, "flowop aiowrite is not supported"),
        (9, "openfile: attribute indexed is not supported"),
        (10, "flowop hog is not supported"),
        (11, "'sleep' where flowop is expected"),
        (14, "'cached' where timeout, alldone or firstdone is expected"),
        (15, "eventgen: rate is to be nothing but 0 or false: it is not supported"),
        (16, "statement system is not supported"),
        (17, "statement sleep is not supported"),
    ]


@pytest.mark.parametrize(
    ("fileset", "fault"),
    [
        ("entries=10", "a fileset without a name"),
        ("name=a", "a fileset without entries"),
        ("name=a,entries=0", "define fileset: entries is to be a whole number from 1 to 10000000"),
        ("name=a,entries=10000001", "define fileset: entries is to be a whole number from 1 to 10000000"),
        ("name=a,entries=$n", "$n is not set"),
        ("name=a,entries=1,size=1x", "'1x' where a value is expected"),
        ("name=a,entries=1,prealloc=101", "define fileset: prealloc is to be a percentage"),
        ("name=a/b,entries=1", "define fileset: name is to be a file name of at most 64 characters"),
        ("name=..,entries=1", "define fileset: name is to be a file name of at most 64 characters"),
        ('name="a\nb",entries=1', "define fileset: name is to be a file name of at most 64 characters"),
        ("name=" + "a" * 65 + ",entries=1", "define fileset: name is to be a file name of at most 64 characters"),
        (
            "name=a,entries=1,size=cvar(type=cvar-normal)",
            "'cvar-normal' where cvar-gamma, the only type that is supported, is expected",
        ),
        (
            "name=a,entries=1,size=cvar(type=cvar-gamma,parameters=mean:5)",
            "cvar-gamma needs a mean > 0, a gamma from 0.01 to 1000000, and min <= max",
        ),
        (
            "name=a,entries=1,size=cvar(type=cvar-gamma,parameters=mean:cvar;gamma:1)",
            "cvar: 'cvar' where a number is expected",
        ),
        ("name=a,entries=1,readonly,writeonly", "readonly and writeonly"),
        ("name=a,entries=1 size=1k", "'size' where a new line is expected"),
        ('name="a', "a quote that is not closed"),
    ],
)
def test_filesets_that_are_not_understood(fsload: Fsload, tmp_path: Path, fileset: str, fault: str) -> None:
    assert (1, fault) in faults(fsload, tmp_path, f"define fileset {fileset}\n")


@pytest.mark.parametrize(
    ("flowops", "line", "fault"),
    [
        (["openfile name=o,filesetname=b"], 4, "openfile: no fileset is named b"),
        (["openfile name=o"], 4, "openfile: it has no filesetname"),
        (["openfile name=o,filesetname=a"], 4, "openfile: fd 0 is still open, since line 4"),
        (
            ["openfile name=o,filesetname=a,fd=1", "createfile name=c,filesetname=a,fd=1"],
            5,
            "createfile: fd 1 is still open, since line 4",
        ),
        (["closefile name=c,fd=3"], 4, "closefile: fd 3 is not open"),
        (["fsync name=f"], 4, "fsync: fd 0 is not open"),
        (["read name=r,iosize=1k"], 4, "read: fd 0 is not open, and no filesetname says what to open"),
        (["write name=w,filesetname=a"], 4, "write: it has no iosize"),
        (["statfile name=s,fd=1"], 4, "statfile: it has no filesetname"),
        (["writewholefile name=w,filesetname=a,srcfd=2"], 4, "writewholefile: srcfd 2 has no file"),
        (["deletefile name=d"], 4, "deletefile: it has no filesetname"),
        (["openfile name=o,filesetname=a,fd=64"], 4, "openfile: fd is to be a whole number from 0 to 63"),
        (["statfile filesetname=a"], 4, "a flowop without a name"),
        ([], 3, "thread t has no flowop that does anything"),
    ],
)
def test_orders_of_flowops_that_cannot_be(
    fsload: Fsload, tmp_path: Path, flowops: list[str], line: int, fault: str
) -> None:
    assert (line, fault) in faults(fsload, tmp_path, threads(*flowops))


@pytest.mark.parametrize(
    ("text", "line", "fault"),
    [
        ("", 1, "no thread runs"),
        ("run 1\nrun 2", 2, "a second run"),
        ("run long", 1, "'long' where a new line is expected"),
        ("set $a=1\nset $b=$a\nset $a=2", 3, "$a is set again after line 2 used it"),
        ("set x=1", 1, "'x' where $variable or mode is expected"),
        ("define process name=p {\n  thread name=t {\n", 3, "the file ends where '}' is expected"),
        ("define fileset name=a,entries=1\ndefine fileset name=A,entries=1", 2, "a second fileset named A"),
        ("frobnicate\nwobble", 2, "statement wobble is not supported"),
    ],
)
def test_files_that_are_not_understood(fsload: Fsload, tmp_path: Path, text: str, line: int, fault: str) -> None:
    assert (line, fault) in faults(fsload, tmp_path, text)


def test_threads_that_create_need_an_entry_each(fsload: Fsload, tmp_path: Path) -> None:
    text = threads("createfile name=c,filesetname=a,fd=1", "closefile name=x,fd=1").replace(
        "name=t", "name=t,instances=11"
    )
    assert faults(fsload, tmp_path, text) == [
        (1, "fileset a: 11 threads create or delete files and cannot share 10 entries")
    ]


def test_processes_without_instances_may_name_what_is_not_there(fsload: Fsload, tmp_path: Path) -> None:
    idle = "\ndefine process name=q,instances=0 { thread name=t { flowop statfile name=x,filesetname=none } }\n"
    assert fsload("wml", write(tmp_path, PAPER + idle), operations=3).status == 0


def test_without_a_run_the_command_line_says_how_long(fsload: Fsload, tmp_path: Path) -> None:
    path = write(tmp_path, threads(STAT, run=""))
    assert fsload("wml", path, operations=3).status == 0
    done = fsload("wml", path)
    assert done.status == 2
    assert "there is no run statement, and neither --seconds nor --operations" in done.stderr


def test_a_flood_of_faults_is_cut(fsload: Fsload, tmp_path: Path) -> None:
    done = fsload("wml", write(tmp_path, "what\n" * 250), operations=1)
    assert done.stderr.count("statement what") == 100
    assert "and 150 faults more" in done.stderr


@pytest.mark.parametrize(
    ("data", "words"), [(b"run\0 1", "not a text"), (b"#" * (1 << 20) + b"##", "larger than 1 MiB")]
)
def test_files_that_are_no_workload(fsload: Fsload, tmp_path: Path, data: bytes, words: str) -> None:
    path = tmp_path.parent / "odd.f"
    path.write_bytes(data)
    done = fsload("wml", str(path))
    assert (done.status, done.stdout) == (2, "")
    assert words in done.stderr
    assert fsload("wml", str(path) + ".none").status == 2
