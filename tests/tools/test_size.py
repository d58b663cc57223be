"""The sizes of packages, and their ceilings."""

import ast
import subprocess
from collections import Counter
from pathlib import Path, PurePosixPath

import pytest

from tools.size import COLUMNS, ROOT, ceilings, is_record, package_of, sizes, verdicts

FILES = {
    "benchdb/runs/page/rows.py": '"""Text."""\nimport x\n\nif x:\n    y = 1\n\n@dataclass\nclass A:\n    z: int\n',
    "benchdb/runs/migrations/0001.py": "x = 1\n",
    "agents/benchagent/formats/fio/reader.py": "class B(NamedTuple):\n    z: Any  # Anything\n",
    "agents/engine/a.c": "int a;\n\nint b;\n",
    "benchdb/runs/templates/runs/run.html": "<p>\n</p>\n",
    "frontend/src/a.ts": "let a;\n",
    "frontend/styles/a.scss": "a {}\n\n",
    "docs/a.md": "Two words.\n",
    "tests/runs/test_a.py": "x = 1\ny = 2\n",
    "tests/runs/golden/a.py": "x = 1\n",
}


def test_each_kind_is_counted_for_its_package(tmp_path: Path) -> None:
    for name, text in FILES.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    subprocess.run(["git", "init", "-q", tmp_path], check=True)

    assert sizes(tmp_path) == {
        "agents/benchagent/formats": Counter(statements=2, records=1, any=1),
        "agents/engine": Counter(c=2),
        "benchdb/runs": Counter(statements=6, records=1, html=2),
        "docs": Counter(doc_words=2),
        "frontend/src": Counter(typescript=1),
        "frontend/styles": Counter(scss=1),
        "tests/runs": Counter(test_statements=2),
    }


@pytest.mark.parametrize(
    ("source", "record"),
    [
        ("@dataclass\nclass A:\n    x: int", True),
        ("@dataclasses.dataclass(slots=True)\nclass A:\n    def area(self): return 1", True),
        ("class A(typing.TypedDict):\n    x: int", True),
        ("class A:\n    def __init__(self, x):\n        '''Text.'''\n        self.x = x", True),
        ("class A:\n    def __init__(self, x):\n        self.x = x\n    def twice(self): return 2 * self.x", False),
        ("class A:\n    def __init__(self, x):\n        open(x)", False),
        ("class A(Model):\n    x = 1", False),
        ("def a(): ...", False),
    ],
)
def test_what_a_record_class_is(source: str, record: bool) -> None:
    assert is_record(ast.parse(source).body[0]) is record


@pytest.mark.parametrize(
    ("path", "package"),
    [("manage.py", "."), ("docs/guides/a.md", "docs"), ("tests/conftest.py", "tests"), ("tools/size.py", "tools")],
)
def test_files_beside_packages(path: str, package: str) -> None:
    assert package_of(PurePosixPath(path)) == package


def test_a_total_above_its_ceiling_fails() -> None:
    most = dict.fromkeys(COLUMNS, 10)

    assert not any(above for _, above in verdicts(Counter(statements=10), most))
    assert ("statements: 11, at most 10, which is too much", True) in verdicts(Counter(statements=11), most)


def test_every_column_has_a_ceiling() -> None:
    assert set(ceilings(ROOT)) == set(COLUMNS)
