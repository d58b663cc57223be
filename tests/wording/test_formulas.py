"""Lines of CSV without formulas."""

from __future__ import annotations

from io import StringIO

from benchdb.wording.formulas import write_csv


def test_texts_get_a_quote_and_numbers_stay_numbers() -> None:
    file = StringIO()
    write_csv(file, [["=1+1", "a;@x", 'a "b"'], [-1.5, None, -2]])
    assert file.getvalue() == '\'=1+1,a;\'@x,"a ""b"""\r\n-1.5,,-2\r\n'
