"""Rows with remarks, blanks or rounded zeros are read, and a refusal names everything else that could be read."""

import re
from unittest.mock import Mock

import pytest

from benchagent.formats import FormatError, parse, refusals
from tests.agents.formats.texts import golden

TIMES = "real\t0m1.252s\nuser\t0m0.885s\nsys\t0m0.641s\n"


def numbers(text: str) -> list[tuple]:
    return [(each.test, each.metric, each.params, each.values, each.lines) for each in parse(text).results]


@pytest.mark.parametrize(
    ("name", "row"),
    [
        ("filebench-seed_micro.txt", "readOP"),
        ("filebench-seed_micro.txt", "11.145: IO Summary"),
        ("ffsb-create_16t.txt", r" +create :"),
        ("iozone-auto_rw.txt", r" +65536 +16384"),
        ("dbench-two_runs.txt", " Flush"),
    ],
)
@pytest.mark.parametrize("remark", ["   # cached", " <-- after the upgrade", "\t(see below)"])
def test_a_row_with_a_remark_is_read_and_the_remark_is_not(name: str, row: str, remark: str) -> None:
    text = golden(name)
    remarked, count = re.subn(rf"(?m)^({row}.*?)[ \t]*$", rf"\1{remark}", text, count=1)
    assert count == 1
    assert numbers(remarked) == numbers(text)
    assert [words for _, words in parse(remarked).unread] == [remark.strip()]


@pytest.mark.parametrize(
    "name", ["ffsb-create_16t.txt", "filebench-seed_micro.txt", "fdtree-l2d4f20s4.txt", "geriatrix-summary.txt"]
)
def test_blanks_behind_lines_change_nothing(name: str) -> None:
    text = golden(name)
    assert numbers("".join(f"{line}{' ' * 70}\n" for line in text.splitlines())) == numbers(text)


@pytest.mark.parametrize("name", ["filebench-seed_micro.txt", "fio-two_runs.json", "fio-report_and_json-3.1.txt"])
def test_a_zero_with_a_sign_is_a_zero(name: str) -> None:
    text = golden(name)
    signed = re.sub(r"(?<=[ \[=])(?=0\.0+(?![0-9]))", "-", text)
    assert signed != text
    plain = [(each.test, each.metric, each.params, each.values, each.status) for each in parse(text).results]
    assert [(e.test, e.metric, e.params, e.values, e.status) for e in parse(signed).results] == plain
    assert parse(signed).unread == parse(text).unread


def test_a_refusal_lists_every_fault_and_what_could_be_read_without_them() -> None:
    lines = golden("bonnie-b200_32k.csv").splitlines()[-1:] * 3
    broken = [lines[0].replace(",+++++,", ",2x0,", 1), lines[1], lines[2].replace(",+++++,", ",2y0,", 1)]
    with pytest.raises(FormatError) as refused:
        parse("\n".join(broken) + f"\n$ time rm -rf x\n{TIMES}")
    assert refused.value.line == 1
    whole = len(parse(lines[1]).results)
    for words in (
        "2x0",
        "line 3: ",
        "2y0",
        f"nothing is read; without lines 1, 3 there would be {whole} results of bonnie++",
    ):
        assert words in refused.value.message
    assert "--tool time reads 3 results of time in it" in refused.value.message


def test_a_csv_line_with_a_colon_behind_its_name_is_read() -> None:
    line = (
        "raid:4000M,43001,99,167002,29,73003,22,43004,91,208005,40,511.4,1,"
        "16:100000:16/64,1106,12,26007,89,2408,14,1009,11,29010,97,2011,16"
    )
    assert numbers(line) == numbers(line.replace(":", ",", 1))


def test_a_line_with_many_unread_entries_is_searched_once(monkeypatch: pytest.MonkeyPatch) -> None:
    entries = ",".join(f'{{"name": "write", "unit": "{unit}", "value": 1}}' for unit in ["MiB/s", *["furlong"] * 100])
    search = Mock(side_effect=refusals._REMARK.search)
    monkeypatch.setattr(refusals, "_REMARK", Mock(search=search))

    assert len(parse(f"[{entries}]").unread) > 50

    assert search.call_count == 1
