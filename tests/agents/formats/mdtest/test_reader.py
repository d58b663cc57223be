"""mdtest's summaries: one iteration and several, rates and times, with -v and with the figures of each task."""

import pytest

from benchagent.formats import FormatError, Parsed, parse

HEAD = """-- started at 04/03/2025 14:39:30 --

mdtest-4.1.0+dev was launched with 128 total task(s) on 2 node(s)
Command line used: ./mdtest '-a' 'POSIX' '-w' '3901' '-I' '128' '-i' '3' '-F' '-d' '/t'
Nodemap: 1111111111
Path                : /t
FS                  : 38.2 GiB   Used FS: 41.3%   Inodes: 2.4 Mi   Used Inodes: 5.8%
128 tasks, 16384 files
"""
COLUMNS = """   Operation                     Max            Min           Mean        Std Dev
   ---------                     ---            ---           ----        -------
"""
RATES = f"""
SUMMARY rate (in ops/sec): (of 3 iterations)
{COLUMNS}   File creation                7147.432       6789.531       6996.044        132.149
   File stat                       0.000          0.000          0.000          0.000
   Tree removal                   99.443         95.475         97.632          1.266
"""
END = "-- finished at 04/03/2025 14:40:05 --\n"


def views(parsed: Parsed, test: str, metric: str = "rate") -> dict[object, tuple]:
    return {
        result.params.get("view"): result.values
        for result in parsed.results
        if (result.test, result.metric) == (test, metric)
    }


def test_several_iterations() -> None:
    parsed = parse(HEAD + RATES + END)
    assert (parsed.tool, parsed.tool_version, parsed.complete, parsed.unread) == ("mdtest", "4.1.0+dev", True, ())
    assert views(parsed, "file_creation") == {
        None: (6996.044,),
        "max": (7147.432,),
        "min": (6789.531,),
        "sd": (132.149,),
    }
    assert views(parsed, "file_stat") == {}  # not requested
    assert {result.threads for result in parsed.results} == {128}
    assert {result.test: result.file_size for result in parsed.results} == {"file_creation": 3901, "tree_removal": None}
    assert (parsed.parameters["files"], parsed.parameters["nodes"]) == (16384, 2)
    assert parsed.parameters["files_only"] is True


def test_one_iteration_of_an_old_version() -> None:
    text = "SUMMARY: (of 1 iterations)\n" + COLUMNS
    text += "   Directory creation:       5.977          5.977          5.977          0.000\n"
    parsed = parse(text)
    assert views(parsed, "directory_creation") == {None: (5.977,)}
    assert parsed.complete


def test_times() -> None:
    row = "   File creation                0.147          0.131          0.140        0.010\n"
    per_operation = parse(HEAD + RATES + "\nSUMMARY time (in ms/op): (of 3 iterations)\n" + COLUMNS + row + END)
    assert views(per_operation, "file_creation", "latency_mean")[None] == (0.00014,)
    of_all = parse(HEAD + RATES + "\nSUMMARY time: (of 3 iterations)\n" + COLUMNS + row + END)
    assert views(of_all, "file_creation", "elapsed")[None] == (0.14,)


def test_figures_of_each_task() -> None:
    row = "   File stat   9.5  1.5  5.5   70.5  60.5  65.5  2.5\n"
    head = (
        "   Operation     per Rank: Max            Min           Mean      per Iteration: Max   Min   Mean   Std Dev\n"
    )
    parsed = parse(HEAD + "SUMMARY rate (in ops/sec): (of 3 iterations)\n" + head + row + END)
    assert views(parsed, "file_stat") == {
        "rank_max": (9.5,),
        "rank_min": (1.5,),
        "rank_mean": (5.5,),
        "max": (70.5,),
        "min": (60.5,),
        None: (65.5,),
        "sd": (2.5,),
    }
    assert parsed.unread == ()


def test_iterations_that_were_printed_are_the_values() -> None:
    iterations = "V-1:   File creation     :        2.500 sec,       7000.500 ops/sec\n"
    iterations += "V-1:   File creation     :        3.500 sec,       6000.250 ops/sec\n"
    parsed = parse(HEAD + iterations + RATES + END)
    assert views(parsed, "file_creation")[None] == (7000.5, 6000.25)
    assert views(parsed, "file_creation")["mean"] == (6996.044,)
    assert views(parsed, "file_creation", "elapsed") == {None: (2.5, 3.5)}


def test_runs_on_several_directories_are_told_apart() -> None:
    other = HEAD.replace("/t", "/u")
    parsed = parse(HEAD + RATES + END + other + RATES + END + HEAD + RATES + END)
    told = {result.params["place"]: result.values for result in parsed.results if result.params.get("view") is None}
    assert told == {"t": (97.632, 97.632), "u": (97.632,)}
    assert parsed.command is None


def test_an_end_that_is_missing() -> None:
    assert not parse(HEAD + RATES).complete
    with pytest.raises(FormatError, match="no result is there") as refused:
        parse(HEAD)
    assert refused.value.line == 3


def test_dashes_that_a_web_page_made_long() -> None:
    text = """– started at 11/21/2026 10:00:00 –
mdtest-3.4.0+dev was launched with 2 total task(s) on 1 node(s)
POSIX couldn't call statvfs: No such file or directory
Path:
2 tasks, 20 files
SUMMARY rate: (of 1 iterations)
Operation Max Min Mean Std Dev
--------- — — ---- -------
File creation : 14206.500 14206.250 14206.375 0.125
– finished at 11/21/2026 10:00:01 –
"""
    parsed = parse(text)
    assert (parsed.unread, parsed.complete) == ((), True)
    assert {result.values for result in parsed.results} == {(14206.5,), (14206.25,), (14206.375,), (0.125,)}


def test_headings_of_iterations_are_known() -> None:
    text = "SUMMARY rate: (of 2 iterations)\nFile creation : 2.000 2.000 2.000 0.000\n"
    assert parse(" * iteration 1 *\n * iteration 2 * 11/21/2026 10:00:00\n" + text).unread == ()


def test_the_rate_at_the_stonewall() -> None:
    row = "   File create (stonewall)   :             NA             NA     726003.091             NA\n"
    parsed = parse(HEAD + RATES.replace("   Tree removal", f"{row}   Tree removal") + END)
    assert views(parsed, "file_creation")["stonewall"] == (726003.091,)
    assert parsed.unread == ()


@pytest.mark.parametrize("start", ["mpiexec -np 4", "mpirun --hostfile hosts -n 4", "srun --ntasks=4"])
def test_the_command_line_of_mpi_has_the_tasks_and_the_settings(start: str) -> None:
    parsed = parse(f"$ {start} ./mdtest -F -n 100 -d /t\n{RATES}{END}")
    assert {result.threads for result in parsed.results} == {4}
    assert (parsed.parameters["files_only"], parsed.parameters["items"]) == (True, 100)


def test_the_tasks_that_mdtest_prints_itself_count_more() -> None:
    assert {result.threads for result in parse(f"$ mpiexec -np 4 mdtest -F\n{HEAD}{RATES}{END}").results} == {128}
