"""All public results as one file, read back by DuckDB."""

import resource
from io import StringIO
from pathlib import Path

import duckdb
import pytest
from django.contrib.auth.models import User
from django.core.management import CommandError, call_command

from benchdb.exports import columnar, public_store
from benchdb.runs.queries import measured
from benchdb.runs.services import withdraw
from tests.support.campaigns import of_point, store_campaign
from tests.support.comparing.comparisons import surface_run
from tests.support.documents import result, target
from tests.support.store import store_run


def written(path: Path) -> str:
    out = StringIO()
    call_command("export_public", str(path), stdout=out)
    assert not [*path.parent.glob("*.part")]
    return out.getvalue()


@pytest.mark.parametrize("at_once", [1, 100_000])
def test_every_public_result_is_in_it_once_and_no_other(
    owner: User, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, at_once: int
) -> None:
    monkeypatch.setattr(public_store, "MOST_AT_ONCE", at_once)
    monkeypatch.setattr(public_store, "RUNS_AT_ONCE", 2)
    monkeypatch.setattr(columnar, "AT_ONCE", 3)
    failed = result(None, "read", status="failed", error="No space left on device") | {"values": None}
    runs = [
        store_run(owner, target=target("xfs"), labels={"disk": "new"}),
        surface_run(owner),
        store_run(owner, results=[result([1.5, None, 2.5]), failed], rounds=3),
    ]
    for visibility in ("private", "unlisted"):
        store_run(owner, visibility=visibility)
    withdraw(store_run(owner), "a mistake")
    file = tmp_path / "public.parquet"

    text = written(file)

    stored = measured(sorted(run.pk for run in runs))
    lines = duckdb.sql(f"SELECT run, ordinal, test, unit, mean, sd, n, status, error, values FROM '{file}'").fetchall()
    assert lines == [
        (str(r.run_id), r.ordinal, r.test, r.unit, r.mean, r.sd, r.n, r.status, r.error, r.values) for r in stored
    ]
    assert text == f"{file}: {len(stored)} results of 3 runs, {file.stat().st_size} bytes\n"
    of_run = "started_at, machine, file_system, cpu, labels, source"
    [facts] = duckdb.sql(f"SELECT DISTINCT {of_run} FROM '{file}' WHERE run = '{runs[0].pk}'").fetchall()
    environment = runs[0].environment
    assert facts == (runs[0].started_at, "epyc-2", "xfs", environment.cpu_model, '{"disk": "new"}', "measured")


def test_only_public_campaigns_are_named(owner: User, tmp_path: Path) -> None:
    campaigns = [store_campaign(owner, visibility=each) for each in ("public", "unlisted", "private")]
    runs = [store_run(owner, campaign=of_point(each.pk, "ext4/mkfs")) for each in campaigns]
    written(file := tmp_path / "public.parquet")
    named = duckdb.sql(f"SELECT DISTINCT run, campaign FROM '{file}' ORDER BY run").fetchall()
    assert named == [(str(runs[0].pk), str(campaigns[0].pk)), *((str(run.pk), None) for run in runs[1:])]


def test_an_empty_store_is_an_empty_file(db: None, tmp_path: Path) -> None:
    written(tmp_path / "public.parquet")
    assert duckdb.sql(f"SELECT count(*) FROM '{tmp_path}/public.parquet'").fetchall() == [(0,)]


def test_a_file_is_replaced_only_when_all_is_written(
    owner: User, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store_run(owner)
    file = tmp_path / "public.parquet"
    written(file)
    before = file.read_bytes()

    def fail(*_: object) -> None:
        raise OSError("no space")

    monkeypatch.setattr(public_store, "_of_result", fail)
    with pytest.raises(CommandError):
        written(file)
    assert file.read_bytes() == before
    with pytest.raises(CommandError, match="No such file"):
        written(tmp_path / "missing" / "public.parquet")


def test_memory_does_not_grow_with_the_lines(tmp_path: Path) -> None:
    """Ten times the lines take less than as much again as one row group."""
    columns = [columnar.TypedColumn("text", "text"), columnar.TypedColumn("values", "numbers")]

    def peak_after(lines: int) -> int:
        with (tmp_path / "file.parquet").open("wb") as file:
            columnar.write(file, columns, ((f"line {i}", [float(i)] * 5) for i in range(lines)), {})
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss

    few = peak_after(3 * columnar.AT_ONCE)
    assert peak_after(15 * columnar.AT_ONCE) < few + 30_000
