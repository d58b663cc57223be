"""Plans' parameters as the command lines of the tools."""

import pytest

from benchagent.toml.tables import Parameters
from benchagent.tools import TOOLS, CommandContext

USER = CommandContext(seed=7, root=False)
ROOT = CommandContext(seed=7, root=True)
KIB, MIB = 1024, 1024**2


@pytest.mark.parametrize(
    ("parameters", "line"),
    [
        ({"auto": True, "max_file_size": 64 * MIB}, "iozone -a -g 65536k"),
        (
            {"auto": True, "min_file_size": MIB, "min_record_size": 4 * KIB, "max_record_size": MIB},
            "iozone -a -n 1024k -y 4k -q 1024k",
        ),
        (
            {
                "file_sizes": [MIB, 2 * MIB],
                "record_sizes": [4 * KIB],
                "tests": ["random_write", "write", "random_read"],
            },
            "iozone -s 1024k -s 2048k -r 4k -i 0 -i 2",
        ),
        (
            {"file_sizes": [MIB], "fsync": True, "close": True, "direct": True, "threads": 4},
            "iozone -e -c -I -s 1024k -t 4",
        ),
        ({"auto": True, "fsync": False, "tests": ["write", "freread"]}, "iozone -a -i 0 -i 7"),
    ],
)
def test_iozone(parameters: Parameters, line: str) -> None:
    assert " ".join(TOOLS["iozone"].command(parameters, USER)) == line


@pytest.mark.parametrize(
    ("parameters", "context", "line"),
    [
        ({"file_size": 64 * MIB, "memory": 32 * MIB}, USER, "-r 32 -s 64M -n 0"),
        ({"files": 4096}, ROOT, "-u root -s 0 -n 4:0:0"),
        (
            {
                "files": 16384,
                "max_size": 2048,
                "min_size": 1024,
                "directories": 8,
                "file_size": MIB,
                "chunk_size": 4096,
            },
            USER,
            "-s 1M:4096 -n 16:2048:1024:8",
        ),
        ({"file_size": MIB, "char_tests": False, "fsync": True}, USER, "-s 1M -n 0 -f -b"),
    ],
)
def test_bonnie_never_prints_the_host_name(parameters: Parameters, context: CommandContext, line: str) -> None:
    assert " ".join(TOOLS["bonnie++"].command(parameters, context)) == f"bonnie++ -q -d . -m benchagent {line}"


@pytest.mark.parametrize(
    ("parameters", "line"),
    [
        ({"file_sizes": [MIB], "record_sizes": [4096]}, "--file-sizes 1048576 --record-sizes 4096"),
        (
            {"file_sizes": [1, 2], "record_sizes": [3], "tests": ["write", "read"], "threads": 2, "direct": True},
            "--file-sizes 1,2 --record-sizes 3 --tests write,read --threads 2 --direct",
        ),
        ({"file_sizes": [1], "record_sizes": [1], "fsync": True}, "--file-sizes 1 --record-sizes 1 --fsync"),
    ],
)
def test_fsload_repeats_nothing_by_itself(parameters: Parameters, line: str) -> None:
    command = " ".join(TOOLS["fsload"].command(parameters, USER))
    assert command == f"fsload sweep --directory . --repetitions 1 --seed 7 {line}"


@pytest.mark.parametrize(
    ("parameters", "line"),
    [
        ({"command": "tree", "levels": 0, "file_size": 0, "fsync": False}, "tree {} --levels 0 --file-size 0"),
        (
            {"command": "bulk", "total_size": MIB, "flush_multiple": 0.5, "no_latencies": True},
            "bulk {} --total-size 1048576 --flush-multiple 0.5 --no-latencies",
        ),
        (
            {"file_sizes": [1], "record_sizes": [1], "sync": "dsync"},
            "sweep {} --file-sizes 1 --record-sizes 1 --sync dsync",
        ),
        ({"command": "mix", "profile": "p/large.ffsb", "profile_sha256": "5a"}, "mix p/large.ffsb {}"),
        (
            {"command": "metadata", "tar": "linux.tar", "tests": ["source_stat"]},
            "metadata {} --tests source_stat --tar linux.tar",
        ),
    ],
)
def test_fsload_has_commands(parameters: Parameters, line: str) -> None:
    command = " ".join(TOOLS["fsload"].command(parameters, USER))
    assert command == f"fsload {line.format('--directory . --repetitions 1 --seed 7')}"


def test_files_are_opened_where_they_lie_and_recorded_by_their_names() -> None:
    placed = CommandContext(seed=7, root=False, files={"large.ffsb": "/plans/5a-large.ffsb"})
    parameters: Parameters = {"command": "mix", "profile": "large.ffsb"}
    assert TOOLS["fsload"].command(parameters, placed)[2] == "/plans/5a-large.ffsb"
    assert TOOLS["fsload"].command(parameters, USER)[2] == "large.ffsb"


def test_a_missing_tool_is_named_with_what_brings_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BENCHAGENT_FSLOAD", "/nonexistent/fsload")
    assert TOOLS["fsload"].find() is None
    assert TOOLS["fsload"].missing == "BENCHAGENT_FSLOAD names /nonexistent/fsload, which is not a program"
    assert "iozone3" in TOOLS["iozone"].missing


@pytest.mark.parametrize(
    ("parameters", "lines"),
    [
        (
            {"file_sizes": [MIB], "record_sizes": [4 * KIB, 2 * MIB], "tests": ["write", "reread"], "fsync": True},
            ["iozone -e -s 1024k -r 4k -i 0 -w", "iozone -e -s 1024k -r 4k -i 1"],  # no record is larger than the file
        ),
        (
            {"file_sizes": [MIB, 2 * MIB], "tests": ["write"]},
            ["iozone -s 1024k -i 0", "iozone -s 2048k -i 0"],
        ),
        (
            {"file_sizes": [MIB], "threads": 2, "tests": ["write", "record_rewrite", "read"]},
            ["iozone -s 1024k -i 0 -t 2 -w", "iozone -s 1024k -i 1 -t 2"],  # throughput mode has no record rewrite
        ),
    ],
)
def test_iozone_with_a_cold_cache_runs_once_for_each_pair_of_sizes_and_group(
    parameters: Parameters, lines: list[str]
) -> None:
    assert [" ".join(each) for each in TOOLS["iozone"].commands(parameters, ROOT, cold=True)] == lines


def test_only_a_sweep_empties_the_caches_itself() -> None:
    sweep: Parameters = {"file_sizes": [MIB], "record_sizes": [4 * KIB]}
    assert [words[-1] for words in TOOLS["fsload"].commands(sweep, ROOT, cold=True)] == ["--cold"]
    assert TOOLS["fsload"].commands(sweep, ROOT, cold=False) == [TOOLS["fsload"].command(sweep, ROOT)]
    tree: Parameters = {"command": "tree"}
    assert TOOLS["fsload"].commands(tree, ROOT, cold=True) == [TOOLS["fsload"].command(tree, ROOT)]
    assert len(TOOLS["bonnie++"].commands({"files": 1024}, ROOT, cold=True)) == 1
