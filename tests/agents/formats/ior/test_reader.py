"""IOR's tables, of versions 2 to 4: repetitions, summaries, several tests, and failures."""

from __future__ import annotations

import pytest

from benchagent.formats import FormatError, Parsed, parse
from tests.agents.formats.texts import apart

HEAD = """IOR-3.3.0: MPI Coordinated Test of Parallel I/O
Began               : Wed Jan 19 07:04:39 2022
Command line        : ior -i 2 -t 4k -b 1024k -s 16 -F -e
Machine             : Linux gpfs01
TestID              : 0
StartTime           : Wed Jan 19 07:04:39 2022
Path                : /data/testdata
FS                  : 87.3 TiB   Used FS: 1.0%   Inodes: 87.3 Mi   Used Inodes: 0.3%

Options:
api                 : POSIX
apiVersion          :
test filename       : testfile
access              : file-per-process
type                : independent
segments            : 16
ordering in a file  : sequential
ordering inter file : no tasks offsets
nodes               : 1
tasks               : 4
clients per node    : 4
repetitions         : 2
xfersize            : 4096 bytes
blocksize           : 1 MiB
aggregate filesize  : 64 MiB

Results:

access    bw(MiB/s)  IOPS       Latency(s)  block(KiB) xfer(KiB)  open(s)    wr/rd(s)   close(s)   total(s)   iter
------    ---------  ----       ----------  ---------- ---------  --------   --------   --------   --------   ----
"""
ROWS = """write   2030.50   519844   0.030358   1024.00   4.00   0.001463   8.07   1.13   8.07   0
read   1968.99   504065   0.032355   1024.00   4.00   0.000000   8.32   0.055648   8.32   0
remove   -   -   -   -   -   -   -   -   0.001426   0
write   2040.50   519944   0.030458   1024.00   4.00   0.001563   8.17   1.23   8.17   1
read   1978.99   504165   0.032455   1024.00   4.00   0.000137   8.42   0.065648   8.42   1
remove   -   -   -   -   -   -   -   -   0.001526   1
"""
SUMMARY = """Max Write: 2040.50 MiB/sec (2139.62 MB/sec)

Summary of all tests:
Operation   Max(MiB)   Min(MiB)  Mean(MiB)     StdDev   Max(OPs)   Min(OPs)  Mean(OPs)     StdDev    Mean(s) \
Stonewall(s) Stonewall(MiB) Test# #Tasks tPN reps fPP reord reordoff reordrand seed segcnt   blksiz    xsize \
aggs(MiB)   API RefNum
write        2040.50    2030.50    2035.50       5.00  519944.00  519844.00  519894.00      50.00    8.12000 \
        NA            NA     0      4   4    2   1     0        1         0    0     16  1048576     4096 \
     64.0 POSIX      0
Finished            : Wed Jan 19 07:04:56 2022
"""


def of(parsed: Parsed, test: str, metric: str, **params: object) -> tuple | None:
    return next(
        (
            result.values
            for result in parsed.results
            if (result.test, result.metric, apart(parsed, result)) == (test, metric, params)
        ),
        None,
    )


def test_repetitions_and_their_summary() -> None:
    parsed = parse(HEAD + ROWS + SUMMARY)
    assert (parsed.tool, parsed.tool_version, parsed.complete, parsed.unread) == ("ior", "3.3.0", True, ())
    assert parsed.command == "ior -i 2 -t 4k -b 1024k -s 16 -F -e"
    assert of(parsed, "write", "throughput") == (2030.5 * 2**20, 2040.5 * 2**20)
    assert of(parsed, "write", "rate") == (519844.0, 519944.0)
    assert of(parsed, "read", "latency_mean") == (0.032355, 0.032455)
    assert of(parsed, "write", "elapsed", phase="close") == (1.13, 1.23)
    assert of(parsed, "read", "elapsed", phase="open") == (None, 0.000137)
    assert of(parsed, "remove", "elapsed") == (0.001426, 0.001526)
    assert of(parsed, "write", "throughput", view="sd") == (5.0 * 2**20,)
    assert of(parsed, "write", "rate", view="mean") == (519894.0,)
    assert of(parsed, "write", "elapsed", view="mean") == (8.12,)


def test_sizes_and_settings() -> None:
    parsed = parse(HEAD + ROWS + SUMMARY)
    for result in parsed.results:
        assert (result.file_size, result.record_size, result.threads) == (16 * 2**20, 4096, 4)
    assert parsed.parameters["api"] == "POSIX"
    assert parsed.parameters["fsync"] is True
    assert parsed.parameters["segments"] == 16


def test_a_shared_file_is_as_large_as_all_tasks_make_it() -> None:
    assert parse(HEAD.replace("file-per-process", "single-shared-file") + ROWS).results[0].file_size == 4 * 16 * 2**20


def test_a_size_that_is_rounded_is_not_taken() -> None:
    parsed = parse(HEAD.replace("1 MiB", "1.50 MiB") + ROWS)
    assert (parsed.results[0].file_size, parsed.results[0].record_size) == (None, 4096)


def test_several_tests_of_one_start_are_told_apart() -> None:
    second = HEAD[HEAD.index("TestID") :].replace("TestID              : 0", "TestID              : 1")
    parsed = parse(HEAD + ROWS + second.replace("POSIX", "MPIIO") + ROWS + SUMMARY)
    assert of(parsed, "write", "throughput", api="POSIX") == of(parsed, "write", "throughput", api="MPIIO")
    assert of(parsed, "write", "throughput", api="POSIX", view="sd") == (5.0 * 2**20,)
    assert of(parsed, "write", "throughput", api="MPIIO", view="sd") is None


def test_the_summary_of_version_2() -> None:
    text = """IOR-2.10.3: MPI Coordinated Test of Parallel I/O

Run began: Wed Apr  2 10:03:32 2014
Command line used: ./IOR -b 1m -t 256k
Machine: Linux node1

Summary:
\tapi                = POSIX
\ttest filename      = testFile
\taccess             = single-shared-file
\tordering in a file = sequential offsets
\tordering inter file= no tasks offsets
\tclients            = 2 (1 per node)
\trepetitions        = 1
\txfersize           = 262144 bytes
\tblocksize          = 1 MiB
\taggregate filesize = 2 MiB

Operation  Max (MiB)  Min (MiB)  Mean (MiB)   Std Dev  Max (OPs)  Min (OPs)  Mean (OPs)   Std Dev  Mean (s)
---------  ---------  ---------  ----------   -------  ---------  ---------  ----------   -------  --------
write         537.93     537.93      537.93      0.00    2151.72    2151.72     2151.72      0.00   0.00372   EXCEL
read         1811.80    1811.80     1811.80      0.00    7247.20    7247.20     7247.20      0.00   0.00110   EXCEL

Max Write: 537.93 MiB/sec (564.06 MB/sec)
Max Read:  1811.80 MiB/sec (1899.81 MB/sec)

Run finished: Wed Apr  2 10:03:32 2014
"""
    parsed = parse(text)
    assert (parsed.tool_version, parsed.complete, parsed.unread) == ("2.10.3", True, ())
    assert of(parsed, "write", "throughput") == (537.93 * 2**20,)
    assert of(parsed, "read", "rate") == (7247.2,)
    assert of(parsed, "read", "elapsed") == (0.0011,)
    assert {(result.threads, result.record_size) for result in parsed.results} == {(2, 262144)}


def test_a_run_that_failed() -> None:
    words = "ior ERROR: write() failed, No space left on device, (aiori-POSIX.c:471)"
    parsed = parse(HEAD + ROWS.split("\n")[0] + "\n" + words + "\n")
    assert not parsed.complete
    assert of(parsed, "write", "throughput") == (2030.5 * 2**20,)
    failed = next(result for result in parsed.results if result.test == "read")
    assert (failed.status, failed.error) == ("failed", words)


def test_no_table() -> None:
    with pytest.raises(FormatError, match="table of results is missing"):
        parse(HEAD[: HEAD.index("access    bw")])


def test_version_3_0_has_no_operations_in_its_summary() -> None:
    """Its fifth column is the mean time; the test's number and tasks follow."""
    text = """Summary of all tests:
Operation   Max(MiB)   Min(MiB)  Mean(MiB)     StdDev    Mean(s) Test# #Tasks tPN reps fPP reord reordoff reordrand \
seed segcnt blksiz xsize aggsize API RefNum
write          36.00      24.00      30.00       6.00    1.25000 0 8 4 2 0 0 1 0 0 1 1048576 262144 8388608 POSIX 0
"""
    parsed = parse(text)
    assert {result.metric for result in parsed.results} == {"throughput", "elapsed"}
    assert of(parsed, "write", "throughput") == (30 * 2.0**20,)
    assert of(parsed, "write", "throughput", view="sd") == (6 * 2.0**20,)
    assert of(parsed, "write", "elapsed") == (1.25,)
    [result] = [result for result in parsed.results if result.metric == "elapsed"]
    assert (result.threads, result.record_size, result.file_size) == (8, 262144, 8 * 2**20)


def test_version_2_ends_its_rows_with_a_word_to_grep_for() -> None:
    text = """IOR-2.10.3: MPI Coordinated Test of Parallel I/O

Run began: Tue Oct  2 10:00:01 2012
Command line used: ./IOR -w -b 1m -t 256k -vv
Participating tasks: 4
task 0 on node1
Summary:
\tapi                = POSIX
\taccess             = file-per-process
\tclients            = 4 (2 per node)
\txfersize           = 262144 bytes
\tblocksize          = 1 MiB

access    bw(MiB/s)  block(KiB) xfer(KiB)  open(s)    wr/rd(s)   close(s)   total(s)   iter
------    ---------  ---------- ---------  --------   --------   --------   --------   ----
Commencing write performance test.
Tue Oct  2 10:00:02 2012

write     64.00      1024.00    256.00     0.001000   0.060000   0.000500   0.062500   0    XXCEL
Operation  Max (MiB)  Min (MiB)  Mean (MiB)   Std Dev  Max (OPs)  Min (OPs)  Mean (OPs)   Std Dev  Mean (s)  \
Op grep #Tasks tPN reps  fPP reord reordoff reordrand seed segcnt blksiz xsize aggsize

---------  ---------  ---------  ----------   -------  ---------  ---------  ----------   -------  --------
write          64.00      64.00       64.00      0.00     256.00     256.00      256.00      0.00   0.06250   \
4 2 1 1 0 1 0 0 1 1048576 262144 4194304 0 POSIX EXCEL

Max Write: 64.00 MiB/sec (67.11 MB/sec)

Run finished: Tue Oct  2 10:00:03 2012
"""
    parsed = parse(text)
    assert (parsed.complete, parsed.unread, parsed.parameters["segments"]) == (True, (), 1)
    assert of(parsed, "write", "throughput") == (64 * 2.0**20,)
    assert of(parsed, "write", "elapsed") == (0.0625,)
    assert of(parsed, "write", "rate", view="mean") == (256.0,)
    assert {(result.threads, result.record_size, result.file_size) for result in parsed.results} == {(4, 2**18, 2**20)}


def test_a_start_at_a_prompt_is_another_run() -> None:
    text = """$ mpirun -np 4 ./ior -t 1m -b 64m

access    bw(MiB/s)  IOPS
------    ---------  ----
write     100        100
$ mpirun -np 4 ./ior -t 1m -b 64m -e
access    bw(MiB/s)  IOPS
------    ---------  ----
write     50         50
"""
    parsed = parse(text)
    assert of(parsed, "write", "throughput") == (100 * 2.0**20,)
    assert of(parsed, "write", "throughput", fsync=True) == (50 * 2.0**20,)
    assert parsed.unread == ()


def test_what_4_1_says_besides_is_known() -> None:
    said = "memoryBuffer        : CPU\ndataAccess          : CPU\nGPUDirect           : 0\n"
    pairs = "stonewalling pairs accessed min: 10 max: 13 -- min data: 1.0 GiB mean data: 1.2 GiB time: 60.0s\n"
    text = HEAD.replace("repetitions ", said + "repetitions ") + "1: stonewalling pairs accessed: 12\n" + pairs + ROWS
    assert parse(text).unread == ()


def test_rows_alone_tell_the_sizes_by_their_columns() -> None:
    header = "access    bw(MiB/s)  block(KiB) xfer(KiB)  open(s)    wr/rd(s)   close(s)   total(s)   iter\n"
    [sizes] = {
        (result.record_size, result.file_size)
        for result in parse(header + "write 2004.51 1024.00 256.00 0.000014 0.000483 0.000002 0.000499 0\n").results
    }
    assert sizes == (256 * 1024, None)  # the number of segments per file is unknown
    rounded = parse(header + "write 2004.51 1024.00 45.91 0.000014 0.000483 0.000002 0.000499 0\n")
    assert {result.record_size for result in rounded.results} == {None}


def test_a_run_inside_io500_ends_with_its_last_row() -> None:
    """IO500 runs IOR as a library, which prints neither a summary nor an end."""
    head = HEAD.replace("ior -i 2", "ior -w -i 2")
    assert parse(head + ROWS).complete
    assert not parse(head + ROWS.partition("write   2040")[0]).complete
