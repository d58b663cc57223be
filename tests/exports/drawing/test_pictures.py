"""SVG, PNG and PDF: pictures that are the same for the same content and contain their source."""

import hashlib
import json
import os
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from dataclasses import asdict, replace
from io import BytesIO
from itertools import combinations
from typing import Any
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

import pytest
from django.contrib.auth.models import User
from django.utils.module_loading import import_string
from PIL import Image

from benchdb.compare.content import Content, Difference, DifferentValue
from benchdb.compare.content_json import from_json, to_json
from benchdb.compare.query.selection import Selection
from benchdb.compare.table.content import cells
from benchdb.compare.table.evaluate import evaluate
from benchdb.exports.drawing.fonts import text_width
from benchdb.exports.drawing.heat import STEPS
from benchdb.exports.drawing.style import INK, SERIES, interpolate, mix
from benchdb.exports.drawing.svg import TOP, Drawing
from benchdb.exports.drawing.table import PALE
from benchdb.exports.errors import TooLarge
from benchdb.exports.formats import FORMATS
from benchdb.exports.origin import Origin
from benchdb.exports.printed.kinds import exported_kind
from benchdb.stats import STATISTICS_VERSION
from benchdb.wording.colours import RATIOS, colours
from tests.support.comparing.comparisons import SPREAD, compared_runs, ids, values
from tests.support.comparing.contents import CACHED
from tests.support.comparing.exported import (
    ADDRESS,
    FROZEN,
    HOSTILE,
    KINDS,
    LIVE,
    a_table,
    a_table_with_failures,
    a_trend,
    saying,
    two_surfaces,
)
from tests.support.documents import GIB, KIB, MIB, result
from tests.support.store import store_run
from tests.texts import missing_in

PICTURES = ("svg", "png", "pdf")
DC = "{http://purl.org/dc/elements/1.1/}"
SVG = "{http://www.w3.org/2000/svg}"


def draw(form: str, content: Content, origin: Origin = FROZEN) -> bytes:
    made = FORMATS[form].export(content, origin)
    assert isinstance(made, bytes)
    return made


_drawn: dict[str, bytes] = {}


def the_table(owner: User, form: str) -> bytes:
    """The same table in this format, drawn only once for all tests."""
    if form not in _drawn:
        _drawn[form] = draw(form, a_table(owner))
    return _drawn[form]


def test_another_process_draws_the_same_bytes(owner: User) -> None:
    program = (
        "import django, hashlib, json, sys; django.setup(); import benchdb.urls;"
        "print({'resvg_py', 'reportlab'} & {*sys.modules} == set());"
        "from benchdb.exports.formats import FORMATS; from benchdb.exports.origin import Origin;"
        "from benchdb.compare.content_json import from_json;"
        "content = from_json(json.load(sys.stdin));"
        f"origin = Origin({ADDRESS!r}, True);"
        f"print(*(hashlib.sha256(FORMATS[form].export(content, origin)).hexdigest() for form in {PICTURES!r}))"
    )
    environment = {**os.environ, "DJANGO_SETTINGS_MODULE": "benchdb.settings"}
    content = json.dumps(to_json(a_table(owner)), sort_keys=True)  # the database orders keys differently
    with subprocess.Popen(
        [sys.executable, "-c", program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=environment
    ) as process:
        expected = [hashlib.sha256(the_table(owner, form)).hexdigest() for form in PICTURES]  # meanwhile it imports
        printed, _ = process.communicate(content)

    assert process.returncode == 0
    unused, *digests = printed.split()
    assert unused == "True"  # no web server should spend time and memory on them
    assert digests == expected


def test_what_has_to_be_said_of_withdrawn_runs_is_drawn(owner: User) -> None:
    notice = Origin(ADDRESS, frozen=True, notices=("Its owner has withdrawn run 1.",))

    assert draw("png", a_table(owner), notice) != the_table(owner, "png")


def test_a_png_says_what_it_is(owner: User) -> None:
    with Image.open(BytesIO(the_table(owner, "png"))) as picture:
        assert picture.width == 1440
        told = picture.text

    assert (told["Title"], told["Source"]) == ("ext4, xfs, btrfs on epyc-2", ADDRESS)
    assert not missing_in(
        told["Description"], "Welch's t test on logarithms", f"statistics version {STATISTICS_VERSION}"
    )
    assert told["Software"].startswith("BenchDB ")


def test_a_picture_tells_what_else_differs_and_how_far_its_verdicts_reach(owner: User) -> None:
    values = [DifferentValue("8 GiB", ["ext4"]), DifferentValue("2 GiB", ["xfs", "btrfs"])]
    content = replace(a_table(owner), differences=[Difference("memory", "memory", True, values, inside=[])])

    root = ElementTree.fromstring(draw("svg", content))

    told = next(root.iter(f"{DC}description")).text or ""
    assert not missing_in(
        told, "Not only the file system differs: memory too.", "memory: 8 GiB (ext4), 2 GiB (others)."
    )
    assert told.count("Within one run:") == 1


def drawn(content: Content) -> Drawing:
    """The drawing, which is the same for SVG, PNG and PDF."""
    made = import_string(exported_kind(content).draw)(content, LIVE)
    assert isinstance(made, Drawing)
    return made


def written(content: Content) -> list[str]:
    """The texts of the picture, those of its ticks too."""
    return [element.text or "" for element in drawn(content).root.iter("text")]


def shades(content: Content) -> Counter[str]:
    """How often shapes and lines have each colour."""
    return Counter(
        colour for shape in drawn(content).root for name in ("fill", "stroke") if (colour := shape.get(name))
    )


def wide_table(owner: User) -> Content:
    """Figures from 4 to 1,500 MiB/s and no baseline: a logarithmic axis of figures."""
    results = [
        result(values(speed * MIB), test, file_size=32 * GIB, record_size=MIB)
        for test, speed in (("random_read", 4), ("write", 90), ("read", 1500))
    ]
    run = store_run(owner, rounds=len(SPREAD), results=results)
    return evaluate(Selection.parse(f"run={run.id}"), owner)[0]


def wide_ratios(owner: User) -> Content:
    """Ratios of 1/20 and 286."""
    means = {"ext4": 100.0 * MIB, "xfs": 5.0 * MIB, "btrfs": 28_600.0 * MIB}
    return evaluate(Selection.parse(ids(compared_runs(owner, means, record_sizes=(64 * KIB, MIB)))), owner)[0]


def wide_surfaces(owner: User) -> Content:
    """Two surfaces whose heights span more than 30 times, so that colours and slice are logarithmic."""
    document: Any = to_json(two_surfaces(owner))
    for surface in document["surfaces"]:
        for i, line in enumerate(surface["cells"]):
            for cell in filter(None, line):
                cell["mean"] = cell["mean"] and cell["mean"] * 50**i
    return from_json(document)


def wide_trend(owner: User) -> Content:
    """A trend whose last run is a hundred times the others."""
    document: Any = to_json(a_trend(owner))
    document["series"][0]["cells"][-1]["mean"] *= 100
    return from_json(document)


@pytest.mark.parametrize(
    ("kind", "ticks"),
    [
        (wide_table, {"10", "100", "1\u202f000"}),
        (wide_ratios, {"÷ 10", "1", "× 10", "× 100"}),
        (wide_trend, {"10", "100", "1\u202f000"}),
        (wide_surfaces, {"100", "1\u202f000", "100\u202f000", "50\u202f000"}),
        (a_table, {"1", "× 1.1", "× 1.2"}),
    ],
)
def test_ticks_are_those_of_the_page(owner: User, kind: Callable[[User], Content], ticks: set[str]) -> None:
    assert ticks <= {*written(kind(owner))}


@pytest.mark.parametrize("kind", [a_table, wide_table, wide_ratios, a_trend])
def test_words_are_beside_each_other_and_inside_the_picture(owner: User, kind: Callable[[User], Content]) -> None:
    picture = drawn(kind(owner))
    boxes = [(element.text, _box(element)) for element in picture.root.iter("text")]

    assert not [words for words, (left, _, right, _) in boxes if left < 0 or right > picture.width]
    assert not [words for words, (_, top, _, bottom) in boxes if top < 0 or bottom > picture.height]
    assert not [
        (one, other) for (one, first), (other, second) in combinations(boxes, 2) if _overlap(first, second) > 0.5
    ]


Box = tuple[float, float, float, float]  # left, top, right and bottom in points


def _box(element: Element) -> Box:
    """Where a text is; those of these pictures are upright or level."""
    x, y, size = (float(element.get(name, "")) for name in ("x", "y", "font-size"))
    width = text_width(element.text or "", size, bold="font-weight" in element.attrib)
    before = {"middle": 0.5, "end": 1.0}.get(element.get("text-anchor", ""), 0.0) * width
    if element.get("transform", "").startswith("rotate(-90"):
        return (x - TOP * size, y + before - width, x, y + before)
    assert "transform" not in element.attrib
    return (x - before, y - TOP * size, x - before + width, y)


def _overlap(one: Box, other: Box) -> float:
    """The smaller side of the common area of two boxes, negative if they are apart."""
    return min(min(one[2], other[2]) - max(one[0], other[0]), min(one[3], other[3]) - max(one[1], other[1]))


def test_a_cell_from_memory_is_pale_and_said_to_be(owner: User) -> None:
    document: Any = to_json(a_table(owner))
    for row in (row for group in document["groups"] for row in group["rows"]):
        row["cells"] = [cell and {**cell, "cache": asdict(CACHED)} for cell in row["cells"]]
    content = from_json(document)
    assert all(placed.cell.cache == CACHED for placed in cells(content))

    found, before = shades(content), shades(a_table(owner))

    pale = {mix(colour, PALE): colour for colour in SERIES if colour != INK}  # axes and words are of ink too
    assert not {*pale} & {*before}
    assert {pale[colour] for colour in {*pale} & {*found}} == {*pale.values()} & {
        *before
    }  # the legend has the full colours
    assert any("Pale: measured memory" in text for text in written(content))


def test_a_file_system_has_one_colour_in_tables_trends_and_surfaces(owner: User) -> None:
    xfs, ext4 = (SERIES[colour - 1] for colour in colours(["xfs", "ext4"]))
    table, surfaces, trend = (shades(kind(owner)) for kind in (a_table, two_surfaces, a_trend))

    assert table[xfs]
    assert surfaces[xfs]
    assert surfaces[ext4]
    assert trend[ext4]
    assert not trend[xfs]


def test_failed_cells_are_counted_below_the_picture(owner: User) -> None:
    assert "Not drawn: 1 cell failed, 1 cell too fast to measure." in written(a_table_with_failures(owner))


def test_an_svg_says_what_it_is(owner: User) -> None:
    root = ElementTree.fromstring(the_table(owner, "svg"))

    assert root.tag == f"{SVG}svg"
    assert "ext4, xfs, btrfs on epyc-2" in [element.text for element in root.iter(f"{DC}title")]
    assert next(root.iter(f"{DC}source")).text == ADDRESS
    assert "Benjamini and Hochberg" in (next(root.iter(f"{DC}description")).text or "")
    assert list(root.iter(f"{DC}date")) == []


def test_a_pdf_says_what_it_is_and_embeds_its_fonts(owner: User) -> None:
    made = the_table(owner, "pdf")

    assert made.startswith(b"%PDF-")
    assert not missing_in(made, b"/Title (ext4, xfs, btrfs on epyc-2)", f"/Keywords ({ADDRESS})".encode())
    assert re.findall(rb"Date \((.*?)\)", made) == [b"", b""]
    assert made.count(b"/FontFile2") == 2
    assert b"/Type3" not in made


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_is_drawn(owner: User, kind: Callable[[User], Content]) -> None:
    with Image.open(BytesIO(draw("png", kind(owner)))) as picture:
        colours = picture.convert("RGB").getcolors(1 << 24)

    assert len(colours) > 20  # not an empty sheet


def test_a_picture_that_nobody_could_read_is_refused(owner: User) -> None:
    table: Any = to_json(a_table(owner))
    for row in (row for group in table["groups"] for row in group["rows"]):
        row["cells"] = row["cells"] * 31
    table["heads"] = [{**head, "label": f"{head['label']} {i}"} for i in range(31) for head in table["heads"]]

    with pytest.raises(TooLarge, match="choose fewer tests"):
        draw("png", from_json(table))


def test_nor_one_that_is_too_high(owner: User) -> None:
    table: Any = to_json(a_table(owner))
    row = table["groups"][0]["rows"][1]
    table["groups"][0]["rows"] = [{**row, "label": str(i), "parts": {"file_system": str(i)}} for i in range(700)]
    table["groups"] = table["groups"][:1]

    with pytest.raises(TooLarge, match=r"1\d\d inches high"):
        draw("svg", from_json(table))


def test_two_surfaces_without_any_figure_are_drawn_too(owner: User) -> None:
    document: Any = to_json(two_surfaces(owner))
    for surface in document["surfaces"]:
        surface["cells"] = [[None for _ in line] for line in surface["cells"]]
    document["ratio"] = [[None for _ in line] for line in document["ratio"]]

    assert draw("svg", from_json(document))


def test_colours_are_explained_where_cells_have_no_room_for_numbers(owner: User) -> None:
    document: Any = to_json(two_surfaces(owner))
    wide = 17 * len(document["record_sizes"])
    for key in ("record_sizes", "record_labels"):
        document[key] = (document[key] * 17)[:18]
    grids = [*(surface["cells"] for surface in document["surfaces"]), document["ratio"]]
    for line in (line for grid in grids for line in grid):
        line[:] = (line * wide)[:18]
    content = from_json(document)

    # Each colour of the ends of a scale is in its bar, and not elsewhere.
    assert {interpolate(RATIOS, 0.5 / STEPS), interpolate(RATIOS, 1 - 0.5 / STEPS)} <= {*shades(content)}
    assert interpolate(RATIOS, 0.5 / STEPS) not in shades(two_surfaces(owner))
    assert {"1", "+5 %", "−5 %"} <= {*written(content)}


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("form", PICTURES)
def test_hostile_texts_do_no_harm(owner: User, kind: Callable[[User], Content], form: str) -> None:
    words = " ".join(HOSTILE)
    made = draw(form, saying(kind(owner), words), Origin(ADDRESS, frozen=True, notices=(words,)))

    assert draw(form, saying(kind(owner), words), Origin(ADDRESS, frozen=True, notices=(words,))) == made
    if form == "svg":
        root = ElementTree.fromstring(made)
        names = {element.tag.removeprefix(SVG) for element in root.iter() if element.tag.startswith(SVG)}
        assert names <= {"svg", "title", "metadata", "path", "circle", "text"}
        assert not {name for element in root.iter() for name in element.attrib if name.startswith("on")}
        assert "<script>" in "".join(root.itertext())
        assert not set("\0\x1b\u202e") & {*made.decode()}


def test_an_interval_that_leaves_the_plot_has_an_arrow(owner: User) -> None:
    document: Any = to_json(a_trend(owner))
    document["series"][0]["cells"][3] |= {"low": 0.0, "high": document["series"][0]["cells"][3]["mean"] * 1.001}
    ext4 = SERIES[colours(["ext4"])[0] - 1]

    def arrows(content: Content) -> list[str]:
        return [
            shape.get("d", "") for shape in drawn(content).root if shape.get("fill") == ext4 and shape.tag == "path"
        ]

    assert arrows(a_trend(owner)) == []
    assert len(arrows(from_json(document))) == 1
