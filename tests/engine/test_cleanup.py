import json
import signal
import subprocess
from pathlib import Path

import pytest

from tests.engine.conftest import Fsload, command

pytestmark = [pytest.mark.needs("cc", package="gcc"), pytest.mark.needs("make", package="make")]


def start(program: Path, directory: Path, **options: str | int | bool) -> subprocess.Popen[str]:
    """Start a run that takes hours unless it is stopped; returns once it is measuring."""
    words = command(program, directory, file_sizes="1M", repetitions=1_000_000, **options)
    process = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    assert process.stdout
    assert '"header"' in process.stdout.readline()
    assert '"result"' in process.stdout.readline()
    return process


def test_nothing_is_left_and_nothing_is_touched(fsload: Fsload, tmp_path: Path) -> None:
    (tmp_path / "data.0").write_text("precious")
    assert fsload(threads=2).status == 0
    assert [path.name for path in tmp_path.iterdir()] == ["data.0"]
    assert (tmp_path / "data.0").read_text() == "precious"


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
@pytest.mark.parametrize("threads", [1, 3])
def test_a_signal_ends_the_run_and_cleans_up(
    program: Path, tmp_path: Path, number: signal.Signals, threads: int
) -> None:
    process = start(program, tmp_path, threads=threads)
    assert [path.name.split(".")[0] for path in tmp_path.iterdir()] == ["fsload"]
    process.send_signal(number)
    rest, _ = process.communicate(timeout=30)
    assert process.returncode == 128 + number
    end = json.loads(rest.splitlines()[-1])
    assert (end["type"], end["signal"], end["failed"]) == ("end", number, 0)
    assert list(tmp_path.iterdir()) == []


def test_a_reader_that_goes_away_ends_the_run(program: Path, tmp_path: Path) -> None:
    process = start(program, tmp_path)
    assert process.stdout
    process.stdout.close()
    assert process.wait(timeout=30) == 1
    assert list(tmp_path.iterdir()) == []
