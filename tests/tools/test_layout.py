"""The rules for packages, and the table in the documentation."""

from collections import Counter
from pathlib import Path, PurePosixPath

from tools.layout import MOST_MODULES, breaches, modules, table


def tree(root: Path, *names: str) -> list[PurePosixPath]:
    """Files of one line; an `__init__.py` has a docstring, unless its package is called `empty`."""
    for name in names:
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("" if path.parent.name == "empty" else '"""What it is for."""\n')
    return [PurePosixPath(name) for name in names]


def test_a_package_of_good_modules_has_no_breach(tmp_path: Path) -> None:
    paths = tree(tmp_path, "benchdb/runs/__init__.py", "benchdb/runs/models.py", "tests/runs/runs_helper.py")

    assert list(breaches(paths, tmp_path)) == []


def test_each_rule_is_broken_by_what_it_forbids(tmp_path: Path) -> None:
    many = [f"{top}/many/module_{number}.py" for top in ("benchdb", "tests") for number in range(MOST_MODULES + 1)]
    paths = tree(
        tmp_path,
        "benchdb/many/__init__.py",
        *many,
        "benchdb/empty/__init__.py",
        "agents/benchagent/tools/tools_base.py",
    )

    assert list(breaches(paths, tmp_path)) == [
        f"benchdb/many: {MOST_MODULES + 1} modules, over the limit of {MOST_MODULES}",
        f"tests/many: {MOST_MODULES + 1} modules, over the limit of {MOST_MODULES}",
        "agents/benchagent/tools: no __init__.py that says what the package is for",
        "benchdb/empty/__init__.py: no docstring that says what the package is for",
        "agents/benchagent/tools/tools_base.py: repeats the name of its package",
    ]


def test_the_table_counts_modules_before_and_after() -> None:
    now = modules([PurePosixPath("benchdb/runs/__init__.py"), PurePosixPath("benchdb/runs/models.py")])

    assert list(table(now, Counter({"benchdb/old": 3}))) == [
        "   3 →    0  benchdb/old",
        "   0 →    1  benchdb/runs",
        "server and agent: 1 packages, 3 modules, at most 3 in one → 1 packages, 1 modules, at most 1 in one",
        "tests: 0 packages, 0 modules, at most 0 in one → 0 packages, 0 modules, at most 0 in one",
    ]
