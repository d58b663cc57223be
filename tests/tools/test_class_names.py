"""Every class name has one meaning."""

from __future__ import annotations

from pathlib import Path

from tools.class_names import ROOT, duplicates


def test_no_name_of_the_repository_has_two_meanings() -> None:
    assert duplicates(ROOT) == {}


def test_two_classes_of_one_name_are_found(tmp_path: Path) -> None:
    for name, text in {
        "benchdb/one.py": "class Place: ...\nclass Machine: ...\n",
        "agents/benchagent/two.py": "class Place: ...\nclass Machine: ...\n",
    }.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True)
        path.write_text(text)

    assert duplicates(tmp_path) == {"Place": [Path("benchdb/one.py"), Path("agents/benchagent/two.py")]}
