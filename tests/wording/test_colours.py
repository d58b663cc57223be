"""The colours of series."""

import re
from itertools import permutations
from pathlib import Path

import pytest

from benchagent.filesystems import FILE_SYSTEMS
from benchdb.compare.surface.heat import LEGEND
from benchdb.wording.colours import MAGNITUDES, MOST_COLOURS, RATIOS, VERDICT_COLOURS, colours

TOKENS = Path(__file__).parents[2] / "frontend/styles/_tokens.scss"


@pytest.mark.parametrize("labels", list(permutations(["ext4", "xfs", "btrfs", "zfs"], 3)))
def test_a_file_system_has_its_colour_whatever_else_is_in_the_table(labels: tuple[str, ...]) -> None:
    alone = [colours([label])[0] for label in labels]

    assert colours(labels) == alone
    assert len(set(alone)) == 3


def test_a_label_that_begins_with_a_file_system_has_its_colour() -> None:
    assert colours(["xfs, noatime", "ext4 · 6.1"]) == [*colours(["xfs"]), *colours(["ext4"])]


def test_two_settings_of_one_file_system_have_different_colours() -> None:
    assert len(set(colours(["xfs, noatime", "xfs, relatime", "ext4"]))) == 3
    assert colours(["xfs, noatime", "xfs, relatime", "ext4"])[2] == colours(["ext4"])[0]


def test_other_labels_take_the_colours_that_are_left_in_order() -> None:
    assert colours(["6.1", "6.6", "6.12"]) == [1, 2, 3]
    assert colours(["tuned", "ext4", "xfs"]) == [3, 1, 2]


def test_equal_labels_are_one_series() -> None:
    assert colours(["a", "b", "a"]) == [1, 2, 1]


def test_of_two_file_systems_with_one_colour_the_first_keeps_it() -> None:
    for kept, other in [("ext4", "vfat"), ("f2fs", "ext3"), ("bcachefs", "ext2"), ("zfs", "jfs")]:
        assert colours([other, kept])[1] == colours([kept])[0]
        assert colours([other, kept])[0] != colours([kept])[0]


def test_any_seven_series_differ_and_eight_have_one_colour() -> None:
    names = [name for name, each in FILE_SYSTEMS.items() if each.colour]
    assert len({FILE_SYSTEMS[name].colour for name in names}) == len(names)

    for start in range(len(names) - MOST_COLOURS + 1):
        assert sorted(colours(names[start : start + MOST_COLOURS])) == list(range(1, MOST_COLOURS + 1))
    assert colours(names[: MOST_COLOURS + 1]) == [1] * (MOST_COLOURS + 1)


def test_pages_have_the_colours_and_signs_of_verdicts() -> None:
    tokens, heat = TOKENS.read_text(), TOKENS.with_name("_heat.scss").read_text()

    assert [f"--{kind}: {colour};" in tokens for kind, colour in VERDICT_COLOURS.items()] == [True, True]
    assert all(f'"{sign}": "{shown}"' in heat for sign, (shown, _) in LEGEND.items())


def test_a_label_may_be_empty() -> None:
    assert colours([]) == []
    assert colours(["", "ext4"]) == [2, 1]


def test_pictures_have_the_colours_of_pages() -> None:
    from benchdb.exports.drawing.style import INK, MARKERS, SERIES

    light = TOKENS.read_text().partition("@include")[0]
    of_pages = re.findall(r"--series-\d: (#\w+|var\(--bs-body-color\));", light)

    assert [INK if colour.startswith("var") else colour.upper() for colour in of_pages] == [
        colour if colour == INK else colour.upper() for colour in SERIES
    ]
    assert len(set(SERIES)) == len(set(MARKERS)) == MOST_COLOURS


def test_scales_are_those_of_pages() -> None:
    found = re.findall(r"\$(\w+): \(([^)]*)\);", TOKENS.with_name("_scales.scss").read_text())

    assert {name: tuple(re.findall(r"#\w+", colours)) for name, colours in found} == {
        "magnitudes": MAGNITUDES,
        "ratios": RATIOS,
    }
