"""Which tests belong to which tier, in what order they run, and in which process."""

import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from tests.plugins.tiers import FILE, names, slow_tests

PLUGIN = Path(__file__).with_name("tiers.py")
READ = tomllib.loads(FILE.read_text())


TESTS = {
    "test_a.py": "def test_one(): pass\ndef test_two(): pass\n",
    "shared/test_b.py": "import os\ndef test_b(): print('process', os.environ['PYTEST_XDIST_WORKER'])\n",
    "shared/test_c.py": "import os\ndef test_c(): print('process', os.environ['PYTEST_XDIST_WORKER'])\n",
}


@pytest.fixture
def suite(tmp_path: Path) -> Path:
    """The folder of a suite of three files, with a copy of the plugin beside it."""
    for name, text in TESTS.items():
        (tmp_path / "tests" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "tests" / name).write_text(text)
    (tmp_path / "plugins").mkdir()
    (tmp_path / "plugins" / "tiers.py").write_text(PLUGIN.read_text())
    lists(tmp_path, "tests/test_a.py::test_two")
    return tmp_path


def lists(suite: Path, test: str) -> None:
    """Make this the only slow test of a suite."""
    (suite / "tiers.toml").write_text(
        f'sharing_a_server = ["tests/shared"]\n[[slow]]\ntests = ["{test}"]\nseconds = 9\nreason = "long"\n'
        '[longest_files]\n"tests/shared" = 20\n"tests/test_a.py" = 11\n'
    )


def run(suite: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run pytest with the plugin and without those that are installed."""
    plugins = ["-p", "xdist.plugin", "-p", "plugins.tiers", "-p", "no:cacheprovider"]
    command = [sys.executable, "-m", "pytest", *plugins, "-v", "--rootdir", suite, *arguments, "tests"]
    alone = {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "PYTHONPATH": str(suite)}
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST")} | alone
    return subprocess.run(command, cwd=suite, env=environment, capture_output=True, text=True, check=False)


@pytest.mark.parametrize(
    ("options", "tests"),
    [
        (["--tier", "fast"], ["test_b", "test_c", "test_one"]),
        (["--tier", "slow"], ["test_two"]),
        ([], ["test_b", "test_c", "test_one", "test_two"]),
    ],
    ids=["fast", "slow", "all"],
)
def test_each_tier_has_its_tests_and_those_that_take_longest_are_first(
    suite: Path, options: list[str], tests: list[str]
) -> None:
    shown = run(suite, "--collect-only", "-v", *options).stdout

    assert re.findall(r"<Function (\w+)>", shown) == tests


def test_a_name_that_no_test_has_is_an_error(suite: Path) -> None:
    lists(suite, "tests/test_a.py::test_renamed")

    done = run(suite, "--tier", "fast")

    assert done.returncode == pytest.ExitCode.USAGE_ERROR
    assert "tests that do not exist: tests/test_a.py::test_renamed" in done.stderr


def test_files_that_share_a_server_run_in_one_process(suite: Path) -> None:
    done = run(suite, "-n", "2", "--dist", "loadfile", "--no-loadscope-reorder", "-rP")

    processes = re.findall(r"(?m)^process (\w+)$", done.stdout)
    assert len(processes) == 2, done.stdout
    assert len(set(processes)) == 1


@pytest.mark.parametrize(
    ("nodeid", "among"),
    [
        ("tests/a/test_b.py::test_c[x::y]", "tests/a/test_b.py::test_c[x::y]"),
        ("tests/a/test_b.py::test_c[x::y]", "tests/a/test_b.py::test_c"),
        ("tests/a/test_b.py::TestC::test_d", "tests/a/test_b.py::TestC"),
        ("tests/a/test_b.py::test_c", "tests/a/test_b.py"),
        ("tests/a/test_b.py::test_c", "tests/a"),
    ],
)
def test_what_names_a_test(nodeid: str, among: str) -> None:
    assert among in list(names(nodeid))


def test_every_slow_test_has_a_time_and_a_reason() -> None:
    entries = [(entry["tests"], [f"[{case}]" for case in entry.get("cases", [])] or [""]) for entry in READ["slow"]]
    listed = [test + case for tests, cases in entries for test in tests for case in cases]

    assert sorted(slow_tests(READ)) == sorted(listed)
    with pytest.raises(KeyError):
        slow_tests({"slow": [{"tests": ["tests/test_a.py"], "seconds": 9}]})


def test_listed_files_exist() -> None:
    root = FILE.parent.parent
    files = {test.partition("::")[0] for test in [*slow_tests(READ), *READ["longest_files"], *READ["sharing_a_server"]]}
    assert [file for file in files if not (root / file).exists()] == []
