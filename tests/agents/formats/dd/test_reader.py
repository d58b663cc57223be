"""dd's reports in many languages and of other programs of this name, with the commands above them."""

import pytest

from benchagent.formats import FormatError, parse
from tests.agents.formats.texts import golden


def test_languages_are_repetitions_of_one_command() -> None:
    parsed = parse(golden("dd-languages.txt"))
    assert parsed.unread == ()
    created = parsed.results[0]
    assert len(created.values) == 8
    assert (created.test, created.file_size, created.record_size) == ("create", 20 * 2**20, 2**20)
    assert created.params == {"fdatasync": True, "data": "zeros"}


def test_only_the_last_report_of_progress_counts() -> None:
    [progress] = [
        result
        for result in parse(golden("dd-languages.txt")).results
        if result.params.get("dsync") and result.metric == "elapsed"
    ]
    assert progress.values == (3.49526,)
    assert (progress.file_size, progress.record_size) == (400 * 10**6, 10**6)


@pytest.mark.parametrize(
    ("line", "seconds", "rate"),
    [
        ("1073741824字节(1.1 GB)已复制，27.4566 秒，39.1 MB/秒", 27.4566, 39.1e6),
        ("536870912 バイト (537 MB) コピーされました、 5.02762 秒、 107 MB/秒", 5.02762, 107e6),
        ("1073741824 byte (1,1 GB) copiati, 1,71588 s, 626 MB/s", 1.71588, 626e6),
        ("скопировано 20971520 байт (21 MB, 20 MiB), 0,0314921 s, 666 MB/s", 0.0314921, 666e6),
        ("1048576000 bytes (1000.0MB) copied, 13.818688 seconds, 72.4MB/s", 13.818688, 72.4 * 2**20),
        ("1024000 bytes (1.0 MB) copied, 0.0792119 seconds, 12.9 MB/s", 0.0792119, 12.9e6),
        ("1073741824 bytes transferred in 0.512345 secs (2095739830 bytes/sec)", 0.512345, 2095739830.0),
        ("4096 bytes (4.1 kB) copied, 9.1e-05 s, 45.0 MB/s", 9.1e-05, 45e6),
    ],
)
def test_reports_of_other_programs_and_languages(line: str, seconds: float, rate: float) -> None:
    elapsed, throughput = parse(line).results
    assert (elapsed.test, elapsed.values, throughput.values) == ("copy", (seconds,), (rate,))


def test_a_rate_that_differs_from_its_bytes_and_seconds_is_left_out() -> None:
    parsed = parse("1048576000 bytes (1.0 GB) copied, 10 s, 500 MB/s")
    assert [result.metric for result in parsed.results] == ["elapsed"]
    assert parsed.warnings == ("line 1: the rate differs from bytes divided by seconds: it was left out",)


REPORT = "1+0 records in\n1+0 records out\n1048576000 bytes (1.0 GB) copied, 10.1 s, 104 MB/s\n"


@pytest.mark.parametrize(
    ("command", "test"),
    [
        ("dd if=/dev/zero of=/mnt/file bs=1M", "create"),
        ("sudo dd if=/dev/zero of=f bs=1M conv=notrunc,fsync", "write"),
        ("dd if=/mnt/file of=/dev/null bs=1M", "read"),
        ("/bin/dd if=/dev/sda of=/dev/null bs=1M", "raw_read"),
        ("dd if=image.iso of=/dev/sdb bs=1M", "raw_write"),
        ("dd if=/dev/zero bs=1M | ssh host cat", "copy"),
        ("dd if=/dev/zero of=/dev/null bs=1M", "copy"),
    ],
)
def test_the_command_names_the_test(command: str, test: str) -> None:
    [result] = [result for result in parse(f"$ {command}\n{REPORT}").results if result.metric == "throughput"]
    assert (result.test, result.record_size, result.values) == (test, 2**20, (104e6,))
    assert (result.file_size is None) == (test.startswith("raw") or test == "copy")


def test_commands_of_one_line_report_one_after_the_other() -> None:
    text = f"$ dd if=/dev/zero of=f bs=1M && dd if=f of=/dev/null bs=1M\n{REPORT}{REPORT}"
    assert {result.test for result in parse(text).results} == {"create", "read"}


def test_headings_distinguish_copies() -> None:
    command = f"dd if=/dev/zero of=f bs=1M\n{REPORT}"
    assert {r.params["section"] for r in parse(f"### ext4\n{command}### xfs\n{command}").results} == {"ext4", "xfs"}


def test_a_timed_copy_is_read_by_the_format_of_time() -> None:
    assert (
        parse(f"$ time dd if=/dev/zero of=f bs=1M\n{REPORT}\nreal\t0m10.2s\nuser\t0m0.0s\nsys\t0m1.0s\n").tool == "time"
    )


def test_a_command_without_its_report_is_refused() -> None:
    with pytest.raises(FormatError, match="no copy is there"):
        parse("$ dd if=/dev/zero of=f bs=1M\n1+0 records in\n", "dd")


@pytest.mark.parametrize(
    ("operands", "size"),
    [
        ("if=/dev/zero of=f obs=64k ibs=1k", 65536),
        ("if=f of=/dev/null ibs=1M", 2**20),
        ("if=/dev/sda of=/dev/null ibs=4k obs=1M", 4096),
        ("if=/dev/zero of=f bs=8k obs=64k", 8192),
    ],
)
def test_the_records_are_those_of_the_side_that_is_measured(operands: str, size: int) -> None:
    parsed = parse(f"$ dd {operands}\n1048576 bytes (1.0 MB) copied, 0.5 s, 2.1 MB/s\n")
    assert {result.record_size for result in parsed.results} == {size}
