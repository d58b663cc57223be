"""smallfile's text and JSON: operations, sizes, runs that were too short, and old versions."""

import pytest

from benchagent.formats import FormatError, parse
from benchagent.formats.model import UNMEASURABLE
from tests.agents.formats.texts import golden


def test_operations_with_and_without_data() -> None:
    parsed = parse(golden("smallfile-session.txt"))
    assert (parsed.tool_version, parsed.unread) == ("3.2", ())
    sizes = {result.test: (result.file_size, result.threads) for result in parsed.results}
    assert sizes == {
        **dict.fromkeys(("create", "append", "read"), (16384, 2)),
        **dict.fromkeys(("stat", "rename", "delete"), (None, 2)),
        "directory_create": (None, 1),
    }


def test_a_run_that_was_too_short_is_unmeasurable() -> None:
    last = parse(golden("smallfile-session.txt")).results[-1]
    assert (last.test, last.status, last.params["fsync"]) == ("directory_create", UNMEASURABLE, True)
    assert "longer than a millisecond" in str(last.error)


def test_json_says_the_same_as_the_text() -> None:
    text, json = parse(golden("smallfile-session.txt")), parse(golden("smallfile-create.json"))
    [ours] = [result for result in text.results if (result.test, result.metric) == ("create", "rate")]
    [rate] = [result for result in json.results if result.metric == "rate"]
    assert rate.values[0] == pytest.approx(ours.values[0], rel=1e-6)
    assert (rate.file_size, rate.threads, rate.params["files"]) == (16384, 2, 1500)


OLD = """                               operation : cleanup
                            files/thread : 100
                                 threads : 4
4.409640 sec elapsed time
1814.208418 files/sec
1814.208418 IOPS
113.388026 MB/sec
"""


def test_versions_before_3_write_the_unit_behind_the_number() -> None:
    values = {result.metric: result.values for result in parse(OLD).results}
    assert values == {"elapsed": (4.40964,), "rate": (1814.208418,), "throughput": (113.388026 * 2**20,)}
    assert parse(OLD + OLD).results[0].values == (4.40964, 4.40964)


def test_settings_without_a_result_are_refused() -> None:
    with pytest.raises(FormatError, match="prints files/sec at the end"):
        parse(OLD.partition("4.4")[0])
