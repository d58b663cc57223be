import contextlib
import gc

import pytest

from benchagent.formats import PARSER_VERSION, FormatError, all_formats, parse, vocabulary
from tests.agents.formats.texts import golden, golden_names


@pytest.mark.parametrize("name", golden_names("*-"))
def test_a_text_tells_its_tool_and_only_one_format_knows_it(name: str) -> None:
    text = golden(name)
    [tool] = [form.TOOL for form in all_formats().text if form.recognises(text)]
    assert tool.rstrip("+") == name.split("-")[0]
    assert parse(text) == parse(text, tool)
    assert parse(text).parser_version == PARSER_VERSION


@pytest.mark.parametrize("text", ["no benchmark at all", "a,b,c\n1,2,3\n", "{}"])
def test_a_text_of_no_tool_is_refused(text: str) -> None:
    with pytest.raises(FormatError, match="no supported tool printed this; supported are iozone, bonnie"):
        parse(text)


def test_output_of_another_tool_in_the_same_text_is_told() -> None:
    both = golden("iozone-auto_rw.txt") + golden("bonnie-b200_32k.csv")
    assert parse(both).tool == "iozone"
    assert "there is output of bonnie++ too: read that with --tool bonnie++" in parse(both).warnings
    assert (
        parse(both, "bonnie++").results
        == parse("\n" * (golden("iozone-auto_rw.txt").count("\n")) + golden("bonnie-b200_32k.csv")).results
    )


@pytest.mark.parametrize("text", [golden("iozone-ops.txt"), "no benchmark at all"])
def test_the_collector_is_as_it_was_whatever_came_out(text: str) -> None:
    for set_collector, enabled in ((gc.disable, False), (gc.enable, True)):
        set_collector()
        with contextlib.suppress(FormatError):
            parse(text)
        assert gc.isenabled() is enabled


def test_a_tool_we_do_not_read_is_refused() -> None:
    with pytest.raises(FormatError, match="there is no format cp"):
        parse(golden("iozone-ops.txt"), tool="cp")


def test_an_error_says_its_place() -> None:
    assert str(FormatError("'x' is no number", 3, 14)) == "line 3, column 14: 'x' is no number"


def test_metrics_have_base_units() -> None:
    assert {metric.unit for metric in vocabulary.METRICS.values()} <= set(vocabulary.UNITS)
    better_when_high = {name for name, metric in vocabulary.METRICS.items() if metric.higher_is_better}
    assert better_when_high == {"throughput", "rate", "layout_score", "free_extent_size"}


def test_tests_have_the_names_of_the_design() -> None:
    assert (len(vocabulary.IOZONE_TESTS), len(vocabulary.BONNIE_TESTS)) == (13, 12)
    assert not set(vocabulary.IOZONE_TESTS) & set(vocabulary.BONNIE_TESTS)


@pytest.mark.parametrize(
    ("test", "label"),
    [
        ("random_read", "Random read"),
        ("fsck_forced", "fsck, forced"),
        ("seq_stat", "Sequential stat"),
        ("mkfs", "mkfs"),
    ],
)
def test_labels(test: str, label: str) -> None:
    assert vocabulary.test_label(test) == label


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be"])
def test_utf_16_is_read_with_and_without_a_byte_order_mark(encoding: str) -> None:
    text = golden("sysbench-fileio.txt")
    assert parse(text.encode(encoding)).results == parse(text).results
