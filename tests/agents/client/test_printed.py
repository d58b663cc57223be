"""Tables in a terminal."""

from dataclasses import replace

from benchagent.client import Table, TableCell
from benchagent.client.printed import lines_of

CELL = TableCell(
    split="",
    row="ext4",
    column="write",
    metric="throughput",
    unit="B/s",
    higher_is_better=True,
    status="ok",
    error=None,
    n=4,
    mean=10.0,
    sd=1.0,
    low=9.0,
    high=11.0,
    median=10.0,
    baseline=True,
    best=False,
    verdict="",
    why="",
    ratio=None,
    ratio_low=None,
    ratio_high=None,
    p_adjusted=None,
    change="",
    tail="",
    cache="device",
    warnings=(),
    runs=("r",),
    values=(9.0, 10.0, 10.0, 11.0),
    shown="10.0",
    shown_unit="MB/s",
)
XFS = replace(
    CELL,
    row="xfs",
    baseline=False,
    verdict="better",
    change="+20 %",
    p_adjusted=0.0123,
    tail="worse",
    values=(12.0, 12.0, 12.0, 12.0),
    shown="12.0",
)
FAILED = replace(
    XFS, row="btrfs", status="failed", n=None, verdict="none", change="", p_adjusted=None, tail="", values=()
)


def printed(*cells: TableCell) -> list[str]:
    return list(
        lines_of(
            Table(
                "http://x/compare/?run=r", False, "Title", "Subtitle", "run=r", "fs", "ext4", ("Finding.",), (), cells
            )
        )
    )


def test_rows_have_figures_verdicts_and_strips_on_one_axis() -> None:
    assert printed(CELL, XFS, FAILED) == [
        "Title",
        "Subtitle",
        "• Finding.",
        "",
        "write",
        "           MB/s  than ext4        n",
        "  ext4     10.0  baseline         4  │·       •      ·        │",
        "  xfs      12.0  ▲ +20 %, tail ▼  4  │                       ●│  p = 0.012",
        "  btrfs  failed  –",
        "",
        "http://x/compare/?run=r",
    ]


def test_cells_of_a_column_stay_together() -> None:
    reads = [replace(cell, column="read") for cell in (CELL, XFS)]

    assert [line for line in printed(CELL, reads[0], XFS, reads[1]) if line in ("write", "read")] == ["write", "read"]


def test_equal_values_are_in_the_middle() -> None:
    [strip] = [line for line in printed(replace(CELL, values=(5.0, 5.0))) if "│" in line]

    assert strip.partition("│")[2].index("•") == 12
