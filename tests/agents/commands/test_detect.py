from __future__ import annotations

import argparse
import json
import re
from pathlib import Path

import pytest

from benchagent.commands import detect
from benchagent.errors import UsageError
from benchagent.inventory.fact_text import size
from tests.agents.inventory.trees import recorded
from tests.texts import HOSTILE, missing_in, obeyed


def parse(*arguments: str) -> argparse.Namespace:
    parser = argparse.ArgumentParser()
    detect.declare(parser)
    return parser.parse_args(arguments)


@pytest.fixture
def raid(tmp_path: Path) -> str:
    return recorded("raid5_sata", tmp_path / "tree").root


def test_json_is_versioned_and_in_the_contracts_words(raid: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert detect.run(parse("--json", "--root", raid, "/srv/data/bench")) == 0
    report = json.loads(capsys.readouterr().out)
    assert (list(report), report["schema"], report["machine"]) == (
        ["schema", "machine", "environment", "target", "state_before"],
        "benchagent.detect/1",
        None,
    )
    assert (report["environment"]["raid_arrays"][0]["chunk"], report["target"]["stack"][0]["kind"]) == (524288, "raid")


def test_text_for_people(raid: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert detect.run(parse("--root", raid, "/srv/data/bench")) == 0
    lines = capsys.readouterr().out.splitlines()
    assert "                L2 4 MiB × 4, each shared by 2 threads" in "\n".join(lines)
    assert not missing_in(
        lines,
        "Processor       Intel(R) Xeon(R) CPU E5345 @ 2.33GHz, x86_64",
        "RAID arrays     md0: raid5 of 4, chunk 512 KiB, layout left-symmetric",
        "Arrays now      md0: healthy",
        "Storage under /srv/data/bench",
        "Filled          50.9% of 1.34 TiB, 113792 inodes",
    )


def test_unknown_facts_are_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "paths.json").write_text(
        '{"/": {"device": "8:1", "bytes": 0, "block_size": 4096, "file_system_size": 0, "file_system_free": 0,'
        ' "files": 0, "files_free": 0}}'
    )
    detect.run(parse("--root", str(tmp_path)))
    text = capsys.readouterr().out
    unknown = ("Processor       unknown, unknown", *(f"{fact:<16}unknown" for fact in ("Memory", "Disks", "Stack")))
    assert (missing_in(text, *unknown), "None" in text) == ([], False)


def test_this_machine_and_this_directory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("BENCHAGENT_STATE", str(tmp_path / "state"))
    monkeypatch.chdir(tmp_path)
    assert detect.run(parse()) == 0
    assert re.match(r"(?s)Machine         .*\nStorage under \.\n", capsys.readouterr().out)


def test_no_terminal_obeys_facts(raid: str, capsys: pytest.CaptureFixture[str]) -> None:
    mounts, option = Path(raid, "proc/self/mountinfo"), HOSTILE.replace("\r\n ", "\\012").replace("\n", "\\012")
    mounts.write_text(mounts.read_text().replace("stripe=384", f"stripe=384,x={option}"))
    for options in ([], ["--json"]):
        detect.run(parse(*options, "--root", raid, "/srv/data/bench"))
        told = capsys.readouterr().out
        assert ("::error::y" in told, obeyed(told)) == (True, [])


@pytest.mark.parametrize(
    ("number", "text"),
    [
        (None, "unknown"),
        (0, "0 B"),
        (512, "512 B"),
        (49152, "48 KiB"),
        (2621440, "2.5 MiB"),
        (25276502016, "23.5 GiB"),
        (500107862016, "466 GiB"),
        (2**60, "1024 PiB"),
    ],
)
def test_sizes_in_binary_units(number: int | None, text: str) -> None:
    assert size(number) == text


class TestRecord:
    def test_a_recording_is_read_like_the_machine(
        self, raid: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        into = str(tmp_path / "recording")
        assert detect.run(parse("--root", raid, "--record", into, "/srv/data/bench")) == 0
        assert f"benchagent detect --root {into} /srv/data/bench" in capsys.readouterr().out
        assert detect.run(parse("--json", "--root", into, "/srv/data/bench")) == 0
        again = json.loads(capsys.readouterr().out)
        detect.run(parse("--json", "--root", raid, "/srv/data/bench"))
        assert again == json.loads(capsys.readouterr().out)

    @pytest.mark.parametrize(
        ("into", "path", "words"),
        [
            ("mine", "/srv/data/bench", "is not empty"),
            ("mine/file/below", "/srv/data/bench", "Cannot record into"),
            ("recording", "/nowhere", "There is no /nowhere"),
        ],
    )
    def test_what_cannot_be_recorded_leaves_nothing(
        self, raid: str, tmp_path: Path, into: str, path: str, words: str
    ) -> None:
        (tmp_path / "mine").mkdir()
        (tmp_path / "mine/file").write_text("precious")
        with pytest.raises(UsageError, match=words):
            detect.run(parse("--root", raid, "--record", str(tmp_path / into), path))
        assert {path.name for path in tmp_path.iterdir()} | {path.name for path in (tmp_path / "mine").iterdir()} == {
            "tree",
            "mine",
            "file",
        }


def test_declared_facts_are_marked(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    root = recorded("raid6_hba", tmp_path).root
    assert detect.run(parse("--root", root, "/raid/a/bench")) == 0
    assert not missing_in(
        capsys.readouterr().out,
        "raid6 of 12 × HUA721010KLA330, chunk 128 KiB, layout left-symmetric (declared)\n",
        "cache 1 GiB write back, battery (declared: cache, cache mode)\n",
        "(declared: kind, level, chunk, layout, members)\n",
        "write cache write through (declared)\n",
        "Contradictions  /controllers/1/firmware: detected 01.03.41.00, declared 01.03.39.00 (kept: detected)\n",
        "Facts without a mark were detected.",
    )


@pytest.mark.parametrize(
    ("root", "path", "words"),
    [
        ("/", "/nowhere/at/all", "There is no /nowhere/at/all"),
        ("/nowhere", ".", "There is no directory /nowhere to read a recorded tree from"),
        ("", "/mnt", r"There is no /mnt in the recorded tree .*paths\.json lists"),
    ],
)
def test_a_tree_or_a_path_that_is_not_there_is_named(raid: str, root: str, path: str, words: str) -> None:
    with pytest.raises(UsageError, match=words):
        detect.run(parse("--root", root or raid, path))


@pytest.mark.parametrize("paths", ["{", "[]", '{"/mnt": 7}', '{"/mnt": {"colour": 1}}', "[" * 100_000])
def test_a_damaged_tree_is_no_defect(raid: str, paths: str) -> None:
    Path(raid, "paths.json").write_text(paths)
    with pytest.raises(UsageError, match="There is no /mnt in the recorded tree"):
        detect.run(parse("--root", raid, "/mnt"))
