"""The results of `make audit` from reports of pip-audit and npm, and from invalid reports."""

from __future__ import annotations

import json

import pytest

from tools.audit import judged, of_npm, of_pip

PIP = {
    "dependencies": [
        {"name": "django", "version": "5.2.1", "vulns": [{"id": "PYSEC-1", "fix_versions": ["5.2.2"], "aliases": []}]},
        {"name": "numpy", "version": "2.4.6", "vulns": []},
        {"name": "ours", "skip_reason": "not on PyPI"},
    ],
    "fixes": [],
}
NPM = {"auditReportVersion": 2, "vulnerabilities": {"esbuild": {"severity": "moderate", "range": "<=0.24.2"}}}


def test_weaknesses_are_named() -> None:
    assert judged(json.dumps(PIP), of_pip) == ["django 5.2.1: PYSEC-1, mended in ['5.2.2']"]
    assert judged(json.dumps(NPM), of_npm) == ["esbuild: moderate, <=0.24.2"]


def test_none_is_an_answer_too() -> None:
    sound = {"dependencies": [{"name": "numpy", "version": "2.4.6", "vulns": []}]}
    assert judged(json.dumps(sound), of_pip) == []
    assert judged('{"vulnerabilities": {}}', of_npm) == []


def test_packages_that_the_source_does_not_know_are_not_checked() -> None:
    assert judged('{"dependencies": [{"name": "django", "skip_reason": "not found"}], "fixes": []}', of_pip) is None


@pytest.mark.parametrize("output", ["", "ERROR: connection refused", "null", '{"error": {"code": "ENOAUDIT"}}', "[]"])
def test_what_is_no_report_is_not_checked(output: str) -> None:
    assert judged(output, of_pip) is None
    assert judged(output, of_npm) is None
