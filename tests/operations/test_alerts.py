"""The alerts for Prometheus and the dashboard for Grafana: each alert fires when it should, with metrics that exist."""

import json
import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.test import Client
from prometheus_client.parser import text_string_to_metric_families

from benchdb import heartbeats

ROOT = Path(__file__).resolve().parents[2]
ALERTS = ROOT / "deploy" / "prometheus" / "benchdb.yml"
DASHBOARD = ROOT / "deploy" / "grafana" / "benchdb.json"
SITUATIONS = Path(__file__).with_name("alerts.test.yml")
REPLICA = "benchdb_replica_behind_bytes"  # tests/scale/test_replica.py reads it from a site that has one
promtool = pytest.mark.needs("promtool", package="prometheus")


def check(*arguments: str | Path) -> None:
    done = subprocess.run(["promtool", *arguments], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def expressions() -> Iterator[str]:
    """The queries of the dashboard, with values for the variables of Grafana."""
    for panel in json.loads(DASHBOARD.read_text())["panels"]:
        for target in panel["targets"]:
            yield target["expr"].replace("$__rate_interval", "5m").replace("$instance", ".*")


@promtool
def test_each_alert_fires_in_its_situation_only(tmp_path: Path) -> None:
    for path in (ALERTS, SITUATIONS):
        shutil.copy(path, tmp_path)
    check("test", "rules", tmp_path / SITUATIONS.name)


@promtool
def test_prometheus_accepts_the_queries_of_the_dashboard(tmp_path: Path) -> None:
    rules = [{"record": f"panel:{number}", "expr": each} for number, each in enumerate(expressions())]
    assert len(rules) > 10
    path = tmp_path / "dashboard.yml"
    path.write_text(json.dumps({"groups": [{"name": "dashboard", "rules": rules}]}))
    check("check", "rules", path)


def test_all_metrics_and_labels_exist(client: Client, db: None) -> None:
    client.get("/runs/")
    for name in heartbeats.NAMES:
        heartbeats.record(name)
    text = client.get("/metrics", headers={"Host": "localhost"}).content.decode()
    samples = [sample for family in text_string_to_metric_families(text) for sample in family.samples]
    queries = "\n".join([ALERTS.read_text(), *expressions()])
    assert set(re.findall(r"\bbenchdb_\w+", queries)) <= {each.name for each in samples} | {REPLICA}
    values = {(label, value) for each in samples for label, value in each.labels.items()}
    named = set(re.findall(r'\b(of|state)="(\w+)"', queries))
    assert named == {("of", "worker"), ("of", "sweep"), ("state", "failed")}
    assert named <= values
