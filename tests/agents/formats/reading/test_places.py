"""The same output of two places is two results, for each tool, and a place has its shortest name."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchagent.formats import all_formats, parse
from benchagent.formats.reading.places import directory, joined, name_places, shortest
from benchagent.formats.reading.runs import RunValue, ToolRun
from tests.agents.formats.bonnie_original.test_reader import HEADER, ROW
from tests.agents.formats.texts import golden

MDTEST = """mdtest-4.1.0+dev was launched with 128 total task(s) on 2 node(s)
Command line used: ./mdtest '-i' '1' '-F' '-d' '/t'
128 tasks, 16384 files

SUMMARY rate (in ops/sec): (of 1 iterations)
   Operation                     Max            Min           Mean        Std Dev
   File creation                7147.432       7147.432       7147.432        0.000
-- finished at 04/03/2025 14:40:05 --
"""
HEADING = r"\A", "### {place}\n"
# For each tool one of the project's texts, what in it names the place, and that with another place.
NAMED = {
    "iozone": ("iozone-auto2.txt", (r"(Command line used: .*iozone)", r"\1 -f {place}/f")),
    "bonnie++": ("bonnie-table_and_csv.txt", (r"\A", "$ bonnie++ -d {place} -u root\n")),
    "bonnie": (f"{HEADER}{ROW}", HEADING),
    "fio": ("fio-randread.json", (r'"filename" : "', '"filename" : "{place}/')),
    "ffsb": ("ffsb-create_16t.txt", HEADING),
    "filebench": ("filebench-seed_micro.txt", HEADING),
    "fdtree": ("fdtree-l2d4f20s4.txt", (r"starting at \S+/LEVEL0", "starting at {place}/LEVEL0")),
    "geriatrix": ("geriatrix-summary.txt", (r"\A", "$ geriatrix -n 1 -u 0.8 -m {place} -r 42\n")),
    "compilebench": ("compilebench-makej.txt", (r"working directory [^,]+,", "working directory {place},")),
    "dbench": ("dbench-per_client.txt", (r"(?m)^dbench version", "dbench -D {place} 4\n\\g<0>")),
    "elbencho": ("elbencho-files.csv", (r"/mnt/data", "{place}")),
    "fs_mark": ("fs_mark-runs.txt", (r"-d  \S+", "-d  {place}")),
    "ioping": ("ioping-session.txt", (r"--- \S+ \(", "--- {place} (")),
    "ior": ("ior-json_repetitions.json", (r"/mnt/data", "{place}")),
    "mdtest": (MDTEST, (r"/t\b", "{place}")),
    "postmark": ("postmark-three_workloads.txt", HEADING),
    "smallfile": ("smallfile-session.txt", (r"/tmp/sf", "{place}")),
    "sysbench": ("sysbench-fileio.txt", HEADING),
    "vdbench": ("vdbench-storage.html", HEADING),
    "hdparm": ("hdparm-timings.txt", (r"(?m)^/dev/\w+:", "{place}:")),
    "dd": ("$ dd if=/dev/zero of=f bs=1M count=50\n52428800 bytes (52 MB) copied, 0.42 s, 125 MB/s\n",
           (r"of=f", "of={place}/f")),
    "time": ("$ time tar xf a.tar -C d\n\nreal\t0m1.5s\nuser\t0m0.5s\nsys\t0m0.1s\n", (r"-C d", "-C {place}")),
}  # fmt: skip
ONE_DOCUMENT = {"fsload", "fsperf", "bmf", "github_benchmark", "lkp", "phoronix", "hdrhistogram"}  # in a text
ONE_RUN = {"io500"}  # the same numbers again are the same run: its files repeat them


def at(text: str, place: str, naming: tuple[str, str]) -> str:
    """The text as if its tool had run in another place."""
    pattern, replacement = naming
    changed, count = re.subn(pattern, replacement.replace("{place}", place), text)
    assert count
    return changed


def test_every_reader_is_tried() -> None:
    assert {form.TOOL for form in all_formats().text} == NAMED.keys() | ONE_DOCUMENT | ONE_RUN


@pytest.mark.parametrize("places", [("/mnt/ext4", "/mnt/xfs"), ("/dev/sda", "/dev/nvme0n1")], ids=" ".join)
@pytest.mark.parametrize("tool", NAMED)
def test_outputs_of_two_places_are_no_repetitions(tool: str, places: tuple[str, str]) -> None:
    name, naming = NAMED[tool]
    text = name if "\n" in name else golden(name)
    alone = parse(at(text, places[0], naming), tool)
    both = parse("".join(at(text, place, naming).rstrip("\n") + "\n" for place in places), tool)
    assert len(both.results) == 2 * len(alone.results)
    assert sorted(len(result.values) for result in both.results) == sorted(
        len(result.values) for result in alone.results for _ in places
    )


@pytest.mark.parametrize("words", ["description", "directory"])
def test_jobs_of_fio_that_differ_in_one_word_of_their_place(words: str) -> None:
    text = golden("fio-randread.json")
    texts = [text.replace('"filename"', f'"{words}" : "/mnt/{name}", "filename"') for name in ("ext4", "xfs")]
    assert len(parse("\n".join(texts)).results) == 2 * len(parse(texts[0]).results)


def places_of(*paths: str, **facts: object) -> list[object]:
    runs = [ToolRun(1, {}, [RunValue("read", "rate", 1.0, 1)], place=path) for path in paths]
    name_places(runs)
    return [run.facts.get("place") for run in runs]


def test_the_shortest_part_that_differs() -> None:
    assert places_of("/mnt/ext4/bench/f", "/mnt/xfs/bench/f") == ["ext4", "xfs"]
    assert places_of("/dev/sda", "/dev/nvme0n1") == ["sda", "nvme0n1"]
    assert places_of("~/50M", "~/fusemnt/50M") == ["~", "~/fusemnt"]
    assert places_of("/", "/mnt/") == ["/", "mnt"]
    assert places_of("f", "/mnt/xfs/f") == [".", "/mnt/xfs"]


def test_one_place_is_not_named() -> None:
    assert places_of("/mnt/ext4/f", "/mnt/ext4/f") == [None, None]
    assert places_of("/mnt/ext4/", "") == [None, None]


def test_files_of_one_directory_are_places_unless_they_are_counted() -> None:
    assert places_of("/mnt/ext4.img", "/mnt/xfs.img") == ["ext4.img", "xfs.img"]
    assert places_of("/mnt/f1", "/mnt/f2", "/mnt/f3") == [None, None, None]
    assert places_of("/mnt/disk1/", "/mnt/disk2/", "/mnt/disk3/") == ["disk1", "disk2", "disk3"]


def test_files_are_no_places_if_something_else_tells_their_runs_apart() -> None:
    runs = [
        ToolRun(1, {"job": name}, [RunValue("read", "rate", 1.0, 1)], place=f"/mnt/{name}") for name in ("seq", "rand")
    ]
    name_places(runs)
    assert all("place" not in run.facts for run in runs)


@given(
    st.lists(st.text("ab/", min_size=1, max_size=12), min_size=2, max_size=6, unique_by=lambda path: path.rstrip("/"))
)
def test_different_paths_have_different_names(paths: list[str]) -> None:
    names = shortest(paths)
    assert names.keys() == set(paths)
    assert len(set(names.values())) == len(paths)
    assert all(names.values())


def test_long_names_are_cut_and_differ() -> None:
    names = shortest([f"/mnt/{'x' * 300}{end}" for end in "ab"])
    assert len(set(names.values())) == 2
    assert max(map(len, names.values())) == 80


def test_several_paths_are_one_place() -> None:
    assert joined([directory("/a"), "", directory("/b/"), "/a/"]) == "/a/:/b/"
