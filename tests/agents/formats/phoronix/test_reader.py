"""The Phoronix Test Suite's composite.xml: trials, systems, scales, and documents that are cut off."""

import pytest

from benchagent.formats import FormatError, parse
from tests.agents.formats.texts import golden

TEXT = golden("phoronix-composite.xml")


def test_trials_are_values_and_systems_are_params() -> None:
    parsed = parse(TEXT)
    found = {(result.test, result.params["system"]): (result.metric, result.values) for result in parsed.results}
    assert found == {
        ("fs_mark", "ext4"): ("rate", (410.5, 413.25, 413.75)),
        ("fs_mark", "xfs"): ("rate", (380.25, 380.5, 379.75)),
        ("sqlite", "ext4"): ("elapsed", (12.625,)),
    }
    assert (parsed.results[0].params["benchmark"], parsed.tool_version) == ("Test: 1000 Files, 1MB Size", "10.8.4")


def test_ambiguous_scales_and_missing_values_are_not_read() -> None:
    parsed = parse(TEXT)
    assert [words.rpartition(": ")[2] for _, words in parsed.unread] == [" Seconds", "802.5 MB/s"]


def test_one_system_needs_no_param() -> None:
    one = TEXT.replace("<Identifier>xfs<", "<Identifier>ext4<")
    assert all("system" not in result.params for result in parse(one).results)


def test_a_cut_document_is_read_up_to_the_cut() -> None:
    parsed = parse(TEXT[: TEXT.index("<Identifier>pts/sqlite")])
    assert not parsed.complete
    assert parsed.warnings == ("the document is cut off: what was whole of it is read",)
    assert parsed.results[0].values == (410.5, 413.25, 413.75)


def test_entities_of_a_document_are_only_text() -> None:
    bomb = '<!DOCTYPE x [<!ENTITY a "' + "b" * 1000 + '">]>\n' + TEXT.replace("1 &amp; more", "&a;" * 1000)
    assert len(parse(bomb).results) == 3


def test_unknown_scales_alone_are_refused() -> None:
    with pytest.raises(FormatError, match="no result has a scale that is known"):
        parse(TEXT.replace("Files/s", "Mflops").replace("<Scale>Seconds", "<Scale>Points"))
