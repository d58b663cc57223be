"""The format of Geriatrix's profiles: valid texts, faults and their messages."""

import ctypes
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.engine.conftest import Build, Fsload
from tests.engine.geriatrix import FILES, PROFILES, PUBLIC, shares
from tests.engine.mounts import in_memory

pytestmark = [pytest.mark.needs("cc", package="gcc"), pytest.mark.needs("make", package="make")]

KINDS = ["size", "age", "depth"]
OPTIONS = {"size": "size_distribution", "age": "age_distribution", "depth": "directory_distribution"}


class Observation(ctypes.Structure):
    _fields_ = [("value", ctypes.c_uint64), ("weight", ctypes.c_uint64), ("directories", ctypes.c_uint64)]


class Distribution(ctypes.Structure):
    _fields_ = [
        ("kind", ctypes.c_int),
        ("at", Observation * 256),
        ("count", ctypes.c_size_t),
        ("weight", ctypes.c_uint64),
    ]


@pytest.fixture(scope="session")
def library(build: Build) -> ctypes.CDLL:
    found = ctypes.CDLL(str(build("libfsload.so")))
    found.distribution_parse.restype = ctypes.c_bool
    found.distribution_parse.argtypes = [ctypes.c_void_p, ctypes.c_int, ctypes.c_char_p, ctypes.c_char_p]
    return found


def parse(library: ctypes.CDLL, kind: str, text: str) -> list[tuple[int, int, int]] | None:
    """The observations; None if the text is refused."""
    distribution = Distribution()
    if not library.distribution_parse(ctypes.byref(distribution), KINDS.index(kind), b"x", text.encode()):
        return None
    rows = [
        (observation.value, observation.weight, observation.directories)
        for observation in distribution.at[: distribution.count]
    ]
    assert distribution.weight == sum(weight for _, weight, _ in rows)
    return rows


@pytest.mark.parametrize("profile", ["desktop", "developer", "mail"])
def test_the_profiles_of_the_program_are_the_files_beside_it(fsload: Fsload, profile: str) -> None:
    small = {"capacity": "8M", "overwrites": 1, "report_distributions": True, "fallocate": True}
    with in_memory() as directory:
        inside, beside = (fsload("age", directory=directory, profile=p, **small) for p in (profile, PROFILES / profile))
    for kind, name in FILES.items():
        ideal = {line["value"]: line["ideal"] for line in inside.lines if line.get("of") == kind}
        assert ideal == pytest.approx(shares(PROFILES / profile / name), abs=1e-6)
    assert [line["digest"] for line in inside.lines if line["type"] == "aging"] == [
        line["digest"] for line in beside.lines if line["type"] == "aging"
    ]


@pytest.mark.needs("../shared/corpus/public/geriatrix/*")
def test_published_profiles_are_read_as_they_are(library: ctypes.CDLL) -> None:
    files = sorted(PUBLIC.glob("*_distribution.txt"))
    assert len(files) >= 6
    for path in files:
        kind = "depth" if "dir_" in path.name else "age" if "age_" in path.name else "size"
        rows = parse(library, kind, path.read_text())
        assert rows
        whole = sum(weight for _, weight, _ in rows)
        assert {value: weight / whole for value, weight, _ in rows} == shares(path)


@given(st.dictionaries(st.integers(1, 64), st.tuples(st.integers(1, 1 << 40), st.integers(0, 1000)), min_size=1))
def test_what_is_written_is_read(library: ctypes.CDLL, rows: dict[int, tuple[int, int]]) -> None:
    lines = [f"{value}\t{weight}  {directories}\r" for value, (weight, directories) in sorted(rows.items())]
    text = "\n\n".join([f" {len(rows)} ", *lines]) + "\nFormat:\n<depth> <weight> <subdirs>"
    assert parse(library, "depth", text) == [(value, *rest) for value, rest in sorted(rows.items())]


@given(st.text("0123456789 \n\tF-.", max_size=60), st.sampled_from(KINDS))
def test_no_text_is_read_as_something_impossible(library: ctypes.CDLL, text: str, kind: str) -> None:
    rows = parse(library, kind, text)
    if rows is not None:
        values = [value for value, _, _ in rows]
        assert values == sorted(set(values))
        assert sum(weight for _, weight, _ in rows) > 0


@pytest.mark.parametrize(
    ("kind", "text", "words"),
    [
        ("size", "", ":1: expected the number of observations, from 1 to 256"),
        ("size", "0\n", ":1: expected the number of observations"),
        ("size", "257\n", ":1: expected the number of observations"),
        ("size", "1 2\n", ":1: expected the number of observations"),
        ("size", "2\n1 1\nFormat:\n", ":3: 1 observations where the first line says 2"),
        ("size", "1\n1 1\n2 2\n", ":3: more than the 1 observations that the first line says"),
        ("size", "1\n1 1 1\n", ":2: expected 2 numbers: size, weight"),
        ("depth", "1\n1 1\n", ":2: expected 3 numbers: depth, weight, directories"),
        ("size", "1\n1 -1\n", ":2: weight: not a whole number"),
        ("size", "1\n1.5 1\n", ":2: size: not a whole number"),
        ("size", "1\n99999999999999999999999 1\n", ":2: size: not a whole number"),
        ("size", "2\n5 1\n5 1\n", ":3: size 5 does not come after the one before"),
        ("size", "1\n0 1\n", ": all files are empty"),
        ("age", "1\n0 1\n", ":2: no file is of age 0"),
        ("age", "1\n5 0\n", ": all weights are 0"),
        ("depth", "1\n65 1 1\n", ":2: depth: not a whole number from 0 to 64"),
        ("depth", "2\n1 1 600000\n2 1 600000\n", ": more than 1000000 directories"),
        ("size", "1\n\0 1\n", "not a text"),
        ("size", "1\n1 1\n" + "x" * (1 << 20), "larger than 1 MiB"),
    ],
)
def test_a_distribution_that_is_none_is_refused(
    fsload: Fsload, tmp_path: Path, kind: str, text: str, words: str
) -> None:
    file = tmp_path / "distribution"
    file.write_text(text)
    done = fsload("age", **{OPTIONS[kind]: file})
    assert (done.status, done.stdout) == (2, "")
    assert words in done.stderr
    assert list(tmp_path.iterdir()) == [file]


def test_all_faults_are_listed_at_once(fsload: Fsload, tmp_path: Path) -> None:
    (tmp_path / "size.txt").write_text("3\n1 x\n2 2 2\n1 1\n")
    (tmp_path / "age.txt").write_text("none\n")
    done = fsload("age", profile=tmp_path)
    assert done.status == 2
    assert [line.split(": ", 1)[1].removeprefix(f"{tmp_path}/") for line in done.stderr.splitlines()[:-1]] == [
        "size.txt:2: weight: not a whole number from 0 to 281474976710656: x",
        "size.txt:3: expected 2 numbers: size, weight",
        "age.txt:1: expected the number of observations, from 1 to 256",
        "directory.txt: No such file or directory",
    ]
