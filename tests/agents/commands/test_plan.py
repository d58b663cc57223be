"""`benchagent plan check`: a plan's points, costs and skipped points on this machine, before any measurement."""

import json
from pathlib import Path
from typing import Any

import pytest

from benchagent.cli import main
from benchagent.spool.store import Spool
from benchagent.system.owned_directory import owned
from tests.texts import missing_in

root = pytest.mark.needs("root", package=None)
loop_devices = pytest.mark.needs("loop devices", package=None)

HEAD = 'name = "p"\nrounds = 3\n'
DIRECTORY = '[[targets]]\nkind = "directory"\n'
IMAGES = '[[targets]]\nkind = "image"\nsize = "64 MiB"\nfile_system = ["ext4", "reiser4"]\n'
SWEEP = '[[workloads]]\ntool = "fsload"\nfile_sizes = "1 MiB"\nrecord_sizes = ["4 KiB", "1 MiB"]\ntests = ["write"]\n'
NOTHING = 10  # exit code if every point is skipped
PROFILES = Path(__file__).parents[3] / "agents/plans/profiles"
OLDER = "01900000-0000-7000-8000-000000000001"


@pytest.fixture(autouse=True)
def state(in_memory: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("BENCHAGENT_STATE", str(in_memory / "state"))
    monkeypatch.delenv("BENCHAGENT_SPOOL", raising=False)
    monkeypatch.setenv("BENCHAGENT_FSLOAD", "true")  # only its presence counts; otherwise fsload would be built
    return in_memory / "state"


@pytest.fixture
def check(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Any:
    """Check a plan, given as text or as the name of a shipped one, and return the output."""

    def run(plan: str, *options: str, code: int = 0) -> str:
        if "\n" in plan:
            (tmp_path / "plan.toml").write_text(plan)
            plan = str(tmp_path / "plan.toml")
        capsys.readouterr()
        assert main(["plan", "check", plan, *options]) == code
        return capsys.readouterr().out

    return run


def test_a_person_reads_what_is_made_run_and_skipped(check: Any, tmp_path: Path) -> None:
    text = check(HEAD + DIRECTORY + SWEEP, "--directory", str(tmp_path))
    assert text.splitlines()[0] == "p: 1 point, 3 rounds"
    assert not missing_in(
        text,
        "  fsload sweep --directory . --repetitions 1 --seed 0 --file-sizes 1048576",
        "about 6.0 MiB written into files",
        "at most 3 h 0 m",
        "never measured here",
    )
    assert "Skipped" not in text


def test_a_directory_that_does_not_exist_is_no_success(check: Any) -> None:
    text = check(HEAD + DIRECTORY + SWEEP, "--directory", "/no/such/directory", code=NOTHING)
    assert "all of directory: /no/such/directory is not a directory" in text


def test_a_directory_that_nobody_names_is_skipped(check: Any) -> None:
    text = check(HEAD + DIRECTORY + SWEEP, code=NOTHING)
    assert not missing_in(
        text,
        "all of directory: the plan leaves the directory open; name it with --directory",
        "nothing, because every point is skipped",
    )


@root
@loop_devices
def test_options_are_tried_on_a_small_image_and_nothing_stays(check: Any, state: Path) -> None:
    vary = '[targets.vary]\nmount_options = {default = [], odd = ["nosuchoption"], barrier = ["barrier=none"]}\n'
    report = json.loads(check(HEAD + IMAGES + vary + SWEEP, "--json"))
    skipped = {point["id"]: point["skipped"] for point in report["points"]}
    assert skipped["ext4/fsload"] is None
    assert skipped["ext4-odd/mkfs"] == "this kernel refuses the mount option nosuchoption for ext4"
    assert skipped["reiser4/fsload"] == "reiser4 was never part of Linux, only of patched kernels"
    [translated] = [target for target in report["targets"] if target["name"] == "ext4-barrier"]
    assert translated["notes"] == ["barrier=none is written barrier=0 on ext4"]
    assert ["mount", "-t", "ext4", "-o", "barrier=0", "DEVICE", "DIRECTORY"] in translated["commands"]
    assert not list((state / "work").glob("*.img"))
    assert str(state) not in Path("/proc/mounts").read_text()


def test_json_has_everything_in_base_units(check: Any, tmp_path: Path) -> None:
    report = json.loads(check(HEAD + DIRECTORY + SWEEP, "--directory", str(tmp_path), "--json"))
    assert report["schema"] == "benchagent.plan/1"
    assert report["totals"] == {
        "points": 1,
        "skipped": 0,
        "rounds": 3,
        "bytes_written": 6 * 2**20,
        "points_of_unknown_bytes": 0,
        "seconds": 3 * 3600.0,
        "rests_on": {"its timeout": 1},
    }
    assert (report["plan"]["order"], report["devices"]) == ("rotated", [])


def test_what_was_measured_before_tells_the_time(check: Any, tmp_path: Path, state: Path) -> None:
    [workload] = json.loads(check(HEAD + DIRECTORY + SWEEP, "--json", code=NOTHING))["workloads"]
    Spool(state / "spool").add(
        OLDER,
        {
            "campaign": {"point": "directory/fsload"},
            "workload": {"tool": "fsload", "parameters": workload["parameters"]},
            "results": {"test": ["run"], "metric": ["elapsed"], "offsets": [0, 2], "values": [10.0, 14.0]},
        },
    )
    text = check(HEAD + DIRECTORY + SWEEP, "--directory", str(tmp_path))
    assert not missing_in(text, "about 36 s", "1 point: as long as in this machine's earlier runs, from the spool")
    warm = check('cache = "warm"\n' + HEAD + DIRECTORY + SWEEP, "--directory", str(tmp_path))
    assert not missing_in(warm, "4 rounds", "about 48 s")
    budget = check(
        'time_budget = "60 s"\n' + HEAD.replace("rounds = 3", "") + DIRECTORY + SWEEP, "--directory", str(tmp_path)
    )
    assert not missing_in(budget, "until 1 m 0 s are used up, at least 2", "about 1 m 0 s")


@pytest.mark.parametrize(
    ("command", "file", "text"),
    [
        ('"mix"\nprofile', "a.ffsb", "num_filesystems=1\ntime=30\n"),
        ('"wml"\nfile', "a.f", "create fileset\nrun 30\n"),
        ('"wml"\nfile', "a.f", "psrun -10 30\n"),
    ],
)
def test_a_profile_tells_its_own_time(check: Any, tmp_path: Path, command: str, file: str, text: str) -> None:
    (tmp_path / file).write_text(text)
    workload = f'[[workloads]]\ntool = "fsload"\ncommand = {command} = "{file}"\n'
    output = check(HEAD + DIRECTORY + workload, "--directory", str(tmp_path))
    assert not missing_in(output, "about 1 m 30 s", "unknown")
    assert "about 1 m 0 s" in check(HEAD + DIRECTORY + workload + "seconds = 20\n", "--directory", str(tmp_path))


@pytest.mark.needs("cc", package="gcc")
def test_profiles_are_read_and_their_faults_and_work_told(
    check: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str], program: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BENCHAGENT_FSLOAD", str(program))
    (tmp_path / "a.ffsb").write_text((PROFILES / "create-4m.ffsb").read_text())
    (tmp_path / "a.f").write_text((PROFILES / "read-1k.f").read_text())
    mix = '[[workloads]]\ntool = "fsload"\ncommand = "mix"\nprofile = "a.ffsb"\nthreads = 16\n'
    wml = '[[workloads]]\ntool = "fsload"\nname = "w"\ncommand = "wml"\nfile = "a.f"\n'
    text = check(HEAD + DIRECTORY + mix + wml, "--directory", str(tmp_path))
    assert (
        "fs0: 0 files at first and 0 directories, files of 4 MiB\n      16 threads: create 1\n      for 2.0 s" in text
    )
    assert not missing_in(
        text,
        "small: 1000 files of 1 KiB, 100 % of them at first",
        "4 threads: openfile small, readwholefile, closefile\n      for 1 m 0 s",
    )
    (tmp_path / "a.ffsb").write_text("time=1\nbogus=1\n")
    (tmp_path / "a.f").write_text("define nothing\n")
    assert main(["plan", "check", str(tmp_path / "plan.toml")]) == 3
    faults = capsys.readouterr().err.splitlines()
    assert "workload fsload: a.ffsb: line 2: not a key that may stand here: bogus" in faults
    assert any(fault.startswith("workload w: a.f: line 1: ") for fault in faults)


def test_a_device_that_is_not_there_is_named(check: Any) -> None:
    device = '[[targets]]\nkind = "device"\npath = "/dev/disk/by-id/ata-none"\nfile_system = "ext4"\n'
    text = check(HEAD + device + SWEEP, code=NOTHING)
    assert not missing_in(
        text,
        "Devices to format; all their data will be lost",
        "not formatted: /dev/disk/by-id/ata-none: No such file or directory",
    )


def test_a_faulty_plan_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "plan.toml").write_text("nmae = 1\n")
    assert main(["plan", "check", str(tmp_path / "plan.toml")]) == 3
    assert "name; expected a value; it is required" in capsys.readouterr().err


def test_while_another_agent_measures_the_rest_is_told(check: Any, state: Path, tmp_path: Path) -> None:
    check(HEAD + DIRECTORY + SWEEP, code=NOTHING)
    with owned(state / "work"):
        text = check(HEAD + DIRECTORY + SWEEP, "--directory", str(tmp_path))
    assert not missing_in(text, "unknown, because the work directory cannot be used", "fsload sweep")
