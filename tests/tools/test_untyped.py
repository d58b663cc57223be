"""The check that the type checker is on almost everywhere."""

from __future__ import annotations

from pathlib import Path

import pytest

from tools.untyped import BOUND, ROOT, main, occurrences


def tree(root: Path, times: int) -> Path:
    """A checkout whose agent and server say the word so often together."""
    for folder, text in (
        ("benchdb", "x: Any\n" * (times - 1)),
        ("agents/benchagent", "import Any  # Anything, many\n"),
    ):
        (root / folder).mkdir(parents=True)
        (root / folder / "module.py").write_text(text)
    return root


def test_each_file_is_counted_and_longer_words_are_not(tmp_path: Path) -> None:
    assert occurrences(tree(tmp_path, 3)) == {"benchdb/module.py": 2, "agents/benchagent/module.py": 1}


@pytest.mark.parametrize(("times", "code"), [(BOUND - 1, 0), (BOUND, 1)])
def test_the_bound_itself_is_too_many(
    tmp_path: Path, times: int, code: int, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(tree(tmp_path, times)) == code
    printed = capsys.readouterr().out
    assert printed.startswith(f"{times} times Any in 2 files")
    assert ("benchdb/module.py" in printed) == bool(code)


def test_the_repository_has_files_to_count() -> None:
    assert sum(1 for _ in (ROOT / "benchdb").rglob("*.py")) > 500
