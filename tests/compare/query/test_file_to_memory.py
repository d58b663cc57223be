"""File size ÷ memory: its steps, and tables that compare machines of different sizes by it."""

import math

import pytest
from django.contrib.auth.models import User
from hypothesis import given
from hypothesis import strategies as st

from benchdb.compare.query.errors import ImpossibleSelection
from benchdb.compare.query.selection import Selection
from benchdb.compare.table.evaluate import evaluate
from benchdb.facts.file_to_memory import print_step, read_step, say_step, step_of
from benchdb.runs.models import Run
from tests.support.comparing.comparisons import ids, values
from tests.support.documents import GIB, KIB, MIB, environment, result
from tests.support.store import store_run

SIZES = st.integers(1, 2**50)


@pytest.mark.parametrize(
    ("file_size", "memory", "said"),
    [
        (16 * GIB, 8 * GIB, "2 ×"),
        (16 * GIB, 7.7 * GIB, "2 ×"),  # as the kernel counts a machine of 8 GiB
        (512 * MIB, 256 * MIB, "2 ×"),
        (GIB, 4 * GIB, "1/4 ×"),
        (MIB, 2 * GIB, "1/2048 ×"),
        (32 * KIB, 64 * MIB, "1/2048 ×"),
        (10 * GIB, 2 * GIB, "5 ×"),
        (GIB, GIB, "1 ×"),
        (5 * GIB, 4 * GIB, "1.25 ×"),
    ],
)
def test_ratios_that_people_say(file_size: int, memory: float, said: str) -> None:
    step = step_of(file_size, int(memory))
    assert step is not None
    assert say_step(step) == said


@pytest.mark.parametrize(("file_size", "memory"), [(None, GIB), (GIB, None), (None, None), (0, GIB)])
def test_unknown_stays_unknown(file_size: int | None, memory: int | None) -> None:
    assert step_of(file_size, memory) is None


@given(SIZES, SIZES)
def test_a_step_is_near_its_ratio_and_can_be_written(file_size: int, memory: int) -> None:
    step = step_of(file_size, memory)
    assert step is not None
    numerator, _, denominator = print_step(step).partition("/")
    ratio = float(numerator) / float(denominator or 1)
    assert abs(math.log(ratio / (file_size / memory))) <= math.log(4 / 3) / 2 + 1e-9
    if 2**-20 <= ratio <= 2**20:
        assert read_step(print_step(step)) == step


@given(SIZES, SIZES, SIZES)
def test_steps_are_in_order(file_size: int, other: int, memory: int) -> None:
    steps = [step_of(size, memory) for size in sorted((file_size, other))]
    assert steps[0] is not None
    assert steps[1] is not None
    assert steps[0] <= steps[1]


@pytest.mark.parametrize("text", ["", "x", "0", "-2", "1/0", "inf", "1e300", "2 ×"])
def test_other_texts_are_refused(text: str) -> None:
    with pytest.raises(ValueError, match="it is a ratio such as 2 or 1/4"):
        read_step(text)


def measured(owner: User, memory: int | None, *sizes: int) -> Run:
    """A run on a machine with this memory, with files of these sizes."""
    facts = environment()
    return store_run(
        owner,
        rounds=3,
        environment={**facts, "memory": {"total": memory}},
        results=[result(values(1e8, 3), file_size=size, record_size=MIB) for size in sizes],
    )


@pytest.mark.django_db
def test_machines_of_different_sizes_are_in_one_row(owner: User) -> None:
    runs = [measured(owner, 8 * GIB, 2 * GIB, 16 * GIB), measured(owner, GIB, 2 * GIB, 256 * MIB)]
    query = f"{ids(runs)}&rows=file_size_to_memory&columns=memory&split=none&test=write"

    content, _ = evaluate(Selection.parse(query), owner)

    [group] = content.groups
    assert [row.label for row in group.rows] == ["1/4 ×", "2 ×"]
    assert all(cell is not None for row in group.rows for cell in row.cells)


@pytest.mark.django_db
def test_as_a_filter_it_chooses_the_file_of_each_machine(owner: User) -> None:
    runs = [measured(owner, 8 * GIB, 2 * GIB, 16 * GIB), measured(owner, GIB, 2 * GIB, 256 * MIB)]

    content, _ = evaluate(Selection.parse(f"{ids(runs)}&rows=memory&file_size_to_memory=2&test=write"), owner)

    cells = [cell for row in content.groups[0].rows for cell in row.cells if cell]
    assert [cell.file_size for cell in cells] == [16 * GIB, 2 * GIB]
    with pytest.raises(ImpossibleSelection, match=r"possible are 1/4, 2"):
        evaluate(Selection.parse(f"{ids(runs)}&rows=memory&file_size_to_memory=3&test=write"), owner)


@pytest.mark.django_db
def test_without_a_known_memory_it_is_unknown(owner: User) -> None:
    runs = [measured(owner, None, GIB)]
    content, _ = evaluate(Selection.parse(f"{ids(runs)}&rows=file_size_to_memory&test=write"), owner)
    assert [row.label for row in content.groups[0].rows] == ["unknown"]
