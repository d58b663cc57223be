"""bonnie++'s lines after people broke, cut or repeated them."""

from __future__ import annotations

from benchagent.formats import parse

KIB = 1024
HEAD = """\
Version 1.03        ------Sequential Output------ --Sequential Input- --Random-
                    -Per Chr- --Block-- -Rewrite- -Per Chr- --Block-- --Seeks--
Machine        Size K/sec %CP K/sec %CP K/sec %CP K/sec %CP K/sec %CP  /sec %CP
"""
FILES = """\
                    ------Sequential Create------ --------Random Create--------
                    -Create-- --Read--- -Delete-- -Create-- --Read--- -Delete--
              files  /sec %CP  /sec %CP  /sec %CP  /sec %CP  /sec %CP  /sec %CP
                 16  1101  12 +++++ +++  1303  14  1405  16 +++++ +++  1507  18
"""
ROW = "box              8G 36001  61 38002   8 18003   3 37004  64 36005   5 141.6   0\n"
OLD = "box,8G,36001,61,38002,8,18003,3,37004,64,36005,5,141.6,0,16,1101,12,+++++,+++,1303,14,1405,16,+++++,+++,1507,18"
NEW = (
    "1.96,1.96,box,1,1400000000,8G,,36001,61,38002,8,18003,3,37004,64,36005,5,141.6,0,16,,,,,"
    "1101,12,+++++,+++,1303,14,1405,16,+++++,+++,1507,18,1us,2us,3us,4us,5us,6us,7us,8us,9us,10us,11us,12us"
)


def rates(text: str) -> dict[str, tuple[float | None, ...]]:
    return {r.test: r.values for r in parse(text).results if r.metric == "rate"}


def test_a_line_that_echo_hands_to_bon_csv2html_is_no_second_run() -> None:
    text = f'{NEW}\n[root@box ~]# echo "{NEW}" | bon_csv2html > /tmp/test.html\n'
    assert rates(text) == rates(NEW + "\n")
    assert parse(text).unread == ()


def test_a_line_that_only_an_echo_has_is_read() -> None:
    assert rates(f"$ echo {OLD} | /usr/bin/bon_csv2txt\n") == rates(OLD + "\n")


def test_a_line_broken_with_empty_lines_between_is_put_together() -> None:
    first, second = NEW.index("1101"), NEW.index("2us,")
    text = f"{NEW[:first]}\n\n{NEW[first:second]}\n\n{NEW[second:]}\n"
    parsed = parse(text)
    assert rates(text) == rates(NEW + "\n")
    assert parsed.complete
    assert parsed.unread == ()
    assert {r.lines[0] for r in parsed.results if r.test == "seq_create" and r.metric == "rate"} == {3}


def test_a_cut_line_takes_nothing_from_what_follows_an_empty_line() -> None:
    parsed = parse(NEW[: NEW.index("1101")] + "\n\n12,13\n")
    assert not parsed.complete
    assert [r.test for r in parsed.results if r.metric == "rate"] == ["random_seek"]


def test_where_the_line_was_cut_the_whole_table_counts() -> None:
    table = HEAD + ROW + FILES
    text = table + OLD[: OLD.index("1303")] + "\n"
    assert rates(text) == rates(table)
    assert rates(text)["random_delete"] == (1507.0,)
    assert any("ends early" in warning for warning in parse(text).warnings)


def test_a_name_that_touches_the_size() -> None:
    row = ROW.replace("box              8G", "Raid0 (8 disk)15744M")
    [name] = {str(r.params.get("name", "")) for r in parse(HEAD + row).results}
    assert name == ""  # one machine
    results = [r for r in parse(HEAD + row + row.replace("Raid0", "Raid1")).results if r.test == "block_read"]
    assert {r.params["name"] for r in results} == {"Raid0 (8 disk)", "Raid1 (8 disk)"}
    assert {r.file_size for r in results} == {15744 * KIB**2}
