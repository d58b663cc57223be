"""The binary format of COPY: bytes that PostgreSQL's own COPY writes for the same rows."""

import io

import numpy as np
import pytest
from django.db import connection
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from benchdb.runs.store import binary_copy as fields

CopiedRow = tuple[int | None, str | None, list[float | None] | None]
ROW = st.tuples(
    st.none() | st.integers(-(2**63), 2**63 - 1),
    st.none() | st.text(st.characters(exclude_characters="\x00", exclude_categories=["Cs"]), max_size=5),
    st.none() | st.lists(st.none() | st.floats(allow_nan=False), max_size=4).filter(bool),
)


@pytest.mark.django_db
@settings(max_examples=50, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(ROW, min_size=1, max_size=6))
def test_the_bytes_are_those_of_postgresql(
    rows: list[tuple[int | None, str | None, list[float | None] | None]],
) -> None:
    numbers = np.array([number or 0 for number, _, _ in rows], dtype=np.int64)
    values = [value for _, _, of_row in rows for value in of_row or []]
    flat = np.array(values, dtype=float)
    lists = fields.arrays(
        flat,
        np.cumsum([0, *(len(of_row or []) for _, _, of_row in rows)]),
        ">f8",
        np.array([of_row is not None for _, _, of_row in rows]),
        np.isnan(flat),
    )
    null = [number is None for number, _, _ in rows]
    made = fields.rows([fields.numbers(numbers, ">i8", null), fields.texts([text for _, text, _ in rows]), lists])

    with connection.cursor() as cursor:
        cursor.execute("CREATE TEMP TABLE IF NOT EXISTS copied (a int8, b text, c float8[])")
        cursor.execute("TRUNCATE copied")
        with cursor.copy("COPY copied FROM STDIN (FORMAT BINARY)") as copy:
            copy.write(made)
        written = io.BytesIO()
        with cursor.copy("COPY copied TO STDOUT (FORMAT BINARY)") as copy:
            for part in copy:
                written.write(part)
        cursor.execute("SELECT a, b, c FROM copied")
        assert cursor.fetchall() == rows
    assert written.getvalue() == made


def test_pieces_give_the_same_text(monkeypatch: pytest.MonkeyPatch) -> None:
    columns = [fields.texts(["a", None, "long " * 9, ""]), fields.numbers(np.arange(4), ">i8", np.arange(4) == 2)]
    at_once = fields.rows(columns)

    for most in (1, 40, 90):  # bytes: each row alone, and two and three of them together
        monkeypatch.setattr(fields, "MOST_JOINED", most)
        assert fields.rows(columns) == at_once


def test_a_constant_is_in_every_row() -> None:
    assert fields.rows([fields.constant(b"ab", 2)]) == (
        b"PGCOPY\n\xff\r\n\0" + bytes(8) + 2 * b"\x00\x01\x00\x00\x00\x02ab" + b"\xff\xff"
    )
