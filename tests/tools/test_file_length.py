"""The budget for file lengths."""

from pathlib import Path

from tools.file_length import lengths


def test_what_people_write_is_counted(tmp_path: Path) -> None:
    for name, lines in {
        "benchdb/runs/models.py": 12,
        "benchdb/runs/migrations/0001_initial.py": 900,
        "benchdb/runs/notes.txt": 900,
        "agents/engine/main.c": 40,
        "agents/engine/build/made.c": 900,
        "docs/long.py": 900,
    }.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("line\n" * lines)

    assert lengths(tmp_path, ["benchdb", "agents"]) == {
        Path("benchdb/runs/models.py"): 12,
        Path("agents/engine/main.c"): 40,
    }
