"""The switches of command lines: those that getopt would find, for the tests to which they apply."""

import random
import shlex

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchagent.formats.iozone.units import options
from benchagent.formats.reading.command_options import command_options
from benchagent.formats.vocabulary import IOZONE_STDIO_TESTS, IOZONE_TESTS
from benchagent.tools import TOOLS, Switches, switches_of

PLAIN = [test for test in IOZONE_TESTS if test not in IOZONE_STDIO_TESTS]


def iozone(command: str, test: str, **parameters: object) -> Switches:
    return switches_of("iozone", shlex.split(command), parameters, test)


def bonnie(command: str, test: str) -> Switches:
    return switches_of("bonnie++", shlex.split(command), {}, test)


@pytest.mark.parametrize("command", ["iozone -I -a", "iozone -aI", "./iozone -t 4 -s 256M -r 4k -w -c -O -I -i 0 -i 1"])
def test_iozone_opens_only_the_files_of_system_calls_directly(command: str) -> None:
    """Opens seen by strace with iozone 3.489: fopen has no O_DIRECT. In the corpus such a run reads with 627 MiB/s
    and freads with 6,461."""
    assert all(iozone(command, test).direct for test in PLAIN)
    assert not any(iozone(command, test).direct for test in IOZONE_STDIO_TESTS)


@pytest.mark.parametrize("flags", ["-I -B", "-BI", "-ID"])
def test_mapped_memory_is_the_page_cache(flags: str) -> None:
    assert not any(iozone(f"iozone {flags} -a", test).direct for test in IOZONE_TESTS)


@pytest.mark.parametrize(
    ("flags", "test", "synchronous"),
    [
        ("-o", "write", True),
        ("-o", "fwrite", False),
        ("-+D", "random_write", True),
        ("-+r", "write", True),
        ("-o -B", "write", False),
        ("-B -G", "write", True),
        ("-G", "write", False),
        ("-e", "write", False),
    ],
)
def test_iozones_synchronous_writes(flags: str, test: str, synchronous: bool) -> None:
    assert iozone(f"iozone -a {flags}", test).synchronous is synchronous


def test_iozone_flushes_every_test_with_e() -> None:
    assert all(iozone("iozone -ae", test).flushed for test in IOZONE_TESTS)


@pytest.mark.parametrize(
    "command",
    [
        "iozone -Raboutput -s 1g",  # -R -a -b output
        "iozone -Rb -I -s 1g",  # the worksheet is named -I
        "iozone -a -f /mnt/IO/-I",
        "iozone -a -b Ioe.xls",
        "iozone -+m -I -t 2",
        "iozone -+uI",
        "iozone -a -- -I",
    ],
)
def test_names_of_files_are_no_switches(command: str) -> None:
    assert iozone(command, "write") == Switches()


def test_without_a_command_line_the_parameters_count() -> None:
    assert iozone("", "read", direct=True).direct
    assert not iozone("", "fread", direct=True).direct
    assert not iozone("", "read", direct=True, mmap=True).direct
    assert iozone("", "write", sync=True).synchronous


def test_bonnie_creates_its_file_directly_and_reads_it_buffered() -> None:
    """Opens seen by strace with bonnie++ 2.00a."""
    command = "bonnie++ -d . -s 8192 -m x -f -D"
    tests = ("char_write", "char_read", "block_write", "block_rewrite", "block_read", "random_seek")
    assert [test for test in tests if bonnie(command, test).direct] == ["block_write"]
    assert [test for test in tests if bonnie(command, test).flushed] == ["char_write", "block_write", "block_rewrite"]


@pytest.mark.parametrize("command", ["bonnie++ -m D -f", "bonnie++ -mD -f", "bonnie++ -fD", "bonnie++ -d D"])
def test_bonnies_arguments_are_no_switches(command: str) -> None:
    """The argument of -f is optional and must be in the same word: -fD is a size, which bonnie++ reads as 0."""
    assert not bonnie(command, "block_write").direct


def test_fsloads_buffers_are_fit_for_direct_access() -> None:
    assert switches_of("fsload", ["fsload", "sweep"], {"direct": True}, "fread").direct
    assert switches_of("fsload", ["fsload", "sweep"], {"sync": "dsync"}, "write").synchronous
    assert switches_of("fsload", ["fsload", "sweep"], {"sync": "none"}, "write") == Switches()


def test_other_output_has_the_switches_of_its_parameters() -> None:
    for tool in ("fio", "ffsb"):
        assert switches_of(tool, [], {"direct": True}, "read").direct
        assert not switches_of(tool, [], {"direct": True, "ioengine": "mmap"}, "read").direct


@pytest.mark.parametrize(
    ("jobs", "expected"),
    [
        ("[global]\ndirect=1\nioengine=libaio\n[a]\n[b]\n", Switches(direct=True)),
        ("[a]\ndirect\n[b]\ndirect=1\n", Switches()),  # written differently is not the same, so it is not claimed
        ("[a]\ndirect=1\n[b]\n", Switches()),
        ("[global]\ndirect=1\n[a]\nioengine=mmap\n", Switches()),
        ("[a]\nsync=1\nend_fsync=1\n", Switches(synchronous=True, flushed=True)),
        ("[a]\nsync=none\nfsync=0\ndirect=0\n", Switches()),
    ],
)
def test_the_switches_of_a_job_file_are_those_that_all_jobs_have(jobs: str, expected: Switches) -> None:
    assert switches_of("fio", ["fio"], TOOLS["fio"].of_text(jobs), "write") == expected


def test_fio_maps_files_around_o_direct_by_either_name() -> None:
    assert switches_of("fio", [], {"direct": True, "engine": "psync", "fsync": 8}, "read") == Switches(
        True, flushed=True
    )
    assert not switches_of("fio", [], {"direct": True, "engine": "mmap"}, "read").direct


FLAGS = st.lists(st.sampled_from("aeIoBcRMwxz"), unique=True)
NAMES = st.text(st.sampled_from("IeoBDG-+.x"), min_size=1, max_size=6)
ARGUMENTS = st.lists(st.tuples(st.sampled_from("bfsrig"), NAMES), max_size=4)


@given(FLAGS, ARGUMENTS, st.randoms(use_true_random=False))
def test_order_and_bundling_make_no_difference(
    flags: list[str], arguments: list[tuple[str, str]], chance: random.Random
) -> None:
    """Any flags, bundled or not, also in front of an option with an argument, in its word or in the next."""
    pieces = [[letter] for letter in flags] + [[letter, name] for letter, name in arguments]
    chance.shuffle(pieces)
    words: list[str] = []
    bundle = ""
    for letter, *name in pieces:
        bundle += letter
        if name and chance.random() < 0.5:
            words, bundle = [*words, f"-{bundle}", *name], ""
        elif name:
            words, bundle = [*words, f"-{bundle}{name[0]}"], ""
        elif chance.random() < 0.5:
            words, bundle = [*words, f"-{bundle}"], ""
    words += [f"-{bundle}"] if bundle else []
    found = options(" ".join(["iozone", *words]))
    assert found.keys() == set(flags) | {letter for letter, _ in arguments}
    for letter, names in found.items():
        assert set(names) == ({name for option, name in arguments if option == letter} or {""})


@given(st.lists(st.text(max_size=8), max_size=6))
def test_any_words_can_be_read(words: list[str]) -> None:
    assert all(found for found in command_options(words, "abc", "f").values())
