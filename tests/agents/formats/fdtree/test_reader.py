from __future__ import annotations

import pytest

from benchagent.formats import FormatError, fdtree, parse
from tests.agents.formats.texts import apart, golden

L2D4 = golden("fdtree-l2d4f20s4.txt")
# As fdtree prints it, with times long enough for its clock.
RUN = """fdtree-1.0.2: starting at ./LEVEL0.host.17/
\tcreating/deleting 4 directory levels with 5 directories at each level
\tfor a total of 781 directories
\twith 3 files of size 40KiB per directory
\tfor a total of 2343 files and 93720KiB
Fri Nov 20 15:15:24 UTC 2026
Fri Nov 20 15:15:53 UTC 2026
DIRECTORY CREATE TIME IN, OUT, TOTAL = 0, 29, 29
\tDirectory creates per second =  26
Fr 20. Nov 15:15:53 CET 2026
Fri Nov 20 03:17:37 PM UTC 2026
FILE CREATE TIME IN, OUT, TOTAL      = 29, 163, 134
\tFile creates per second      =  17
\tKiB per second               =  699
Fri Nov 20 15:18:07 UTC 2026
Fri Nov 20 15:18:34 UTC 2026
FILE REMOVE TIME IN, OUT, TOTAL      = 163, 190, 27
\tFile removals per second     =  86
Fri Nov 20 15:18:34 UTC 2026
Fri Nov 20 15:18:52 UTC 2026
DIRECTORY REMOVE TIME IN, OUT, TOTAL = 190, 208, 18
\tDirectory removals per second =  43
"""


def values(text: str) -> dict[tuple[str, str], tuple[float | None, ...]]:
    return {(each.test, each.metric): tuple(each.values) for each in parse(text).results}


def test_times_and_rates_in_base_units() -> None:
    parsed = parse(RUN)
    assert (parsed.tool, parsed.tool_version, parsed.clock_resolution) == ("fdtree", "1.0.2", 1.0)
    assert (parsed.complete, parsed.warnings, parsed.unread) == (True, (), ())
    assert parsed.parameters == {"levels": 4, "directories": 5, "files": 3, "file_size": 40960, "version": "1.0.2"}
    assert values(RUN) == {
        ("directory_create", "elapsed"): (29.0,),
        ("directory_create", "rate"): (26.0,),
        ("file_create", "elapsed"): (134.0,),
        ("file_create", "rate"): (17.0,),
        ("file_create", "throughput"): (699 * 1024,),
        ("file_remove", "elapsed"): (27.0,),
        ("file_remove", "rate"): (86.0,),
        ("directory_remove", "elapsed"): (18.0,),
        ("directory_remove", "rate"): (43.0,),
    }


def test_its_own_numbers_show_that_a_kib_is_1024_bytes() -> None:
    """93720 KiB in 134 s are 699 KiB/s, in files of 40 KiB each."""
    assert values(RUN)["file_create", "throughput"][0] == 93720 // 134 * 1024
    assert 2343 * 40 == 93720


def test_sizes_belong_to_files_and_the_bytes_asked_for_to_creating_them() -> None:
    results = parse(RUN).results
    assert results
    for each in results:
        assert each.file_size == (40960 if each.test.startswith("file") else None)
        assert each.evidence == ({"logical_bytes": 93720 * 1024} if each.test == "file_create" else {})


def test_what_its_clock_could_not_tell_is_no_number() -> None:
    parsed = parse(L2D4)
    assert (parsed.complete, parsed.unread) == (True, ())
    assert values(L2D4)["directory_remove", "rate"] == (21.0,)
    failed = {result.error for result in parsed.results if result.status == "unmeasurable"}
    assert failed == {"fdtree printed 0: it took less than a second"}
    slow = parse(RUN.replace("second =  26", "second =  0"))
    [rate] = [result for result in slow.results if (result.test, result.metric) == ("directory_create", "rate")]
    assert rate.error == "fdtree printed 0: less than one in a second"


def test_runs_of_one_tree_are_values_and_other_trees_are_told_apart() -> None:
    parsed = parse(RUN + RUN.replace("with 5 directories", "with 6 directories") + RUN)
    rates = [result for result in parsed.results if (result.test, result.metric) == ("file_remove", "rate")]
    assert [(apart(parsed, result), tuple(result.values)) for result in rates] == [
        ({"directories": 5}, (86.0, 86.0)),
        ({"directories": 6}, (86.0,)),
    ]


def test_a_run_that_was_cut_keeps_its_times() -> None:
    parsed = parse(RUN[: RUN.index("FILE REMOVE")])
    assert {result.test for result in parsed.results} == {"directory_create", "file_create"}
    assert parsed.complete  # as with -C, which only creates
    parsed = parse(RUN[: RUN.index("FILE CREATE")])
    assert not parsed.complete
    [line] = parse(RUN.split("\n")[0]).results
    assert (line.status, line.error) == ("failed", "fdtree printed no time")


def test_time_around_it_is_the_run_s() -> None:
    for timed in (
        "\nreal\t3m28.000s\nuser\t2m26.250s\nsys\t1m41.500s\n",
        "real 3m28s user 2m26.25s sys 1m41.5s CPU 99.00%\n",
    ):
        figures = values("$ time fdtree.bash -f 3 -d 5\n" + RUN + timed)
        assert [figures["run", name] for name in ("elapsed", "user_time", "system_time")] == [
            (208.0,),
            (146.25,),
            (101.5,),
        ]
    assert parse("$ time fdtree.bash -f 3 -d 5\n" + RUN).command == "time fdtree.bash -f 3 -d 5"


def test_quoted_lines_are_read() -> None:
    assert values("".join(f"# {line}\n" for line in RUN.split("\n"))) == values(RUN)


def test_the_first_times_alone_are_read() -> None:
    assert values(RUN[RUN.index("DIRECTORY CREATE") :])["directory_create", "elapsed"] == (29.0,)


def test_foreign_lines_are_unread() -> None:
    assert parse("hello\n" + RUN + "mkdir: no space\n").unread == (
        (1, "hello"),
        (RUN.count("\n") + 2, "mkdir: no space"),
    )


def test_a_text_without_fdtree_is_refused() -> None:
    with pytest.raises(FormatError, match="no line of fdtree"):
        fdtree.parse("nothing\n", "2")
