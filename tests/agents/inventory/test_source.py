from __future__ import annotations

import os
from pathlib import Path

import pytest

from benchagent.inventory import source as source_module
from benchagent.inventory.facts import clean
from benchagent.inventory.source import Source, command_name
from tests.agents.inventory.trees import unpack


class TestReading:
    def test_reads_a_file_a_line_and_a_number(self, tmp_path: Path) -> None:
        source = unpack("/sys/a: 17\n/proc/b:\n| one\n| two\n", tmp_path)
        assert source.integer("/sys/a") == 17
        assert source.line("/sys/a") == "17"
        assert source.text("/proc/b") == "one\ntwo\n"

    def test_absent_empty_and_wrong_are_unknown(self, tmp_path: Path) -> None:
        source = unpack("/sys/empty:\n/sys/word: max\n/sys/twice: 65536 (131072)\n", tmp_path)
        assert source.text("/sys/absent") is None
        assert source.line("/sys/empty") is None
        assert source.integer("/sys/word") is None
        assert source.integer("/sys/twice") is None
        assert source.names("/sys/absent") == []
        assert source.path("/sys/absent") is None
        assert source.output("absent") is None

    def test_nothing_waits_for_a_pipe_in_a_tree(self, tmp_path: Path) -> None:
        os.mkfifo(tmp_path / "pipe")
        assert Source(tmp_path).text("/pipe") is None

    def test_a_number_that_no_kernel_prints_is_unknown(self, tmp_path: Path) -> None:
        (tmp_path / "size").write_text("9" * 5000)
        assert Source(tmp_path).integer("/size") is None

    def test_names_are_sorted_by_their_numbers(self, tmp_path: Path) -> None:
        source = unpack("".join(f"/sys/{name}/\n" for name in ("cpu10", "cpu2", "cpu1", "online", "²")), tmp_path)
        assert source.names("/sys") == ["cpu1", "cpu2", "cpu10", "online", "²"]

    def test_bytes_that_are_no_text_are_replaced(self, tmp_path: Path) -> None:
        (tmp_path / "model").write_bytes(b"\xffDISK\x00\n")
        assert Source(tmp_path).line("/model") == "�DISK"

    def test_resolves_links_inside_the_tree(self, tmp_path: Path) -> None:
        source = unpack("/sys/devices/x/block/sda/size: 8\n/sys/block/sda -> ../devices/x/block/sda\n", tmp_path)
        assert source.resolve("/sys/block/sda") == "/sys/devices/x/block/sda"
        assert source.integer("/sys/block/sda/size") == 8
        assert source.resolve("/") == "/"
        assert source.resolve(".") == "/"

    def test_a_link_out_of_the_tree_leads_nowhere(self, tmp_path: Path) -> None:
        (tmp_path / "secret").write_text("of this machine")
        source = unpack("/etc/shadow -> ../../secret\n/etc/absolute -> /etc/passwd\n", tmp_path / "tree")
        for path in ("/etc/shadow", "/etc/absolute", "/../secret"):
            assert source.text(path) is None
            assert not source.exists(path)
        assert "secret" not in source.resolve("/etc/shadow")


class TestClean:
    @pytest.mark.parametrize(
        ("text", "expected"),
        [
            ("ST3500641AS-RK  \n", "ST3500641AS-RK"),
            ("a  b\tc", "a b c"),
            (" \n", None),
            (None, None),
            ("a\x00b", "a b"),
        ],
    )
    def test_clean(self, text: str | None, expected: str | None) -> None:
        assert clean(text) == expected

    def test_no_longer_than_the_contract_takes(self) -> None:
        assert len(clean("x" * 1000) or "") == 200


class TestCommands:
    def test_recorded_output_is_found_by_the_command_line(self, tmp_path: Path) -> None:
        source = unpack("/commands/dumpe2fs -h %2Fdev%2Fsda1: Block size: 4096\n", tmp_path)
        assert command_name(["dumpe2fs", "-h", "/dev/sda1"]) == "dumpe2fs -h %2Fdev%2Fsda1"
        assert source.output("dumpe2fs", "-h", "/dev/sda1") == "Block size: 4096\n"

    def test_a_recorded_tree_runs_nothing(self, tmp_path: Path) -> None:
        assert Source(tmp_path).output("uname", "-m") is None

    def test_runs_in_the_c_locale_without_input(self) -> None:
        assert Source().output("sh", "-c", "echo $LC_ALL; cat") == "C\n"

    def test_only_accepted_statuses_count(self) -> None:
        assert Source().output("sh", "-c", "echo none; exit 1") is None
        assert Source().output("sh", "-c", "echo none; exit 1", accept=(0, 1)) == "none\n"

    def test_a_missing_command_is_unknown(self) -> None:
        assert Source().output("benchagent-no-such-command") is None

    def test_a_command_that_hangs_is_given_up(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(source_module, "COMMAND_SECONDS", 0.1)
        assert Source().output("sleep", "infinity") is None


def test_live_status_of_a_path(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"12345")
    status = Source().path(str(tmp_path / "file"))
    assert status is not None
    assert status.bytes == 5
    assert status.device == f"{os.major(tmp_path.stat().st_dev)}:{os.minor(tmp_path.stat().st_dev)}"
    assert 0 < status.file_system_free <= status.file_system_size
