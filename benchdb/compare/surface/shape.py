"""What the shape of a surface says: where memory ends, and which sizes are unlike their neighbours."""

from __future__ import annotations

from collections.abc import Iterator

from django.utils.text import get_text_list

from benchdb.stats import matrix
from benchdb.stats.arrays import FloatArray
from benchdb.stats.shape import LineRatio, shape
from benchdb.wording.changes import effect_in_words
from benchdb.wording.numbers import plural
from benchdb.wording.sizes import say_size

from .averages import SurfaceCells
from .content import ShapeFinding, SurfaceContent


def shape_findings(content: SurfaceContent) -> list[ShapeFinding]:
    """The findings of each surface, from its means; one that is the same for several surfaces comes once."""
    found: dict[str, ShapeFinding] = {}
    for s, surface in enumerate(content.surfaces):
        values = _values(surface.cells)
        for finding in (*_memory(content, s), *(_ratio(content, s, each) for each in shape(values))):
            found.setdefault(finding.text, finding).of.append(s)
    return list(found.values())


def say_shape(content: SurfaceContent) -> list[str]:
    """The findings with the labels of their runs, if they are not about all."""
    return [
        finding.text
        if len(finding.of) == len(content.surfaces)
        else f"{get_text_list([content.surfaces[s].label for s in finding.of], 'and')}: {finding.text}"
        for finding in content.shape
    ]


def _values(cells: SurfaceCells) -> FloatArray:
    """(file sizes, record sizes, rounds); the mean where the values of rounds are unknown."""
    flat = [([] if cell is None else cell.values or [cell.mean]) for line in cells for cell in line]
    return matrix(flat).reshape(len(cells), len(cells[0]), -1)


def _memory(content: SurfaceContent, s: int) -> Iterator[ShapeFinding]:
    """That the largest file fits in memory, unless a cell reached the device."""
    cells = content.surfaces[s].cells
    memory = [mark.bytes for mark in content.marks if mark.label == "memory" and s in mark.of]
    largest = max((size for size, line in zip(content.file_sizes, cells, strict=True) if any(line)), default=0)
    verdicts = {cell.cache.verdict for line in cells for cell in line if cell and cell.mean is not None}
    if memory and verdicts and verdicts <= {"cached", "unknown"} and largest <= memory[0]:
        part = memory[0] / largest
        size = "fits in" if part < 2 else f"is 1/{float(f'{part:.2g}'):.0f} of"
        what = "all of this is memory, not the disk" if verdicts == {"cached"} else "this may be memory, not the disk"
        text = f"The largest file, {say_size(largest)}, {size} memory ({say_size(memory[0])}): {what}."
        yield ShapeFinding("memory", [], "file_size", [largest, memory[0]], None, None, None, text)


def _ratio(content: SurfaceContent, s: int, found: LineRatio) -> ShapeFinding:
    axis, other = ("file_size", "record") if found.axis == 0 else ("record_size", "file")
    sizes = content.file_sizes if found.axis == 0 else content.record_sizes
    at = found.line
    compared = [at - 1, at] if not found.outlying else [at, at - 1, at + 1]
    words = effect_in_words(content.metric, found.ratio, found.low, found.high)
    noun = f" {words.noun}" if words.noun else ""
    said = [say_size(sizes[i]) for i in compared]
    of = "of files of" if found.axis == 0 else "with records of"
    this, those = (said[0], " and ".join(said[1:])) if found.outlying else (said[1], said[0])
    where = f"on average over {plural(found.places, f'{other} size')}"
    text = (
        f"{content.label} {of} {this} {words.verb} {words.change}{noun} than {of} {those} ({words.interval}), {where}"
    )
    ends = [
        f"{mark.label} ({say_size(mark.bytes)})"
        for mark in content.marks
        if not found.outlying and mark.axis == axis and s in mark.of and sizes[at - 1] < mark.bytes <= sizes[at]
    ]
    if ends:
        text += f": {get_text_list(ends, 'and')} end{'s' if len(ends) == 1 else ''} there"
    elif found.outlying:
        text += ": an outlier"
    kind = "outlier" if found.outlying else "step"
    return ShapeFinding(kind, [], axis, [sizes[i] for i in compared], found.ratio, found.low, found.high, f"{text}.")
