from __future__ import annotations

import pytest

from benchagent.formats import FormatError, Parsed, parse
from benchagent.formats.model import FAILED, UNMEASURABLE, Result
from benchagent.formats.reading.printed_times import seconds
from benchagent.formats.timing.commands import read_command
from benchagent.formats.timing.commands import test_of as named
from benchagent.formats.timing.reader import recognises, times
from tests.agents.formats.texts import golden

BASH = "real\t4m42.252s\nuser\t0m2.885s\nsys\t0m30.641s\n"


def only(parsed: Parsed, test: str, metric: str, **params: object) -> Result:
    [found] = [r for r in parsed.results if (r.test, r.metric) == (test, metric) and params.items() <= r.params.items()]
    return found


def test_one_timing() -> None:
    assert times(BASH) == {"elapsed": 282.252, "user_time": 2.885, "system_time": 30.641}
    assert times("real 12m27s") == {"elapsed": 747.0}
    assert times("real\u00a0\u00a00m0.854s\nuser\u00a00m0.654s\nsys\u00a00m0.155s\n")["elapsed"] == 0.854


@pytest.mark.parametrize("text", ["", BASH + BASH, BASH + "and more\n", "real  time\n"])
def test_what_is_not_one_timing_alone(text: str) -> None:
    with pytest.raises(FormatError):
        times(text)


def test_a_session_of_our_own() -> None:
    parsed = parse(golden("time-session.txt"))
    assert (parsed.tool, parsed.warnings, parsed.unread) == ("time", (), ())
    elapsed = {
        (result.test, result.params.get("command")): result.values
        for result in parsed.results
        if result.metric == "elapsed" and result.status == "ok"
    }
    assert elapsed == {
        ("mkfs", "mkfs.ext4 -F -i 65536 disk.img"): (0.006,),
        ("create", None): (0.049,),
        ("delete", None): (0.006,),
        ("cp", None): (0.032,),
        ("fsck_clean", None): (0.004,),
        ("fsck_forced", "fsck.ext4 -f disk.img"): (0.005,),
        ("fsck_dirty", None): (0.003,),
    }
    assert parsed.parameters == {"files": 30}


def test_a_command_that_failed_gives_no_time_but_its_words() -> None:
    result = only(parse(golden("time-session.txt")), "mkfs", "elapsed", command="mkfs.ext4 -q -F missing/disk.img")
    assert (result.status, result.values) == (FAILED, (None,))
    assert result.error == (
        "The file missing/disk.img does not exist and no size was specified.; Command exited with non-zero status 1"
    )


def test_a_check_that_repaired_was_a_check() -> None:
    text = (
        "$ /usr/bin/time -p fsck.ext4 -fy disk\nCommand exited with non-zero status 1\nreal 5.25\nuser 1.00\nsys 0.50\n"
    )
    parsed = parse(text)
    assert only(parsed, "fsck_forced", "elapsed").values == (5.25,)
    assert parsed.warnings == (
        "fsck.ext4 -fy disk: Command exited with non-zero status 1, so it found something to repair",
    )
    assert only(parse(text.replace("status 1", "status 8")), "fsck_forced", "elapsed").status == FAILED


def test_the_same_command_again_is_another_value() -> None:
    text = ("# time rm -Rf tree\n" + BASH) * 2
    assert only(parse(text), "delete", "elapsed").values == (282.252, 282.252)
    assert only(parse(text), "delete", "elapsed").lines == (2, 6)
    assert parse(text).command == "rm -Rf tree"


@pytest.mark.parametrize(
    "session",
    [
        "$ rm -rf x\n$ pgbench -i db\n",
        "root@host:~# rm -rf x\nroot@host:~# ./run.sh\n",
        "rm -rf /mnt/x\nmkfs.ext4 /dev/sdb\nfs_mark -d /mnt -n 1000\n",
        "touch f\nswapon /f\n",
        "mkfs.ext4 x\ntime fs_mark -d /mnt\n",
    ],
)
def test_a_time_has_no_name_if_another_command_may_have_run(session: str) -> None:
    assert {result.test for result in parse(session + BASH).results} == {"command"}


@pytest.mark.parametrize(
    ("session", "test"),
    [
        ("$ rm -rf x\n$ time pgbench -i db\n", "pgbench"),
        ("rm -rf x\nrm: cannot remove 'x/y'\n", "delete"),
        ("mkfs.ext4 x\nmke2fs 1.47.0 (5-Feb-2023)\n", "mkfs"),
        ("# time rm -rf x\nwhatever it prints\n", "delete"),
    ],
)
def test_a_time_has_the_name_of_its_command(session: str, test: str) -> None:
    assert {result.test for result in parse(session + BASH).results} == {test}


def test_timings_without_a_command_are_kept_apart() -> None:
    parsed = parse(BASH + BASH.replace("4m", "5m"))
    assert only(parsed, "command", "elapsed", timing=1).values == (282.252,)
    assert only(parsed, "command", "elapsed", timing=2).values == (342.252,)


def test_checks_of_different_numbers_of_files_are_kept_apart() -> None:
    check = "# time e2fsck -f disk\nd: {}/9000000 files (0.2% non-contiguous), 629/2441 blocks\n" + BASH
    parsed = parse(check.format(2003101) + check.format(6193839))
    assert {r.params["files"] for r in parsed.results if r.metric == "elapsed"} == {2003101, 6193839}


def test_zero_is_under_the_clock_for_the_whole_but_not_for_its_parts() -> None:
    parsed = parse("real\t0m0.000s\nuser\t0m0.000s\nsys\t0m0.000s\n")
    assert only(parsed, "command", "elapsed").status == UNMEASURABLE
    assert only(parsed, "command", "user_time").values == (0.0,)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("real 282.25\nuser 2.88\nsys 30.64\n", {"elapsed": 282.25, "user_time": 2.88, "system_time": 30.64}),
        (
            "real\t0m4,252s\nuser\t0m2,885s\nsys\t0m0,641s\n",
            {"elapsed": 4.252, "user_time": 2.885, "system_time": 0.641},
        ),
        (
            "        1.25 real         0.50 user         0.25 sys\n",
            {"elapsed": 1.25, "user_time": 0.5, "system_time": 0.25},
        ),
        (
            "    1m0.01s real     0m0.50s user     0m0.25s system\n",
            {"elapsed": 60.01, "user_time": 0.5, "system_time": 0.25},
        ),
        (
            "0.50user 0.25system 1:02:03elapsed 16%CPU (0avgtext+0avgdata 1396maxresident)k\n"
            "0inputs+0outputs (0major+82minor)pagefaults 0swaps\n",
            {"elapsed": 3723.0, "user_time": 0.5, "system_time": 0.25, "cpu_of_one_core": 0.16},
        ),
        (
            "0.500u 0.250s 0:01.25 60.0%\t0+0k 0+0io 0pf+0w\n",
            {"elapsed": 1.25, "user_time": 0.5, "system_time": 0.25, "cpu_of_one_core": 0.6},
        ),
        (
            "real        1:02.3\nuser           0.5\nsys            0.1\n",
            {"elapsed": 62.3, "user_time": 0.5, "system_time": 0.1},
        ),
        ("real\t0m 1.25s\nuser\t0m 0.50s\nsys\t0m 0.25s\n", {"elapsed": 1.25, "user_time": 0.5, "system_time": 0.25}),
    ],
)
def test_the_words_of_other_shells(text: str, expected: dict[str, float]) -> None:
    assert recognises(text)
    assert times(text) == expected
    assert {result.metric: result.values[0] for result in parse(text).results} == expected


def test_zsh_names_its_command_behind_which_it_prints() -> None:
    parsed = parse("rm -rf tree  0.00s user 0.05s system 80% cpu 0.012 total\n")
    assert parsed.command == "rm -rf tree"
    assert only(parsed, "delete", "elapsed").values == (0.012,)
    assert only(parsed, "delete", "cpu_of_one_core").values == (0.8,)


def test_the_clock_is_what_all_timings_print() -> None:
    assert parse(BASH).clock_resolution == 0.001
    assert parse("real 1.25\nuser 0.00\nsys 0.00\n").clock_resolution == 0.01
    assert parse("real 12m27s\n" + BASH).clock_resolution is None


def test_lines_of_nobody_are_unread_and_a_remark_with_a_time_in_it_too() -> None:
    text = "# a remark\n### with -t ext3 mkfs took real 27m10s, sys 0m33s\nrm: cannot remove 'x'\n" + BASH
    assert parse(text).unread == (
        (2, "### with -t ext3 mkfs took real 27m10s, sys 0m33s"),
        (3, "rm: cannot remove 'x'"),
    )


@pytest.mark.parametrize(
    ("line", "command"),
    [
        ("# time fsck -f devicename", "fsck -f devicename"),
        ("root@host:~# time mkfs.xfs /dev/sdb", "mkfs.xfs /dev/sdb"),
        ("[root@host ~]# time mkfs -t ext4 /dev/sdb", "mkfs -t ext4 /dev/sdb"),
        ("$ sync; time rm -Rf a", "rm -Rf a"),
        ("% sudo time -p rm -Rf a", "rm -Rf a"),
        ("+ rm -Rf a", "rm -Rf a"),
        ("time ./make_files 1000", None),
        ("$ time ./make_files 1000", "./make_files 1000"),
        ("mkfs -t ext4 -i 65536 devicename", "mkfs -t ext4 -i 65536 devicename"),
        ("mke2fs 1.47.0 (5-Feb-2023)", None),
        ("# On moving to another system", None),
        ("time for a walk", None),
    ],
)
def test_commands_of_a_session(line: str, command: str | None) -> None:
    found = read_command(line, 1)
    assert (found.text if found else None) == command


@pytest.mark.parametrize(
    ("command", "printed", "test"),
    [
        ("mkfs -t ext4 x", "", "mkfs"),
        ("/sbin/mke2fs x", "", "mkfs"),
        ("fsck x", "", "fsck"),
        ("fsck x", "x: clean, 1/2 files, 3/4 blocks", "fsck_clean"),
        ("fsck x", "x: recovering journal\nx: clean, 1/2 files, 3/4 blocks", "fsck_dirty"),
        ("fsck.ext4 -fy x", "x: recovering journal", "fsck_forced"),
        ("xfs_repair x", "", "fsck_forced"),
        ("rm -Rf x", "", "delete"),
        ("find x -delete", "", "delete"),
        ("find x", "", "find"),
        ("dd if=/dev/zero of=x bs=131072 count=8", "", "create"),
        ("dd if=/dev/sdb of=/dev/null", "", "raw_read"),
        ("dd if=/dev/zero of=/dev/sdb", "", "dd"),
        ("sh -c 'rm -Rf x; sync'", "", "delete"),
        ("(cp -a x y; sync)", "", "cp"),
        ("cp -a x y && rm -Rf x", "", "command"),
        ("sync", "", "sync"),
        ("for i in 1 2; do dd if=/dev/zero of=x$i; done", "", "create"),
        (None, "", "command"),
    ],
)
def test_the_command_says_which_test_it_is(command: str | None, printed: str, test: str) -> None:
    assert named(command, printed) == test


@pytest.mark.parametrize(
    ("figure", "expected"),
    [("4m42.252s", 282.252), ("1h02m03.5s", 3723.5), ("0:00.01", 0.01), ("1:02:03", 3723.0), ("7", 7.0)],
)
def test_minutes_and_seconds_exactly(figure: str, expected: float) -> None:
    assert seconds(figure) == expected


@pytest.mark.parametrize("text", ["a real 1.0 problem\n", "user 5\n", "real numbers 3\n", "total 12\n", "real -1\n"])
def test_prose_is_no_timing(text: str) -> None:
    assert not recognises(text)
    with pytest.raises(FormatError, match="no line of `time`"):
        parse(text, tool="time")


def test_dd_s_own_rate_is_a_result_of_the_same_test() -> None:
    copied = "8+0 records in\n8+0 records out\n1048576 bytes (1.0 MB, 1.0 MiB) copied, 0.5 s, 2.1 MB/s\n"
    parsed = parse("$ time dd if=/dev/zero of=x bs=128k count=8\n" + copied + BASH)
    throughput = only(parsed, "create", "throughput")
    assert (throughput.values, throughput.unit, throughput.lines) == ((2.1e6,), "B/s", (4,))
    assert (only(parsed, "create", "elapsed").values, parsed.unread) == ((282.252,), ())


@pytest.mark.parametrize(
    ("copied", "rates"),
    [
        ("1048576 bytes (1,0 MB) copied, 0,5 s, 2,1 GB/s\n", [2.1e9]),
        ("1048576 bytes transferred in 0.5 secs (2097152 bytes/sec)\n", [2097152.0]),
        ("1048576 bytes (1.0MB) copied, 0.500000 seconds, 2.0MB/s\n", []),  # busybox: the size of its MB is unknown
        ("5 bytes (5 B) copied, 1 s, 0.0 kB/s\n" * 2, []),  # a loop: the command's own line is unknown
    ],
)
def test_other_words_of_dd(copied: str, rates: list[float]) -> None:
    parsed = parse("$ time dd if=/dev/zero of=x bs=128k count=8\n" + copied + BASH)
    assert [result.values[0] for result in parsed.results if result.metric == "throughput"] == rates
    assert len(parsed.unread) == (0 if rates else copied.count("\n"))


def test_bsd_s_counters_are_known() -> None:
    text = "        1.25 real         0.50 user         0.25 sys\n             1384448  maximum resident set size\n"
    assert parse(text).unread == ()


def test_what_mkfs_xfs_and_xfs_repair_say_is_known() -> None:
    text = """$ time mkfs.xfs -f x.img
meta-data=x.img                  isize=512    agcount=4, agsize=25600 blks
         =                       sectsz=512   attr=2, projid32bit=1
naming   =version 2              bsize=4096   ascii-ci=0, ftype=1

real	0m0.041s
user	0m0.004s
sys	0m0.035s
$ time xfs_repair x.img
Phase 3 - for each AG...
        - found root inode chunk
        - agno = 0
        - moving disconnected inodes to lost+found ...
done

real	0m0.064s
user	0m0.021s
sys	0m0.013s
"""
    parsed = parse(text)
    assert parsed.unread == ()
    assert {(result.test, result.values) for result in parsed.results if result.metric == "elapsed"} == {
        ("mkfs", (0.041,)),
        ("fsck_forced", (0.064,)),
    }
    [(_, remark)] = parse(text.replace("- agno = 0", "- it took 3m38s")).unread
    assert remark == "- it took 3m38s"


def test_a_loop_around_time_names_the_command_of_every_round() -> None:
    text = "# for i in 0 1; do time dd if=/dev/zero of=/mnt/file$i bs=1M count=100; done\n"
    times = "\nreal\t0m{}s\nuser\t0m0.010s\nsys\t0m1.500s\n"
    copied = "104857600 bytes (105 MB) copied, 2 s, {} MB/s\n"
    text += copied.format(52) + times.format(2.5) + copied.format(50) + times.format(2.75)
    text += "# time rm -f /mnt/file*\n" + times.format(1.25)
    figures = {(result.test, result.metric): result.values for result in parse(text).results}
    assert (figures["create", "elapsed"], figures["create", "throughput"]) == ((2.5, 2.75), (52e6, 50e6))
    assert (figures["delete", "elapsed"], {test for test, _ in figures}) == ((1.25,), {"create", "delete"})


@pytest.mark.parametrize("prompt", ["", "$ "])
def test_a_timed_loop_is_the_test_of_its_command(prompt: str) -> None:
    found = parse(f"{prompt}time for i in {{1..5}}; do dd if=/dev/zero of=x$i bs=64k count=9; done\nreal 1.5\n").results
    assert [(result.test, result.metric, result.values) for result in found] == [("create", "elapsed", (1.5,))]


def test_what_stands_behind_a_loop_is_not_of_it() -> None:
    text = "$ for i in 0 1; do time mkfs.xfs -f /dev/sd$i; done\n"
    text += "real 1.5\nuser 0.5\nsys 0.5\n$ tar xf linux.tar\nreal 9.5\nuser 0.5\nsys 0.5\n"
    found = {result.test: result.values for result in parse(text).results if result.metric == "elapsed"}
    assert found == {"mkfs": (1.5,), "tar": (9.5,)}
