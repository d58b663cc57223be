"""The overlaid distributions as files: the figures of the page in base units, and a picture that is valid XML."""

import csv
from xml.etree import ElementTree

import pytest
from django.contrib.auth.models import User
from django.test import Client

from benchdb.runs.distributions.section import say_latency
from benchdb.runs.models import Run
from benchdb.wording.words import percentile_name
from tests.compare.latencies.test_page import address, three

pytestmark = pytest.mark.django_db


def file_address(runs: list[Run], form: str) -> str:
    return address(runs, "0-0-0").replace("latencies/", f"latencies.{form}")


def test_the_lines_of_csv_are_the_figures_of_the_page(ada: Client, owner: User) -> None:
    runs = three(owner, "write")
    answer = ada.get(file_address(runs, "csv"))
    assert answer.headers["Content-Type"] == "text/csv; charset=utf-8"
    lines = list(csv.DictReader(answer.content.decode().splitlines()))
    page = ada.get(address(runs, "0-0-0")).context

    assert [line["label"] for line in lines if line["share"] == "0.5"] == ["ext4", "xfs", "btrfs"]
    assert len(lines) == sum(cell is not None for line in page["lines"] for cell in line["cells"])
    assert {(line["rounds"], line["operations"]) for line in lines} == {("6", "120000")}
    shown = {
        (line["name"], curve["label"]): cell["figure"]
        for line in page["lines"]
        for curve, cell in zip(page["curves"]["curves"], line["cells"], strict=True)
        if cell
    }
    assert {
        (percentile_name(100 * float(line["share"])), line["label"]): say_latency(float(line["latency_s"]))
        for line in lines
    } == shown
    assert all(float(line["low_s"]) <= float(line["latency_s"]) <= float(line["high_s"]) for line in lines)


def test_the_picture_names_its_curves_and_has_no_markup_of_labels(ada: Client, owner: User) -> None:
    answer = ada.get(file_address(three(owner, "write"), "svg") + "&factor=file_system")
    assert answer.headers["Content-Type"] == "image/svg+xml; charset=utf-8"
    root = ElementTree.fromstring(answer.content)
    texts = ["".join(text.itertext()) for text in root.iter("{http://www.w3.org/2000/svg}text")]
    assert [name for name in ("ext4", "xfs", "btrfs") if any(text.startswith(name) for text in texts)] == [
        "ext4",
        "xfs",
        "btrfs",
    ]
    assert "99.9 %" in texts


@pytest.mark.parametrize("form", ["png", "hgrm"])
def test_there_are_no_other_files(ada: Client, owner: User, form: str) -> None:
    assert ada.get(file_address(three(owner, "write"), form)).status_code == 404


def test_an_impossible_selection_is_refused_as_text(client: Client) -> None:
    answer = client.get("/compare/latencies.csv?run=nonsense&cell=0-0-0")
    assert (answer.status_code, answer.headers["Content-Type"]) == (400, "text/plain; charset=utf-8")
    assert "nonsense" in answer.content.decode()
