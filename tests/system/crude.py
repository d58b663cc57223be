"""Second readers of the tools' output, independent of the parsers and based on the positions of numbers."""

from tests.agents.formats.crude.iozone import COLUMN_ENDS, TESTS, table_rows

Cell = tuple[str, int, int]

BONNIE_TESTS = (
    *("char_write", "block_write", "block_rewrite", "char_read", "block_read", "random_seek"),
    *("seq_create", "seq_stat", "seq_delete", "random_create", "random_stat", "random_delete"),
)
# Fields of bonnie++ 1.98's CSV, from 0: result and CPU of each test side by side, latencies at the end.
BONNIE_FIELDS = (9, 11, 13, 15, 17, 19, 26, 28, 30, 32, 34, 36)
BONNIE_LATENCIES = 38
MICROSECONDS = {"us": 1, "ms": 1000, "s": 1_000_000}


def iozone_cells(text: str) -> dict[Cell, int]:
    """(test, file size, record size) → KiB/s. Columns have fixed widths, so numbers may touch."""
    cells: dict[Cell, int] = {}
    for _, line in table_rows(text):
        kilobytes, reclen = int(line[:16]) * 1024, int(line[16:24]) * 1024
        for test, start, end in zip(TESTS, (24, *COLUMN_ENDS), COLUMN_ENDS, strict=False):
            if printed := line[start:end].strip():
                cells[test, kilobytes, reclen] = int(printed)
    return cells


def bonnie_cells(csv: str) -> dict[str, tuple[str, str, float]]:
    """Test → (result, CPU in percent, both as printed, and the latency in microseconds)."""
    fields = csv.splitlines()[-1].split(",")
    cells = {}
    for position, (test, field) in enumerate(zip(BONNIE_TESTS, BONNIE_FIELDS, strict=True)):
        cells[test] = (fields[field], fields[field + 1], _microseconds(fields[BONNIE_LATENCIES + position]))
    return cells


def _microseconds(printed: str) -> float:
    unit = printed.lstrip("0123456789.")
    return float(printed.removesuffix(unit)) * MICROSECONDS[unit]
